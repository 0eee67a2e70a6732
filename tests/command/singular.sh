#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# singular.sh: no output of one problem, one step or one row counts "1 rows". Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/singular-$$
suite=singular
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

# Prints the lines of the files given, or of standard input, with a plural noun after a lone 1, as
# in "1 rows"; true if there are none.
counts_well() {
    grep -InE '(^|[^0-9.,e+-] ?)\b1 (steps|rows|problems|runs|bodies|contacts|iterations|frames|shapes|joints|links|solvers|instances|pivots|rounds|sweeps|lines|numbers|coordinates|nonzeros|blocks|colours|values|entries|events|islands|pairs|times|files|records|tolerances)\b' "$@" >"$work/counted"
    [ ! -s "$work/counted" ] || { cat "$work/counted" >>"$work/err" && false; }
}

cat >one.json <<'JSON'
{"name": "one", "sets": [{"name": "lcp", "instances": ["generate:spd:n=1"],
  "solvers": ["lemke", "pgs", "keller", "bpp", "nncg", "enumerate", "dantzig", "auto"]},
 {"name": "step", "steps": 1, "scenes": ["projectile"], "solvers": ["nsgs"]}]}
JSON
cat >ball.json <<'JSON'
{"time": 0.01, "solver": "nsgs", "scheme": {"dt": 0.01}, "ground": {},
 "bodies": [{"name": "ball", "mass": 1, "position": [0, 0, 0.1], "velocity": [0.1, 0, -0.1],
             "shapes": [{"type": "sphere", "size": 0.1}]}]}
JSON

run compare one.json -o results
[ "$status" -eq 0 ] && grep -q '^9 runs' out && grep -q 'lcp: 1 problem,' results/summary.txt &&
    counts_well out err results/summary.txt results/runs.jsonl results/figures/figures.json
ok $? "compares on one problem of one row"
tr ',<>' '\n\n\n' <results/report.html | grep -v '^ *[/*]' >report.txt
[ -s report.txt ] && counts_well report.txt
ok $? "writes the report"
run simulate ball.json --steps 1
[ "$status" -eq 0 ] && grep -q '1 of 1 step$' out && counts_well out err ball.perp/summary.json
ok $? "simulates one step"
run plot ball.perp --figure run --figure energy -o figures
[ "$status" -eq 0 ] && grep -q 'over time, 1 step\. Curves show every step; ' figures/figures.json &&
    counts_well figures/figures.json
ok $? "draws figures of one step"
for solver in lemke pgs keller bpp nncg enumerate dantzig murty spg auto; do
    run solve generate:spd:n=1 --solver "$solver" && counts_well out err || echo "$solver" >>failed
done
[ ! -e failed ]
ok $? "solves one row"
run convert ball.perp ball.glb && counts_well out && run convert ball.json world.json && counts_well out
ok $? "converts one body"
echo "1..$count"
