#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# checklist.sh: every row of docs/concepts.md names functions and tests that exist. Prints TAP.
set -u
source=${PERP_SOURCE:-.}
list=$source/docs/concepts.md
work=${PERP_BUILD:-.}/tests/scratch/checklist.$$
suite=checklist
. "$source/tests/support/tap.sh"

# names N: "file name" for each name of column N of a row: | what | `a.c` f, g; `b.c` | `tests/a.c` t, u |
names() {
    awk -F '|' -v column="$1" '/^\| [^-]/ && !/^\| concept/ {
        n = split($column, part, ";")
        for (k = 1; k <= n; k++) {
            split(part[k], half, "`")
            if (half[2] == "") { print "none", $2; continue }
            m = split(half[3], name, /[ ,]+/)
            any = 0
            for (j = 1; j <= m; j++) if (name[j] != "") { print half[2], name[j]; any = 1 }
            if (!any) print half[2], "-"
        } }' "$list" | sort -u
}

names 3 >"$work/code"
: >"$work/found"
while read -r file name; do
    [ -f "$source/$file" ] || { echo "no file $file" >>"$work/found"; continue; }
    [ "$name" = - ] || awk -v name="$name" '
        /^[A-Za-z_].*\(/ && $0 ~ "(^|[ *])" name "\\(" { head = 1 }
        head && /;/ { head = 0 }
        head && /^\{/ { hit = 1 }
        END { exit !hit }' "$source/$file" || echo "no function $name in $file" >>"$work/found"
done <"$work/code"
[ "$(wc -l <"$work/code")" -gt 100 ] && [ ! -s "$work/found" ]
ok $? "every function that is named exists"

names 4 >"$work/tests"
: >"$work/found"
while read -r file name; do
    grep -qsE "TEST\($name\)" "$source/$file" || echo "no test $name in $file" >>"$work/found"
done <"$work/tests"
[ "$(wc -l <"$work/tests")" -gt 200 ] && [ ! -s "$work/found" ]
ok $? "every test that is named exists"
echo "1..$count"
