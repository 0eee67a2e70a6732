#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every work that the code cites, as [key] or .reference, is in paper/references.bib.
set -eu
source=${PERP_SOURCE:-.}
keys=$(find "$source/libsolvers" "$source/libdynamics" "$source/command" "$source/interop" "$source/experiments" -name '*.[ch]' -exec cat {} + |
    grep -ohE '(\[|")[a-z]+(-[a-z]+)*-[12][0-9]{3}(\]|"|,|;)' | tr -d '[]",;' | sort -u)
number=0
status=0
for key in $keys; do
    number=$((number + 1))
    if grep -q "{$key," "$source/paper/references.bib"; then
        echo "ok $number - references: $key"
    else
        echo "not ok $number - references: $key"
        status=1
    fi
done
echo "1..$number"
[ "$number" -gt 0 ] && exit $status
