#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# capture.sh: problems of unmodified programs of other engines, captured by preloading, solved by
# perp and compared with the engine's own answers. Speaks TAP.
set -u
build=$(cd "${PERP_BUILD:-.}" && pwd)
perp=$build/perp
check=$build/tests/interop/capture_check
models=$(cd "${PERP_SOURCE:-.}" && pwd)/tests/interop/models
work=$build/tests/scratch/capture-$$
suite=capture
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

shim() { echo "$build/interop/capture/.libs/capture-$1.so"; }

# Whether a shim and its program are there; else one line says what is missing.
have() {
    [ -f "$(shim "$1")" ] && [ -x "$build/tests/interop/capture_demo_$1" ] && return 0
    count=$((count + 1))
    if [ -x "$check" ]; then
        echo "ok $count - $suite: problems of $2 # SKIP $2 is not installed"
    else
        echo "ok $count - $suite: problems of $2 # SKIP no shared objects are built"
    fi
    return 1
}

# capture ENGINE WORDS…: run its program with the shim; its status in $status.
capture() {
    engine=$1
    shift
    PERP_CAPTURE=${file:-$work/problems.hdf5} LD_PRELOAD=$(shim "$engine") \
        "$build/tests/interop/capture_demo_$engine" "$@" >"$work/out" 2>"$work/err"
    status=$?
}

# value NAME: what the check found.
value() { awk -v name="$1" '$1 == name { print $2 }' "$work/found"; }
# holds EXPRESSION: an awk expression of the names that the check prints.
holds() {
    awk "{ v[\$1] = \$2 } END {
        items = v[\"items\"]; answers = v[\"answers\"]; keyed = v[\"keyed\"]; labelled = v[\"labelled\"]; kept = v[\"kept\"]
        solved = v[\"solved\"]; failed = v[\"failed\"]; frozen = v[\"frozen\"]
        difference = v[\"difference\"]; median = v[\"engine_median\"]
        exit !($1) }" "$work/found"
}

# scene NAME SENTENCE EXPRESSION ENGINE WORDS…: what is captured from this run holds.
scene() {
    label=$1 sentence=$2 expression=$3
    shift 3
    rm -f problems.hdf5 found
    capture "$@"
    [ "$status" -eq 0 ] && "$check" problems.hdf5 frozen >found 2>>err &&
        holds "items > 20 && keyed == items && labelled == items && solved == items && $expression"
    ok $? "$label: $sentence"
    if [ -s found ]; then
        echo "# $label: $(value items) items, at most $(value rows) rows; residual of the engine" \
            "$(value engine_median) (median), $(value engine_max) (largest), of perp" \
            "$(value ours_max) (largest); difference $(value difference)," \
            "with frozen bounds $(value frozen)"
    fi
}

# The velocities of both are the same to 1e-6 of max |b|: engines stop at 1e-8 or less, with frozen
# bounds at the accuracy of a factorisation.
exact='answers >= items - 1 && failed == 0 && frozen <= 1e-6'

if have ode ODE; then
    # dSolveLCP gives up on some steps, and says so on its own stderr.
    gaveup='answers == items && failed <= items / 20 && frozen <= 1e-6'
    for name in stack ragdoll vehicle; do
        scene "ODE, $name" "perp solves every problem, and finds the velocities of dSolveLCP" \
            "$gaveup" ode $name 60
    done
    for name in stack ragdoll vehicle; do
        scene "ODE's QuickStep, $name" "perp solves every problem" "answers == items" \
            ode $name 60 20
        # The rows are right: many sweeps solve the stored problem.
        scene "ODE's QuickStep, 5000 sweeps, $name" "they come near a solution" \
            "median <= 1e-5" ode $name 60 5000
    done
    scene "ODE" "a resting stack keeps its keys" "kept == items / 2 - 1" ode stack 200
fi

if have bullet Bullet; then
    for name in stack ragdoll vehicle; do
        scene "Bullet's Dantzig, $name" "perp solves every problem, and finds Bullet's velocities" \
            "$exact" bullet $name 60 dantzig
        scene "Bullet's sweeps, $name" "perp solves every problem" "answers == items" \
            bullet $name 60 sweeps
    done
    # The rows are right: many sweeps solve the stored problem.
    scene "Bullet's sweeps" "3000 sweeps come near a solution of the stored problem" \
        "median <= 1e-4" bullet stack 40 sweeps 3000
    scene "Bullet" "a resting stack keeps its keys" "kept == items / 2 - 1" bullet stack 200 sweeps
fi

if have dart DART; then
    for name in stack ragdoll vehicle; do
        scene "DART, $name" "perp solves every problem, and finds DART's velocities" "$exact" \
            dart $name 100
    done
    scene "DART" "a resting stack keeps its keys" "kept == items / 2 - 1" dart stack 200
fi

if have mujoco MuJoCo; then
    for cone in elliptic pyramidal; do
        for name in stack ragdoll vehicle; do
            scene "MuJoCo's Newton, $cone, $name" \
                "perp solves every problem, and finds MuJoCo's velocities" \
                "answers == items && difference <= 1e-6" mujoco "$models/$name.xml" 100 $cone
        done
    done
    scene "MuJoCo" "a resting stack keeps its keys" "kept == items / 2 - 1" \
        mujoco "$models/stack.xml" 200 elliptic

    # A ball of condim 3 rests, another of condim 4 falls on the plane.
    cat >condim.xml <<'XML'
<mujoco><worldbody><geom type="plane" size="5 5 1"/>
<body pos="0 0 0.1"><freejoint/><geom type="sphere" size="0.1"/></body>
<body pos="1 0 0.3"><freejoint/><geom type="sphere" size="0.1" condim="4"/></body>
</worldbody></mujoco>
XML
    rm -f problems.hdf5
    capture mujoco condim.xml 200 elliptic
    [ "$status" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF "elliptic cone of condim 4" err &&
        "$check" problems.hdf5 >found && holds "items > 50 && items < 150 && solved == items"
    ok $? "a contact without a set is one line, and what came before it is written"
fi

# The steps asked for, the file, and errors, by the engine that is there.
for engine in ode bullet dart ''; do
    [ -x "$build/tests/interop/capture_demo_$engine" ] && break
done
if [ -n "$engine" ] && [ -f "$(shim "$engine")" ]; then
    capture "$engine" stack 30
    mv problems.hdf5 first.hdf5
    capture "$engine" stack 30
    cmp first.hdf5 problems.hdf5 >err 2>&1
    ok $? "the same run gives the same bytes"

    PERP_CAPTURE_STEPS=11:30:5
    export PERP_CAPTURE_STEPS
    capture "$engine" stack 60
    "$check" problems.hdf5 >found && holds "items == 4"
    ok $? "every fifth step from 11 to 30 is stored"

    PERP_CAPTURE_STEPS=0:x
    rm -f problems.hdf5
    capture "$engine" stack 3
    [ "$status" -eq 0 ] && [ ! -e problems.hdf5 ] && [ "$(wc -l <err)" -eq 1 ] &&
        grep -qF 'perp capture: PERP_CAPTURE_STEPS is "0:x", expected FIRST:LAST:EVERY' err
    ok $? "steps that cannot be read are one line, and the program goes on"
    unset PERP_CAPTURE_STEPS

    file=$work/none/problems.hdf5
    capture "$engine" stack 3
    [ "$status" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q '^perp capture: .*none' err
    ok $? "a file that cannot be written is one line, and the program ends as it would"

    LD_PRELOAD=$(shim "$engine") "$build/tests/interop/capture_demo_$engine" stack 3 >out 2>err
    [ $? -eq 0 ] && [ ! -s err ]
    ok $? "without PERP_CAPTURE the program runs as it would"
    file=
    for shim in "$build"/interop/capture/.libs/capture-*.so; do
        LD_PRELOAD=$shim sh -c 'exit 7' >>out 2>>err
        [ $? -eq 7 ] || echo "# $shim: other programs do not start" >>out
    done
    ! grep -q '^# ' out && [ ! -s err ]
    ok $? "programs that use no engine start with each shim"
    capture "$engine" stack 5
    run solve problems.hdf5 --solver auto --sequence
    [ "$status" -eq 0 ] && grep -q '5 of 5 steps solved' out
    ok $? "perp solve solves what was captured"
fi
echo "1..$count"
