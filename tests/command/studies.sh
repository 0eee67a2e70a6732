#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# studies.sh: each study in its quick size, and the physics in its results; times are not judged.
# Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/studies-$$
source=$(cd "${PERP_SOURCE:-.}" && pwd)
suite=studies
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

# study NAME: run it.
study() {
    run compare "$1" --quick -o "$1" --no-report
    [ "$status" -eq 0 ] || cat err >&2
    [ "$status" -eq 0 ]
    ok $? "the study $1 runs in its quick size"
}

# holds NAME SENTENCE: a script of python3 on standard input holds for the runs of a study.
holds() {
    {
        cat <<'PY'
import json, math, sys
runs = [json.loads(line) for line in open(sys.argv[1] + "/runs.jsonl")]
def of(set, **vary): # the runs of a set with these varied values
    return [r for r in runs if r["set"] == set and
            all(r["vary"].get(k.replace("_", ".")) == v for k, v in vary.items())]
def one(set, label=None, **vary):
    found = [r for r in of(set, **vary) if label in (None, r["label"], r["solver"])]
    assert len(found) == 1, (set, label, vary, len(found))
    return found[0]
def near(a, b, slack):
    assert abs(a - b) <= slack, (a, b, slack)
PY
        cat
    } >check.py
    python3 check.py "$1" 2>>err
    ok $? "$2"
}

# -- accuracy -----------------------------------------------------------------------------
study accuracy
holds accuracy "what counts as solved has the residual that was asked for, and nothing else" <<'PY'
for r in runs:
    assert r["status"] in ("ok", "unsuitable"), r["message"]
    if r["status"] == "ok":
        assert r["solved"] == (r["residual"] <= r["tolerance"]), r["label"]
for r in of("contact"):
    assert r["solved"], (r["instance"], r["label"], r["reason"])
PY

# -- energy -------------------------------------------------------------------------------
study energy
holds energy "integrators have the orders of their definitions" <<'PY'
orders = {("order", "semi-implicit"): 1, ("order", "velocity-verlet"): 2, ("free", "momentum"): 2,
          ("free", "midpoint"): 2, ("free", "rk4"): 4}
for (set, integrator), p in orders.items():
    at = sorted((r["vary"]["dt"], r["final"]) for r in of(set) if r["integrator"] == integrator)
    apart = [math.dist(a[1], b[1]) for a, b in zip(at, at[1:])]
    for a, b in zip(apart, apart[1:]): # steps double
        near(math.log2(b / a), p, 0.1)
PY
holds energy "Verlet keeps the energy of a pendulum bounded and of order dt^2" <<'PY'
long = {r["integrator"]: r["energy"] for r in of("long")}
assert long["velocity-verlet"]["relative"] < 1e-4 < 1e-3 < long["semi-implicit"]["relative"]
# 20 s of a growth at this rate are a tenth of the bound at most
e = long["velocity-verlet"]
assert abs(e["rate"]) * 20 < 0.1 * e["relative"] * e["scale"], e
e = {r["vary"]["dt"]: r["energy"]["relative"] for r in of("order") if r["integrator"] == "velocity-verlet"}
near(math.log2(e[0.016] / e[0.008]), 2, 0.2)
PY
holds energy "the midpoint rule keeps the energy of a free body, Euler's rules gain and lose it" <<'PY'
drift = {r["vary"]["scheme.gyro"]: r["energy"]["drift"] for r in of("gyro")}
assert abs(drift["midpoint"]) < 1e-10 and abs(drift["none"]) < 1e-10, drift
assert drift["explicit"] > 1e-3 and drift["implicit-converged"] < -1e-3, drift
PY
holds energy "momentum is kept to rounding by all solvers and friction models" <<'PY'
checked = 0
for r in runs:
    m = r["momentum"]["linear"]["relative"] if r["kind"] == "scene" else None
    if m is not None:
        checked += 1
        assert m < 1e-11, (r["instance"], r["label"], m)
assert checked > 30, checked
for r in of("contact"):
    assert r["energy"]["creation"] <= 1e-8 * r["energy"]["scale"], r["instance"]
PY
holds energy "positions that are projected do not drift, and others drift with dt" <<'PY'
drift = {(r["vary"]["scheme.stabilize"], r["vary"]["dt"]): r["drift_length"] for r in of("stabilize")}
assert drift["project", 0.004] < 1e-10, drift
assert drift["none", 0.004] > 3 * drift["baumgarte", 0.004], drift
near(drift["none", 0.004] / drift["none", 0.002], 2, 0.2)
PY

# -- runtime ------------------------------------------------------------------------------
study runtime
holds runtime "a pyramid of n levels has 4 n^2 contacts, and threads change no iteration" <<'PY'
for r in runs:
    assert r["solved"], (r["instance"], r["label"])
    # under loose sweeps, and when the pyramid slides, boxes may tilt and touch others
    assert r["set"] in ("sweeps", "moving") or r["contacts"] == 4 * r["vary"]["levels"] ** 2, r["instance"]
for r in of("sweeps", scheme_threads=1):
    two = one("sweeps", scheme_threads=2, levels=r["vary"]["levels"])
    assert two["iterations"] == r["iterations"] and two["final"] == r["final"], r["instance"]
PY

# -- mass ratio ---------------------------------------------------------------------------
study mass-ratio
holds mass-ratio "sweeps grow with the mass ratio, Newton's and interior point methods do not" <<'PY'
count = lambda label, ratio: one("tower", label, ratio=ratio)["iterations"]
assert count("nsgs", 100) > 20 * count("nsgs", 1)
for label in "prox-newton", "nsgs+newton", "ipm-socp", "ipm-coulomb":
    assert one("tower", label, ratio=10000)["solved"]
    assert count(label, 10000) <= 3 * count(label, 1), label
for r in of("rest"):
    assert r["solved"] and r["moved"] < 1e-6, (r["instance"], r["label"], r["moved"])
PY

# -- friction -----------------------------------------------------------------------------
study friction
holds friction "a block slides if and only if tan(angle) > mu, by a t (t + dt)/2" <<'PY'
for r in of("incline"):
    angle, mu = r["vary"]["angle"], r["vary"]["mu"]
    a = 9.81 * (math.sin(angle) - mu * math.cos(angle))
    near(r["moved"], max(0, a) * 0.2 * (0.2 + 0.01) / 2, 1e-7) # 1e-8 of a step's impulse
PY

# -- facets -------------------------------------------------------------------------------
study facets
holds facets "the error of a pyramid's isotropy falls with its facets as 1/cos(pi/eta) - 1" <<'PY'
def spread(model):
    far = [r["moved"] for r in of("slide", scheme_friction=model)]
    return max(far) / min(far) - 1
assert spread("coulomb") < 1e-9
for eta in 4, 8, 16: # half of a side is among the directions; 2 % of dt
    near(spread("pyramid:%d" % eta), 1 / math.cos(math.pi / eta) - 1, 0.02)
assert spread("pyramid:4") > spread("pyramid:8") > spread("pyramid:16") > spread("coulomb")
PY
holds facets "its answers come nearer to Coulomb's law, and are never counted as that" <<'PY'
for r in of("cost"):
    assert r["solved"], (r["instance"], r["label"])
for r in of("error"):
    assert r["residual"] <= 1e-8 < r["residual_given"] and not r["solved"], r["label"]
    if r["vary"]["solver.friction"] != "pyramid:16" and r["problem"].startswith("table"):
        eta = int(r["vary"]["solver.friction"].split(":")[1])
        finer = [x for x in of("error", solver_friction="pyramid:%d" % (2 * eta))
                 if x["problem"] == r["problem"]]
        assert finer[0]["residual_given"] < r["residual_given"], (r["instance"], eta)
PY

# -- convexity ----------------------------------------------------------------------------
study convexity
holds convexity "under the associated law what slides lifts by mu v dt, under Coulomb's not" <<'PY'
for r in of("slide"):
    mu, dt = r["vary"]["mu"], r["vary"]["dt"]
    lift = r["final"][2] - 0.05
    if r["vary"]["scheme.friction"] == "coulomb":
        near(lift, 0, 1e-9)
    else:
        near(lift / (mu * (2 - mu * 9.81 * 0.2) * dt), 1, 0.05)
PY

# -- redundancy ---------------------------------------------------------------------------
study redundancy
holds redundancy "a table moves alike on any number of feet" <<'PY'
far = [r["moved"] for r in of("motion") if r["solver"] == "auto"]
force = 98.48857801796105
a = force / 10 - 0.6 * 9.81
for x in far:
    near(x, a * 0.2 * (0.2 + 0.01) / 2, 1e-8)
for r in of("rank"):
    assert r["solved"] or r["status"] == "unsuitable", (r["instance"], r["label"])
PY

# -- conditioning -------------------------------------------------------------------------
study conditioning
holds conditioning "sweeps grow with the condition, pivots and interior point steps do not" <<'PY'
count = lambda label, c: one("spd", label, condition=c)["iterations"]
assert count("pgs", 1e6) > 10 * count("pgs", 1e3) > 10 * count("pgs", 1)
for label in "lemke", "bpp", "ipm":
    assert one("spd", label, condition=1e6)["solved"]
    assert count(label, 1e6) <= 2 * count(label, 1) + 10, label
PY

# -- tolerance ----------------------------------------------------------------------------
study tolerance
holds tolerance "penetration falls with the tolerance" <<'PY'
for label in "nsgs", "nsgs+newton":
    for scene in "stack", "incline-slip":
        deep = {r["tolerance"]: r["penetration"] for r in of("scenes")
                if r["solver"] == label and r["problem"].startswith(scene)}
        assert deep[1e-2] > 10 * deep[1e-4] > 10 * deep[1e-8], (scene, label, deep)
PY

# -- warm start ---------------------------------------------------------------------------
study warm-start
holds warm-start "a start at the solution takes no iteration, and noise costs some" <<'PY'
for r in of("lcp"):
    assert r["solved"] and (r["start"] != "oracle" or r["iterations"] == 0), r["label"]
for label in "nsgs", "nsgs+newton":
    assert one("noise", label, noise=1e-6)["iterations"] < one("noise", label, noise=1)["iterations"]
PY

# -- coordinates --------------------------------------------------------------------------
study coordinates
holds coordinates "both kinds of coordinates give one motion, and reduced ones do not drift" <<'PY'
pairs = 0
for r in runs:
    if r["coordinates"] == "reduced":
        other = [x for x in runs if x["instance"] == r["instance"] and x["set"] == r["set"] and
                 x["coordinates"] == "maximal"][0]
        pairs += 1
        assert r["solved"] and other["solved"], r["instance"]
        assert r["drift_length"] < 1e-9, (r["instance"], r["drift_length"])
        near(r["moved"] / other["moved"], 1, 0.02) # first order, dt = 1 ms and more
assert pairs >= 7, pairs
PY

# -- collision ----------------------------------------------------------------------------
study collision
holds collision "every search for overlapping boxes gives the same bits" <<'PY'
for r in of("broad", scheme_broad="brute"):
    for how in "bvh", "sap":
        other = one("broad", scheme_broad=how, levels=r["vary"]["levels"])
        assert other["final"] == r["final"] and other["contacts"] == r["contacts"], r["instance"]
for r in of("narrow"):
    assert r["solved"] and r["contacts"] == 12 and r["moved"] < 1e-6, r["instance"]
PY

# -- pages --------------------------------------------------------------------------------
missing=
for file in "$source"/experiments/*/suite.json; do
    folder=${file%/suite.json}
    name=${folder##*/}
    { grep -q '<!-- answer -->' "$folder/README.md" && grep -q "perp compare $name " "$folder/README.md" &&
        grep -q "($name/README.md)" "$source/experiments/README.md"; } || missing="$missing $name"
done
[ -z "$missing" ] || echo "no page, or not in the list:$missing" >>err
[ -z "$missing" ]
ok $? "every study has a page and is in the list"

echo "1..$count"
