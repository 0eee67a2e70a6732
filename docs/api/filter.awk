# SPDX-License-Identifier: Apache-2.0
# filter.awk: public headers as doxygen reads them; the number of lines stays. The customs of the
# headers become commands of doxygen:
#   the comment at the top describes the file;
#   a comment describes all declarations below it, down to a blank line or the next comment;
#   a comment behind a declaration describes all that it declares, within /* */, too;
#   a field without a comment is described by its struct;
#   a list of names, PERP_…_LIST(X), becomes the members of the enum or struct that is made of it;
#   macros that only serve other macros are left out.

function trim(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }

# The text of a comment without its ends.
function text_of(comment) {
    sub(/^[ \t]*\/\*+<?[ \t]*/, "", comment)
    sub(/[ \t]*\*+\/[ \t]*$/, "", comment)
    return comment
}

# One entry of a list: NAME, "text" or type, member, "unit", "help".
function entry_of(line,    parts, note, at) {
    note = ""
    if (match(line, /\/\*.*\*\//)) {
        note = text_of(substr(line, RSTART, RLENGTH))
        line = substr(line, 1, RSTART - 1)
    }
    if (!match(line, /X\(.*\)/)) { return "" }
    line = substr(line, RSTART + 2, RLENGTH - 3)
    split(line, parts, /, */)
    if (parts[1] ~ /^PERP_/) {
        at = index(line, "\"")
        if (at > 0) { note = substr(line, at + 1, length(line) - at - 1) (note == "" ? "" : ": " note) }
        return parts[1] ", /**< " note " */ "
    }
    at = index(line, "\", \"")
    note = at > 0 ? substr(line, at + 4, length(line) - at - 4) : ""
    return parts[1] " " parts[2] "; /**< " note " [" substr(parts[3], 2, length(parts[3]) - 2) "] */ "
}

# Declarators apart, each with the comment: "double a, *b;".
function apart(code, note,    type, rest, parts, n, k, out) {
    sub(/[;][ \t]*$/, "", code)
    match(code, /^((const|struct|enum|unsigned|long) )*[A-Za-z_0-9]+ /)
    type = substr(code, 1, RLENGTH)
    n = split(substr(code, RLENGTH + 1), parts, /, */)
    for (k = 1; k <= n; k++) { out = out "/** " note " */ " type parts[k] "; " }
    return out
}
function several(code) {
    return code ~ /^((const|struct|enum|unsigned|long) )*[A-Za-z_0-9]+ [^(={}]*,[^(={}]*;$/
}

# doc: the comment above, where it describes all that follows; own: of one declaration, where it
# does not (single); fresh: nothing has followed yet.
function forget() { doc = ""; fresh = 0 }

# The declaration without its comment.
function code_of(line) { gsub(/\/\*.*/, "", line); return line }

NR == 1 { print "/** @file"; open = 1; next }

# Comments of several lines: one that is kept moves before its declaration, held lines become empty.
open {
    if (kept) {
        line = $0
        sub(/^[ \t]*\*?[ \t]*/, "", line)
        gathered = gathered " " line
        held++
        if ($0 ~ /\*\/[ \t]*$/) {
            print apart(declaration, text_of("/* " gathered))
            for (; held > 0; held--) { print "" }
            open = kept = 0
        }
        next
    }
    print
    if (gathering) {
        line = $0
        sub(/^[ \t]*\*?[ \t]?/, "", line)
        doc = doc " " line
    }
    if ($0 ~ /\*\//) {
        open = 0
        if (gathering) { sub(/[ \t]*\*+\/[ \t]*$/, "", doc); fresh = 1 }
        if (single) { own = doc; doc = "" }
        gathering = 0
    }
    next
}

# Lists of names.
/^#[ \t]*define[ \t]+PERP_[A-Z_]*LIST\(X\)/ {
    name = $0
    sub(/^#[ \t]*define[ \t]+/, "", name); sub(/\(.*/, "", name)
    listing = name
    if ($0 !~ /\\$/) { listing = "" }
    print ""
    forget()
    next
}
listing != "" {
    list[listing] = list[listing] entry_of($0)
    if ($0 !~ /\\$/) { listing = "" }
    print ""
    next
}
/^#[ \t]*define[ \t]+PERP_(ENUM|MEASURE_MEMBER)\(/ || /^#[ \t]*undef/ { print ""; next }
match($0, /PERP_[A-Z_]*LIST\(/) && !/^#/ {
    name = substr($0, RSTART, RLENGTH - 1)
    rest = substr($0, RSTART)
    sub(/\([A-Z_]*\)/, "", rest)
    before = substr($0, 1, RSTART - 1)
    print before list[name] substr(rest, length(name) + 1)
    fresh = 0
    next
}
/^#[ \t]*define PERP_(OR_|BEGIN_|END_|PRINTF)/ { print ""; skip = $0 ~ /\\$/; next }
skip { print ""; skip = $0 ~ /\\$/; next }
/^#[ \t]*define/ {
    print (doc != "" && !fresh && depth == 0 ? "/** " doc " */ " : "") $0
    fresh = 0
    passed = $0 ~ /\\$/
    next
}
passed { print; passed = $0 ~ /\\$/; next }
/^#/ || /^[ \t]*$/ { print; forget(); next }

# Bodies of inline functions.
/^{/ { body = 1 }
body { print; if (/^}/) { body = 0; forget() } next }

# A comment of its own line.
/^[ \t]*\/\*\*([^<]|$)/ || (depth > 0 && /^[ \t]*\/\*[^*]/) {
    line = $0
    if (line ~ /^[ \t]*\/\*[^*]/) { sub(/\/\*/, "/**", line) }
    forget()
    print line
    gathering = line !~ /@(name|[{}])/
    single = depth > 0 && $0 ~ /^[ \t]*\/\*\*/ # of one field alone
    if (gathering) { doc = text_of(line) }
    if ($0 ~ /\*\//) {
        fresh = gathering
        gathering = 0
        if (single) { own = doc; doc = "" }
    } else {
        open = 1
    }
    next
}
/^[ \t]*\/\*/ { print; forget(); open = $0 !~ /\*\//; next }

# Declarations.
{
    line = $0
    code = trim(code_of(line))
    behind = line ~ /\/\*/
    if (!inside && depth > 0 && several(code)) {
        comment = behind ? substr(line, index(line, "/*")) \
            : "/* " (fresh && single ? own : doc != "" ? doc : "Described with its struct.") " */"
        declaration = code
        fresh = 0
        if (comment ~ /\*\//) {
            print apart(code, text_of(comment))
        } else {
            gathered = text_of(comment)
            held = 0
            kept = open = 1
        }
        next
    }
    if (behind && line !~ /\/\*\*</) { sub(/\/\*\*?/, "/**<", line) }
    if (behind && line !~ /\*\//) { open = 1 }
    if (!inside && !fresh && doc != "" && !behind && code !~ /^}/) { line = "/** " doc " */ " line }
    if (!inside && depth > 0 && !fresh && doc == "" && !behind && code ~ /;$/ && code !~ /^}/) {
        line = "/** Described with its struct. */ " line
    }
    fresh = 0
    opened = gsub(/{/, "{", code)
    closed = gsub(/}/, "}", code)
    depth += opened - closed
    if (opened > closed || closed > opened) { forget() }
    inside = code !~ /[;{},]$/ || (depth == 0 && code ~ /,$/) || code ~ /\([^)]*$/
    print line
}
