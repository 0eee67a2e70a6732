#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# exports.sh: the names that a shared library offers are those of its exports.txt, and these
# are the functions that its public headers declare. Speaks TAP.
set -u
source=${PERP_SOURCE:-.}
build=${PERP_BUILD:-.}
work=$build/tests/scratch/exports.$$
LC_ALL=C
export LC_ALL

if [ ! -e "$build/libsolvers/.libs/libperp-solvers.so" ]; then
    echo "1..0 # SKIP the shared libraries are not built"
    exit 0
fi
suite=exports
. "$source/tests/support/tap.sh"

# check FOLDER LIBRARY HEADER…
check() {
    list=$source/$1/exports.txt
    grep '^perp_' "$list" | sort -u | cmp - "$list" >"$work/found" 2>&1
    ok $? "the list of $1 is sorted, and every name in it starts with perp_"

    nm -D --defined-only "$build/$1/.libs/$2.so" | awk '{ print $NF }' | sort >"$work/offered"
    [ -s "$work/offered" ] && diff "$list" "$work/offered" >"$work/found"
    ok $? "$2 offers the names of the list and no others"

    # A declaration begins its line; inline functions are not exported.
    shift 2
    cat "$@" | grep '^[a-z]' | grep -vE '^(static inline|typedef|struct)' |
        grep -oE '\bperp_[a-z0-9_]+(\(|\[\];|;)' | tr -d '([];' | sort -u >"$work/declared"
    [ -s "$work/declared" ] && diff "$list" "$work/declared" >"$work/found"
    ok $? "the list holds what the public headers declare, and nothing else"
}

check libsolvers libperp-solvers "$source"/libsolvers/perp/*.h
check libdynamics libperp-dynamics "$source"/libdynamics/perp/dynamics/*.h
echo "1..$count"
