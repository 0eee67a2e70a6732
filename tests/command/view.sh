#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# view.sh: perp view from outside: the page holds the motion within the errors it states, two runs
# are compared, instances are shown by their labels, and bad input is refused. Speaks TAP.
set -u
python=python3
for p in python3 /usr/bin/python3; do
    "$p" -c 'import h5py, numpy' 2>/dev/null && python=$p && break
done
"$python" -c 'import h5py, numpy' 2>/dev/null || {
    echo "1..0 # SKIP python3 with h5py and numpy is not there"
    exit 0
}
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/view-$$
decode=$(cd "${PERP_SOURCE:-.}" && pwd)/tests/command/view_page.py
suite=view
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

# check WHAT PAGE RUN...: a check of the page by view_page.py.
check() { "$python" "$decode" "$@" >"$work/found" 2>&1; }

# -- one run ------------------------------------------------------------------------------
"$perp" simulate stack --set n=4 --time 0.3 --quiet -o stack >out 2>err
run view stack
[ "$status" -eq 0 ] && [ "$(cat out)" = "stack/view.html" ] && [ -s stack/view.html ]
ok $? "the page of a run is written into its folder"
check poses stack/view.html stack/trajectory.h5
ok $? "poses, times, speeds and energies are those of the run within the stated errors"
check contacts stack/view.html stack/trajectory.h5
ok $? "contacts, normals, impulses, gaps and states are those of the run"
check metrics stack/view.html stack/trajectory.h5
ok $? "metrics are those of the run"
check shapes stack/view.html stack/trajectory.h5
ok $? "bodies, shapes and joints are those of the run"
check alone stack/view.html
ok $? "the page loads nothing from elsewhere"

run view stack --contact-data 0.005 -o thin.html --quiet
check thinned thin.html stack/trajectory.h5
ok $? "contacts beyond the size asked for are left out in whole frames, evenly, and that is stated"

# -- joints, all shapes, a world of two dimensions ----------------------------------------
"$perp" simulate humanoid --time 0.1 --quiet -o humanoid >out 2>err
run view humanoid/trajectory.h5
[ "$(cat out)" = "humanoid/view.html" ] && check shapes humanoid/view.html humanoid/trajectory.h5
ok $? "a trajectory alone is enough; a page of joints and many shapes"
"$perp" simulate painleve --time 0.05 --quiet -o flat >out 2>err
run view flat
check poses flat/view.html flat/trajectory.h5
ok $? "a world of two dimensions"

"$perp" simulate pendulum-chain --set links=4 --time 0.02 --quiet -o sticks >out 2>err
run view sticks
check sticks sticks/view.html
ok $? "moving bodies without shapes are balls with rods to the anchors of their joints"

# -- two runs -----------------------------------------------------------------------------
"$perp" simulate stack --set n=4 --time 0.3 --solver pgs --max-iterations 2 --friction box --quiet -o other >out 2>err
run view stack other -o two.html
[ "$status" -eq 0 ] && check difference two.html stack/trajectory.h5 other/trajectory.h5
ok $? "two runs: the largest difference, its time, body and place, are those of the trajectories"
refuse "runs without a body in common are refused" "have no moving body of the same name" \
    view stack humanoid -o new

# -- hostile names ------------------------------------------------------------------------
cat >hostile.json <<'JSON'
{"title": "</script><script>alert(1)</script>", "time": 0.05, "scheme": {"dt": 0.01}, "ground": {},
 "bodies": [{"name": "</script><img src=x onerror=alert(2)>", "mass": 1, "position": [0, 0, 1],
             "shapes": [{"type": "sphere", "size": 0.1}]}]}
JSON
"$perp" simulate hostile.json --quiet -o hostile >out 2>err
run view hostile
check alone hostile/view.html && ! grep -q 'onerror=alert' hostile/view.html &&
    check shapes hostile/view.html hostile/trajectory.h5
ok $? "names of markup are data"

# -- instances ----------------------------------------------------------------------------
run view scene:wall:step=3 -o wall.html
[ "$status" -eq 0 ] && check instance wall.html
ok $? "an instance with labels: its contacts, impulses and residuals"
run solve scene:wall:step=3 --solver nsgs -o answer.json
run view scene:wall:step=3 --solution answer.json -o given.html
[ "$status" -eq 0 ] && check instance given.html
ok $? "the same with impulses from a file"
refuse "an instance without places is refused" "no contact has a place" view generate:spd:n=10 -o new

# -- bad input ----------------------------------------------------------------------------
refuse "a folder without a trajectory is refused" "no trajectory.h5 is there" view . -o new
refuse "a scene is answered with the command that runs it" "perp simulate wall --view" view wall -o new
refuse "an unknown colour is refused" "option --colour is \"heat\"" view stack --colour heat -o new
refuse "an unknown mark is refused" "option --show is \"heat\"" view stack --show joints,heat -o new
refuse "an odd size is refused" "expected WIDTHxHEIGHT" view stack --png --size 801x600 -o new
refuse "a body that is not there is refused" 'has no body "nobody"' view stack --follow nobody -o new
refuse "a picture and a film at once are refused" "exclude each other" \
    view stack --png --film new
dd if=stack/trajectory.h5 of=torn.h5 bs=1000 count=20 2>/dev/null
refuse "a torn trajectory is refused" "torn.h5" view torn.h5 -o new

# -- pictures and films -------------------------------------------------------------------
# size_of FILE: width and height of a PNG.
size_of() { od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }'; }

if command -v "${PERP_CHROMIUM:-chromium}" >/dev/null; then
    run view stack --png --at 0.1 --size 400x300 -o still.png --show joints,impulses
    [ "$status" -eq 0 ] && [ "$(size_of still.png)" = 400x300 ]
    ok $? "a picture has the size that was asked for"
    run view stack other --png -o pair.png --quiet
    [ "$status" -eq 0 ] && [ "$(size_of pair.png)" = 1280x800 ] && [ ! -s out ]
    ok $? "two runs in one picture of the usual size"
    PATH=/nowhere PERP_CHROMIUM=/nowhere/chromium "$perp" view stack --png -o none.png >out 2>err
    [ $? -eq 2 ] && [ ! -e none.png ] && grep -q "chromium" err
    ok $? "without the browser a picture is refused, and the package is named"
fi
if command -v "${PERP_CHROMIUM:-chromium}" >/dev/null && command -v ffmpeg >/dev/null; then
    run view stack --film film.mp4 --from 0.1 --to 0.2 --rate 20 --size 160x120
    [ "$status" -eq 0 ] && [ "$(head -c 8 film.mp4 | tail -c 4)" = ftyp ]
    ok $? "a film of a part of the run"
fi

# -- simulate --view ----------------------------------------------------------------------
run simulate stack --set n=2 --time 0.05 --quiet --view -o seen
[ "$status" -eq 0 ] && check poses seen/view.html seen/trajectory.h5
ok $? "perp simulate --view writes the page at once"

echo "1..$count"
