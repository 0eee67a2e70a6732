#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# coverage.sh BUILD SOURCE: lines of the libraries that the tests reach, per file and
# in all.
set -eu
source=$(cd "$2" && pwd -P)
cd "$1"
find libsolvers libdynamics -name '*.gcno' | while read -r notes; do
    gcov -n -o "$(dirname "$notes")" "$notes" 2>/dev/null
done | awk -v source="$source/" '
    /^File / { file = $2; gsub(/\x27/, "", file); sub(source, "", file); sub(/^(\.\.\/)+/, "", file) }
    /^Lines executed/ && file ~ /^lib(solvers|dynamics)\/.*\.[ch]$/ {
        split($0, part, /[:%]| of /)
        lines = part[4] + 0; hit = int(part[2] * lines / 100 + 0.5)
        if (lines > all[file]) all[file] = lines
        if (hit > reached[file]) reached[file] = hit
        file = ""
    }
    END {
        for (f in all) { printf "%6.1f %%  %5d of %5d  %s\n", 100 * reached[f] / all[f], reached[f], all[f], f | "sort -n"; room = f; sub(/\/.*/, "", room); a[room] += all[f]; r[room] += reached[f] }
        close("sort -n")
        for (room in a) printf "%6.1f %%  %5d of %5d  %s\n", 100 * r[room] / a[room], r[room], a[room], room | "sort -k 6"
    }'
