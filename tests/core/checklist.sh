#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# checklist.sh: every row of tests/CHECKLIST.md names tests that exist and run. Speaks TAP.
set -u
source=${PERP_SOURCE:-.}
list=$source/tests/CHECKLIST.md
work=${PERP_BUILD:-.}/tests/scratch/checklist.$$
suite=checklist
. "$source/tests/support/tap.sh"

awk 'BEGIN { for (k = 1; k <= 153; k++) printf "R-%03d\n", k }' >"$work/due"
grep -o '^| R-[0-9]*' "$list" | cut -c3- >"$work/there"
diff "$work/due" "$work/there" >"$work/found"
ok $? "every row is there once, in order"

# | R-001 | what | `tests/dynamics/world.c` name_of_a_test, another; `tests/…` … |
awk -F '|' '/^\| R-/ {
    n = split($4, part, ";")
    for (k = 1; k <= n; k++) {
        split(part[k], half, "`")
        m = split(half[3], name, /[ ,]+/)
        for (j = 1; j <= m; j++) if (name[j] != "") { print $2, half[2], name[j]; any[$2] = 1 }
    }
    if (!any[$2]) print $2, "none", "none"
}' "$list" >"$work/tests"
: >"$work/found"
while read -r row file name; do
    grep -qsE "TEST\($name\)" "$source/$file" || echo "$row: no test $name in $file" >>"$work/found"
done <"$work/tests"
[ -s "$work/tests" ] && [ ! -s "$work/found" ]
ok $? "every test that is named exists"
echo "1..$count"
