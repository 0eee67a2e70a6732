#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rooms.sh [TREE]: check each #include of the libraries and the command against the table
# build-aux/rooms.txt of the tree (default: this one). Prints "file:line: what is wrong" for
# each include that the table does not allow, and for each folder or row without the other.
# Exit status: 0 all allowed, 1 not.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2
set -f
sources=$(find libsolvers libdynamics command interop web experiments -name '*.[ch]' | LC_ALL=C sort)
# shellcheck disable=SC2086 # one word per file
awk '
function folder(path) { return path ~ /\// ? substr(path, 1, match(path, /\/[^\/]*$/) - 1) : "" }
# The room of a public header; of another file the row with the longest name that is its folder or
# a folder above it.
function room_of(path,    at) {
    if (path in home) { return home[path] }
    for (at = folder(path); at != "" && !(at in rooms); at = folder(at)) { }
    return at
}
# The file that the compiler finds: beside the including one, then in the order of -I.
function resolve(name, from,    k, path) {
    for (k = 0; k <= count_of_places; k++) {
        path = (k ? place[k] : folder(from)) "/" name
        sub(/^\//, "", path)
        while (sub(/[^\/.]+\/\.\.\//, "", path)) { }
        if (path in present) { return path }
    }
    return name
}
function complain(text) { print text; wrong = 1 }
BEGIN {
    count_of_places = split("libsolvers libdynamics", place, " ")
    place[++count_of_places] = ""
    for (k = 2; k < ARGC; k++) { present[ARGV[k]] = 1 }
}
FILENAME == ARGV[1] {
    if ($0 ~ /^#/ || NF == 0) { next }
    if ($1 == "headers") {
        for (k = 3; k <= NF; k++) {
            path = "libdynamics/perp/dynamics/" $k ".h"
            home[path] = $2
            if (!(path in present)) { complain("build-aux/rooms.txt:" FNR ": no file " path) }
        }
        next
    }
    rooms[$1] = FNR
    for (k = 2; k <= NF; k++) { allowed[$1, $k] = 1 }
    next
}
# The table is transitive: a room may include what the rooms that it may include may include.
!closed {
    closed = 1
    for (b in rooms) for (a in rooms) for (c in rooms)
        if (((a, b) in allowed) && ((b, c) in allowed)) { allowed[a, c] = 1 }
    for (pair in allowed) {
        split(pair, ends, SUBSEP)
        if (!(ends[2] in rooms)) { complain("build-aux/rooms.txt: no row for " ends[2]) }
        if (((ends[2], ends[1]) in allowed)) { complain("build-aux/rooms.txt: " ends[1] " and " ends[2] " are a circle") }
    }
}
FNR == 1 {
    own = room_of(FILENAME)
    lived[own] = 1
    if (own == "") { complain(FILENAME ":1: no row of build-aux/rooms.txt has its folder") }
}
/^[ \t]*#[ \t]*include[ \t]*<perp\// {
    if (own ~ /^libsolvers\// && $0 ~ /<perp\/dynamics\//) {
        complain(FILENAME ":" FNR ": " own " includes a header of libdynamics")
    }
    if (own ~ /^libdynamics\// && match($0, /<perp\/dynamics\/[^>]*>/)) {
        name = substr($0, RSTART + 1, RLENGTH - 2)
        target = room_of("libdynamics/" name)
        if (target != own && !((own, target) in allowed)) {
            complain(FILENAME ":" FNR ": " own " includes <" name "> of " target)
        }
    }
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, quoted, "\"")
    target = room_of(resolve(quoted[2], FILENAME))
    if (target != own && !((own, target) in allowed)) {
        complain(FILENAME ":" FNR ": " own " includes \"" quoted[2] "\"" \
                 (target == "" ? "" : " of " target))
    }
}
END {
    for (a in rooms) {
        if (!(a in lived)) { complain("build-aux/rooms.txt:" rooms[a] ": no file in " a) }
    }
    exit wrong
}' build-aux/rooms.txt $sources
