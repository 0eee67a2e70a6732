#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# glpsol.sh: GLPK reads what perp writes for it. It solves the mixed-integer forms, MPS and LP, and
# finds perp's answers; of an AMPL model, whose `complements` it does not know, it reads the
# declarations and the data. Speaks TAP.
set -u
perp=${PERP_BUILD:-.}/perp
data=${PERP_TEST_DATA:-tests/golden}/solvers
read=${PERP_SOURCE:-.}/tests/interop/models.py
work=${PERP_BUILD:-.}/tests/scratch/glpsol-$$
suite=glpsol
. "${PERP_SOURCE:-.}/tests/support/command.sh"

if ! command -v glpsol >"$work/out"; then
    echo "ok 1 - $suite: GLPK solves what perp writes # SKIP glpsol is not installed"
    echo "1..1"
    exit 0
fi

# milp NAME FILE: glpsol's answer of FILE.mps and FILE.lp to z.mps, z.lp; the limit of a minute is
# for a solver that does not end.
milp() {
    rm -f "$work"/z.* "$work"/p.*
    for format in mps lp; do
        option=--lp
        [ "$format" = lp ] || option=--freemps
        "$perp" convert -q "$1" "$work/p.$format" >>"$work/found" 2>&1 &&
            timeout 60 glpsol "$option" "$work/p.$format" --write "$work/p.out" >"$work/out" 2>&1 &&
            python3 "$read" z "$work/p.$format" "$work/p.out" >"$work/z.$format" 2>>"$work/found" || return 1
    done
}

# The judge of perp accepts both answers; where the solution is unique, they are that of lemke or
# dantzig, to 1e-6: the tolerance of GLPK for a row is 1e-7, of rows scaled to 1.
agrees() {
    for format in mps lp; do
        "$perp" verify "$1" "$work/z.$format" --tolerance 1e-6 >>"$work/found" 2>&1 || return 1
    done
    [ "$2" = any ] && return 0
    "$perp" solve "$1" --solver "$2" --json >"$work/out" 2>>"$work/found" &&
        python3 - "$work/out" "$work/z.mps" "$work/z.lp" <<'PY' 2>>"$work/found"
import json, sys
z = json.load(open(sys.argv[1]))["z"]
for path in sys.argv[2:]:
    x = [float(line) for line in open(path)]
    scale = max(1.0, max(map(abs, z)))
    assert len(x) == len(z) and max(abs(a - b) for a, b in zip(x, z)) <= 1e-6 * scale, (path, x, z)
PY
}

# all SENTENCE SOLVER NAMES: each problem is solved by GLPK with this answer.
all() {
    sentence=$1 solver=$2
    shift 2
    good=0
    : >"$work/found"
    for name in "$@"; do
        milp "$data/$name.json" && agrees "$data/$name.json" "$solver" ||
            { good=1; echo "$name" >>"$work/found"; }
    done
    ok $good "$sentence"
}

all "LCPs with one solution have the answer of lemke" lemke \
    ahn_16 csizmadia_8 csizmadia_alt_8 fathi_4 geiger_kanzow_16 harker_pang_easy_8 kostreva_3 \
    murty_lower_4 murty_lower_8 murty_upper_4 murty_upper_8 skew2_pgs_diverges spd_int_5 \
    lemke_ray_but_solvable fathi_8 harker_pang_hard_7 spd_degenerate_9 obstacle1d_31 \
    american_put_step1_40 journal_bearing_32
all "boxes with one solution have the answer of dantzig" dantzig \
    boxed_int_0 boxed_int_1 boxed_int_2 boxed_int_3
all "one of several solutions is found" any \
    copositive_plus_2 three_solutions_2 skew_rotation_2 psd_int_rank6_6 qp_kkt_40 hilbert_6 \
    st_pyramid_table_slide
all "box friction is solved as it stands" any findex_0 findex_1 findex_2

# z = (-2.75, 4.5, -3.25): bounds out of reach have no binary and do not shrink alpha, and one at 3e5
# that z reaches has its own sigma.
good=0
: >"$work/found"
printf '{"A": [[2,1,0],[1,2,1],[0,1,2]], "b": [1,-3,2], "lo": [-3e5,0,-3e5], "hi": [3e5,3e5,3e5]}' >"$work/far.json"
printf '{"A": [[2,1,0],[1,2,1],[0,1,2]], "b": [1,-3,2], "lo": [-1e20,0,-1e20], "hi": [1e20,1e20,1e20]}' >"$work/farther.json"
printf '{"A": [[1,0],[0,0]], "b": [-1,-1], "lo": [-9,-9], "hi": [9,3e5]}' >"$work/reached.json"
for name in far farther reached; do
    milp "$work/$name.json" && agrees "$work/$name.json" auto ||
        { good=1; echo "$name" >>"$work/found"; }
done
"$perp" convert "$work/far.json" "$work/far.mps" 2>&1 | grep -q 'alpha may' && good=1
"$perp" convert "$work/reached.json" "$work/reached.mps" 2>&1 |
    grep -q 'alpha may be as small as 2.7e-05 where z reaches a bound' || good=1
ok $good "large bounds are solved by GLPK, and a small alpha is told"

# No solution: alpha is 0, and no z is printed.
good=0
: >"$work/found"
for name in feasible_unsolvable infeasible_zero qp_kkt_infeasible_41; do
    milp "$data/$name.json" && [ ! -s "$work/z.mps" ] && [ ! -s "$work/z.lp" ] ||
        { good=1; echo "$name" >>"$work/found"; }
done
ok $good "alpha is 0 where there is no solution"

# MathProg: the model without what only AMPL knows; then glpsol prints the data.
mathprog() {
    "$perp" convert -q "$1" "$work/p.mod" >"$work/found" 2>&1 || return 1
    awk '/^subject to/ { skip = 1 }
         /^data;/ {
             print "printf{i in N}: \"b %d %.17g\\n\", i, b[i];"
             print "printf{(i,j) in NZ}: \"A %d %d %.17g\\n\", i, j, A[i,j];"
         }
         !skip { print }
         /;$/ { skip = 0 }' "$work/p.mod" >"$work/p.mathprog"
    glpsol -m "$work/p.mathprog" --check >"$work/data" 2>&1 || return 1
    "$perp" convert -q "$1" "$work/p.json" >>"$work/found" 2>&1 || return 1
    python3 - "$work/p.json" "$work/data" "${read%/*}" <<'PY' 2>>"$work/found"
import sys
sys.path.insert(0, sys.argv[3])
sys.dont_write_bytecode = True
import models
p = models.read_json(open(sys.argv[1]).read())
words = [line.split() for line in open(sys.argv[2])]
b = [float(w[2]) for w in words if w[:1] == ["b"]]
A = {(int(w[1]) - 1, int(w[2]) - 1): float(w[3]) for w in words if w[:1] == ["A"]}
assert b == p["b"] and A == p["A"]
PY
}
good=0
for name in boxed_int_0 findex_1 hilbert_6 infeasible_zero st_pyramid_rand8; do
    mathprog "$data/$name.json" || good=1
done
ok $good "glpsol reads declarations and data of AMPL models, A and b bit by bit"
"$perp" convert -q "$data/boxed_int_0.json" "$work/p.mod" >"$work/found" 2>&1
! glpsol -m "$work/p.mod" --check >"$work/out" 2>&1 && grep -q 'complements' "$work/out"
ok $? "complements is the word that glpsol does not know"

echo "1..$count"
