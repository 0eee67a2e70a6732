#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# overhead.sh PERP: what `perp compare` adds to a run: process, judge, journal. Many runs of a
# problem that costs nothing, one after another; the bound is 15 ms a run.
set -eu
perp=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/suite.json" <<'SUITE'
{"name": "overhead", "sets": [{"name": "tiny", "tolerances": [1e-8],
  "instances": ["generate:spd:n=10,seed=1..100"],
  "solvers": ["lemke", "dantzig", "pgs", "mpgp"]}]}
SUITE
begin=$(date +%s%N)
"$perp" compare "$work/suite.json" -o "$work/out" -j 1 --no-report >/dev/null
end=$(date +%s%N)
runs=$(wc -l <"$work/out/runs.jsonl")
awk -v ns=$((end - begin)) -v runs="$runs" 'BEGIN {
    printf "perp compare: %d runs, %.2f ms a run (bound 15): %s\n", runs, ns / 1e6 / runs,
        ns / 1e6 / runs < 15 ? "met" : "MISSED" }'
