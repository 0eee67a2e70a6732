#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# suites.sh: suites from outside: their schema, what varies in records and tables, quick sizes, runs that are picked,
# dry runs. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/suites-$$
source=$(cd "${PERP_SOURCE:-.}" && pwd)
PERP_SOURCE=$source
suite=suites
. "$source/tests/support/command.sh"
cd "$work" || exit 1

lines() { wc -l <"$1/runs.jsonl" | tr -d ' '; }
# check DIR: a script of python3 on standard input, with the list of runs of DIR.
check() {
    {
        echo 'import json, sys'
        echo 'runs = [json.loads(l) for l in open(sys.argv[1] + "/runs.jsonl")]'
        cat
    } >check.py
    python3 check.py "$@" 2>>err
}

# -- the schema ---------------------------------------------------------------------------
cat >schema.py <<'PY'
import copy, glob, json, sys
import jsonschema
schema = json.load(open("schema.json"))
jsonschema.Draft202012Validator.check_schema(schema)
v = jsonschema.Draft202012Validator(schema)
files = glob.glob(sys.argv[1] + "/experiments/suites/**/*.json", recursive=True)
assert len(files) >= 7, files
for f in files:
    assert not list(v.iter_errors(json.load(open(f)))), (f, next(v.iter_errors(json.load(open(f)))).message)
good = {"name": "t", "vary": {"seed": "1..3"}, "sets": [{"name": "s", "solvers": ["lemke", {"solver": "pgs", "options": {"relaxation": [1, 1.5]}}],
        "instances": ["a.dat", {"generate": "spd", "n": [1, 2]}, {"file": "b", "item": 1}], "scenes": [{"scene": "stack"}],
        "vary": {"mu": [0.1], "dt": ["5 ms"], "zip": {"a": "log 1 2 3"}}, "tolerances": [1e-4], "quick": {"vary": None}}]}
assert v.is_valid(good)
def wrong(change):
    bad = copy.deepcopy(good)
    change(bad, bad["sets"][0])
    assert not v.is_valid(bad), bad
wrong(lambda s, t: s.pop("name"))
wrong(lambda s, t: s.pop("sets"))
wrong(lambda s, t: s.update(solvers=["lemke"]))
wrong(lambda s, t: t.pop("solvers"))
wrong(lambda s, t: (t.pop("instances"), t.pop("scenes")))
wrong(lambda s, t: t.update(name="a b"))
wrong(lambda s, t: t.update(instances=[]))
wrong(lambda s, t: t.update(instances=[{"file": "b", "frmat": "x"}]))
wrong(lambda s, t: t.update(solvers=[{"solver": "pgs", "relaxation": 1}]))
wrong(lambda s, t: t.update(solvers=[{"label": "x"}]))
wrong(lambda s, t: t.update(tolerances=[2]))
wrong(lambda s, t: t.update(tolerances=1e-8))
wrong(lambda s, t: t.update(time=1, steps=2))
wrong(lambda s, t: t.update(policies=["hot"]))
wrong(lambda s, t: t.update(scheme={"dt": 1}))
wrong(lambda s, t: t.update(limits={"second": 1}))
wrong(lambda s, t: t.update(vary=[]))
wrong(lambda s, t: t.update(vary={"mu": []}))
wrong(lambda s, t: t.update(vary={"zip": {}}))
wrong(lambda s, t: t.update(quick=3))
wrong(lambda s, t: t.update(relaxation=1))
PY
run info --schema suite
cp out schema.json
if python3 -c 'import jsonschema' 2>/dev/null; then
    [ "$status" -eq 0 ] && python3 schema.py "$source" 2>err
    ok $? "all suites are valid by the schema, and wrong ones are not"
else
    count=$((count + 1))
    echo "ok $count - $suite: all suites are valid by the schema # SKIP jsonschema is not installed"
fi
status=0
for f in "$source"/experiments/suites/*.json "$source"/experiments/*/suite.json; do
    [ -f "$f" ] && grep -q '"quick": *{' "$f" || continue
    run compare "$f" --quick --dry-run
    [ "$status" -eq 0 ] || break
done
ok "$status" "each suite with a quick size can be read at that size"

# -- what varies --------------------------------------------------------------------------
cat >vary.json <<'JSON'
{"name": "vary", "limits": {"seconds": 60, "megabytes": 1e8}, "tolerances": [1e-2, 1e-8],
 "quick": {"tolerances": [1e-8]}, "sets": [
 {"name": "stack", "instances": [{"generate": "stack", "n": [2, 3]}, "generate:spd:n=5"],
  "vary": {"mu": [0.1, 0.30000000000000004], "solver.relaxation": [1, 1.25]},
  "quick": {"vary": {"mu": [0.1], "solver.relaxation": null}},
  "solvers": ["nsgs", {"solver": "lemke", "friction": "pyramid:4"}]},
 {"name": "swing", "scenes": ["pendulum"], "time": 0.02, "quick": {"vary": {"dt": ["10 ms"]}},
  "vary": {"dt": ["10 ms", 0.005], "scheme.stabilize": ["none", "split"]}, "solvers": ["auto"]}]}
JSON
run compare vary.json -o a
[ "$status" -eq 0 ] && check a <<'PY'
stack = [r for r in runs if r["set"] == "stack"]
# nsgs: 2 n x 2 mu x 2 omega x 2 tolerances, and spd, which has no mu: 2 x 2; lemke: 4 + 1.
assert len(stack) == 16 + 4 + 4 + 1, len(stack)
lemke = [r for r in stack if r["solver"] == "lemke"]
assert all(r["tolerances"] == [1e-2, 1e-8] and r["tolerance"] == 1e-8 for r in lemke)
assert all("tolerances" not in r for r in stack if r["solver"] == "nsgs")
for r in stack:
    if r["problem"] == "stack":
        assert set(r["vary"]) - {"solver.relaxation"} == {"n", "mu"}, r["vary"]
        assert ("solver.relaxation" in r["vary"]) == (r["solver"] == "nsgs")
        assert r["solver_label"] in ("nsgs", "lemke pyramid:4") and len(r["instance"]) < 40
    else:
        assert r["instance"] == r["problem"] == "spd:n=5" and "mu" not in r["vary"], r
swing = {r["instance"]: r for r in runs if r["set"] == "swing" and r["tolerance"] == 1e-8}
assert set(swing) == {f"pendulum:dt={dt},stabilize={s}" for dt in ("10ms", "0.005") for s in ("none", "split")}
r = swing["pendulum:dt=10ms,stabilize=split"]
assert r["vary"] == {"dt": 0.01, "scheme.stabilize": "split"} and r["vary_units"] == {"dt": "s"}, r
assert r["settings"]["stabilize"] == "split" and r["steps_asked"] == 2, r
PY
ok $? "records what varies, with units, under short names"
run compare vary.json -o a --no-report --resume
[ "$status" -eq 0 ] && [ "$(lines a)" -eq 33 ]
ok $? "repeats nothing on a resume"
python3 - <<'PY' 2>err
import csv
rows = list(csv.DictReader(open("a/tables/runs.csv")))
assert {"vary.n", "mu", "solver.relaxation", "dt", "scheme.stabilize"} <= set(rows[0]), rows[0]
lemke = [r for r in rows if r["solver"].startswith("lemke")]
assert len(lemke) == 10 and {float(r["tolerance"]) for r in lemke} == {1e-2, 1e-8}
assert all(r["ending"] == "solved" for r in lemke if r["instance"].startswith("spd"))
assert {r["dt"] for r in rows if r["set"] == "swing"} == {"0.01", "0.005"}
PY
ok $? "tables have a column for each, and judge an exact solver at each tolerance"

# -- parts and sizes ----------------------------------------------------------------------
run compare vary.json -o q --quick --no-report
[ "$status" -eq 0 ] && [ "$(lines q)" -eq 8 ] && ! grep -q '"quick"' q/suite.json &&
    python3 -c 'import json; assert json.load(open("q/suite.json"))["tolerances"] == [1e-8]' 2>>err
ok $? "runs the quick size and keeps the merged suite"
refuse "names a suite that has one size" 'contains no "quick"' \
    compare "$(echo '{"name": "x", "sets": []}' >x.json && echo x.json)" -o new --quick
run compare vary.json -o p --only 'stack/nsgs*/stack:n=2*' --only swing --no-report
[ "$status" -eq 0 ] && [ "$(lines p)" -eq 16 ] && check p a <<'PY'
whole = {r["key"]: r["place"] for r in map(json.loads, open(sys.argv[2] + "/runs.jsonl"))}
assert all(whole[r["key"]] == r["place"] for r in runs)
PY
ok $? "makes the runs that are picked, at their places among all"
refuse "names the sets and solvers where nothing is picked" 'sets: stack, swing; solvers: nsgs, lemke pyramid:4, auto' \
    compare vary.json -o new --only stack/pgs
run compare vary.json --dry-run -o p
[ "$status" -eq 0 ] && grep -q '^17 runs to make, 16 there already; at most 17 min' out &&
    grep -q '^stack *nsgs relaxation=1  *10 *4$' out && [ "$(lines p)" -eq 16 ]
ok $? "a dry run counts what is left and makes nothing"
run compare vary.json --dry-run -o none -j 2
[ "$status" -eq 0 ] && [ ! -e none ] && grep -q '^33 runs to make, 0 there already' out
ok $? "a dry run makes no folder"

# -- by name ------------------------------------------------------------------------------
mkdir -p data/experiments/mine && sed 's/"title": "[^"]*"//; s/"name": "vary"/"name": "vary", "title": "a study"/' vary.json >data/experiments/mine/suite.json
PERP_DATA_DIR=$work/data
export PERP_DATA_DIR
run info suites
grep -q '^mine *a study' out && run compare mine --dry-run && [ "$status" -eq 0 ]
ok $? "finds studies by name"
refuse "names the nearest suite" 'no suite "mind", the nearest is "mine"' compare mind -o new

echo "1..$count"
