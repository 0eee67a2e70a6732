#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# headers.sh: every public header compiles alone, in C and in C++, without a warning, and may
# be included twice. Speaks TAP.
set -u
source=${PERP_SOURCE:-.}
work=${PERP_BUILD:-.}/tests/scratch/headers.$$
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
count=0

# compile LANGUAGE WORDS…: one line of TAP a header
compile() {
    language=$1
    shift
    for header in "$source"/libsolvers/perp/*.h "$source"/libdynamics/perp/dynamics/*.h; do
        count=$((count + 1))
        name=perp/${header##*/perp/}
        printf '#include <%s>\n#include <%s>\n' "$name" "$name" >"$work/source"
        if ! command -v "$1" >/dev/null; then
            echo "ok $count - headers: $name alone in $language # SKIP there is no $1"
        elif "$@" -Wall -Wextra -pedantic -Werror -I"$source/libsolvers" -I"$source/libdynamics" \
            -fsyntax-only "$work/source" 2>"$work/errors"; then
            echo "ok $count - headers: $name alone in $language"
        else
            echo "not ok $count - headers: $name alone in $language"
            sed 's/^/#   /' "$work/errors"
        fi
    done
}

compile C "${CC:-cc}" -std=c11 -x c
compile C++11 "${CXX:-g++}" -std=c++11 -x c++
compile C++17 "${CXX:-g++}" -std=c++17 -x c++
echo "1..$count"
