#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# overhead.sh PERP: what `perp compare` adds to a run: process, judge, journal. Many runs of a
# problem that costs nothing, one after another; the bound is 15 ms of work a run. The clock on
# the wall, which other work on the machine holds up, is printed beside.
set -eu
perp=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/suite.json" <<'SUITE'
{"name": "overhead", "sets": [{"name": "tiny", "tolerances": [1e-8],
  "instances": ["generate:spd:n=10,seed=1..100"],
  "solvers": ["lemke", "dantzig", "pgs", "mpgp"]}]}
SUITE
times >"$work/before"
begin=$(date +%s%N)
"$perp" compare "$work/suite.json" -o "$work/out" -j 1 --no-report >/dev/null
end=$(date +%s%N)
times >"$work/after"
runs=$(wc -l <"$work/out/runs.jsonl")
# The second line of `times` is that of the children: user, system, as 0m1.23s.
cat "$work/before" "$work/after" | tr 'ms' '  ' | awk -v ns=$((end - begin)) -v runs="$runs" '
    { seconds[NR] = 60 * ($1 + $3) + $2 + $4 }
    END {
        spent = 1e3 * (seconds[4] - seconds[2]) / runs
        printf "perp compare: %d runs, %.2f ms a run (bound 15): %s; %.2f ms by the wall\n",
            runs, spent, spent < 15 ? "met" : "MISSED", ns / 1e6 / runs }'
