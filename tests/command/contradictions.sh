#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# contradictions.sh: a run that solved a problem and a certificate that it has no solution: found in stored
# results, printed, kept, and an error of perp only where both cannot be true. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/contradictions-$$
suite=contradictions
. "${PERP_SOURCE:-.}/tests/support/command.sh"
support=$(cd "${PERP_SOURCE:-.}" && pwd)/tests/support
cd "$work" || exit 1

# made DIR RESIDUAL SIZE RADIUS MARGIN HASH: a folder with one solved and one certified run.
made() {
    mkdir -p "$1"
    python3 - "$@" <<'PY'
import json, sys
folder, residual, size, radius, margin, other = sys.argv[1:]
def run(label, **more):
    return dict(schema="perp-run/1", key=label, place=0, suite="made", set="lcp", instance="one", problem="one", file="one.json",
                hash="00000000000000a1", kind="lcp", n=2, contacts=0, nonzeros=4, solver=label, label=label, options={},
                formulation="natural", law="coulomb", tolerance=1e-8, seed=1, start="cold", status="ok", message="",
                seconds=0.1, iterations=3, limits={"seconds": 1}, machine={}, **more)
with open(folder + "/runs.jsonl", "w") as f:
    a = run("A", outcome="solved", reason="", solved=True, residual=float(residual), residual_given=float(residual),
            measures={"residual": float(residual), "beta_b": 1.0, "beta_z": float(size)}, certificate=None)
    bounds = {"radius": json.loads(radius), "margin": float(margin)} if radius != "none" else {}
    b = run("B", outcome="infeasible", reason="", solved=False, residual=1.0, residual_given=1.0, measures=None,
            certificate={"kind": "infeasible", "y": [1, 1], "verified": True, "says": "", **bounds})
    b["hash"] = other
    for r in (a, b):
        f.write(json.dumps(r) + "\n")
PY
}
same=00000000000000a1

made true 1e-12 3 1e13 0.5 $same
run plot true
[ "$status" -eq 2 ] && [ "$(grep -c 'perp: error of perp: one: "A" solved it (residual 1e-12, s|z| <= 3), "B" certified that no solution exists with s|z| <= 1.0e+13' err)" -eq 1 ] &&
    grep -q '^error of perp: one: "A" solved it' true/summary.txt &&
    grep -q '^one,00000000000000a1,A,1e-08,1e-12,3,B,.*,error of perp' true/tables/contradictions.csv
ok $? "a point within the radius, with a residual below the margin, is an error of perp"
python3 "$support/page.py" true/report.html <<'PY' >page 2>&1
print(*[(c["error"], c["text"]) for c in report["contradictions"]])
PY
grep -qF '(True, '"'"'one: "A" solved it (residual 1e-12' page
ok $? "the page has it"
made none 1e-12 3 none 0 $same
run plot none
[ "$status" -eq 2 ] && grep -q 'no solution exists$' err
ok $? "a certificate that states no radius excludes all points"
made beyond 1e-12 2e13 1e13 0.5 $same
run plot beyond
[ "$status" -eq 0 ] && grep -q 'the solution lies beyond: no contradiction' beyond/summary.txt &&
    grep -q 'beyond the radius' beyond/tables/contradictions.csv
ok $? "a point beyond the radius is none"
made within 1e-9 3 null 1e-10 $same
run plot within
[ "$status" -eq 0 ] && grep -q 'is excluded, this one is not: no contradiction' within/summary.txt
ok $? "a residual above the margin is none"
made other 1e-12 3 1e13 0.5 00000000000000a2
run plot other
[ "$status" -eq 0 ] && [ ! -e other/tables/contradictions.csv ] && ! grep -q 'error of perp' other/summary.txt
ok $? "two problems do not contradict each other"

# Real runs: what once had both answers, and one without a solution that a point solves within the tolerance.
cat >pd.json <<'J'
{"id": "pd", "M": [[1, -1], [-1, 1.0000000000002274]], "q": [-1, 0]}
J
cat >z64.json <<'J'
{"id": "z64", "M": [[17179869184.0, -17179869184.0, -17179869184.0], [0.015625, 0, 17179869184.0], [-17179869184.0, 17179869184.0, -17179869184.0]], "q": [0, -1, 0]}
J
cat >c.json <<'J'
{"id": "cert", "M": [[10000000000.0, -10000000000.0, 0], [1e-07, 0, 0], [-10000000000.0, 10000000000.0, 0]], "q": [0, -1, 0]}
J
cat >nearly.json <<'J'
{"id": "nearly", "M": [[0, 0], [0, 1]], "q": [-1e-10, 1]}
J
cat >suite.json <<'J'
{"name": "both", "tolerances": [1e-8], "limits": {"seconds": 2},
 "sets": [{"name": "cases", "instances": ["pd.json", "z64.json", "c.json", "nearly.json"],
           "solvers": ["lemke", "murty", "enumerate", "dantzig", "bard", "ipm", "fb", "pgs", "auto"]}]}
J
run compare suite.json -o real
[ "$status" -eq 0 ] && ! grep -q 'error of perp' real/summary.txt err
ok $? "answers of perp do not contradict each other"
python3 - <<'PY' 2>err
import json
runs = [json.loads(line) for line in open("real/runs.jsonl")]
both = [r for r in runs if r["instance"] in ("pd", "z64")]
assert len(both) == 18 and not any(r["outcome"] == "infeasible" for r in both), both
assert all(r["solved"] for r in both if r["instance"] == "pd" and r["label"] in ("auto", "murty", "ipm"))
PY
ok $? "no solver certifies what has a solution, and auto solves the definite one"

# The radius in an answer.
cat >no.json <<'J'
{"id": "no", "M": [[1, 0], [0, 0]], "q": [1, -1]}
J
"$perp" solve no.json --solver lemke --json >answer.json
grep -q '"radius": *null' answer.json && grep -q '"margin": *0*[0-9.e-]*' answer.json
ok $? "an answer states the radius, null where there is no solution at all"
python3 - <<'PY'
import json
a = json.load(open("answer.json"))
a["certificate"].update(radius=1e13)
json.dump(a, open("less.json", "w"))
a["certificate"].update(radius=None, margin=10.0)
json.dump(a, open("more.json", "w"))
a["certificate"].update(radius="far")
json.dump(a, open("word.json", "w"))
PY
run verify no.json less.json
grep -q 'infeasible, verified' out
ok $? "a smaller radius than that of y is accepted"
run verify no.json more.json
grep -q 'does not hold: the margin of 10 that it states is larger than' out
ok $? "a larger bound than that of y is refused"
refuse "a radius that is no number is refused" "certificate.radius is not a number >= 0 or null" \
    verify no.json word.json

echo "1..$count"
