#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# masks.sh: a solver type whose capability mask is written with the names of another
# enumeration does not compile. Speaks TAP.
set -u
source=${PERP_SOURCE:-.}
build=${PERP_BUILD:-.}
work=$build/tests/scratch/masks.$$
suite=masks
. "$source/tests/support/tap.sh"

# compile MEMBER: a type with this member
compile() {
    printf '#include <perp/solver_type.h>\nextern const perp_solver_type t;\nconst perp_solver_type t = {.name = "t", %s};\n' \
        "$1" >"$work/type.c"
    # shellcheck disable=SC2086 # a compiler may be two words
    ${CC:-cc} -std=c11 -Wall -Wextra -I"$source/libsolvers" -fsyntax-only "$work/type.c" \
        >"$work/out" 2>"$work/err"
}

accepts() { # accepts MEMBER
    compile "$1"
    ok $? "$1 compiles"
}

refuses() { # refuses MEMBER
    compile "$1"
    [ $? -ne 0 ] && grep -q 'error' "$work/err"
    ok $? "$1 does not compile"
}

accepts '.sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION, CONE, ROLLING, DISK)'
accepts '.storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED)'
accepts '.laws = PERP_LAWS(COULOMB, ASSOCIATED)'
accepts '.demands = PERP_DEMANDS(SYMMETRIC), .flags = PERP_FLAGS(WRAPPER)'
accepts '.certificates = PERP_CERTIFICATES(RAY, CYCLE)'
refuses '.sets = PERP_STORAGES(CSR)'
refuses '.sets = PERP_SETS(DENSE)'
refuses '.sets = PERP_SETS(NONNEG, DENSE)'
refuses '.storages = PERP_SETS(NONNEG)'
refuses '.storages = PERP_STORAGES(NONNEG)'
refuses '.laws = PERP_SETS(CONE)'
refuses '.demands = PERP_FLAGS(WRAPPER)'
refuses '.certificates = PERP_CERTIFICATES(SYMMETRIC)'
echo "1..$count"
