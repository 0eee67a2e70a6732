#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# simulate.sh: perp simulate from outside: exit statuses, messages, the files of a run, captures,
# and runs that are stopped, killed, resumed. Speaks TAP.
set -u
command -v h5dump >/dev/null 2>&1 || {
    echo "1..0 # SKIP h5dump is not there to read trajectories with"
    exit 0
}
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/simulate-$$
suite=simulate
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

# The same with a folder to write to.
refuse_run() {
    refuse "$@" -o "$work/new"
}

has() { grep -qF -- "$1" "$work/${2:-out}"; }

# same A B: the runs in two folders have the same bits, but for times.
same() {
    cut -d, -f1-"$times" "$1/metrics.csv" >"$work/one.csv"
    cut -d, -f1-"$times" "$2/metrics.csv" >"$work/two.csv"
    for name in /time /step /poses /velocities /contacts/end /contacts/point /contacts/impulse \
        /contacts/key /contacts/mu /contacts/status /contacts/residual /shapes/pose /joints/anchor /lambda/end /lambda/name /lambda/impulse /lambda/names \
        /metrics/kinetic /metrics/residual /metrics/iterations /joints/drift; do
        h5dump -d "$name" -y -m '%.17g' "$1/trajectory.h5" | sed 1d >"$work/one"
        h5dump -d "$name" -y -m '%.17g' "$2/trajectory.h5" | sed 1d >"$work/two"
        cmp "$work/one" "$work/two" >>"$work/err" 2>&1 || {
            echo "$name differs" >>"$work/err"
            return 1
        }
    done
    cmp "$work/one.csv" "$work/two.csv" >>"$work/err" 2>&1
}

# -- scenes -------------------------------------------------------------------------------
cat >box.json <<'JSON'
{ // a box that falls, slides and swings a bob on a hinge
  "title": "a box with a bob", "time": "0.5 s", "solver": "nsgs",
  "scheme": {"dt": "0.01 s", "margin": 0.02},
  "ground": {},
  "bodies": [
    {"name": "box", "mass": 1, "position": [0, 0, 0.55], "velocity": [1, 0, 0],
     "shapes": [{"type": "box", "size": [0.5, 0.5, 0.5]}]},
    {"name": "bob", "mass": 0.1, "position": [0, 0.8, 1.5], "velocity": [1, 0, 0],
     "shapes": [{"type": "sphere", "size": 0.1}]}
  ],
  "joints": [{"type": "revolute", "name": "elbow", "bodies": ["box", "bob"],
              "at": [0, 0.6, 1.0], "axis": [1, 0, 0]}]
}
JSON
cat >blow.json <<'JSON'
{"time": 10, "solver": "nsgs", "scheme": {"dt": 1, "integrator": "explicit"},
 "bodies": [{"name": "wild", "mass": 1e-3, "position": [1, 0, 0],
             "shapes": [{"type": "sphere", "size": 0.1}]},
            {"name": "wall", "motion": "static"}],
 "forces": [{"type": "spring", "name": "s", "bodies": ["wild", "wall"],
             "stiffness": 1e100}]}
JSON

cat >balls.json <<'JSON'
{"title": "{count} balls", "time": "0.1 s", "solver": "nsgs", "scheme": {"dt": "0.01 s"},
 "parameters": {"seed": 1, "count": {"value": 2, "min": 1, "max": 9, "help": "balls"},
                "radius": "10 cm"},
 "ground": {},
 "bodies": [{"name": "ball {k}", "mass": 1, "position": ["{3*radius*k}", 0, "{radius + random(0, radius)}"],
             "shapes": [{"type": "sphere", "radius": "{radius}"}], "repeat": {"count": "{count}"}}]}
JSON

sed 's/"axis": \[1, 0, 0\]}/"axis": [1, 0, 0], "armature": 0.01}/' box.json >rotor.json

run info box.json
[ "$status" -eq 0 ] && has 'a box with a bob' && has 'elbow  revolute  box' && has 'nsgs' &&
    has 'reduced coordinates: 7, of 2 links; 0 joints keep their rows'
ok $? "info tells what a scene holds"
run info box.json --json
[ "$status" -eq 0 ] && python3 -c '
import json, sys
s = json.load(open("out"))
assert s["dt"] == 0.01 and len(s["bodies"]) == 3 and s["joints"][0]["type"] == "revolute"
assert s["coordinates"] == "maximal" and s["reduced"]["coordinates"] == 7' 2>err
ok $? "info tells the same as JSON"
run info balls.json --set count=3 --set 'radius=20 cm'
[ "$status" -eq 0 ] && has 'balls: 3 balls' && has 'count          3        2          1    9  balls' &&
    has 'radius       0.2      0.1  m' && has 'ball 2'
ok $? "info lists parameters, as they are and as they are set"
run info balls.json --json
[ "$status" -eq 0 ] && python3 -c '
import json
p = json.load(open("out"))["parameters"]
assert [q["name"] for q in p] == ["seed", "count", "radius"] and p[1]["max"] == 9
assert p[2]["value"] == 0.1 and p[2]["unit"] == "m" and p[2]["min"] is None' 2>err
ok $? "info lists them as JSON"
run info --schema scene
[ "$status" -eq 0 ] && python3 -c 'import json; json.load(open("out"))["$defs"]' 2>err
ok $? "info prints the schema of scenes"
good=0
for joint in $("$perp" info joints --json | sed -n 's/^  "name": "\(.*\)",$/\1/p;s/^    "name": "\(.*\)",$/\1/p'); do
    run info --joint "$joint"
    [ "$status" -eq 0 ] && has 'rows  ' && has 'reference' || good=1
done
[ -n "${joint-}" ] && [ $good -eq 0 ]
ok $? "info tells about each joint"
run info --joint revolut
[ "$status" -eq 2 ] && has 'the nearest is "revolute"' err
ok $? "info names the nearest joint"
good=0
for what in joints mobilizers shapes forces integrators broad narrow metrics scenes; do
    run info $what --json
    [ "$status" -eq 0 ] && python3 -c '
import json
for o in json.load(open("out")):
    assert o["name"] and ("summary" in o or "title" in o), o
    assert not any(v is None for k, v in o.items() if k != "reference"), o' 2>>err || good=1
done
ok $good "list tells of scenes, joints, shapes, forces, integrators and metrics"
run info --schema scene && mv out schema.json && run info integrators --json
[ "$status" -eq 0 ] && python3 -c '
import json
scheme = json.load(open("schema.json"))["$defs"]["scheme"]["properties"]
listed = {}
for o in json.load(open("out")):
    for option in o["option"] if isinstance(o["option"], list) else [o["option"]]:
        listed.setdefault(option, []).append((o["name"], o["summary"]))
assert set(listed) == {"integrator", "gyro", "turn", "stabilize"}, listed
for option, entries in listed.items():
    names = [name for name, _ in entries]
    assert names == [n for n in scheme[option]["enum"] if n != "own"], (option, names)
    assert len({summary for _, summary in entries}) == len(entries), option
gyro, turn = dict(listed["gyro"]), dict(listed["turn"])
assert gyro["none"] == "no gyroscopic term" and gyro["explicit"].startswith("explicit"), gyro
assert gyro["midpoint"].startswith("midpoint") and "body axes" in gyro["implicit-body"], gyro
assert turn["linear"].startswith("q + dt") and "about one axis" in turn["axis"], turn' 2>>err
ok $? "list integrators has every name of the scheme, each with its own text"
for words in '--steps 1.5' '--every 1.5' '--checkpoint 1.5' '--threads 1.5'; do
    # shellcheck disable=SC2086
    refuse_run "does not cut ${words% *}" "option ${words% *} is \"1.5\", expected a whole number" \
        simulate box.json $words
done

mkdir -p data/experiments/scenes
sed 's/a box with a bob/from the data/' box.json >data/experiments/scenes/boxes.json
PERP_DATA_DIR=$work/data
export PERP_DATA_DIR
run info scenes
[ "$status" -eq 0 ] && has 'boxes' && has 'from the data' && run info boxes &&
    has 'from the data' && run simulate boxes --steps 2 && [ "$status" -eq 0 ] &&
    [ -s boxes.perp/trajectory.h5 ]
ok $? "finds a scene that comes with perp by its name"
run simulate boxen
[ "$status" -eq 2 ] && has 'no scene "boxen", the nearest is "boxes"' err
ok $? "names the nearest scene"
unset PERP_DATA_DIR

# -- a run --------------------------------------------------------------------------------
run simulate box.json
[ "$status" -eq 0 ] && [ ! -s err ] && has 'solved       50 of 50 steps' && has 'penetration' &&
    has 'friction' && [ -s box.perp/trajectory.h5 ] && [ -s box.perp/summary.json ] &&
    [ "$(wc -l <box.perp/metrics.csv)" -eq 52 ]
ok $? "runs a scene into a folder of its name"
sed 's/"position": \[0, 0.8, 1.5\], "velocity": \[1,/"position": [0, 0.8, 1.5], "velocity": [0.3,/' box.json >pull.json
run simulate pull.json --steps 1
[ "$status" -eq 0 ] && [ "$(cat err)" = "perp simulate: velocities at the start: projected \
onto the joints, kinetic energy from 0.5045 to 0.492391 J" ]
ok $? "reports velocities at the start that joints do not allow"
python3 - <<'PY' 2>err
import csv, json
rows = list(csv.DictReader(open("box.perp/metrics.csv")))
s = json.load(open("box.perp/summary.json"))
assert [int(r["step"]) for r in rows] == list(range(51))
e = [float(r["energy [J]"]) for r in rows]
assert rows[0]["outcome"] == "start" and e[0] == s["energy"]["start"], (rows[0], s["energy"])
parts = [sum(float(r[k]) for k in r if k.startswith("ledger-")) for r in rows]
# The ledger is the change of energy to rounding: 1e-13 of some 10 J.
for a, b, p in zip(e, e[1:], parts[1:]):
    assert abs(b - a - p) < 1e-12, (a, b, p)
assert abs(s["energy"]["end"] - e[-1]) <= 1e-15 * e[-1]
assert abs(s["energy"]["change"] - sum(s["energy"]["ledger"].values())) < 1e-11
drift = max(float(r["drift elbow [m]"]) for r in rows)
assert 0 < drift == s["drift_length"], (drift, s["drift_length"])
assert s["penetration"] == max(float(r["penetration [m]"]) for r in rows)
assert s["solved"] == s["steps"] == 50 and s["ended"] == "done" and s["path"]
PY
ok $? "writes metrics whose ledger is the change of energy, and their summary"
run simulate box.json -o box.perp
[ "$status" -eq 2 ] && has '--resume' err && has 'exists' err
ok $? "leaves a run that is there alone"
# The columns of times and what depends on them are none but "seconds": the last but one metric.
times=$(head -1 box.perp/metrics.csv | tr , '\n' | grep -n '^seconds' | cut -d: -f1)
times=$((times - 1))
run simulate box.json -o again -q
[ "$status" -eq 0 ] && [ ! -s out ] && [ ! -s err ] && same box.perp again
ok $? "runs to the same bits again, quietly"
run simulate box.json -o tree --coordinates reduced
[ "$status" -eq 0 ] && has '7, of 2 links; 0 joints keep their rows' && python3 - <<'PY' 2>err
import csv, json
rows = list(csv.DictReader(open("tree/metrics.csv")))
s = json.load(open("tree/summary.json"))
assert s["settings"]["coordinates"] == "reduced" and s["solved"] == 50
# Rounding of places of size 1; a hinge in maximal coordinates drifts by some 1e-5.
assert s["drift_length"] < 1e-14 and s["drift_angle"] < 1e-14, s
e = [float(r["energy [J]"]) for r in rows]
parts = [sum(float(r[k]) for k in r if k.startswith("ledger-")) for r in rows]
for a, b, p in zip(e, e[1:], parts[1:]):
    assert abs(b - a - p) < 1e-12, (a, b, p)
assert max(int(float(r["rows"])) for r in rows) == 12  # four corners, no hinge
PY
ok $? "runs in reduced coordinates, without drift"
sed 's/"time"/"coordinates": "reduced", "time"/' box.json >tree.json
run simulate tree.json -o scene --steps 23 -q && run simulate tree.json -o scene --resume -q &&
    same tree scene
ok $? "the scene says so as well, and a resumed run has the same bits"
# A ball joint that turns by 2 pi in 100 steps: about x, and about y, where the second of
# three angles comes to a quarter turn.
ball() {
    cat <<EOF
{"time": 1.5, "scheme": {"dt": 0.01}, "gravity": [0, 0, 0], "coordinates": "reduced",
 "bodies": [{"name": "policy", "mass": 1, "inertia": [0.1, 0.1, 0.1], "spin": [$1],
             "position": [0, 0, 0]}],
 "joints": [{"type": "spherical", "name": "shoulder", "bodies": ["world", "policy"],
             "at": [0, 0, 0]}]}
EOF
}
ball '6.283185307179586, 0, 0' >x.json
ball '0, 6.283185307179586, 0' >y.json
run simulate x.json -o x && run simulate x.json --rotations euler -o xe &&
    run simulate y.json -o y
ok $? "a ball joint turns on and on"
run simulate x.json --chart-switch off -o off
[ "$status" -eq 1 ] && has 'joint "shoulder": spherical at its singularity' err
ok $? "without renewal it ends at a whole turn"
run simulate y.json --rotations euler -o euler
[ "$status" -eq 1 ] && has 'spherical-euler at its singularity, |q| = 1.570796' err
ok $? "and by Euler angles at a quarter turn"
run simulate rotor.json --coordinates reduced -o rotor
[ "$status" -eq 0 ] && has 'solved       50 of 50 steps'
ok $? "an armature is inertia there"
run simulate box.json -o quick --solver lemke --friction pyramid:4 --dt 0.02 --json \
    --integrator explicit --gyro none --stabilize split --restitution moreau --cold --erp 0.1
[ "$status" -eq 0 ] && python3 -c '
import json
s = json.load(open("out"))["settings"]
for k, v in {"solver": "lemke", "friction": "pyramid:4", "dt": "0.02", "integrator": "explicit",
    "gyro": "none", "stabilize": "split", "restitution": "moreau", "start": "cold",
    "erp": "0.10000000000000001"}.items():
    assert s[k] == v, (k, s[k])' 2>err
ok $? "takes solver, model and all choices of a step"
good=0
for model in coulomb associated pyramid:8 box none; do
    run simulate box.json -o "model-$model" --friction "$model" --time 0.2 --solver auto
    [ "$status" -eq 0 ] || good=1
done
ok $good "runs every model"
run simulate box.json -o impulses --solver sequential-impulses --friction box --time 0.1 --json
[ "$status" -le 1 ] && has '"solver": "sequential-impulses"' && has '"steps": 10'
ok $? "runs sequential impulses"
run simulate box.json -o unsolved --max-iterations 1 --tolerance 1e-14
[ "$status" -eq 1 ] && has 'first failure: step' && has 'iteration limit'
ok $? "ends with status 1 when a step is not solved"
run simulate box.json -o few --every 10
[ "$status" -eq 0 ] && has '6 frames' &&
    h5dump -d /step -y few/trajectory.h5 | tr -d ' \n' | grep -q '{0,10,20,30,40,50}'
ok $? "keeps each tenth step as a frame"
h5dump -d /lambda/names few/trajectory.h5 >out
has 'revolute elbow' && has 'contact' && has 'normal'
ok $? "names the rows of impulses"

# -- bad input ----------------------------------------------------------------------------
refuse_run "names the nearest model" 'the nearest is "coulomb"' simulate box.json --friction coulomb2
refuse_run "names the directions of a pyramid" 'pyramid of 7 directions' \
    simulate box.json --friction pyramid:7
refuse_run "names the nearest integrator" 'the nearest is "rk4"' \
    simulate box.json --integrator rk5
refuse_run "names the nearest coordinates" 'the nearest is "reduced"' \
    simulate box.json --coordinates reducd
refuse_run "names the nearest rotations" 'the nearest is "euler"' \
    simulate box.json --rotations eulr
refuse_run "names the values of chart-switch" 'the nearest is "off"' simulate box.json --chart-switch of
refuse_run "has no reduced coordinates without joints" 'no joint can be eliminated' \
    simulate balls.json --coordinates reduced
refuse_run "names a joint that needs reduced coordinates" \
    'joint "elbow": armature needs reduced coordinates' simulate rotor.json
refuse_run "names the nearest broad phase" 'the nearest is "sap"' simulate box.json --broad sapp
refuse_run "names the nearest narrow phase" 'the nearest is "gjk"' simulate box.json --narrow gjl
refuse_run "refuses a reduction that holds no face" 'reduce is 3, expected 0 or at least 4' \
    simulate box.json --reduce 3
refuse_run "knows speculative on and off" 'the nearest is "on"' simulate box.json --speculative onn
refuse_run "names the nearest option" 'the nearest is --stabilize' \
    simulate box.json --stabilise split
refuse_run "names the range of a number" '--erp is "2"' simulate box.json --erp 2
refuse_run "refuses a step of no length" '--dt is "0", expected a positive number [s]' simulate box.json --dt 0
refuse_run "refuses two lengths" '--time and --steps' simulate box.json --time 1 --steps 3
refuse_run "names a solver's nearest" 'the nearest is "nsgs"' simulate box.json --solver nsg
refuse_run "names a missing scene" 'nowhere.json' simulate nowhere.json
refuse_run "points at the column of a condition" \
    'column 5: unknown name "residul", the nearest is "residual"' \
    simulate box.json --capture 't > residul'
printf '{"bodies": [{"name": "a", "mass": -1}]}\n' >bad.json
refuse_run "places what is wrong in a scene" 'bad.json:1:' simulate bad.json
run simulate box.json -o /proc/no-such/dir
[ "$status" -eq 2 ] && has '/proc/no-such/dir: cannot make the folder' err
ok $? "names a folder that cannot be made"

# -- an end that was not asked for --------------------------------------------------------
run simulate blow.json -o blow
[ "$status" -eq 1 ] && has 'wild' err && has 'step' err && [ -s blow/summary.json ] &&
    grep -q '"ended": "early"' blow/summary.json &&
    [ "$(wc -l <blow/metrics.csv)" -gt 1 ] && h5dump -d /poses blow/trajectory.h5 >/dev/null
ok $? "ends with the name of a body that grew to infinity, and keeps what was made"

# A terminal sees a bar, which is gone at the end; a pipe saw nothing above.
python3 - "$perp" >out 2>err <<'PY'
import os, pty, sys
said = b""
def read(fd):
    global said
    data = os.read(fd, 1024)
    said += data
    return data
code = pty.spawn([sys.argv[1], "simulate", "box.json", "--steps", "3000", "-o", "bar"], read)
assert code == 0 and b"/3000  " in said and b"t = " in said and b"\r\x1b[K" in said, (code, said)
assert b"3000 of 3000 steps" in said.split(b"\x1b[K")[-1], said
PY
ok $? "draws a bar on a terminal"

# -- captures -----------------------------------------------------------------------------
run simulate box.json -o caught --capture 'step%10==0' --json
[ "$status" -eq 0 ] && has '"captured": 5' && run info caught/capture &&
    has 'a sequence of 5 steps, t = 0.1 .. 0.5' &&
    run info caught/capture/step_00050.hdf5 && has 'a sequence of 1 step,' &&
    run convert caught/capture whole.hdf5 && run info whole.hdf5 &&
    has 'a sequence of 5 steps' && run info caught/capture --item 4 && has 'step        50' &&
    has ' contact' && run solve --sequence caught/capture --solver nsgs --json &&
    [ "$status" -eq 0 ] && has '"matched"'
ok $? "captures a sequence that perp solves"
python3 - <<'PY' 2>err
import re, subprocess
def dump(step, *what):
    out = subprocess.run(["h5dump", *what, "whole.hdf5"], capture_output=True, text=True, check=True).stdout
    return re.search(r"DATA \{(.*?)\}", out, re.S).group(1)
keys = [set(re.findall(r"\d{4,}", dump(k, "-d", f"/steps/{k}/keys"))) for k in range(5)]
h = [float(dump(k, "-a", f"/steps/{k}/h").split()[-1]) for k in range(5)]
assert h == [0.01] * 5, h
assert keys[-1] & keys[-2], keys  # a contact that lasts keeps its key
PY
ok $? "captures the identity of a contact from step to step"
run simulate box.json -o again --capture 10 && rm again/trajectory.h5 &&
    run simulate box.json -o again --capture 25
[ "$status" -eq 0 ] && run info again/capture && has 'a sequence of 2 steps'
ok $? "a new run replaces what an earlier one captured"
run simulate box.json -o none --capture failed
[ "$status" -eq 0 ] && [ ! -e none/capture ]
ok $? "captures nothing where nothing fails"
run simulate box.json -o some --capture 'failed && step<30' --max-iterations 1 --tolerance 1e-14
[ "$status" -eq 1 ] && [ -s some/capture/step_00029.hdf5 ] &&
    ! ls some/capture | grep -q step_0003
ok $? "captures the steps that failed"

# -- going on -----------------------------------------------------------------------------
run simulate box.json -o on --time 0.2 --capture 10
[ "$status" -eq 0 ] && run simulate box.json -o on --resume --capture 10 && [ "$status" -eq 0 ] &&
    has '20 of them were there' && same on caught && diff -r on/capture caught/capture >>err
ok $? "goes on to the bits of a run that never stopped, captures and all"
run simulate box.json -o on --resume --dt 0.02
[ "$status" -eq 2 ] && has 'dt is 0.02, the stored run has 0.01' err
ok $? "refuses to go on with other settings"
run simulate box.json -o on --resume --tolerance 1e-5
[ "$status" -eq 2 ] && has 'tolerance is 1.0000000000000001e-05, the stored run has' err
ok $? "refuses to go on with other options of the solver"
sed 's/"mass": 0.1/"mass": 0.2/' box.json >other.json
run simulate other.json -o on --resume
[ "$status" -eq 2 ] && has 'another scene' err && same on caught
ok $? "refuses to go on with another scene, and leaves the run alone"
run simulate box.json -o on --resume --capture 10
[ "$status" -eq 0 ] && same on caught
ok $? "goes on with nothing to do"

# -- parameters ---------------------------------------------------------------------------
run simulate balls.json -o balls --set count=3 --set seed=7
[ "$status" -eq 0 ] && python3 -c '
import json
s = json.load(open("balls/summary.json"))
assert s["parameters"] == {"seed": 7, "count": 3, "radius": 0.1}, s["parameters"]
assert not [k for k in s["settings"] if k.startswith("--set")]' 2>err
ok $? "sets parameters, and tells them in the summary"
run simulate balls.json -o balls --resume --set count=3 --set seed=8
[ "$status" -eq 2 ] && has '--set seed is 8, the stored run has 7' err
ok $? "refuses to go on with other parameters"
run simulate balls.json -o balls --resume --set count=3 --set seed=7 --time 0.2
[ "$status" -eq 0 ] && has '10 of them were there'
ok $? "goes on with the same parameters"
refuse_run "refuses a parameter that is not there" 'parameter cuont is not known, the nearest is "count"' \
    simulate balls.json --set cuont=3
refuse_run "refuses a parameter out of its bounds" 'parameters.count.value is 10, expected a number 1 .. 9' \
    simulate balls.json --set count=10
refuse_run "refuses a parameter without a value" 'option --set is "count", expected NAME=VALUE' \
    simulate balls.json --set count

# Long enough to be met in the midst of it: a kill waits for the first checkpoint.
long() { # long DIR WORDS…
    dir=$1
    shift
    "$perp" simulate box.json --steps 20000 --every 100 -o "$dir" "$@" >out 2>err &
    background=$!
    while [ ! -s "$dir/trajectory.h5" ]; do sleep 0.02; done
}
long stopped
sleep 0.3
kill -INT $background
wait $background
code=$?
reached=$(python3 -c 'import json; s = json.load(open("stopped/summary.json"))
print(s["steps"] if s["ended"] == "interrupted" else -1)')
[ $code -eq 130 ] && has 'interrupted' && [ "$reached" -gt 0 ] &&
    [ "$(wc -l <stopped/metrics.csv)" -eq $((reached + 2)) ]
ok $? "ends on SIGINT, everything written"
next=$((reached + 250))
run simulate box.json -o stopped --resume --every 100 --steps $next
[ "$status" -eq 0 ] && run simulate box.json -o straight --every 100 --steps $next &&
    same stopped straight
ok $? "goes on after SIGINT to the same bits"
# A step that no residual ends, once the box has fallen.
timeout --foreground -s KILL 60 "$perp" simulate pull.json --tolerance 1e-300 --stall 0 \
    --max-iterations 1000000000000 -o endless >out 2>err &
background=$!
while [ ! -s endless/trajectory.h5 ]; do sleep 0.02; done
sleep 0.3
kill -INT $background
wait $background
[ $? -eq 130 ] && has ', interrupted'
ok $? "gives up the step at work on SIGINT"
long killed
run simulate box.json -o killed --resume --steps 20000 --every 100
[ "$status" -eq 2 ] && grep -q ': process [0-9]* (.*/perp simulate .*) is writing to it' err
ok $? "leaves a run alone that is at work"
sleep 0.3
kill -KILL $background
wait $background 2>/dev/null
steps=$(($(wc -l <killed/metrics.csv) + 200))
run simulate box.json -o killed --resume --every 100 --steps $steps
[ "$status" -eq 0 ] && has 'of them were there' &&
    run simulate box.json -o unkilled --every 100 --steps $steps && same killed unkilled
ok $? "goes on after a kill to the same bits"

# Files of at most 1 or 2 MB, by the blocks of the shell.
(
    ulimit -f 2000
    "$perp" simulate box.json --steps 2500 -o full >"$work/out" 2>"$work/err"
    exit $?
)
[ $? -eq 2 ] && has 'full/' err && [ "$(wc -l <err)" -eq 1 ]
ok $? "says that the disk is full"
run simulate box.json --steps 2500 -o full --resume
[ "$status" -eq 0 ] && has 'of them were there' && run simulate box.json --steps 2500 -o empty &&
    same full empty
ok $? "goes on after a full disk"

# -- a time that dt does not divide -----------------------------------------------------------
run simulate tree.json -o short --dt 30ms --time 1 --json -q
[ "$status" -eq 0 ] && python3 -c '
import json
o = json.load(open("short/summary.json"))
assert o["steps"] == 34 and abs(o["t"] - 1) < 1e-12 and abs(o["last_dt"] - 0.01) < 1e-12, o' 2>err &&
    run simulate tree.json -o short --dt 30ms --time 1 --resume && has '0.03 s each, the last 0.01 s'
ok $? "shortens the last step, and says so"
run simulate tree.json -o parted --dt 30ms --steps 20 -q &&
    run simulate tree.json -o parted --dt 30ms --time 1 --resume -q && same short parted
ok $? "a resumed run has the same last step to the bit"
refuse "does not continue a run that ended with a shortened step" 'with a step of 0.01 s in place of 0.03 s' \
    simulate tree.json -o short --dt 30ms --time 2 --resume
run simulate tree.json -o whole --dt '1/60 s' --time 1 -q && run simulate tree.json -o sixty --dt '1/60 s' --steps 60 -q &&
    same whole sixty && python3 -c '
import json
o = json.load(open("whole/summary.json"))
assert o["steps"] == 60 and o["last_dt"] == 1 / 60, o' 2>err
ok $? "1 s of 1/60 s is 60 equal steps"
run convert short -o problems && run convert short -o problems2 --when 34
[ "$status" -eq 0 ]
ok $? "a run with a shortened last step is repeated for its export"

echo "1..$count"
