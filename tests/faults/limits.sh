#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# limits.sh: every verb on small input where the system gives less than it needs: a full device, a small
# file system, a limit of addresses, a limit of the size of files. It does its work, or ends with status 2 and
# a line that says why, soon, with no file half written and none left over. Speaks TAP.
#
#   PERP_LIMITS_ALL    more sizes of each limit
#   PERP_LIMITS_CASES  a pattern of names of cases
set -u
# A file system of one's own needs a space of mounts of one's own.
if [ -z "${PERP_LIMITS_MOUNTS:-}" ]; then
    PERP_LIMITS_MOUNTS=no
    for words in -m -rm; do
        if unshare $words sh -c 'mount -t tmpfs -o size=4k none /tmp' 2>/dev/null; then
            PERP_LIMITS_MOUNTS=yes
            export PERP_LIMITS_MOUNTS
            exec unshare $words sh "$0"
        fi
    done
fi
build=$(cd "${PERP_BUILD:-.}" && pwd)
source=$(cd "${PERP_SOURCE:-.}" && pwd)
data=$(cd "${PERP_DATASETS:-$source/datasets}" && pwd)
perp=$build/perp
work=$build/tests/scratch/limits-$$
suite=limits
. "$source/tests/support/command.sh"
OPENBLAS_NUM_THREADS=1
HOME=$work/home
export OPENBLAS_NUM_THREADS HOME
unset XDG_CACHE_HOME XDG_DATA_HOME XDG_CONFIG_HOME
all=${PERP_LIMITS_ALL:-}
seconds=10

# -- inputs --------------------------------------------------------------------------------
in=$work/in small=$work/small
mkdir -p "$in" "$small" "$work/home"
cp "$data/siconos-lcp/lcp_ortiz.dat" "$in/lcp.dat"
cp "$data/siconos-fc3d/FrictionContact3D_1c.dat" "$in/contact.dat"
cp "$source/experiments/scenes/incline-slip.json" "$source/experiments/scenes/pendulum.json" "$in"
cat >"$in/suite.json" <<'EOF'
{"name": "small", "limits": {"seconds": 20}, "sets": [
  {"name": "lcp", "instances": ["generate:ahn:n=4", "lcp.dat"], "solvers": ["lemke", "pgs"]}]}
EOF
(
    cd "$in" || exit 1
    "$perp" solve lcp.dat --solver lemke -o answer.json &&
        "$perp" solve generate:spd:n=300 --solver lemke -o dense.json &&
        "$perp" simulate incline-slip.json --time 0.03 -o run -q &&
        "$perp" compare suite.json -o results -q --no-report
) >"$work/out" 2>"$work/err"
ok $? "inputs are made"
cp -r "$in" "$work/kept"

# -- the judge -----------------------------------------------------------------------------
# The words of a case name what they write by @, which becomes "new" of a folder.
words_in() {
    folder=$1 line=
    shift
    for word in "$@"; do
        case $word in
        @*) word=$folder/new${word#@} ;;
        esac
        line="$line '$word'"
    done
}

# limited COMMANDS: run the words of $line in the folder of inputs, after these commands of the shell.
limited() {
    (
        cd "$in" || exit 99
        eval "$1"
        eval "exec timeout -s KILL $seconds \"$perp\" $line"
    ) >"$output" 2>"$work/err" </dev/null
    status=$?
}

wrong() { # SENTENCE
    { echo "$limit: $1 [status $status]"; head -n 2 "$work/err"; } >>"$work/found"
}

# reason PATTERN: the last run has ended well, or says a reason that has the pattern.
reason() {
    case $status in
    0) [ "$(find "$place" | sed "s|^$place||" | sort)" = "$expected" ] || wrong "files are missing" ;;
    2) grep -qE -- "$1" "$work/err" || wrong "the message lacks \"$1\"" ;;
    130) # before main, where OpenBLAS cannot start its threads
        grep -q 'OpenBLAS blas_thread_init' "$work/err" || wrong "a signal" ;;
    *) wrong "no end, or a crash" ;;
    esac
    find "$place" "$in" | grep -E '[.](tmp|part)-' >"$work/left" && wrong "left over: $(cat "$work/left")"
    diff -r "$in" "$work/kept" >"$work/left" || wrong "inputs have changed: $(cat "$work/left")"
    [ "$status" -eq 0 ] || ! [ -f "$place/new$suffix" ] || [ "$(cat "$place/new$suffix")" = old ] ||
        wrong "a file of before is not whole"
}

empty() { # a place to write to, with a file of before where a file is written
    find "$place" -mindepth 1 -delete
    case $kind in
    file | sequence) echo old >"$place/new$suffix" ;;
    esac
}

# -- kinds of limits -----------------------------------------------------------------------
device() {
    limit="standard output is full" output=/dev/full place=$work/place
    words_in "$place" "$@"
    empty
    limited :
    if [ "$printed" = yes ]; then
        [ "$status" -eq 2 ] && grep -q 'standard output.*No space left on device' "$work/err" || wrong "not told"
    fi
    output=$work/out
    [ "$kind" = file ] || return
    limit="a device is refused"
    line=$(echo "$line" | sed "s|'$place/new[^']*'|'/dev/full'|")
    limited :
    [ "$status" -eq 2 ] && grep -q '/dev/full: it is a device' "$work/err" || wrong "not told"
}

disk() {
    [ "$kind" = none ] && return
    place=$small output=$work/out
    words_in "$place" "$@"
    for size in $disks; do
        limit="a disk of $size"
        mount -t tmpfs -o "size=${size#full-}" none "$small" || return
        empty
        case $size in
        full-*) head -c 70000 /dev/zero >"$small/filler" 2>/dev/null ;;
        esac
        expected_then=$expected
        [ -e "$small/filler" ] && expected=$(printf '%s\n/filler' "$expected" | sort)
        limited "TMPDIR=$small; export TMPDIR"
        reason 'No space left on device'
        expected=$expected_then
        umount "$small"
    done
}

addresses() {
    [ -n "$least" ] || return
    place=$work/place output=$work/out
    words_in "$place" "$@"
    for more in $rooms; do
        limit="$more kB of addresses beyond those of the program"
        empty
        limited "ulimit -v $((least + more))"
        reason '[Mm]emory'
    done
}

files() {
    [ "$kind" = none ] && return
    place=$work/place output=$work/out
    words_in "$place" "$@"
    for blocks in $lengths; do
        limit="files of $blocks blocks"
        empty
        : >"$work/out"
        limited "ulimit -f $blocks"
        reason 'File too large'
    done
}

# with KIND[SUFFIX] NAME WORDS…: KIND of what is written to @: none, file, sequence (a file, but a folder
# where no extension says so), folder.
with() {
    kind=${1%%.*} suffix=${1#"${1%%.*}"} name=$2
    shift 2
    case $name in
    ${PERP_LIMITS_CASES:-*}) ;;
    *) return ;;
    esac
    place=$work/place output=$work/out limit="no limit"
    mkdir -p "$place"
    : >"$work/found"
    words_in "$place" "$@"
    empty
    limited :
    [ "$status" -eq 0 ] || wrong "it fails"
    printed=no
    [ ! -s "$work/out" ] || printed=yes
    expected=$(find "$place" | sed "s|^$place||" | sort)
    device "$@"
    [ "$PERP_LIMITS_MOUNTS" = no ] || disk "$@"
    addresses "$@"
    files "$@"
    : >"$work/out"
    : >"$work/err"
    [ ! -s "$work/found" ]
    ok $? "$name"
}

# The least limit of addresses, in kB, with which main is reached, to 5000. Smaller ones are left out: there
# the loader or OpenBLAS ends the program, or the start of OpenBLAS 0.3.29, which is before main, asks for its
# buffer of 131076 kB again and again without end.
find_least() {
    least=
    nm "$perp" 2>/dev/null | grep -q __asan_init && return
    below=60000 least=600000
    while [ $((least - below)) -gt 5000 ]; do
        middle=$(((below + least) / 2))
        if (ulimit -t 2 && ulimit -v "$middle" && exec "$perp" --version) >/dev/null 2>&1; then
            least=$middle
        else
            below=$middle
        fi
    done
}
find_least
disks="full-64k 16k"
rooms="12000 140000"
lengths="1"
if [ -n "$all" ]; then
    disks="full-4k full-64k 4k 8k 16k 32k 64k 128k 256k"
    rooms=$(echo $(seq 1000 2500 30000) $(seq 131000 1000 160000) $(seq 165000 5000 250000))
    lengths="1 2 4 8 16 32 64 128"
fi
[ -n "$least" ] || echo "# no limit of addresses: the program was built with a sanitizer"
[ "$PERP_LIMITS_MOUNTS" = yes ] || echo "# no small disks: nothing can be mounted here"

# -- verbs ---------------------------------------------------------------------------------
with none solve solve lcp.dat --solver ipm
with none solve-json solve contact.dat --solver nsgs --json
with file.json solve-answer solve lcp.dat --solver lemke -o @.json
with none verify verify lcp.dat answer.json
with none verify-dense verify generate:spd:n=300 dense.json # by BLAS, which asks for memory again and again
with none info info contact.dat
with none info-solver info nsgs
with none list info options --json
with file.hdf5 convert-fclib convert contact.dat @.hdf5 --to fclib
with file.npz convert-npz convert contact.dat @.npz --to npz
with folder convert-folder convert contact.dat @ --to matrix-market
with file.glb convert-run convert run @.glb --to gltf
with file.json generate generate contacts --contacts 2 -o @.json -q --format json
with sequence.hdf5 generate-sequence generate wall --sequence --steps 2 -o @.hdf5 -q
with folder export convert incline-slip.json -o @ --time 0.02 --to json
with folder simulate simulate incline-slip.json --time 0.03 -o @ -q
with none gradient simulate --gradient pendulum.json --coordinates reduced --stabilize none --steps 1
command -v gnuplot >/dev/null 2>&1 && with folder plot plot results -o @ --figure share
with folder compare compare suite.json -o @ -q --no-report
with folder merge compare --merge results -o @
with file.html view view run -o @.html
with folder new-paper paper --new @
echo "1..$count"
