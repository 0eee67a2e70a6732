# SPDX-License-Identifier: Apache-2.0
# pages.awk: the opening comment of every file that defines a solver type, as a C table:
# { name, file, text }. The comment is the solver's manual page.
function quote(s) {
    gsub(/\\/, "\\\\", s)
    gsub(/"/, "\\\"", s)
    return "        \"" s "\\n\"\n"
}
FNR == 1 { text = ""; inside = 1; file = FILENAME; sub(/.*libsolvers\//, "libsolvers/", file) }
inside {
    line = $0
    end = sub(/ *\*\/ *$/, "", line)
    sub(/^\/\* ?/, "", line)
    sub(/^ \* ?/, "", line)
    if (line !~ /^SPDX/) {
        if (sub(/^[a-z]+\/[a-z_0-9]+\.[ch]: /, "", line))
            line = toupper(substr(line, 1, 1)) substr(line, 2)
        text = text quote(line)
    }
    if (end) inside = 0
    next
}
/^const perp_solver_type perp_solver_/ { type = 1 }
type && /\.name = "/ {
    name = $0
    sub(/.*\.name = "/, "", name)
    sub(/".*/, "", name)
    table = table "    {\"" name "\", \"" file "\",\n" text "    },\n"
    type = 0
}
BEGIN {
    print "/* Made from the opening comments of the solvers. */"
    print "#include <config.h>\n"
    print "#include \"command/cli/page.h\"\n"
    print "const solver_page solver_pages[] = {"
}
END { printf "%s    {0},\n};\n", table }
