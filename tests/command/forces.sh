#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# forces.sh: perp verify --forces: the table, JSON, and answers that have no ranges. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/forces-$$
suite=forces
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

has() { grep -qE -- "$1" "$work/${2:-out}"; }

# A plate of weight 1 on four legs at its corners, W = J J^T with rows (1, x, y): each leg carries 0 to 1/2.
cat >legs.json <<'J'
{"q": [-1, -1, -1, -1], "M": [[3, 1, -1, 1], [1, 3, 1, -1], [-1, 1, 3, 1], [1, -1, 1, 3]]}
J
echo 0.5 0 0.5 0 >legs.txt
run verify legs.json legs.txt --forces
[ "$status" -eq 0 ] && has '^forces: 0 of 4 determined, degree of indeterminacy 1$' &&
    has '^nonneg 1 +- +0.5 +0 +0.5 +indeterminate$'
ok $? "prints the range of each row of an LCP"
run verify legs.json legs.txt --forces --json
[ "$status" -eq 0 ] && python3 -c '
import json
f = json.load(open("out"))["forces"]
assert f["degree"] == 1 and f["for_these_velocities"] is False
assert [r["range"] for r in f["rows"]] == ["indeterminate"] * 4
assert all(abs(r["lo"]) < 1e-6 and abs(r["hi"] - 0.5) < 1e-6 for r in f["rows"])' 2>err
ok $? "prints them as JSON"

# A sphere between two walls that are pressed by nothing: mu = 1/4 holds the weight 1 from N = 2 on.
cat >walls.json <<'J'
{"A": [[1, 0, -1, 0], [0, 2, 0, 0], [-1, 0, 1, 0], [0, 0, 0, 2]], "b": [0, -1, 0, -1], "mu": [0.25, 0.25]}
J
echo 4 0.5 4 0.5 >walls.txt
run verify walls.json walls.txt --forces
[ "$status" -eq 0 ] && has '^forces for these velocities: 2 of 4 determined, degree of indeterminacy 1$' &&
    has '^cone 1 +N +4 +2 +inf +unbounded$' && has '^cone 1 +T1 +0.5 +determined$'
ok $? "names the velocities under Coulomb's law, and forces without an upper bound"

echo 0.4 0 0.5 0 >poor.txt
run verify legs.json poor.txt --forces
[ "$status" -eq 1 ] && has '^forces: no ranges: the residual of the answer is .*: expected at most 1e-06$'
ok $? "gives no ranges of an answer that is not good enough"

run solve scene:gripper --json -o gripper.json
run verify scene:gripper gripper.json --forces
[ "$status" -eq 0 ] && has '^contact .* +N +[0-9.]+ +0 +0.006 +indeterminate$'
ok $? "says that a gripper's contacts share what is determined in sum alone"
echo "1..$count"
