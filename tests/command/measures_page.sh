#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# measures_page.sh: docs/measures.md names every measure of perp info metrics, with its unit and
# meaning, and no other. Speaks TAP.
set -u
command -v jq >/dev/null 2>&1 || {
    echo "1..0 # SKIP jq is not there"
    exit 0
}
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/measures-page-$$
page=$(cd "${PERP_SOURCE:-.}" && pwd)/docs/measures.md
suite=measures-page
. "${PERP_SOURCE:-.}/tests/support/command.sh"

run info metrics --json
jq -r 'if type == "array" then . else .metrics end | .[] |
    "| `\(.name)` | \(if .unit == "1" then "–" else .unit end) | \(.summary | gsub("\\|"; "\\|")) |"' \
    "$work/out" | sort >"$work/listed"
[ "$(wc -l <"$work/listed")" -gt 100 ]
ok $? "measures are listed"
grep '^| `[a-z_A-Z.0-9-]*` | [^|]* | ' "$page" | sort >"$work/described"
diff "$work/listed" "$work/described" >"$work/found"
ok $? "the page describes the listed measures, each with its unit and meaning"
run info residual
[ "$(grep -cF 's |z - P(z - u/d)|' "$work/out")" -eq 1 ] && grep -q '^page .*docs/measures.md' "$work/out"
ok $? "perp info residual has the formula and names the page"
run --help
grep -qF 'docs/measures.md' "$work/out"
ok $? "the help names the page"
cd "${PERP_SOURCE:-.}" && grep -q '](docs/measures.md)' README.md &&
    grep -q '](measures.md)' docs/tutorial.md && grep -q 'measures.md' command/results/definition.h
ok $? "README, tutorial and report point to the page"
echo "1..$count"
