#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# verbs.sh: every verb on small input while one call fails, or all from one on: memory, and writes,
# opens, flushes, renames, removals and folders of files. Speaks TAP.
#
#   PERP_FAULT_STRIDE  each call below this number fails once, then calls in steps of 3/4 of the
#                      number; 0: each call of all (make faults)
#   PERP_FAULT_CASES   a pattern of names of cases
set -u
build=$(cd "${PERP_BUILD:-.}" && pwd)
source=$(cd "${PERP_SOURCE:-.}" && pwd)
data=$(cd "${PERP_DATASETS:-$source/datasets}" && pwd)
shim=${PERP_FAULT_SHIM:-$build/tests/faults/shim.so}
work=$build/tests/scratch/faults-$$
suite=faults
stride=${PERP_FAULT_STRIDE:-2}
. "$source/tests/support/command.sh"
. "$source/tests/support/program.sh"

if [ ! -e "$shim" ] || ! LD_PRELOAD=$shim PERP_FAULT_KIND=write PERP_FAULT_AT=0 "$perp" --version \
    >/dev/null 2>&1; then
    echo "1..0 # SKIP no shared object that stands before the C library, or no seccomp"
    exit 0
fi
OPENBLAS_NUM_THREADS=1
HOME=$work/home
export OPENBLAS_NUM_THREADS HOME
unset XDG_CACHE_HOME XDG_DATA_HOME XDG_CONFIG_HOME

# -- inputs --------------------------------------------------------------------------------
in=$work/in
mkdir -p "$in" "$work/home"
cp "$data/siconos-lcp/lcp_ortiz.dat" "$in/lcp.dat"
cp "$data/siconos-fc3d/FrictionContact3D_1c.dat" "$in/contact.dat"
cp "$source/experiments/scenes/incline-slip.json" "$source/experiments/scenes/pendulum.json" "$in"
cat >"$in/suite.json" <<'EOF'
{"name": "small", "limits": {"seconds": 20}, "sets": [
  {"name": "lcp", "instances": ["generate:ahn:n=4", "lcp.dat"], "solvers": ["lemke", "pgs"]}]}
EOF
(
    cd "$in" || exit 1
    "$perp" convert contact.dat contact.hdf5 --to fclib &&
        "$perp" solve lcp.dat --solver lemke -o answer.json &&
        "$perp" generate wall --sequence --steps 2 -o steps.hdf5 &&
        "$perp" simulate incline-slip.json --time 0.03 -o run -q &&
        "$perp" compare suite.json -o results -q --no-report &&
        "$perp" convert incline-slip.json -o exported --time 0.01 --to json &&
        mv exported/incline-slip-00001.json problem.json
) >"$work/out" 2>"$work/err"
ok $? "inputs are made"

# -- cases ---------------------------------------------------------------------------------
calls="write:ENOSPC write:EIO open:EMFILE open:EACCES fsync:EIO rename:EACCES unlink:EACCES mkdir:ENOSPC"
all="memory memory-from $calls"

# fault NAME "PLAN" "INPUTS" WORDS…: perp WORDS, in a folder with these inputs.
fault() {
    name=$1 plan=$2 inputs=$3
    shift 3
    case $name in
    ${PERP_FAULT_CASES:-*}) ;;
    *) return ;;
    esac
    rm -rf "$work/case" "$work/case.streams"
    mkdir -p "$work/case/tmp"
    for input in $inputs; do
        cp -r "$in/$input" "$work/case/"
    done
    : >"$work/out"
    : >"$work/err"
    (
        cd "$work/case" || exit 99
        TMPDIR=$work/case/tmp PERP_FAULT_PLAN=$plan PERP_FAULT_DRIVE=$work/case \
            PERP_FAULT_STRIDE=$stride LD_PRELOAD=$shim exec "$perp" "$@"
    ) >"$work/out" 2>"$work/err"
    result=$?
    ok $result "$name ($(tail -n 1 "$work/out"))"
}

fault solve "$all" lcp.dat solve lcp.dat --solver ipm -o answer.json
fault solve-text "memory memory-from write:ENOSPC" lcp.dat solve lcp.dat --solver lemke
fault solve-json "memory memory-from write:ENOSPC" contact.dat solve contact.dat --solver nsgs --json
fault solve-history "memory write:ENOSPC" lcp.dat solve lcp.dat --solver pgs --history
fault solve-hdf5 "memory memory-from open:EMFILE" contact.hdf5 solve contact.hdf5 --solver nsgs
fault solve-sequence "memory memory-from" steps.hdf5 solve steps.hdf5 --sequence --solver nsgs --json
fault verify "memory memory-from open:EMFILE" "lcp.dat answer.json" verify lcp.dat answer.json --json
if "$perp" verify "$in/lcp.dat" "$in/answer.json" --exact >/dev/null 2>&1; then
    fault verify-exact "memory memory-from" "lcp.dat answer.json" verify lcp.dat answer.json --exact
fi
fault info "memory memory-from" lcp.dat info lcp.dat
fault info-hdf5 "memory memory-from" contact.hdf5 info contact.hdf5 --json
fault info-solver "memory write:ENOSPC" "" info nsgs
fault list "memory write:ENOSPC" "" info solvers
fault list-json "memory memory-from write:EIO" "" info options --json
fault complete "memory write:ENOSPC" "" --complete perp solve --solver ""
fault help "memory write:ENOSPC" "" solve --help
for format in fclib siconos matrix-market mat contactbench npy npz csv json; do
    "$perp" info "$format" >/dev/null 2>&1 || continue # mat, without matio
    plan="memory write:ENOSPC"
    case $format in
    matrix-market | fclib | npz) plan=$all ;;
    esac
    fault "convert-$format" "$plan" contact.dat convert contact.dat new --to "$format"
done
for format in ampl ampl-nl gams mps lp; do
    fault "convert-$format" "memory write:ENOSPC" lcp.dat convert lcp.dat new --to "$format"
done
for format in json csv fclib; do
    fault "generate-$format" "memory write:ENOSPC rename:EACCES" "" \
        generate contacts --contacts 2 -o new --format "$format" -q
done
fault generate-sequence "$all" "" generate wall --sequence --steps 2 -o new -q
fault export "$all" incline-slip.json convert incline-slip.json -o new --time 0.02 --to json
fault export-fclib "memory write:ENOSPC" contact.dat convert contact.dat -o new
fault simulate "$all" incline-slip.json simulate incline-slip.json --time 0.03 -o new -q
fault simulate-reduced "memory memory-from" pendulum.json \
    simulate pendulum.json --coordinates reduced --time 0.02 -o new -q
fault simulate-resume "$all" "incline-slip.json run" \
    simulate incline-slip.json --time 0.03 -o run -q --resume
fault gradient "memory memory-from" pendulum.json simulate --gradient pendulum.json --coordinates reduced --stabilize none --steps 1
# gnuplot does not inherit the handler of system calls.
fault plot "memory" results \
    plot results -o new --figure share
# A record names what could be learnt of the machine.
PERP_FAULT_LOOSE=1
export PERP_FAULT_LOOSE
fault compare "$all" "suite.json lcp.dat" compare suite.json -o new -q --no-report
unset PERP_FAULT_LOOSE
fault merge "$all" results compare --merge results -o new
fault view "$all" run view run -o new.html
fault view-instance "memory memory-from write:ENOSPC" problem.json view problem.json -o new.html
fault convert-run "memory write:ENOSPC" run convert run new.glb
fault new-paper "$all" "" paper --new new
rm -rf "$work/case"
echo "1..$count"
