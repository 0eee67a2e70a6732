#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gradient.sh: derivatives of steps of scenes: by hand, against differences, what is refused;
# scenes that convert and simulate write. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
robots=$(cd "${PERP_SOURCE:-.}" && pwd)/experiments/scenes/urdf
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/gradient-$$
suite=gradient
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

has() { grep -qF -- "$1" "$work/${2:-out}"; }

# A rod of 2 kg, 0.5 m below a hinge, I = m l^2 + 0.1 = 0.6 kg m^2 about it:
# qd+ = qd + dt (tau - m g l sin q)/I, q+ = q + dt qd+.
cat >rod.json <<'JSON'
{"gravity": [0, 0, -10], "coordinates": "reduced", "scheme": {"dt": 0.01, "stabilize": "none"},
 "bodies": [{"name": "rod", "mass": 2, "inertia": [0.1, 0.1, 0.1], "position": [0, 0, -0.5]}],
 "joints": [{"type": "revolute", "name": "pivot", "bodies": ["world", "rod"], "at": [0, 0, 0],
             "axis": [0, 1, 0]}]}
JSON
run simulate --gradient rod.json --json
[ "$status" -eq 0 ] && python3 -c '
import json
g = json.load(open("out"))
D = g["derivative"]
I, pull, dt = 0.6, 2 * 10 * 0.5, 0.01
near = lambda x, y: abs(x - y) <= 1e-12
assert g["coordinates"] == ["pivot"] and g["step"] == 0 and g["check"] is None
assert near(D["qd_q"][0][0], -dt * pull / I) and near(D["qd_tau"][0][0], dt / I)
assert near(D["q_q"][0][0], 1 - dt * dt * pull / I) and near(D["q_qd"][0][0], dt)
assert near(D["qd_qd"][0][0], 1) and near(D["q_tau"][0][0], dt * dt / I)' 2>err
ok $? "a pendulum has the derivatives of its equation"

run simulate --gradient rod.json --steps 3
[ "$status" -eq 0 ] && has 'the step from t = 0.03 s, dt = 0.01 s, 1 coordinate, 0 rows' && has 'd qd+ / d tau'
ok $? "the table is that of the step after those asked for"

for scene in 'servo-arm --stabilize none --time 0.2' 'rolling --time 0.1' 'incline-slip --time 0.1 --least-norm' \
    'rag-doll --time 0.1 --stabilize baumgarte'; do
    run simulate --gradient $scene --coordinates reduced --check
    [ "$status" -eq 0 ] && has 'differences agree'
    ok $? "differences of steps agree: ${scene%% *}"
done
run simulate --gradient servo-arm --stabilize none --coordinates reduced --time 0.2 --check --accept 0 --json
[ "$status" -eq 1 ] && python3 -c '
import json
c = json.load(open("out"))["check"]
assert c["good"] is False and 0 < c["worst"] < 1e-5 and c["directions"] == 16 and c["kinks"] == 0' 2>err
ok $? "what differs by more than is accepted ends with status 1"

refuse "maximal coordinates are refused" 'pendulum is in maximal coordinates, and derivatives are those of reduced ones' \
    simulate --gradient pendulum
refuse "sequential impulses are refused" 'sequential-impulses solves no problem exactly' \
    simulate --gradient rod.json --solver sequential-impulses
refuse "what the derivative does not know is refused" 'expected stabilisation by baumgarte or none, found project' \
    simulate --gradient pendulum --coordinates reduced
refuse "contacts that share their load are refused unless asked for" 'is singular' \
    simulate --gradient stack --coordinates reduced
refuse "an unknown way of ties is refused" 'option --ties is "shut", expected one of: open, free' simulate --gradient rod.json --ties shut

run convert pendulum-chain --set links=5 chain.json
[ "$status" -eq 0 ] && has 'chain.json: a scene, 6 bodies, 0 shapes, 5 joints, 0 forces' &&
    run convert chain.json again.json && cmp -s chain.json again.json
ok $? "convert writes a scene, and the same again from what it wrote"
run convert "$robots/arm.urdf" arm.json --set 'shoulder-lift=60 deg' -q
[ "$status" -eq 0 ] && [ ! -s "$work/out" ] &&
    run simulate "$robots/arm.urdf" --set 'shoulder-lift=60 deg' --time 0.1 --solver nsgs -q -o robot &&
    run simulate arm.json --time 0.1 --solver nsgs -q -o scene && python3 -c '
import csv
robot, scene = (list(csv.DictReader(open(d + "/metrics.csv"))) for d in ("robot", "scene"))
assert len(robot) == 7
for r, s in zip(robot, scene):
    assert {k: x for k, x in r.items() if k != "seconds [s]"} == {
        k: x for k, x in s.items() if k != "seconds [s]"}' 2>err
ok $? "a robot that was written runs with the same bits"
run simulate stack --time 0.1 --solver nsgs -q -o first --write later.json
[ "$status" -eq 0 ] && run info later.json && [ "$status" -eq 0 ] && has 'nsgs'
ok $? "simulate writes the state at its end, under its settings"
refuse "options of problems are refused for scenes" 'option --step is for problems, and chain.json is a scene' \
    convert chain.json new --step 3
refuse "a scene is written whole or not at all" 'none/x.json' convert chain.json none/x.json
echo "1..$count"
