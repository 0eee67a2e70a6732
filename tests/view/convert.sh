#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# convert.sh: runs and scenes in the formats of perp info exports, and what is refused. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
source=$(cd "${PERP_SOURCE:-.}" && pwd)
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/exports-$$
suite=exports
. "$source/tests/support/command.sh"
cd "$work" || exit 1

has() { grep -qF -- "$1" "$work/${2:-out}"; }

run info exports
[ "$status" -eq 0 ] && has 'paraview  run' && has 'gltf      run    .glb .gltf' && has 'mjcf      scene'
ok $? "the formats have a list"

"$perp" simulate rattleback --time 0.05 -q -o run.perp >out 2>err
run convert run.perp all.pvd
[ "$status" -eq 0 ] && has 'paraview, 101 frames, 2 bodies' && [ "$(ls all | wc -l)" -eq 303 ] &&
    [ "$(grep -c 'part="0"' all.pvd)" -eq 101 ] && grep -q 'file="all/bodies_000100.vtp"' all.pvd
ok $? "a run becomes a .pvd and its folder"
run convert run.perp all.pvd --every 50
[ "$status" -eq 0 ] && has '3 frames' && [ "$(ls all | wc -l)" -eq 9 ] && grep -q 'timestep="0.05' all.pvd
ok $? "--every leaves frames out, and the folder is replaced"
mkdir new2 && cp -r all new2/all && echo text >new2/all/notes.txt
run convert run.perp new2/all.pvd
[ "$status" -eq 2 ] && has 'it holds notes.txt' err && [ ! -e new2/all.pvd ] && [ "$(ls new2/all | wc -l)" -eq 10 ]
ok $? "a folder with other files is not touched"

run convert run.perp/trajectory.h5 run.glb
[ "$status" -eq 0 ] && [ "$(head -c 4 run.glb)" = glTF ] && run convert -q run.perp run.gltf &&
    [ "$status" -eq 0 ] && [ ! -s out ] && python3 -c '
import base64, json, struct
root = json.load(open("run.gltf"))
names = [n.get("name") for n in root["nodes"]]
assert "stone" in names or len(names) >= 4, names
blob = base64.b64decode(root["buffers"][0]["uri"].split(",")[1])
assert len(blob) == root["buffers"][0]["byteLength"]
s = root["animations"][0]["samplers"][0]
times = root["accessors"][s["input"]]
view = root["bufferViews"][times["bufferView"]]
t = struct.unpack_from("<%df" % times["count"], blob, view["byteOffset"])
assert t[0] == 0 and abs(t[-1] - 0.05) < 1e-7 and list(t) == sorted(set(t)) and len(t) < 101
' 2>err
ok $? "a run becomes glTF, with fewer keys than frames"

refuse "a run needs a format of runs" 'is a run, expected a name or --to of perp info exports' \
    convert run.perp new
refuse "an option of problems is not for runs" 'option --friction is for problems, and run.perp is a run' \
    convert run.perp new.glb --friction coulomb
refuse "a number of frames is whole" 'option --every is "1.5", expected a whole number' \
    convert run.perp new.glb --every 1.5
refuse "a scene is simulated first" 'new.glb holds a run, and stack is a scene; first: perp simulate stack -o RUN' \
    convert stack new.glb
refuse "--every is for runs" 'option --every is for runs, and stack is a scene' convert stack new --every 2
refuse "a scene is no AMPL model" 'which --to ampl-nl does not hold' convert stack new --to ampl-nl

run convert four-bar four-bar.xml
[ "$status" -eq 0 ] && has 'four-bar.xml: mjcf, 4 bodies' && has 'key frame "start"' && python3 -c '
import xml.etree.ElementTree as tree
root = tree.parse("four-bar.xml").getroot()
assert root.get("model") == "four-bar"
bodies = root.findall(".//body")
assert [b.get("name") for b in bodies] == ["crank", "coupler", "rocker"]
assert len(root.findall("equality/connect")) == 2 and len(root.findall("contact/exclude")) == 4
assert float(root.find("option").get("timestep")) == 0.001' 2>err
ok $? "a scene becomes a model of MuJoCo with nested bodies and a closed loop"
run convert "$source/experiments/scenes/urdf/arm.urdf" arm.xml
[ "$status" -eq 0 ] && has 'arm.xml: mjcf, ' && grep -q '<body name=' arm.xml && ! grep -q robot arm.xml
ok $? "a robot becomes a model of MuJoCo"
run convert "$source/experiments/scenes/urdf/arm.urdf" arm.json
[ "$status" -eq 0 ] && has 'arm.json: a scene, '
ok $? "another name is a scene"

refuse "two dimensions are refused" 'chain: a world of two dimensions, MJCF has three' convert chain new.xml
refuse "restitution is refused" 'bouncing-ball: materials "default" and "rubber" have restitution 0.5' \
    convert bouncing-ball new.xml
refuse "a cone is refused" 'is of type cone, which MJCF does not have' convert rag-doll new.xml
refuse "a servo is refused" 'has a servo, which MJCF cannot express' convert servo-arm new.xml
refuse "a drum that turns is refused" 'body "drum" is kinematic and moves' convert drum new.xml
refuse "a constant force is refused" 'of forces MJCF has springs only' convert humanoid new.xml

echo "1..$count"
