#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# drawn.sh: a few hundred drawn problems, worlds and trees in each program of this folder. Prints TAP.
set -u
number=0
for program in torture collisions impacts trees; do
    number=$((number + 1))
    "${PERP_BUILD:-.}/tests/torture/$program" >"${PERP_BUILD:-.}/tests/torture/$program.out" 2>&1
    status=$?
    grep -vE '^(ok|not ok|1\.\.)' "${PERP_BUILD:-.}/tests/torture/$program.out" | sed 's/^#*/#/'
    if [ "$status" -eq 0 ] && grep -q '^ok' "${PERP_BUILD:-.}/tests/torture/$program.out"; then
        echo "ok $number - torture: $program"
    else
        grep '^not ok' "${PERP_BUILD:-.}/tests/torture/$program.out" | sed 's/^/# /'
        echo "not ok $number - torture: $program"
    fi
    rm -f "${PERP_BUILD:-.}/tests/torture/$program.out"
done
echo "1..$number"
