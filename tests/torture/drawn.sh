#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# drawn.sh: a few hundred drawn problems, worlds and trees in each program of this folder. Prints TAP.
set -u
number=0
build=${PERP_BUILD:-.}/tests/torture
for program in torture collisions impacts trees; do
    number=$((number + 1))
    verdict='not ok'
    out=$("$build/$program" 2>&1) && printf '%s\n' "$out" | grep -q '^ok' && verdict=ok
    printf '%s\n' "$out" | sed 's/^#*/# /'
    echo "$verdict $number - torture: $program"
done
echo "1..$number"
