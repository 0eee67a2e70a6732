#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# manual.sh: there is a man page of perp and of each verb, groff reads them without a warning, and
# each describes every option that --help describes. Prints TAP.
set -u
source=${PERP_SOURCE:-.}
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0

say() {
    n=$((n + 1))
    if [ -z "$2" ]; then
        echo "ok $n - manual: $1"
    else
        echo "not ok $n - manual: $1"
        echo "$2" | sed 's/^/#   /'
    fi
}

# check NAME [VERB]: groff is content, and the page is not too wide for a terminal.
check() {
    "$perp" manual ${2:+"$2"} >"$work/page" 2>&1 || echo "perp manual ${2-} fails"
    if command -v groff >/dev/null 2>&1; then
        groff -man -Tutf8 -ww -z "$work/page" 2>&1
        groff -man -Tascii -P-c -rLL=78n "$work/page" 2>&1 | awk '
            { gsub(/.\010/, "") }
            length > 78 { print "too wide: " $0 }'
    fi
}

"$perp" --help | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p' | sort >"$work/verbs"
sed -n '/^manual_verbs = /,/[^\\]$/p' "$source/docs/local.mk" | tr -s ' =\\' '\n' | grep -vx -e manual_verbs -e '' | sort >"$work/built"
say "a page is built for every verb and for nothing else" "$(comm -3 "$work/verbs" "$work/built")"
say "perp(1) is valid" "$(check perp)"
"$perp" manual >"$work/page"
say "perp(1) names every solver" "$("$perp" info solvers --json |
    sed -n 's/^    "name": "\(.*\)",$/\1/p' | sed 's/-/\\-/g' | while read -r solver; do
        grep -qxF ".B $solver" "$work/page" || echo "$solver"
    done)"
while read -r verb; do
    say "perp-$verb(1) is valid" "$(check "perp-$verb" "$verb")"
    "$perp" manual "$verb" | sed 's/\\-/-/g; s/\\f[BIR]//g' >"$work/plain"
    say "perp-$verb(1) describes each option" "$("$perp" "$verb" --help |
        sed -n 's/^ *\(-.,\)\{0,1\} *\(--[a-z-]*\).*/\2/p' | while read -r option; do
            grep -q -e "$option" "$work/plain" || echo "$option"
        done)"
done <"$work/verbs"
echo "1..$n"
