#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The programs of docs/c.md and docs/examples compile through pkg-config, run, and print what the
# page says; docs/c.md quotes those of docs/examples as they are.
set -eu
source=${PERP_SOURCE:-.}
build=${PERP_BUILD:-.}
work=$build/tests/scratch/examples.$$
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
tests=0

block() { # block LANGUAGE N: the N-th fenced block of that language in docs/c.md
    awk -v want="$1" -v n="$2" '
        /^```/ { if (inside) inside = 0; else { inside = (substr($0, 4) == want && ++count == n); next } }
        inside' "$source/docs/c.md"
}

check() { # check NAME COMMAND...: one test; what it wrote is shown where it fails
    tests=$((tests + 1))
    name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        echo "ok $tests - examples: $name"
    else
        sed 's/^/# /' "$work/log"
        echo "not ok $tests - examples: $name"
    fi
}

check_with_perp() { # the same, where the command is built
    if [ -x "$build/perp" ]; then
        check "$@"
    else
        tests=$((tests + 1))
        echo "ok $tests - examples: $1 # SKIP the command is not built"
    fi
}

PKG_CONFIG_PATH=$build/libdynamics:$build/libsolvers
LD_LIBRARY_PATH=$build/libdynamics/.libs:$build/libsolvers/.libs
export PKG_CONFIG_PATH LD_LIBRARY_PATH
static=
[ -e "$build/libdynamics/.libs/libperp-dynamics.so" ] || static=--static

compile() { # compile NAME [FILE]
    # shellcheck disable=SC2046,SC2086 # flags are meant to split
    ${CC:-cc} -std=c11 -Wall -Werror "${2-$source/docs/examples/$1.c}" -o "$work/$1" \
        ${EXAMPLE_CFLAGS-} $(pkg-config $static --cflags --libs perp-dynamics)
}

quoted() { # quoted NAME N: the N-th C program of the page is that file
    block c "$2" | diff "$source/docs/examples/$1.c" -
}

prints() { # prints NAME N ARGUMENT...: what the N-th output of the page says
    block text-c "$2" >"$work/expected"
    [ -s "$work/expected" ] || return 1
    program=$1
    shift 2
    ASAN_OPTIONS=$leaks "$work/$program" "$@" >"$work/printed" && diff "$work/expected" "$work/printed"
}

reads() { # the file that was written is a problem that the command solves
    "$build/perp" solve "$work/step.hdf5" --solver nsgs
}

fifteen() { # the third C program of the page
    block c 3 >"$work/mine.c"
    [ -s "$work/mine.c" ] && [ "$(wc -l <"$work/mine.c")" -le 15 ]
}

solves() { # it solves a problem of a file
    "$build/perp" generate spd -o "$work/spd.json" && prints mine 3 "$work/spd.json"
}

# The program of fifteen lines leaves its memory to the end of the process.
leaks=detect_leaks=0

unsolved() { # sweeps do not converge: the program says so
    "$build/perp" generate kostreva -o "$work/hard.json" && ASAN_OPTIONS=$leaks "$work/mine" "$work/hard.json" >"$work/printed" &&
        ! grep -q ': solved' "$work/printed" && ! "$work/mine" nothing.json
}

wrapped() {
    printf '%s\n' 'mine: solved, 1.3333 2.3333' 'prox:mine: solved, 1.3333 2.3333' >"$work/expected"
    "$work/solver" >"$work/printed" && diff "$work/expected" "$work/printed"
}

check "docs/c.md quotes box.c" quoted box 1
check "box.c compiles through pkg-config" compile box
check "a box at rest has its weight at four contacts" prints box 1
check "docs/c.md quotes formulate.c" quoted formulate 2
check "formulate.c compiles through pkg-config" compile formulate
check "A and b of a step are written" prints formulate 2 \
    "$source/experiments/scenes/box-pyramid.json" "$work/step.hdf5"
check_with_perp "the problem of a step is read and solved" reads
check "docs/c.md has a solver of fifteen lines" fifteen
check "which compiles through pkg-config" compile mine "$work/mine.c"
check_with_perp "which solves a file" solves
check_with_perp "and reports one that it does not solve" unsolved
check "solver.c compiles through pkg-config" compile solver
check "a solver of one's own solves, by itself and in a wrapper" wrapped
check "what is missing is said" sh -c "! '$work/formulate' 2>'$work/said' && grep -q SCENE '$work/said'"
echo "1..$tests"
