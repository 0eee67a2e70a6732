#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# same_bits.sh: one problem through every format that holds it has one hash and one answer, to the bit; so has
# one problem for each number of BLAS threads. PERP_SAME_BITS=all: every golden problem, the data
# sets, and every solver of perp. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/same-bits-$$
suite=same-bits
golden=$(cd "${PERP_TEST_DATA:-tests/golden}/solvers" && pwd)
data=$(cd "${PERP_DATASETS:-datasets}" && pwd)
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

problems="$golden/obstacle1d_31.json $golden/rand_fc_8.json $golden/findex_0.json
    $data/fclib/Chute-ndof-768-nc-4-3.hdf5"
solvers='auto'
if [ "${PERP_SAME_BITS:-}" = all ]; then
    problems="$(find "$golden" -name '*.json' ! -name index.json | sort)
        $(find "$data" -name '*.hdf5' -o -name '*.dat' | sort)"
    solvers=$("$perp" info solvers --json | python3 -c '
import json, sys
print(*[s["name"] for s in json.load(sys.stdin)])')
fi

# answer FILE SOLVER: hash, how it ended, and the digits of z of one solve.
answer() {
    "$perp" solve "$1" --solver "$2" --time-limit 20 --json 2>/dev/null | python3 -c '
import json, sys
try:
    a = json.load(sys.stdin)
    print(a.get("hash"), a.get("outcome"), a.get("iterations"), [float.hex(x) for x in a["z"] or []])
except ValueError:
    print("no answer")'
}

# formats FILE: the problem of the file in every format that can hold it, as NAME.n in this folder.
formats() {
    rm -rf copy.* && cp "$1" "copy.$(basename "$1")"
    for format in fclib npz mat matrix-market json csv npy siconos; do
        "$perp" convert "$1" "copy.$format" --to "$format" >/dev/null 2>&1
    done
}

for file in $problems; do
    formats "$file"
    different=0 files=0
    for solver in $solvers; do
        expected=$(answer "$file" "$solver")
        for copy in copy.*; do
            case $copy in *.meta.json | *.perp.json) continue ;; esac
            files=$((files + 1))
            [ "$(answer "$copy" "$solver")" = "$expected" ] && continue
            different=$((different + 1))
            echo "# $copy $solver: $(answer "$copy" "$solver" | cut -c 1-90)"
            echo "# expected: $(echo "$expected" | cut -c 1-90)"
        done
    done
    [ "$different" -eq 0 ] && [ "$files" -gt 1 ]
    ok $? "$(basename "$file") in $files files has one hash and one answer"
done

# A file with explicit zeros and -0, and a call, against what is written from them.
cat >zeros.json <<'J'
{"id": "zeros", "q": [-1, -0.0, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1],
 "M": {"shape": [12,12], "row": [0,1,2,3,4,5,6,7,8,9,10,11,0,3,1], "col": [0,1,2,3,4,5,6,7,8,9,10,11,5,2,0],
       "data": [2,2,2,2,2,2,2,2,2,2,2,2,0,-0.0,-1]}}
J
sed 's/,0,3,1\]/,1]/; s/,5,2,0\]/,0]/; s/,0,-0.0,-1\]/,-1]/; s/-0.0/0/' zeros.json >none.json
[ "$(answer zeros.json pgs)" = "$(answer none.json pgs)" ] && answer zeros.json pgs | grep -q solved
ok $? "zeros that are stored do not matter"
"$perp" generate cliff:n=40,seed=3 -o call.json >/dev/null 2>&1 ||
    "$perp" generate normal-contacts:n=40,seed=3 -o call.json >/dev/null 2>&1
"$perp" generate normal-contacts:n=40,seed=3 -o call.npz >/dev/null 2>&1
[ "$(answer generate:normal-contacts:n=40,seed=3 pgs)" = "$(answer call.npz pgs)" ]
ok $? "a call and its file have one answer"

bits() {
    OPENBLAS_NUM_THREADS=$1 answer "$golden/incline_slip.json" admm-ncp
    OPENBLAS_NUM_THREADS=$1 "$perp" simulate card-house --steps 20 -o "s$1" -q >/dev/null 2>&1
    cut -d, -f1-6 "s$1/metrics.csv"
}
bits 1 >one
bits 2 >two
[ "$(wc -l <one)" -gt 10 ] && cmp -s one two
ok $? "OPENBLAS_NUM_THREADS changes no bit of admm-ncp and of card-house"
PERP_BLAS_THREADS=2 run solve "$golden/incline_slip.json" --solver admm-ncp --json
grep -q 'BLAS has 2 threads' out
ok $? "an answer with more BLAS threads says so"

echo "1..$count"
