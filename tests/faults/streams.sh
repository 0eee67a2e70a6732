#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# "-" as the name of a file to write: every verb puts the same bytes on standard output as into a file,
# and no other text. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/streams-$$
suite=streams
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1
mkdir tmp
TMPDIR=$work/tmp
export TMPDIR

has() { grep -qF -- "$1" "${2:-out}"; }

# clean: nothing temporary is left.
clean() { [ -z "$(ls tmp)" ] && ! ls | grep -q 'tmp-'; }

# both SENTENCE FILE WORDS…: with FILE and with - in place of @ the same bytes; the text of the
# verb goes to standard error.
both() {
    sentence=$1 file=$2
    shift 2
    words=
    for word in "$@"; do
        [ "$word" = @ ] && word=$file
        words="$words '$word'"
    done
    eval "run $words"
    first=$status
    cp err first.err
    words=
    for word in "$@"; do
        [ "$word" = @ ] && word=-
        words="$words '$word'"
    done
    # By a pipe: nothing can be sought in it.
    eval "\"$perp\" $words 2>err | cat >piped"
    # To a file that has something already: it is appended to.
    echo before >whole
    eval "\"$perp\" $words 2>>err >>whole"
    second=$?
    { echo before; cat "$file"; } >expected
    [ "$first" -le 1 ] && [ "$first" -eq "$second" ] && [ -s "$file" ] && cmp "$file" piped >found &&
        cmp expected whole >>found && ! has 'perp: ' err && clean
    ok $? "$sentence"
}

"$perp" generate spd --n 5 -o p.json -q >out
cat >scene.json <<'JSON'
{"time": "0.05 s", "solver": "nsgs", "scheme": {"dt": "0.01 s"}, "ground": {},
 "bodies": [{"name": "ball", "mass": 1, "position": [0, 0, 0.1],
             "shapes": [{"type": "sphere", "radius": 0.1}]}]}
JSON
"$perp" simulate scene.json -o run -q --capture 1

both "generate writes text" g.dat generate spd --n 5 --format siconos -o @
both "generate writes an archive, which needs a file to seek in" g.npz generate spd --n 5 --format npz -o @
both "convert writes a problem" c.npz convert p.json @ --to npz
both "convert writes a scene" c.json convert scene.json @
both "convert writes a model of MuJoCo" c.xml convert scene.json @ --to mjcf
both "convert writes a motion" c.glb convert run @ --to gltf
both "view writes a page" v.html view run -o @
run simulate scene.json -o other -q --write end.json
"$perp" simulate scene.json -o another --write - 2>err >piped
[ $? -eq 0 ] && cmp end.json piped >found && has 'solved' err && clean
ok $? "simulate writes the scene at its end, and its summary to standard error"
"$perp" convert run/capture - --quiet >piped.hdf5 2>err
[ $? -eq 0 ] && cp piped.hdf5 q.hdf5 && run info q.hdf5 && [ "$status" -eq 0 ] && has 'sequence of' && clean
ok $? "convert writes a sequence as HDF5"
"$perp" solve p.json --solver lemke -o - 2>err >piped
[ $? -eq 0 ] && python3 -c 'import json; assert json.load(open("piped"))["outcome"] == "solved"' 2>found &&
    has 'residual' err && clean
ok $? "solve writes its answer, and its report to standard error"
"$perp" solve --sequence run/capture --solver nsgs -o - 2>err >piped
[ $? -eq 0 ] && python3 -c 'import json; json.load(open("piped"))' 2>found && has 'steps solved' err && clean
ok $? "solve does so for a sequence"
"$perp" generate spd --n 5 --format npz -o /dev/stdout --quiet 2>err | cmp - g.npz >found 2>&1
ok $? "/dev/stdout is written into"

(
    exec >whole
    echo before
    "$perp" generate spd --n 5 --quiet --format npz -o /dev/stdout 2>err
    echo after
)
{ echo before; cat g.npz; echo after; } >expected
cmp expected whole >found && clean
ok $? "the file behind /dev/stdout is written into, not replaced"
mkfifo fifo
for name in fifo /dev/null; do
    run generate spd --n 5 --quiet --format json -o $name
    [ "$status" -eq 2 ] && has "$name: it is a device, FIFO or socket (- is standard output), expected a file" err &&
        [ ! -f $name ] && clean
    ok $? "$name is refused"
done
cat p.json >fifo &
run solve fifo --solver lemke
[ "$status" -eq 0 ]
ok $? "an input is read from a FIFO"

for verb in "simulate scene.json" "compare quick" "plot run" "compare --merge run"; do
    run $verb -o -
    [ "$status" -eq 2 ] && has 'expected the name of a folder' err && [ ! -s out ] && [ ! -e - ]
    ok $? "${verb%% *} writes a folder and refuses standard output"
done
run convert p.json - --to matrix-market
[ "$status" -eq 2 ] && has 'cannot go to standard output' err && [ ! -s out ] && clean
ok $? "a format that is a folder is refused"
run convert p.json -
[ "$status" -eq 2 ] && has 'name one of' err && [ ! -s out ] && clean
ok $? "a format must be named where there is no extension"
run simulate scene.json -o two --write - --view
[ "$status" -eq 0 ] && clean
ok $? "a page in the folder stays in the folder"
if [ -w /dev/full ]; then
    "$perp" generate spd --n 5 --format siconos -o - 2>err >/dev/full
    [ $? -eq 2 ] && has 'No space left' err && clean
    ok $? "a full device is reported"
fi
TMPDIR=$work/none "$perp" generate spd --n 5 --format siconos -o - 2>err >out
[ $? -eq 2 ] && has "standard output: cannot create a temporary file in $work/none (TMPDIR): No such file" err
ok $? "a folder of temporary files that is missing is named"
if [ "$(head -c 2 "$perp")" != "#!" ]; then # the script of libtool needs its own standard error
    "$perp" generate spd --n 5 --format siconos -o g.dat -q
    "$perp" generate spd --n 5 --format siconos -o - 2>&- >piped
    [ $? -eq 0 ] && cmp g.dat piped >found && clean
    ok $? "standard output needs no standard error"
fi
"$perp" generate spd --n 5 --format siconos -o closed.dat >&-
"$perp" generate spd --n 5 --format siconos -o - 2>err >&-
[ $? -eq 2 ] && has "standard output: " err && cmp g.dat closed.dat >found && clean
ok $? "text for a closed descriptor does not get into a file"
# A reader that goes away.
"$perp" generate spd --n 300 --format siconos -o - 2>err | head -c 10 >/dev/null
clean
ok $? "nothing is left where a reader goes away"

echo "1..$count"
