#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fair.sh: what ends the runs of a comparison, which tolerance other codes are asked for, and how their
# claims are named, from outside. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/fair-$$
support=$(cd "${PERP_SOURCE:-.}" && pwd)/tests/support
suite=fair
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

lines() { wc -l <"$1" | tr -d ' '; }
# check DIR [FILE…]: a script of python3 on standard input, with the runs of DIR by set and label.
check() {
    {
        echo 'import csv, json, sys'
        echo 'runs = {(r["set"], r["label"]): r for r in map(json.loads, open(sys.argv[1] + "/runs.jsonl"))}'
        cat
    } >check.py
    python3 check.py "$@" 2>>err
}

# A = [2 1; 1 2], b = (-1, 1): z = (1/2, 0). A program whose norm is another one: its z_0 is off by so many
# tolerances that it is asked for, and one whose answer never changes.
echo '{"A": [[2, 1], [1, 2]], "b": [-1, 1]}' >lcp.json
for off in 2 400; do
    cat >off$off <<EOF
#!/bin/sh
awk -v t=\$PERP_TOLERANCE 'BEGIN {
    printf "{\"z\": [%.17g, 0], \"claim\": \"solved\", \"iterations\": 7}", 0.5 + $off * t }' >\$PERP_SOLUTION
EOF
done
cat >liar <<EOF
#!/bin/sh
echo call >>"$work/calls"
echo '{"z": [0.7, 0], "claim": "solved"}' >\$PERP_SOLUTION
EOF
printf '#!/bin/sh\necho "{\\"z\\": [0, 0], \\"claim\\": \\"iteration limit\\"}" >$PERP_SOLUTION\n' >short
chmod +x off2 off400 liar short

# -- what ends a run ----------------------------------------------------------------------
# nsgs comes to rest far from a solution: its own rule ends it after 11000 sweeps, 40 ms.
cat >ends.json <<'JSON'
{"name": "ends", "limits": {"seconds": 0.5, "megabytes": 1e8}, "sets": [
 {"name": "pile", "instances": ["generate:contacts:contacts=20"],
  "solvers": ["nsgs", {"solver": "nsgs", "label": "stall", "options": {"stall": 500}},
              {"solver": "nsgs", "label": "cap", "options": {"max-iterations": 300}},
              {"solver": "nsgs", "label": "own", "options": {"end-by": "solver"}},
              {"solver": "ds:spg", "label": "rounds", "options": {"rounds": 2}}]},
 {"name": "steps", "sequences": ["generate:stack:n=2"], "policies": ["cold"], "solvers": ["nsgs"]},
 {"name": "scene", "scenes": ["incline-stick"], "steps": 2, "solvers": ["nsgs"]}]}
JSON
run compare ends.json -o ends --no-report --quiet
[ "$status" -eq 0 ] && check ends <<'PY'
outcome = {label: r["outcome"] for (name, label), r in runs.items() if name == "pile"}
assert outcome == {"nsgs": "time limit", "stall": "stalled", "cap": "iteration limit", "own": "stalled",
                   "rounds": "iteration limit"}, outcome
assert runs["pile", "nsgs"]["seconds"] >= 0.5 > 0.1 * runs["pile", "own"]["seconds"]
assert runs["pile", "cap"]["iterations"] == 300
PY
ok $? "the limit of the suite ends a run, unless an option of the solver does"
check ends <<'PY'
for key in ("pile", "nsgs"), ("steps", "nsgs"):
    assert runs[key]["options"]["end-by"] == "limits", key
    assert key[0] == "steps" or "--end-by=limits" in runs[key]["command"], runs[key]["command"]
assert runs["pile", "own"]["options"]["end-by"] == "solver"
assert next(r for k, r in runs.items() if k[0] == "scene")["options"]["end-by"] == "solver"
PY
ok $? "records what ends a run, and leaves the steps of scenes alone"
run solve generate:contacts:contacts=20 --solver nsgs --time-limit 20
[ "$status" -eq 1 ] && grep -q "^outcome *stalled: nsgs: the least residual" out
ok $? "perp solve keeps the stall rule"

# -- the tolerance of other codes ---------------------------------------------------------
cat >norms.json <<'JSON'
{"name": "norms", "limits": {"seconds": 10, "megabytes": 1e8}, "tolerances": [1e-6], "repeats": 2, "sets": [
 {"name": "lcp", "instances": ["lcp.json"],
  "solvers": ["lemke", {"solver": "exec:./off2", "label": "found"},
              {"solver": "exec:./off2", "label": "near", "options": {"tolerance-factor": 0.9}},
              {"solver": "exec:./off400", "label": "far", "options": {"tolerance-factor": 0.9}},
              {"solver": "exec:./off2", "label": "given", "options": {"tolerance-factor": 0.05}},
              {"solver": "exec:./liar", "label": "liar"}, {"solver": "exec:./short", "label": "short"}]}]}
JSON
run compare norms.json -o norms
[ "$status" -eq 0 ] && check norms <<'PY'
def of(label): return runs["lcp", label], runs["lcp", label]["foreign"]
r, f = of("found")
assert r["solved"] and f["calls"] == 2 and abs(f["factor"] - 0.1) < 1e-15 and f["missed"] is None, f
assert r["repeats"] >= 1 and r["iterations"] == 7 and f["search_seconds"] > 0, r
r, f = of("given")
assert r["solved"] and f["calls"] == 1 and f["factor"] == 0.05, f
r, f = of("near")
assert not r["solved"] and f["calls"] == 1 and 1 < f["missed"] <= 10 and not f["false_claim"], f
r, f = of("far")
assert not r["solved"] and f["calls"] == 1 and f["missed"] > 10 and f["false_claim"], f
r, f = of("liar")
assert not r["solved"] and f["calls"] == 3 and f["false_claim"] and f["factor"] == 1, f
r, f = of("short")
assert r["outcome"] == "iteration limit" and f["calls"] == 1 and f["missed"] is None, f
PY
ok $? "another code is asked for the tolerance that its norm needs, within the same limit"

[ "$(lines calls)" -eq 5 ] # three of the search, and one for each repeat
ok $? "repeats do not search again"

# -- the words of a claim, and warnings -----------------------------------------------------
grep -Eq "lcp near: +missed by its norm, .* 3\.6 times the tolerance 1\.0e-06" out &&
    grep -Eq "lcp far: +false claim, " out && grep -Eq "lcp short: +iteration limit, " out
ok $? "the line of a run names a claim that is not confirmed"
grep -Eq "^  near +0/1 .* 1 missed by its norm \(x3\.6\)$" norms/summary.txt &&
    grep -Eq "^  far +0/1 .* 1 false claim$" norms/summary.txt &&
    grep -Eq "^  short +0/1 .* 1 iteration limit$" norms/summary.txt
ok $? "the summary names it, with the factor by which it misses"
check norms <<'PY'
rows = {r["solver"]: r for r in csv.DictReader(open(sys.argv[1] + "/tables/claims.csv"))}
found = {s: (r["missed"], r["false_claims"], r["solved"], r["factor"]) for s, r in rows.items()}
assert found == {"found": ("0", "0", "1", "0.1"), "near": ("1", "0", "0", "0.9"), "far": ("0", "1", "0", "0.9"),
                 "given": ("0", "0", "1", "0.05"), "liar": ("0", "1", "0", "1"), "short": ("0", "0", "0", "1")}, found
ending = {r["solver"]: r["ending"] for r in csv.DictReader(open(sys.argv[1] + "/tables/runs.csv"))}
assert ending["near"] == "missed by its norm" and ending["far"] == "false claim", ending
peers = {r["code"]: r for r in csv.DictReader(open(sys.argv[1] + "/tables/peers.csv"))}
assert peers["exec"]["false_claims"] == "2", peers
PY
ok $? "the table of claims has the factor, and counts both kinds apart"
run plot ends
[ "$status" -eq 0 ] && grep -Eq "^  pile, cap: 1 of 1 run ended at a limit of iterations or by the stall rule after at most [0-9.]+ % of the time limit" ends/summary.txt &&
    grep -q "^  pile, stall: 1 of 1 run ended at a limit" ends/summary.txt &&
    ! grep -q "^  pile, nsgs: " ends/summary.txt
ok $? "the summary warns of runs that ended at a cap after a small part of their time"
python3 "$support/page.py" ends/report.html <<'PY' 2>err
assert any(w.startswith("pile, cap: 1 of 1 run ended at a limit of iterations") for w in report["warnings"]), report["warnings"]
PY
ok $? "so does the page"

echo "1..$count"
