#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The C program in the README compiles through pkg-config, runs, and prints what is said there.
set -eu
source=${PERP_SOURCE:-.}
build=${PERP_BUILD:-.}
work=$build/tests/scratch/example.$$
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT

block() { # block LANGUAGE N: the N-th fenced block of that language in the README
    awk -v want="$1" -v n="$2" '
        /^```/ { if (inside) inside = 0; else { inside = (substr($0, 4) == want && ++count == n); next } }
        inside' "$source/README.md"
}

block c 1 >"$work/example.c"
block text-c 1 >"$work/expected"
PKG_CONFIG_PATH=$build/libsolvers
export PKG_CONFIG_PATH
static=
[ -e "$build/libsolvers/.libs/libperp-solvers.so" ] || static=--static
# shellcheck disable=SC2046,SC2086 # flags are meant to split
if ${CC:-cc} -std=c11 -Wall -Werror "$work/example.c" -o "$work/example" \
    ${EXAMPLE_CFLAGS-} $(pkg-config $static --cflags --libs perp-solvers) 2>"$work/errors"; then
    echo "ok 1 - example: the program of the README compiles through pkg-config"
else
    sed 's/^/# /' "$work/errors"
    echo "not ok 1 - example: the program of the README compiles through pkg-config"
fi
if [ -s "$work/expected" ] &&
    LD_LIBRARY_PATH=$build/libsolvers/.libs "$work/example" >"$work/printed" &&
    diff "$work/expected" "$work/printed" >"$work/difference"; then
    echo "ok 2 - example: it prints what the README says"
else
    sed 's/^/# /' "$work/difference" 2>/dev/null || true
    echo "not ok 2 - example: it prints what the README says"
fi
echo "1..2"
