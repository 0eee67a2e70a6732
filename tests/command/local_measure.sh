#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# local_measure.sh: what a large active row hides from the residual is mentioned, and decides where a
# suite asks for it. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/local_measure-$$
suite=local_measure
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

has() { grep -qF -- "$1" "$2"; }

# The solution is (1, 9e9). At (0.5, 4e9) row 0 misses a half of its b, row 1 makes beta 1e9.
echo '{"M": [[1, 0], [-1e10, 1]], "q": [-1, 1e9]}' >hides.json
cat >half <<'SH'
#!/bin/sh
echo '{"z": [0.5, 4e9], "claim": "solved"}' >$PERP_SOLUTION
SH
chmod +x half
echo '{"z": [0.5, 4e9]}' >half.json
echo '{"z": [1, 9e9]}' >right.json

run verify hides.json half.json
[ "$status" -eq 0 ] && has 'solved: residual' out && has 'componentwise residual 0.33' out
ok $? "perp verify mentions it"
run verify hides.json right.json
[ "$status" -eq 0 ] && ! has 'componentwise residual ' out
ok $? "and nothing at the solution"

for measure in residual local; do
    cat >$measure.json <<JSON
{"name": "$measure", "measure": "$measure", "sets": [{"name": "one", "instances": ["hides.json"],
 "solvers": ["lemke", {"solver": "exec:$work/half", "label": "half"}]}]}
JSON
    run compare $measure.json -o $measure --quiet
    python3 - $measure <<'PY' >solved
import json, sys
print(sorted((r["label"], r["solved"], r.get("measure")) for r in map(json.loads, open(sys.argv[1] + "/runs.jsonl"))))
PY
    mv solved solved-$measure
done
has "[('half', True, None), ('lemke', True, None)]" solved-residual &&
    has 'one, half: 1 of 1 run solved with a componentwise residual of up to 0.33' residual/summary.txt &&
    has 'residual <= 1e-08' residual/summary.txt && ! has 'componentwise residual <=' residual/summary.txt
ok $? "the summary warns of it"
has "[('half', False, 'local'), ('lemke', True, 'local')]" solved-local &&
    has 'componentwise residual <= 1e-08' local/summary.txt
ok $? "a suite with \"measure\": \"local\" judges by it"
run compare local.json -o local --resume --quiet
[ "$status" -eq 0 ] && sed 's/"local"/"far"/g' local.json >far.json && run compare far.json -o far
[ "$status" -eq 2 ] && has 'measure: found "far", expected one of residual|local' err
ok $? "another measure is refused"

echo "1..$count"
