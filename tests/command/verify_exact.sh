#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# verify_exact.sh: perp verify --exact, several answers of one instance, and what their exit status is.
# Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/exact-$$
suite=exact
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

has() { grep -qF -- "$1" "$work/${2:-out}"; }

# lcp NAME ROWS B: an LCP with the matrix ROWS.
lcp() {
    python3 - "$@" <<'PY'
import json, sys
name, rows, q = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])
n = len(q)
json.dump({"id": name, "q": q, "M": [rows[n * i:n * i + n] for i in range(n)]},
          open(name + ".json", "w"))
PY
}

lcp two '[2, 1, 1, 2]' '[-1, 1]'
echo 0.5 0 >z.txt

# -- several answers ------------------------------------------------------------------------
echo 0 0 >zero.txt
run verify two.json z.txt zero.txt
[ "$status" -eq 1 ] && has 'solved: residual 0' && has 'not solved: residual' && has zero.txt
ok $? "judges several answers, each under its name"
run verify two.json z.txt z.txt --json
[ "$status" -eq 0 ] && python3 -c '
import json
a = json.load(open("out"))
assert [x["file"] for x in a["answers"]] == ["z.txt", "z.txt"] and a["contradiction"] is None
assert all(x["solved"] for x in a["answers"])' 2>err
ok $? "prints several answers as JSON"

# A row w = -1e-12 without z: solved within the tolerance of a force 1, and yet without a solution.
lcp near '[0, 0, 0, 1]' '[-1e-12, -1]'
echo '{"z": [0, 1], "certificate": {"kind": "infeasible", "y": [1, 0]}}' >both.json
run verify near.json both.json
[ "$status" -eq 0 ] && has 'infeasible, verified: there is no solution' && has 'solved: residual' &&
    has 'near: "both.json" solved it (residual 1e-12, s|z| <= 1), "both.json" certified that no solution exists; a residual below 9.9e-13 is excluded, this one is not: no contradiction'
ok $? "says when an answer and a certificate both hold"
run verify near.json both.json --tolerance 1e-13
[ "$status" -eq 1 ] && has 'not solved' && ! has 'no contradiction'
ok $? "compares the certificate with what counts as solved alone"
run verify near.json both.json --json
python3 -c '
import json
a = json.load(open("out"))
assert a["contradiction"]["kind"] == "within the tolerance"
assert a["certificate"]["radius"] == "infinity"' 2>err
ok $? "gives the radius of a certificate"
refuse "counts the numbers of every answer" 'short.txt: holds 1 number, expected 2' \
    verify two.json z.txt "$(echo 1 >short.txt; echo short.txt)"

# -- proofs -----------------------------------------------------------------------------------
run verify two.json z.txt --exact
if has 'no exact arithmetic' err; then
    [ "$status" -eq 2 ]
    ok $? "refuses --exact without FLINT"
    echo "1..$count"
    exit
fi
[ "$status" -eq 0 ] && has 'exact: proved: this is an exact solution (2 rows; unique)'
ok $? "proves an exact answer"
lcp third '[3, 0, 0, 1]' '[-1, 1]'
echo 0.3333333333333333 0 >third.txt
run verify third.json third.txt --exact
[ "$status" -eq 0 ] && has 'exact: proved: an exact solution lies within 1.9e-17 of this one' &&
    has 'farthest: row 0 within 1.9e-17'
ok $? "bounds the distance to the exact solution"
run verify third.json third.txt --exact --json
[ "$status" -eq 0 ] && python3 -c '
import json
a = json.load(open("out"))["exact"]
assert a["verdict"] == "proved" and a["method"] == "rational" and a["unique"] is True
assert a["delta"] == a["distance"][0] and 2**-54 / 3 <= a["delta"] < 1.0001 * 2**-54 / 3
assert a["distance"][1] == 0 and a["row"] is None and a["says"].startswith("an exact solution")' 2>err
ok $? "prints the distances of all rows as JSON"
run verify two.json zero.txt --exact
[ "$status" -eq 1 ] && has 'exact: refuted: row 0: w = -1 < 0 at the exact point of its active set'
ok $? "names the row and the inequality that fail"
echo '{"A": [[-0.25]], "b": [-1], "lo": [0], "hi": [5e-324]}' >least.json
echo 5e-324 >least.txt
# Its residual is out of range, its proof is not.
run verify least.json least.txt --exact
[ "$status" -eq 1 ] && has 'not solved: residual inf' && has 'exact: proved: this is an exact solution (1 row)'
ok $? "proves a solution whose slack underflows"
run verify least.json least.txt --exact --json
[ "$status" -eq 1 ] && python3 -c '
import json
a = json.load(open("out"))["exact"]
assert a["verdict"] == "proved" and a["delta"] == 0 and a["distance"] == [0]
assert a["unique"] is False and a["changes"] == 0 and a["row"] is None' 2>err
ok $? "prints an exact solution as it prints a proof"
lcp never '[0, 0, 0, 0]' '[-1, 1]'
echo '{"certificate": {"kind": "infeasible", "y": [1, 0]}}' >no.json
run verify never.json no.json
[ "$status" -eq 1 ] && has 'infeasible, verified'
ok $? "keeps status 1 for a negative answer"
run verify never.json no.json --exact
[ "$status" -eq 0 ] && has 'exact: proved: there is no solution'
ok $? "proves that there is no solution"
echo '{"z": [0, 0], "certificate": {"kind": "infeasible", "y": [1, 0]}}' >point.json
run verify never.json point.json --exact
[ "$status" -eq 0 ] && has 'not solved: residual' && [ "$(grep '^exact: ' out)" = 'exact: proved: there is no solution' ]
ok $? "gives one verdict where the answer is that there is no solution"
echo '{"certificate": {"kind": "infeasible", "y": [0, 1]}}' >wrong.json
run verify never.json wrong.json --exact --json
[ "$status" -eq 1 ] && has '"verdict": "refuted"'
ok $? "refutes a direction that shows nothing"

# A global problem is condensed, and a contact has an enclosure.
data=${PERP_DATASETS:-$(cd "${PERP_SOURCE:-.}" && pwd)/datasets}
for file in siconos-gfc3d/GFC3D_TwoRods1.dat fclib/CubeH8.hdf5; do
    "$perp" solve "$data/$file" --solver auto --tolerance 1e-12 -o global.json >/dev/null 2>&1
    run verify "$data/$file" global.json --exact
    [ "$status" -eq 0 ] && has 'exact: proved: an exact solution is within'
    ok $? "proves an answer of the global problem $file"
done

# The column (1e10, 1e-7, -1e10) cancels: the answer is right, its certificate is not.
lcp cancel '[1e10, -1e10, 0, 1e-7, 0, 0, -1e10, 1e10, 0]' '[0, -1, 0]'
echo '{"z": [1e7, 1e7, 0], "certificate": {"kind": "infeasible", "y": [1, 1, 1]}}' >cancel.txt
run verify cancel.json cancel.txt --exact
[ "$status" -eq 1 ] && has 'does not hold' && has 'exact: proved: an exact solution lies within' &&
    has 'exact: refuted: the direction denies solutions with s|z| <= 1.0e+12 alone'
ok $? "tells a right answer from a wrong certificate"
run verify generate:spd:n=150 "$(python3 -c 'print(*[0] * 150)' >long.txt; echo long.txt)" --exact --time-limit 0
[ "$status" -eq 1 ] && has 'exact: open: ' && has 'of the time of 0 s'
ok $? "ends at the time limit"
refuse "checks the time limit" '--time-limit is' verify two.json z.txt --time-limit -1
echo "1..$count"
