#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# robots.sh: URDF files from outside: what info tells, runs, and what options refuse. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
robots=$(cd "${PERP_SOURCE:-.}" && pwd)/experiments/scenes/urdf
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/robots-$$
suite=robots
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

has() { grep -qF -- "$1" "$work/${2:-out}"; }

# Two links of mass 1, and something in between: robot NAME INNER [IN-THE-JOINT].
robot() {
    inertial='<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    cat >"$1" <<XML
<robot name="two">
<link name="a">$inertial</link>
<link name="b">$inertial$2</link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/>${3:-}</joint>
</robot>
XML
}

robot plain.urdf ''
run info plain.urdf
[ "$status" -eq 0 ] && has 'plain: the robot two: 2 links, 1 joint' && has 'initial angle of this joint' &&
    has '2 dynamic, 0 static' && has 'j      revolute  a       b       (1, 0, 0)  -1 .. 1 rad' &&
    has 'mass        2 kg, centre of mass (0, 0, 0) m' && has 'inertia     xx 2, yy 2, zz 2, '
ok $? "info tells what a robot becomes"
run info "$robots/arm.urdf"
[ "$status" -eq 0 ] && has 'tool is a part of hand' &&
    has 'left-finger    prismatic  hand        left-finger   (0, -1, 0)  0 .. 0.05 m'
ok $? "and which links are a part of another body"
# Twenty boxes of 1 kg and 1 m, 1 m apart: 20/6 + 20 (20^2 - 1)/12 kg m^2.
run info stack --json
[ "$status" -eq 0 ] && python3 -c '
import json
t = json.load(open("out"))["total"]
I = t["inertia"]
assert t["mass"] == 20 and abs(t["centre"][2] - 10) < 1e-12
assert abs(I[0] - (20/6 + 665)) < 1e-9 and abs(I[8] - 20/6) < 1e-12' 2>err
ok $? "info has mass, centre and inertia of all bodies"
run info plain.urdf --urdf-base fixed --set 'j=30 deg' --json
[ "$status" -eq 0 ] && python3 -c '
import json
s = json.load(open("out"))
p = s["parameters"][0]
assert [b["motion"] for b in s["bodies"]] == ["static", "dynamic"]
assert p["name"] == "j" and p["unit"] == "rad" and p["min"] == -1 and p["max"] == 1
assert abs(p["value"] - 0.5235987755982988) < 1e-15 and p["usual"] == 0' 2>err
ok $? "options say what its base is and where its joints start"
cp plain.urdf plain.xml
run info plain.xml
[ "$status" -eq 0 ] && has 'plain: the robot two' && run simulate plain.xml --steps 1 -q -o "$work/xml" &&
    [ "$status" -eq 0 ]
ok $? "a file of another name is known by what is in it"

for way in maximal reduced; do
    run simulate "$robots/arm.urdf" --set 'shoulder-lift=60 deg' --coordinates $way --time 0.2 \
        -o "$work/$way"
    [ "$status" -eq 0 ] && has '12 of 12' && has "wrote"
    ok $? "the arm runs in $way coordinates"
    run simulate "$robots/standing.json" --coordinates $way --time 0.2 -o "$work/standing-$way"
    [ "$status" -eq 0 ] && has 'contacts     4 at most' && has '40 of 40'
    ok $? "the quadruped stands in $way coordinates"
done

robot geared.urdf '' '<mimic joint="i" multiplier="-2" offset="0.1"/>'
sed -i 's|</robot>|<link name="c"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link><joint name="i" type="continuous"><parent link="b"/><child link="c"/></joint></robot>|' geared.urdf
run info geared.urdf
[ "$status" -eq 0 ] && has '-2 times i +0.1 rad'
ok $? "and which joints follow others"

# The problems of a run, which is made again elsewhere, are those of the scene.
again() { # again SENTENCE SCENE OPTIONS…
    sentence=$1 scene=$2
    shift 2
    rm -rf run elsewhere one
    mkdir elsewhere
    run simulate "$scene" "$@" --steps 6 -q -o run && run convert "$scene" "$@" --steps 6 --to npz -o one --when 'step == 5' &&
        (cd elsewhere && run convert ../run --to npz -o two --when 'step == 5') &&
        cmp one/*.npz elsewhere/two/*.npz >err
    ok $? "$sentence"
}
cp "$robots/standing.json" "$robots/quadruped.urdf" .
again "a run of a scene with a robot is exported from anywhere" standing.json
cp "$robots/arm.urdf" .
again "and so is a run of a robot with its options" arm.urdf --urdf-merge-fixed --urdf-base fixed --set elbow=1

robot mimic.urdf '' '<mimic joint="k"/>'
refuse "mimic of an unknown joint is refused with its line" \
    'mimic.urdf:5: joint "j": mimic is joint "k", expected a joint of the robot' simulate mimic.urdf -o "$work/new"
robot clutch.urdf '' '<clutch/>'
refuse "what is not supported is refused with its line" \
    'clutch.urdf:5: joint "j": <clutch> in <joint> is not known' simulate clutch.urdf -o "$work/new"
run simulate clutch.urdf --urdf-unknown ignore --steps 1 -q -o "$work/ignored"
[ "$status" -eq 0 ] && grep -q '^perp simulate: clutch.urdf:5: joint "j": <clutch> in <joint> .*: left out$' err
ok $? "or it is left out and told"

mkdir -p packages/pkg/meshes
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n' >packages/pkg/meshes/open.obj
robot mesh.urdf '<collision><geometry><mesh filename="package://pkg/meshes/open.obj"/></geometry></collision>'
refuse "a package must be found" 'was found neither in the 0 given folders' simulate mesh.urdf -o "$work/new"
refuse "an open surface does not move" 'is open, expected a closed' simulate mesh.urdf \
    --urdf-package "$work/packages" -o "$work/new"
run info mesh.urdf --urdf-package nowhere --urdf-package "$work/packages" --urdf-meshes hull
[ "$status" -eq 0 ] && has 'shapes      1'
ok $? "a hull of its points does"

refuse "an option has few values" \
    'perp info: option --urdf-base is "flat", expected one of: usual, fixed, floating' \
    info plain.urdf --urdf-base flat
refuse "options of robots are for robots" 'is for URDF files, ' simulate pendulum --urdf-base fixed \
    -o "$work/new"
refuse "a start lies within the limits" 'parameter j is 2, expected a number -1 .. 1 [rad]' \
    simulate plain.urdf --set j=2 -o "$work/new"
printf '<robot name="r">\n<link name="a">\n</robot>\n' >broken.urdf
refuse "what is no XML is said with its line" 'broken.urdf:3: ' info broken.urdf

echo "1..$count"
