#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# exec.sh: the examples of docs/exec.md, other codes in sequences, suites and reports, and what
# perp prints about them. Prints TAP.
set -u
build=$(cd "${PERP_BUILD:-.}" && pwd)
perp=$build/perp
suite=exec
work=$build/tests/scratch/exec-$$
. "${PERP_SOURCE:-.}/tests/support/command.sh"
source=$(cd "${PERP_SOURCE:-.}" && pwd)
examples=$source/docs/examples/exec
PERP_CODES=${PERP_CODES:-$build/interop/codes}
TMPDIR=$work/runs
export PERP_CODES TMPDIR
mkdir -p "$TMPDIR"

skip() { # skip SENTENCE REASON
    count=$((count + 1))
    echo "ok $count - $suite: $1 # SKIP $2"
}

# example SENTENCE SOLVER OPTIONS…: it solves an LCP, from zero and from a start.
example() {
    sentence=$1 solver=$2
    shift 2
    run solve "$work/lcp.npz" --solver "$solver" --json "$@"
    [ "$status" -eq 0 ] && grep -q '"outcome": "solved"' "$work/out" &&
        grep -q '"claim": "solved"' "$work/out" && grep -q '"false_claim": false' "$work/out"
    ok $? "$sentence"
}

run generate spd --n 12 --seed 3 -o "$work/lcp.npz"
python=
for p in python3 /usr/bin/python3; do
    $p -c 'import scipy' 2>/dev/null && python=$p
done
if [ -n "$python" ]; then
    example "the example in Python solves" "exec:\"$python $examples/lcp_scipy.py\""
    run solve generate:friction-cloud:contacts=4 \
        --solver "exec:\"$python $examples/lcp_scipy.py\""
    [ "$status" -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 1 ]
    ok $? "what it does not take is refused in one line"
else
    skip "the example in Python solves" "SciPy is not installed"
fi
if octave-cli --version >/dev/null 2>&1 && "$perp" info mat >/dev/null 2>&1; then
    example "the example in Octave solves" "exec:\"octave-cli -q $examples/lcp_octave.m\"" \
        --instance-format mat
else
    skip "the example in Octave solves" "octave-cli or matio is not installed"
fi
if julia --version >/dev/null 2>&1; then
    example "the example in Julia solves" "exec:\"julia $examples/lcp_julia.jl\"" \
        --instance-format siconos
else
    skip "the example in Julia solves" "julia is not installed"
fi

static=
[ -e "$build/libsolvers/.libs/libperp-solvers.so" ] || static=--static
# shellcheck disable=SC2046,SC2086 # flags are meant to split
${CC:-cc} -std=c11 -Wall -Werror "$examples/lcp.c" -o "$work/lcp" ${EXAMPLE_CFLAGS-} \
    $(PKG_CONFIG_PATH=$build/libsolvers pkg-config $static --cflags --libs perp-solvers) -lm \
    >"$work/out" 2>"$work/err"
ok $? "the example in C compiles"
LD_LIBRARY_PATH=$build/libsolvers/.libs
export LD_LIBRARY_PATH
example "the example in C solves" "exec:$work/lcp"
run solve "$work/lcp.npz" --solver "prox:exec:$work/lcp"
[ "$status" -eq 0 ] && grep -q "solver *prox:exec:" "$work/out"
ok $? "a wrapper works through a program"

# A start near the solution of each step takes fewer sweeps.
run generate parametric --sequence --instance generate:spd:n=12 --steps 3 -o "$work/steps.hdf5"
run solve "$work/steps.hdf5" --sequence --solver "exec:$work/lcp" --json
[ "$status" -eq 0 ] && grep -q '"false_claims": 0' "$work/out" &&
    [ "$(grep -c '"wall_seconds"' "$work/out")" -eq 4 ]
ok $? "a program solves the steps of a sequence"
sweeps() { # of all steps
    sed -n 's/^  "iterations": \([0-9]*\),$/\1/p' "$work/out"
}
run solve "$work/steps.hdf5" --sequence --solver "exec:$work/lcp" --json --warm-start cold
cold=$(sweeps)
run solve "$work/steps.hdf5" --sequence --solver "exec:$work/lcp" --json \
    --warm-start perturbed --noise 1e-5
[ "$(sweeps)" -lt "$cold" ]
ok $? "a warm start reaches the program and saves sweeps"

run solve "$work/lcp.npz" --solver 'exec:"echo a claim; exit 5"'
[ "$status" -eq 1 ] && grep -q "ended with exit status 5" "$work/out"
ok $? "a program that fails is a run that is not solved"
cat >"$work/liar" <<'EOF'
#!/bin/sh
awk 'BEGIN { printf "{\"claim\": \"solved\", \"version\": \"liar 1\", \"z\": [" }
    { printf "%s7", (NR > 1 ? ", " : "") } END { print "]}" }' "$PERP_START" >"$PERP_SOLUTION"
EOF
chmod +x "$work/liar"
run solve "$work/lcp.npz" --solver "exec:$work/liar"
[ "$status" -eq 1 ] && grep -q "claim *solved: FALSE" "$work/out" &&
    grep -q "code *liar 1" "$work/out"
ok $? "a false claim is printed as such"

cat >"$work/suite.json" <<EOF
{"name": "programs", "title": "programs", "tolerances": [1e-8], "limits": {"seconds": 20},
 "sets": [{"name": "lcps", "instances": ["generate:spd:n=5", "generate:spd:n=8"],
           "solvers": ["lemke", {"solver": "exec:$work/lcp", "label": "mine"},
                       {"solver": "exec:\"$work/liar\"", "label": "liar"},
                       {"solver": "exec:\"kill -SEGV \$\$\"", "label": "crash"},
                       {"solver": "exec:/no/such", "label": "missing"}]}]}
EOF
run compare "$work/suite.json" -o "$work/results"
cp "$work/results/summary.txt" "$work/found" 2>/dev/null
grep -Eq "^ *mine .* 2 +2 +0 +0 +2 +1 " "$work/found" &&
    grep -Eq "^ *liar +liar 1 +2 +2 +0 +2 +0 +1 " "$work/found"
ok $? "a report counts claims and false claims"
[ "$(grep -c '"false_claim": *true' "$work/results/runs.jsonl")" -eq 2 ] &&
    [ "$(grep -c 'was killed by signal 11' "$work/results/runs.jsonl")" -eq 2 ] &&
    [ "$(grep -c '"status": *"unsuitable"' "$work/results/runs.jsonl")" -eq 2 ]
ok $? "records have claims, crashes and refusals"

# The program shows that it runs; then perp is asked to end.
for signal in INT TERM; do
    rm -f "$work/started"
    "$perp" solve "$work/lcp.npz" --solver "exec:\": >$work/started; exec sleep 1000\"" \
        >"$work/out" 2>"$work/err" &
    pid=$!
    while [ ! -e "$work/started" ]; do
        sleep 0.1
    done
    kill -s $signal $pid
    wait $pid
    grep -q "outcome *interrupted" "$work/out" && [ -z "$(ls "$TMPDIR")" ]
    ok $? "SIG$signal ends the program and removes its folder"
done

run info codes
[ "$status" -eq 0 ] && grep -q "^glpk " "$work/out" && grep -q "^exec " "$work/out"
ok $? "lists the codes"
PERP_CODES=/no/such/folder run info codes
[ "$status" -eq 0 ] && grep -q "not found, it needs libglpk-dev" "$work/out"
ok $? "says what a code needs that is not here"
run info options --solver exec:true --json
[ "$status" -eq 0 ] && grep -q '"instance-format"' "$work/out"
ok $? "lists the options of a program"

good=0
for name in INSTANCE FORMAT START SOLUTION METHOD TOLERANCE MAX_ITERATIONS TIME_LIMIT OPTIONS LAW; do
    grep -q "\`PERP_$name\`" "$source/docs/exec.md" || good=1
done
ok $good "docs/exec.md describes each variable"
find "$TMPDIR" -mindepth 1 >"$work/found"
[ ! -s "$work/found" ]
ok $? "no run leaves a file behind"
echo "1..$count"
