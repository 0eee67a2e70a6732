#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# warnings.sh: what perp simulate reports without being asked: angles that look like degrees,
# overlaps and open joints at the start, fast spins, solvers that solve nothing. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/warnings-$$
suite=warnings
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

has() { grep -qF -- "$1" "${2:-out}"; }

# The warnings of a run of two steps: warned SCENE WORDS...
warned() {
    scene=$1
    shift
    run simulate "$scene" --steps 2 -o "$work/run" --force --json "$@"
    [ "$status" -le 1 ] && python3 -c '
import json
for line in json.load(open("out"))["warnings"]:
    print(line)' >list
}
ball='"mass": 1, "shapes": [{"type": "sphere", "radius": 0.1}]'

# -- angles -------------------------------------------------------------------------------
cat >angle.json <<JSON
{"parameters": {"lean": "0.1 rad"}, "time": 0.01,
 "bodies": [{"name": "p{k}", $ball, "position": ["{k}", 0, 5],
   "rotation": {"axis": [0, 0, 1], "angle": "{lean}"}, "repeat": {"count": 3}},
  {"name": "q{k}", $ball, "position": ["{k}", 3, 5],
   "rotation": {"axis": [0, 0, 1], "angle": 90}, "repeat": {"count": 3}}],
 "joints": [{"type": "revolute", "name": "hinge", "bodies": ["p{0}", "q{0}"], "at": [0, 2, 5],
   "axis": [1, 0, 0], "limits": {"lower": "-90", "upper": "90 deg"}}]}
JSON
sed -i 's/{0}/0/g' angle.json
warned angle.json && has 'angle.json:5:45: bodies[1].rotation.angle (copy k=0) is 90 rad, that is 14.3 turns' err &&
    has 'write "90 deg" if degrees were meant' err && [ "$(grep -c 'bodies\[1\]' err)" -eq 1 ]
ok $? "warns of an angle of 90, once for all copies, and runs on"
has 'limits.lower is -90 rad' err && ! has 'limits.upper' err && [ "$(wc -l <err)" -eq 2 ]
ok $? "warns of a limit of a joint without unit, and not of one with it"
warned angle.json --set lean=45 && has 'parameters.lean is 45 rad' err &&
    warned angle.json --set 'lean=45 deg' && ! has parameters err && warned angle.json --set lean=6.28 && ! has parameters err
ok $? "warns of a parameter, but not with a unit or of one turn"
warned angle.json && [ "$(grep -c 'if degrees were meant' list)" -eq 2 ]
ok $? "has the same lines in the JSON"

cat >robot.urdf <<'XML'
<robot name="two">
  <link name="base"/>
  <link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="hand"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hinge" type="revolute"><parent link="base"/><child link="arm"/>
    <origin xyz="0 0 1" rpy="0 90 0"/><axis xyz="1 0 0"/>
    <limit lower="-45" upper="30" effort="1" velocity="1"/></joint>
  <joint name="wrist" type="revolute"><parent link="arm"/><child link="hand"/>
    <origin xyz="0 0 1" rpy="0 1.57 -6.28319"/><axis xyz="1 0 0"/>
    <limit lower="-6.2832" upper="12.566" effort="1" velocity="1"/></joint>
</robot>
XML
warned robot.urdf && [ "$(grep -c 'if degrees were meant' err)" -eq 2 ] && [ "$(wc -l <list)" -eq 2 ] &&
    has 'robot.urdf:6: joint "hinge": rpy of origin is 90 rad, that is 14.3 turns: write "1.5708"' err &&
    has 'robot.urdf:7: joint "hinge": lower of limit is -45 rad, that is 7.16 turns: write "-0.785398"' err
ok $? "warns of degrees in a robot, and not of a turn or of a drive of two turns"

# -- forces ------------------------------------------------------------------------------
# spring K C: a mass of 2 kg between two springs to the world, that is k = 2 K, c = 2 C.
spring() {
    cat >spring.json <<JSON
{"gravity": [0, 0, 0], "time": 1, "scheme": {"dt": 0.01},
 "bodies": [{"name": "b", "mass": 2, "inertia": [1, 1, 1], "position": [1.0001, 0, 0]}],
 "forces": [{"type": "spring", "bodies": ["world", "b"], "stiffness": $1, "damping": $2, "rest-length": 1},
   {"type": "spring", "bodies": ["b", "world"], "anchors": [[0, 0, 0], [2, 0, 0]], "stiffness": $1,
    "damping": $2, "rest-length": 1}]}
JSON
}
# k dt^2/m = 4 at dt 0.01: K = 40000.
spring 40100 0
warned spring.json && has 'is stiffer than semi-implicit follows: stable up to dt 0.0099' list &&
    has 'or --integrator implicit' list
ok $? "warns of a spring above its bound, with the largest stable dt"
spring 39900 0
warned spring.json && ! has stiffer list && warned spring.json --integrator velocity-verlet && ! has stiffer list
ok $? "does not warn of one below it"
spring 79900 0 # rk4: 8
warned spring.json --integrator rk4 && ! has stiffer list && warned spring.json --integrator implicit && ! has stiffer list &&
    warned spring.json --integrator leapfrog && has 'stiffer than leapfrog' list && warned spring.json --integrator momentum &&
    has 'stiffer than momentum' list
ok $? "each integrator has its own bound, implicit has none"
spring 81000 0
warned spring.json --integrator rk4 && has 'stiffer than rk4 follows: stable up to dt 0.0099' list
ok $? "rk4 has that of its own"
spring 0 201 # c dt/m = 2: C = 200
warned spring.json && has 'stable up to dt 0.0099' list && spring 0 199 && warned spring.json && ! has stiffer list
ok $? "warns of a damper above its bound"
spring 100000 0
run simulate spring.json --time 20 -o apart --force
[ "$status" -eq 1 ] && grep -q 'body "b": a velocity of .* makes the energy infinite at t = .*, step [0-9]*; what was made before is in apart' err &&
    ! grep -qi 'nan\|inf J' out && run info apart
ok $? "ends a run whose energy is not finite, and keeps what was made"

# -- generators ---------------------------------------------------------------------------
run solve 'generate:incline:angle=20 deg,mu=0.5' --solver nsgs -o a.json && has 'incline:angle=20 deg,mu=0.5' &&
    run solve 'generate:incline:mu=0.5,angle=0.3490658503988659' --solver nsgs -o b.json &&
    python3 -c '
import json
assert json.load(open("a.json"))["z"] == json.load(open("b.json"))["z"]' 2>err
ok $? "reads a parameter of a generator with a unit"
run generate table --force-x '0.002 kN' -o kilo.json && run generate table --force-x 2 -o plain.json &&
    [ "$(sed 's/table:force-x=[^"]*//' kilo.json)" = "$(sed 's/table:force-x=[^"]*//' plain.json)" ] &&
    run generate wall --sequence --steps 2 --slide 80cm -o a.hdf5 && [ "$status" -eq 0 ]
ok $? "generates a problem and a sequence from quantities"
refuse "names the units of a parameter" 'option "angle" is "20kg", expected a unit of: rad, deg' \
    solve generate:incline:angle=20kg --solver nsgs
refuse "takes no unit where there is none" 'option "mu" is "0.5m", expected a number' \
    solve generate:incline:mu=0.5m --solver nsgs

# -- the start ----------------------------------------------------------------------------
cat >overlap.json <<JSON
{"time": 0.01, "ground": {}, "bodies": [
  {"name": "low", $ball, "position": [0, 0, 0.05]}, {"name": "right", $ball, "position": [0, 1, 0.0985]}]}
JSON
warned overlap.json && [ "$(wc -l <list)" -eq 1 ] && has 'low starts 0.05 m inside world: move it along (0, 0, 1)' list && has 'move it along' list
ok $? "reports a body inside another, and not one that is 1 % deep"
warned overlap.json --slop '6 cm' && [ ! -s list ]
ok $? "reports no overlap that the slop allows"
cat >apart.json <<JSON
{"time": 0.01, "gravity": [0, 0, 0], "bodies": [{"name": "a", $ball, "position": [0, 0, 1]},
  {"name": "b", $ball, "position": [1, 0, 1]}],
 "joints": [{"type": "spherical", "name": "elbow", "bodies": ["a", "b"],
             "anchors": [[0.5, 0, 0], [-0.4, 0, 0]]}]}
JSON
warned apart.json && [ "$(wc -l <list)" -eq 1 ] && has 'joint elbow of a and b starts apart, by 0.1 m' list
ok $? "reports a joint that starts apart"
sed 's/-0.4/-0.5/' apart.json >closed.json
warned closed.json && [ ! -s list ]
ok $? "reports nothing of a closed joint"

# -- the run ------------------------------------------------------------------------------
cat >spin.json <<JSON
{"time": 0.01, "scheme": {"dt": 0.01}, "gravity": [0, 0, 0],
 "bodies": [{"name": "top", $ball, "position": [0, 0, 1], "spin": [0, 0, 100]}]}
JSON
warned spin.json && [ "$(wc -l <list)" -eq 1 ] && has 'top turns by 1 rad per step from step 0 on' list &&
    has 'use --dt 0.005 or less' list && warned spin.json --dt '4 ms' && [ ! -s list ]
ok $? "reports a spin that dt cannot follow, with a dt that can"
cat >rest.json <<JSON
{"time": 0.01, "ground": {}, "bodies": [{"name": "low", $ball, "position": [0, 0, 0.1]},
  {"name": "high", $ball, "position": [0, 0, 0.3]}, {"name": "top", $ball, "position": [0, 0, 0.5]}]}
JSON
warned rest.json --solver pgs --friction pyramid:4 --max-iterations 1 --tolerance 1e-300 &&
    has 'pgs solved none of the 2 steps: use --solver auto' list && warned rest.json && [ ! -s list ]
ok $? "reports a solver that solved no step"
run simulate overlap.json --steps 2 -o shown
[ "$status" -eq 0 ] && [ "$(grep -c 'low starts 0.05 m inside' out)" -eq 1 ] && has 'warning ' && [ ! -s err ]
ok $? "prints a warning in the summary, once"
run simulate overlap.json --steps 4 -o shown --resume
[ "$status" -eq 0 ] && [ "$(grep -c 'low starts 0.05 m inside' out)" -eq 1 ]
ok $? "has the warnings of the start in the summary of a resumed run"

# -- comparisons --------------------------------------------------------------------------
cat >suite.json <<JSON
{"name": "surprises", "sets": [{"name": "drop", "steps": 2, "solvers": ["nsgs", "auto"],
  "scenes": ["$work/overlap.json", "$work/apart.json", "$work/closed.json"]}]}
JSON
run compare suite.json -o compared
python3 - <<'PY' 2>>err && [ "$(grep -c '^  drop, ' compared/summary.txt)" -eq 2 ] &&
import json
runs = {(r["instance"], r["solver"]): r["warnings"] for r in map(json.loads, open("compared/runs.jsonl"))}
assert len(runs) == 6 and not runs["closed", "nsgs"], runs
assert len(runs["overlap", "auto"]) == 1 and "inside world" in runs["overlap", "auto"][0], runs
assert "joint elbow of a and b starts apart" in runs["apart", "nsgs"][0], runs
PY
    grep -q '^  drop, overlap: low starts 0.05 m inside world.*, 2 runs$' compared/summary.txt &&
    echo 'print(report["warnings"])' | python3 "${PERP_SOURCE:-.}/tests/support/page.py" compared/report.html | grep -q 'elbow of a and b starts apart'
ok $? "keeps the warnings in the records of a comparison, its summary and its report"
echo "1..$count"
