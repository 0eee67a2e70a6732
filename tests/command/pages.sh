#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# pages.sh: docs/solvers is what perp prints: the table of all solvers and, for each, a page and a
# picture; no page is left of a solver that was removed. Prints TAP.
set -u
source=${PERP_SOURCE:-.}
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
pages=$source/docs/solvers
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0

# say WORDS FAILED: a line of TAP, and how to repair a failure.
say() {
    n=$((n + 1))
    if [ -z "$2" ]; then
        echo "ok $n - pages: $1"
    else
        echo "not ok $n - pages: $1"
        echo "#   $2"
        echo "#   make pages-text writes the pages, make pages writes the pictures, too"
    fi
}

# differs FILE ARGUMENT...: how the file differs from what perp prints with these arguments.
differs() {
    file=$1
    shift
    if ! "$perp" "$@" >"$work/now" 2>&1; then
        echo "perp $* fails: $(cat "$work/now")"
    elif ! cmp -s "$work/now" "$file"; then
        echo "$file: $(diff "$file" "$work/now" 2>&1 | sed -n 2p)"
    fi
}

"$perp" info solvers --json | sed -n 's/^    "name": "\(.*\)",$/\1/p' | sort >"$work/solvers"
say "there are solvers" "$([ "$(wc -l <"$work/solvers")" -ge 30 ] || echo "fewer than 30")"
say "the table of all is what perp info --markdown prints" \
    "$(differs "$pages/README.md" info --markdown)"
while read -r solver; do
    say "$solver is what perp info --markdown prints" \
        "$(differs "$pages/$solver.md" info --solver "$solver" --markdown)"
done <"$work/solvers"
(cd "$pages" && ls -- *.md) | grep -v '^README' | sed 's/\.md$//' | sort >"$work/pages"
say "each page has a solver" "$(comm -13 "$work/solvers" "$work/pages")"
(cd "$pages" && ls -- *.svg) | sed 's/\.svg$//' | sort >"$work/pictures"
say "each solver has a picture, and each picture a solver" \
    "$(comm -3 "$work/solvers" "$work/pictures")"
say "no picture is empty" "$(find "$pages" -name '*.svg' -size -2k)"
echo "1..$n"
