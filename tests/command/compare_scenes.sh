#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compare_scenes.sh: suites of scenes from outside: what is recorded, resumes, kills, limits, failures
# that are kept, tables and the figure. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/compare-scenes-$$
support=$(cd "${PERP_SOURCE:-.}" && pwd)/tests/support
suite=compare-scenes
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

lines() { wc -l <"$1/runs.jsonl" | tr -d ' '; }
# check DIR WORDS…: a script of python3 on standard input, with the runs of DIR by scene and
# label.
check() {
    {
        echo 'import json, sys'
        echo 'runs = {(r["instance"], r["label"]): r'
        echo '        for r in map(json.loads, open(sys.argv[1] + "/runs.jsonl"))}'
        cat
    } >check.py
    python3 check.py "$@" 2>>err
}

# Links on hinges, let go along a line, with nothing that gives or takes energy.
cat >links.json <<'JSON'
{"title": "{links} links", "time": "0.05 s", "solver": "auto", "scheme": {"dt": "1 ms"},
 "parameters": {"links": {"value": 3, "min": 1, "max": 99}},
 "bodies": [{"name": "link {k}", "mass": 1, "position": ["{k + 0.5}", 0, 0], "inertia": [0.01, 0.1, 0.1],
             "repeat": {"count": "{links}"}}],
 "joints": [{"type": "revolute", "name": "root", "bodies": ["world", "link 0"], "at": [0, 0, 0], "axis": [0, 1, 0]},
            {"type": "revolute", "name": "hinge {k+1}", "bodies": ["link {k}", "link {k+1}"],
             "at": ["{k + 1}", 0, 0], "axis": [0, 1, 0], "repeat": {"count": "{links - 1}"}}]}
JSON
# A box that slides on the ground, and a spring that bursts.
cat >box.json <<'JSON'
{"time": "0.2 s", "solver": "nsgs", "scheme": {"dt": "10 ms"}, "ground": {},
 "bodies": [{"name": "box", "mass": 1, "position": [0, 0, 0.25], "velocity": [1, 0, 0],
             "shapes": [{"type": "box", "size": [0.5, 0.5, 0.5]}]}]}
JSON
cat >blow.json <<'JSON'
{"time": 10, "solver": "nsgs", "scheme": {"dt": 1, "integrator": "explicit"},
 "bodies": [{"name": "wild", "mass": 1e-3, "position": [1, 0, 0],
             "shapes": [{"type": "sphere", "size": 0.1}]},
            {"name": "wall", "motion": "static"}],
 "forces": [{"type": "spring", "name": "s", "bodies": ["wild", "wall"], "stiffness": 1e100}]}
JSON
cat >suite.json <<'JSON'
{"name": "test", "limits": {"seconds": 60, "megabytes": 1e8}, "sets": [
 {"name": "links", "scenes": ["links.json", {"scene": "links.json", "links": [1, 6]}],
  "coordinates": ["maximal", "reduced"], "solvers": ["auto"]},
 {"name": "ground", "scenes": ["box.json"], "steps": 15, "dt": 0.005, "integrators": ["semi-implicit"],
  "scheme": {"stabilize": "none"}, "solvers": ["nsgs"]}]}
JSON

# -- what is recorded ---------------------------------------------------------------------
run compare suite.json -o a -j 2 --no-report
[ "$status" -eq 0 ] && [ "$(lines a)" -eq 7 ] && check a <<'PY'
links = {"links": 3, "links:links=1": 1, "links:links=6": 6}
for name, count in links.items():
    for how in "maximal", "reduced":
        r = runs[name, "auto " + how]
        assert r["schema"] == "perp-run/1" and r["kind"] == "scene" and r["n"] is None, r
        assert r["solved"] and r["status"] == "ok" and r["residual"] <= 1e-8, r
        assert r["scene"] == "links" and r["parameters"] == {"links": count}, r
        assert r["coordinates"] == how and r["integrator"] == "semi-implicit", r
        assert r["bodies"] == r["links"] == r["joints"] == r["dof"] == count, r
        assert r["closing_joints"] == 0 and r["contacts"] == 0, r
        assert r["rows"] == r["rows_mean"] == (5 * count if how == "maximal" else 0), r
        assert r["steps_made"] == r["steps_asked"] == r["steps_solved"] == 50, r
        assert r["outcomes"] == {"solved": 50}, r
        s = r["step_seconds"]
        assert 0 < s["least"] <= s["median"] <= s["total"] and s["solving"] <= s["total"], s
        # Nothing gives or takes energy, so that its error is its largest change.
        e = r["energy"]
        assert e["conservative"] and e["error"] >= abs(e["change"]) and e["scale"] > 0, e
        assert e["error"] < 0.05 * e["scale"], e # first order: dt omega, omega of 10/s
PY
ok $? "records what a scene is and what its steps were"
check a <<'PY'
r = runs["box", "nsgs maximal semi-implicit"]
assert r["solved"] and r["steps_made"] == 15 and abs(r["t"] - 0.075) < 1e-12, r
assert r["settings"]["stabilize"] == "none" and r["settings"]["dt"].startswith("0.005"), r
assert r["integrator"] == "semi-implicit" and r["links"] == 0 and r["dof"] == 6, r
assert r["contacts"] == 4 and 0 < r["contacts_mean"] <= 4 and r["rows"] == 12, r
e = r["energy"]
# 75 ms at 1 m/s - t 9.81/4 m/s^2 are 68.1 mm, along which friction takes 9.81/4 N (mu = 0.5^2).
assert not e["conservative"] and abs(e["work"] + 0.167) < 1e-3 and e["error"] < 1e-6, e # RES
PY
ok $? "tells work from errors of energy"
check a <<'PY'
for name in "links", "links:links=1", "links:links=6":
    a, b = runs[name, "auto maximal"], runs[name, "auto reduced"]
    assert b["drift_length"] <= 1e-12 * 7 and b["drift_angle"] <= 1e-12, b # rounding of 7 m
    assert b["drift_length"] < a["drift_length"], (a["drift_length"], b["drift_length"])
    assert a["hash"] == b["hash"] and a["key"] != b["key"]
PY
ok $? "runs a scene in maximal and in reduced coordinates, which do not drift"
sed 's/"time"/"coordinates": "reduced", "time"/' links.json >own.json
scenes=$(cd "${PERP_SOURCE:-.}" && pwd)/experiments/scenes
cat >robots.json <<JSON
{"name": "robots", "limits": {"seconds": 60, "megabytes": 1e8}, "sets": [
 {"name": "r", "scenes": ["$scenes/urdf/arm.urdf", "own.json"], "steps": 5, "solvers": ["auto"]}]}
JSON
run compare robots.json -o r --no-report
[ "$status" -eq 0 ] && check r <<'PY'
assert runs["arm.urdf", "auto maximal"]["solved"] and runs["own", "auto reduced"]["solved"]
assert runs["arm.urdf", "auto maximal"]["dof"] == 8 # six axes, two fingers
PY
ok $? "runs a robot, and each scene in its own coordinates where none are named"
run simulate links.json --set links=6 --solver auto --tolerance 1e-8 --json --quiet -o one
[ "$status" -eq 0 ] && check a out <<'PY'
one, r = json.load(open(sys.argv[2])), runs["links:links=6", "auto maximal"]
for key in "residual iterations rows contacts drift_length drift_angle penetration".split():
    assert one[key] == r[key], (key, one[key], r[key])
assert one["energy"]["end"] == r["energy"]["end"]
PY
ok $? "makes the steps that perp simulate makes"

# -- the law of friction --------------------------------------------------------------------
cat >laws.json <<'JSON'
{"name": "laws", "limits": {"seconds": 60, "megabytes": 1e8}, "tolerances": [1e-6], "sets": [
 {"name": "cone", "scenes": ["box.json"], "steps": 2, "solvers": ["auto"]},
 {"name": "heap", "scenes": ["box.json"], "steps": 2, "scheme": {"friction": "associated"}, "solvers": ["auto"]},
 {"name": "eight", "scenes": ["box.json"], "steps": 2, "scheme": {"friction": "pyramid:8"}, "solvers": ["auto"]},
 {"name": "ice", "scenes": ["box.json"], "steps": 2, "scheme": {"friction": "none"}, "solvers": ["auto"]},
 {"name": "piles", "instances": ["generate:contacts:contacts=4"], "friction": "associated", "solvers": ["apgd"]},
 {"name": "lcp", "instances": ["generate:spd:n=4"], "solvers": ["lemke"]}]}
JSON
run compare laws.json -o laws --no-report
[ "$status" -eq 0 ] && python3 - laws <<'PY' 2>>err
import json, sys
law = {r["set"]: r["law"] for r in map(json.loads, open(sys.argv[1] + "/runs.jsonl"))}
assert law == {"cone": "coulomb", "heap": "associated", "eight": "pyramid", "ice": "none",
               "piles": "associated", "lcp": "none"}, law
PY
ok $? "records the law of a scene by its model, and none without friction cones"
grep -qx "friction: cone Coulomb's law, heap associated law, eight pyramid friction, piles associated law" out
ok $? "prints the law of each set at the end"
run plot laws --tables
[ "$status" -eq 0 ] && grep -q "^heap: 1 problem, associated law, residual" laws/summary.txt &&
    grep -q "^heap: scenes, associated law, residual" laws/summary.txt &&
    grep -q "^ice: 1 problem, residual" laws/summary.txt &&
    grep -q "^lcp: 1 problem, residual" laws/summary.txt &&
    grep -q "^heap,1e-06,associated law,auto maximal," laws/tables/summary.csv &&
    grep -q "^piles,contacts:contacts=4,apgd,natural,associated,solved," laws/tables/runs.csv &&
    grep -qF "heap, 1 problem, associated law, residual" laws/tables/heap_1e-06.tex
ok $? "names the law above each table, in CSV and in LaTeX"
python3 "$support/page.py" laws/report.html <<'PY' 2>err
law = {report["sets"][s]["name"]: report["instances"][i]["law"] for s, i in zip(report["runs"]["set"], report["runs"]["instance"])}
assert law == {"cone": "coulomb", "heap": "associated", "eight": "pyramid", "ice": None, "piles": "associated", "lcp": None}, law
PY
ok $? "gives the page the law of each instance"

# -- resumes ------------------------------------------------------------------------------
cp a/runs.jsonl before
run compare suite.json -o a --no-report
[ "$status" -eq 2 ] && grep -q -- --resume err && cmp -s before a/runs.jsonl &&
    run compare suite.json -o a --no-report --resume && [ "$status" -eq 0 ] &&
    cmp -s before a/runs.jsonl
ok $? "repeats no scene on a resume"
sed 's/"steps": 15/"steps": 16/' suite.json >more.json
run compare more.json -o a --no-report --resume
[ "$status" -eq 0 ] && [ "$(lines a)" -eq 8 ]
ok $? "makes again what is stepped otherwise"
# Killed in its second run, without a word.
sed 's/"time": "0.05 s"/"time": "1e6 s"/' links.json >long.json
cat >kill.json <<'JSON'
{"name": "kill", "limits": {"seconds": 600, "megabytes": 1e8}, "sets": [
 {"name": "s", "scenes": ["box.json", "long.json"], "solvers": ["nsgs"]}]}
JSON
python3 - "$perp" <<'PY' 2>err
import subprocess, sys, time
p = subprocess.Popen([sys.argv[1], "compare", "kill.json", "-o", "k", "--no-report", "--quiet"])
for _ in range(3000):
    time.sleep(0.01)
    try:
        if open("k/runs.jsonl").read().count("\n") == 1:
            break
    except FileNotFoundError:
        pass
time.sleep(0.1)
p.kill()
sys.exit(0 if p.wait() == -9 else 1)
PY
[ $? -eq 0 ] && [ "$(lines k)" -eq 1 ] && cp links.json long.json &&
    run compare kill.json -o k --no-report --resume && [ "$status" -eq 0 ] &&
    [ "$(lines k)" -eq 2 ] && [ "$(grep -c '"solved":true' k/runs.jsonl)" -eq 2 ]
ok $? "goes on after it was killed"

# -- failures are kept --------------------------------------------------------------------
sed 's/"time": "0.05 s"/"time": "1e6 s"/' links.json >long.json
[ -n "${PERP_TEST_BRIEF:-}" ] && seconds=5 || seconds=2 # what runs under tools starts slowly
cat >fail.json <<JSON
{"name": "fail", "limits": {"seconds": $seconds, "megabytes": 1e8}, "sets": [
 {"name": "f", "scenes": ["blow.json", "long.json", "links.json"], "solvers": ["auto"]},
 {"name": "u", "scenes": ["box.json"],
  "solvers": [{"solver": "nsgs", "options": {"max-iterations": 1}}]}]}
JSON
run compare fail.json -o f
[ "$status" -eq 0 ] && check f <<'PY'
r = runs["blow", "auto maximal"]
assert not r["solved"] and r["status"] == "early end" and "wild" in r["message"], r
r = runs["long", "auto maximal"]
assert not r["solved"] and r["status"] == "time limit" and "steps" in r["message"], r
assert 0 < r["steps_made"] < r["steps_asked"] and r["step_seconds"]["median"] > 0, r
assert runs["links", "auto maximal"]["solved"]
r = runs["box", "nsgs maximal"]
assert not r["solved"] and r["status"] == "ok" and r["outcome"] == "iteration limit", r
assert sum(r["outcomes"].values()) == r["steps_made"] == 20 > r["steps_solved"], r
assert r["first_failure"]["step"] >= 1, r
PY
ok $? "keeps a run that burst, ran out of time, or had steps unsolved"
grep -q '^f,1e-08,long,auto maximal,time limit,' f/tables/failures.csv &&
    grep -q '^f,1e-08,blow,auto maximal,early end,' f/tables/failures.csv &&
    grep -q '^u,1e-08,box,nsgs maximal,iteration limit,' f/tables/failures.csv &&
    grep -q '^f,long,long,maximal,auto,semi-implicit,1e-08,time limit,' f/tables/coordinates.csv
ok $? "tells failures in its tables"
printf '#!/bin/sh\ncase "$*" in *links=1*) kill -SEGV $$ ;; *) exec "%s" "$@" ;; esac\n' "$perp" >fake
chmod +x fake
PERP_EXECUTABLE=$work/fake
export PERP_EXECUTABLE
run compare suite.json -o c --no-report
unset PERP_EXECUTABLE
[ "$status" -eq 0 ] && [ "$(lines c)" -eq 7 ] && check c <<'PY'
for how in "maximal", "reduced":
    r = runs["links:links=1", "auto " + how]
    assert r["status"] == "crash: signal 11" and r["links"] == r["dof"] == 1, r
    assert r["steps_made"] is None and r["residual"] is None and not r["solved"], r
assert sum(r["solved"] for r in runs.values()) == 5
PY
ok $? "loses one run to a crash, and still knows its links"
printf '#!/bin/sh\necho "{\\"status\\": \\"ok\\", \\"ended\\": \\"done\\", \\"residual\\": 0}"\n' >fake
PERP_EXECUTABLE=$work/fake
export PERP_EXECUTABLE
run compare suite.json -o l --no-report
unset PERP_EXECUTABLE
[ "$status" -eq 0 ] && ! grep -q '"solved":true' l/runs.jsonl &&
    [ "$(grep -c 'the answer contains no steps' l/runs.jsonl)" -eq 7 ]
ok $? "takes no answer without steps for one"

# -- the report ---------------------------------------------------------------------------
run plot a
if command -v gnuplot >/dev/null 2>&1; then
    [ "$status" -eq 0 ] && [ -s a/figures/coordinates_links_1e-08.svg ] &&
        [ -s a/report.html ] && [ ! -s a/figures/gnuplot.log ]
else
    [ -s a/report.html ]
fi && grep -q '^links,links,links:links=6,reduced,auto,semi-implicit,1e-08,solved,6,6,6,6,0,0,0,' \
    a/tables/coordinates.csv && grep -q 'links: scenes, residual' a/summary.txt
ok $? "draws drift, energy and time of scenes against their links"
refuse "names an unknown system of coordinates" 'found "polar", expected one of maximal|reduced' \
    compare "$(sed 's/"reduced"/"polar"/' suite.json >polar.json && echo polar.json)" -o new
refuse "names the nearest scene" 'no scene "pendulun", the nearest is "pendulum"' \
    compare "$(sed 's/"links.json"/"pendulun"/' suite.json >none.json && echo none.json)" -o new

# -- problems of steps of scenes ----------------------------------------------------------
cat >steps.json <<'JSON'
{"name": "steps", "description": "two problems", "sets": [
 {"name": "steps", "instances": ["scene:box-pyramid:levels=2,step=2", {"scene": "towers", "boxes": [1], "step": 3}],
  "solvers": ["nsgs+newton", {"solver": "admm-ncp", "label": "in factors", "options": {"global": "factored"}}]}]}
JSON
run compare steps.json -o steps --no-report
[ "$status" -eq 0 ] && [ "$(lines steps)" -eq 4 ] &&
    [ "$(ls steps/captures/box-pyramid-*.hdf5 steps/captures/towers-*.hdf5 | wc -l)" -eq 2 ] &&
    check steps <<'PY'
for name, contacts in (("box-pyramid:levels=2,step=2", 16), ("towers:boxes=1,step=3", 40)):
    of = [runs[name, label] for label in ("nsgs+newton", "in factors")]
    assert all(r["solved"] and r["contacts"] == contacts for r in of), of
    assert of[0]["hash"] == of[1]["hash"], of
PY
ok $? "runs a scene once for all solvers and keeps its problem"
PERP_CAPTURES=$work/kept run compare steps.json -o again --no-report
[ "$status" -eq 0 ] && [ ! -e again/captures ] && [ "$(ls kept | wc -l)" -eq 2 ] &&
    check again steps <<'PY'
then = {(r["instance"], r["label"]): r for r in map(json.loads, open(sys.argv[2] + "/runs.jsonl"))}
assert all(then[k]["hash"] == r["hash"] for k, r in runs.items())
PY
ok $? "keeps it where PERP_CAPTURES says, with the same bits"

echo "1..$count"
