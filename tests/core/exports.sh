#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# exports.sh: the names that the shared library offers are those of libsolvers/exports.txt,
# and these are the functions that the public headers declare. Speaks TAP.
set -u
source=${PERP_SOURCE:-.}
build=${PERP_BUILD:-.}
library=$build/libsolvers/.libs/libperp-solvers.so
list=$source/libsolvers/exports.txt
work=$build/tests/scratch/exports.$$
LC_ALL=C
export LC_ALL

if [ ! -e "$library" ]; then
    echo "1..0 # SKIP the shared library is not built"
    exit 0
fi
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
count=0

ok() { # ok RESULT SENTENCE: what is in $work/found explains a failure
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count - exports: $2"
    else
        echo "not ok $count - exports: $2"
        sed 's/^/#   /' "$work/found"
    fi
}

grep '^perp_' "$list" | sort -u | cmp - "$list" >"$work/found" 2>&1
ok $? "the list is sorted, and every name in it starts with perp_"

nm -D --defined-only "$library" | awk '{ print $NF }' | sort >"$work/offered"
[ -s "$work/offered" ] && diff "$list" "$work/offered" >"$work/found"
ok $? "the library offers the names of the list and no others"

# A declaration begins its line; inline functions are not exported.
cat "$source"/libsolvers/perp/*.h | grep '^[a-z]' | grep -vE '^(static inline|typedef|struct)' |
    grep -oE '\bperp_[a-z0-9_]+(\(|\[\];|;)' | tr -d '([];' | sort -u >"$work/declared"
[ -s "$work/declared" ] && diff "$list" "$work/declared" >"$work/found"
ok $? "the list holds what the public headers declare, and nothing else"
echo "1..$count"
