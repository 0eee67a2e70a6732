#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The examples of docs/arrays.md: each writes the problem, and perp solves it.
set -u
suite=arrays_page
build=${PERP_BUILD:?}
perp=$build/perp
work=$build/tests/scratch/arrays-page.$$
. "${PERP_SOURCE:?}/tests/support/command.sh"
. "$PERP_SOURCE/tests/interop/tools.sh"

block() { # block LANGUAGE N: the N-th fenced block of that language
    awk -v want="$1" -v n="$2" '
        /^```/ { if (inside) inside = 0; else { inside = (substr($0, 4) == want && ++count == n); next } }
        inside' "$PERP_SOURCE/docs/arrays.md"
}
solves() { # solves FILE SENTENCE: z = (4/3, 7/3)
    run solve "$work/$1" --solver lemke --json
    [ "$status" -eq 0 ] && tr -d ' \n' <"$work/out" |
        grep -q '"z":\[1\.333333333333333[0-9]*,2\.333333333333333[0-9]*\]'
    ok $? "$2"
}

find_python 'numpy, scipy.sparse'
if [ -n "$python" ]; then
    block python 1 >"$work/1.py"
    block python 2 >"$work/2.py"
    (cd "$work" && "$python" 1.py && "$python" 2.py) 2>"$work/err"
    solves lcp.npz "an npz of Python is solved"
    solves lcp.json "a json of Python is solved"
    solves lcp-npy "a folder of NumPy and SciPy is solved"
else
    skip "files of Python are solved" SciPy
fi
if command -v octave >/dev/null && "$perp" info mat >/dev/null 2>&1; then
    block octave 1 >"$work/lcp.m"
    (cd "$work" && octave --norc --no-gui --quiet lcp.m) >"$work/found" 2>&1
    solves lcp.mat "a mat of Octave is solved"
else
    skip "a mat of Octave is solved" "Octave with matio"
fi
block c 1 >"$work/lcp.c"
PKG_CONFIG_PATH=$build/libsolvers
export PKG_CONFIG_PATH
static=
[ -e "$build/libsolvers/.libs/libperp-solvers.so" ] || static=--static
# shellcheck disable=SC2046,SC2086 # flags are meant to split
${CC:-cc} -std=c11 -Wall -Werror "$work/lcp.c" -o "$work/lcp" ${EXAMPLE_CFLAGS-} \
    $(pkg-config $static --cflags --libs perp-solvers) 2>"$work/err"
(cd "$work" && LD_LIBRARY_PATH=$build/libsolvers/.libs ./lcp) >"$work/found" 2>&1
solves lcp-c.json "a file of the C program is solved"
echo "1..$count"
