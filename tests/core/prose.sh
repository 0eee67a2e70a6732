#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Plain English: build-aux/prose.sh, on this tree and on a small one.
set -u
suite=prose
work=${PERP_BUILD:?}/tests/scratch/prose
rm -rf "$work"
. "${PERP_SOURCE:?}/tests/support/tap.sh"

prose() { # prose TREE: its findings in $work/found
    sh "$PERP_SOURCE/build-aux/prose.sh" "$1" >"$work/found" 2>&1
}
page() { # page TEXT: the only sentence of the small tree
    printf '%s\n' "$1" >"$work/tree/README.md"
}

mkdir -p "$work/tree/build-aux"
cp "$PERP_SOURCE/build-aux/prose.txt" "$work/tree/build-aux/prose.txt"
for folder in libsolvers libdynamics command interop web experiments docs paper; do
    mkdir -p "$work/tree/$folder"
done
touch "$work/tree/CONTRIBUTING.md" "$work/tree/CHANGELOG.md"

prose "$PERP_SOURCE"
ok $? "no line of this tree matches a pattern of build-aux/prose.txt"

page 'The matrix is factored once per solve.'
prose "$work/tree"
ok $? "a plain sentence passes"

page 'The matrix is factored anew.'
! prose "$work/tree" && grep -q '^README.md:1:.*write: again' "$work/found"
ok $? "a pattern is found, with its line and what to write instead"

page 'It costs five reals a row.'
! prose "$work/tree" && grep -q 'README.md:1:.*write: per' "$work/found"
ok $? "a quantity without per is found"

echo "1..$count"
