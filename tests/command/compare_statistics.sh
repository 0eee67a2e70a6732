#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compare_statistics.sh: repeated times, the state of the machine, and what tables say of solvers that do
# not take a problem, from outside. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/statistics-$$
suite=statistics
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

has() { grep -q -- "$1" "$2"; }

# -- repeats ------------------------------------------------------------------------------
run solve generate:spd:n=20 --solver lemke --repeat 5
[ "$status" -eq 0 ] && has '^repeats     5 after a warm-up\(, each the mean of [0-9]* solves\)\{0,1\}; least .*, median .*, half within ' out
ok $? "reports the spread of repeated solves"
run solve generate:spd:n=20 --solver lemke --repeat 5 --json
[ "$status" -eq 0 ] && python3 - out <<'PY' 2>err
import json, sys
a = json.load(open(sys.argv[1]))
assert a["repeats"] == len(a["seconds_all"]) == 5 and a["warmed"] and a["loops"] >= 1
assert a["seconds"] == min(a["seconds_all"])
assert a["seconds"] <= a["seconds_low"] <= a["seconds_median"] <= a["seconds_high"]
assert a["seconds_median"] == sorted(a["seconds_all"])[2]
PY
ok $? "records them with median and quartiles"
run solve generate:spd:n=20 --solver lemke --json
[ "$status" -eq 0 ] && has '"repeats": 1,' out && has '"warmed": false' out
ok $? "solves once unless repeats are asked for"
refuse "refuses no repeat at all" '--repeat' solve generate:spd:n=20 --solver lemke --repeat 0

# -- records and tables -------------------------------------------------------------------
cat >suite.json <<'JSON'
{"name": "test", "repeats": 2, "limits": {"seconds": 60, "megabytes": 1e8}, "sets": [
 {"name": "rows", "instances": ["generate:spd:n=10", "generate:murty-lower:n=5"],
  "solvers": ["lemke", "mpgp"]},
 {"name": "scenes", "scenes": ["incline-stick"], "steps": 3, "solvers": ["auto", "lemke"]}]}
JSON
run compare suite.json -o a
[ "$status" -eq 0 ] && python3 - a <<'PY' 2>err
import csv, json, sys
runs = [json.loads(line) for line in open(sys.argv[1] + "/runs.jsonl")]
for r in runs:
    m = r["machine"]
    assert m["cores"] >= 1 and "load" in m["at_start"]
    for key in "load mhz_least mhz_most steal governor".split():
        assert key in m, key
    if r["status"] == "ok" and r["set"] == "rows":
        assert r["repeats"] == 2 and r["seconds"] <= r["seconds_median"], r["label"]
rows = list(csv.DictReader(open(sys.argv[1] + "/tables/summary.csv")))
by = {(r["set"], r["solver"].split()[0]): r for r in rows}
for r in rows:
    assert int(r["approximation_solved"]) >= int(r["solved"]), r
    assert int(r["taken"]) + int(r["not_applicable"]) == int(r["problems"])
assert by["rows", "mpgp"]["not_applicable"] == "1" and by["rows", "mpgp"]["taken"] == "1"
assert by["scenes", "auto"]["solved"] == "1"
assert by["scenes", "lemke"]["taken"] == "0" and by["scenes", "lemke"]["mean_seconds"] == ""
PY
ok $? "counts what a solver does not take apart"
has 'rows: 2 problems' a/summary.txt && has 'scenes: 1 problem,' a/summary.txt &&
    has '^  mpgp  *1/1  *1 ' a/summary.txt && [ -s a/report.html ]
ok $? "shows both numbers in the summary and the page"

# -- the list of metrics ------------------------------------------------------------------
run info metrics --json
[ "$status" -eq 0 ] && python3 - out a <<'PY' 2>err
import json, sys
metrics = json.load(open(sys.argv[1]))
runs = [json.loads(line) for line in open(sys.argv[2] + "/runs.jsonl")]
def member(o, name):
    for key in name.split("."):
        o = o.get(key) if isinstance(o, dict) else None
    return o
for m in metrics:
    assert m["unit"] not in ("", "-") and len(m["summary"]) > 3, m
    # Not every system states its load and frequency.
    if m["of"] == "compare" and not m["name"].startswith("machine."):
        assert any(isinstance(member(r, m["name"]), (int, float)) for r in runs), m["name"]
assert {m["of"] for m in metrics} == {"solve", "simulate", "compare"}
PY
ok $? "lists every metric with its unit and meaning, those of records by their members"

echo "1..$count"
