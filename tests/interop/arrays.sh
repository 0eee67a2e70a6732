#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Arrays between perp and NumPy, SciPy, json, jsonschema (arrays.py), Octave and jq: what perp
# writes has the same bits there, and what they write is read with the same bits.
set -u
suite=arrays
build=${PERP_BUILD:?}
perp=$build/perp
work=$build/tests/scratch/interop-arrays.$$
. "${PERP_SOURCE:?}/tests/support/command.sh"
. "$PERP_SOURCE/tests/interop/tools.sh"

find_python 'numpy, scipy.io, scipy.sparse'
if [ -n "$python" ]; then
    mkdir "$work/python"
    "$python" "$PERP_SOURCE/tests/interop/arrays.py" "$perp" "$work/python" 2>"$work/err" |
        tee "$work/lines"
    count=$(grep -cE '^(not )?ok ' "$work/lines")
    [ ! -s "$work/err" ] && [ "$count" -gt 0 ]
    ok $? "the comparison with NumPy and SciPy ran to its end"
else
    skip "NumPy and SciPy open what perp writes, and the reverse" SciPy
fi

# A dense box and a sparse LCP, written by perp in each format.
cat >"$work/dense.json" <<'JSON'
{"A": [[0.1, 1e-300, 3], [1e300, 0.30000000000000004, -0.0], [5e-324, 2, 123456789012345678]],
 "b": [-0.1, 1e23, 3], "lo": ["-inf", 0, -1.5], "hi": ["inf", 0.25, 7]}
JSON
cat >"$work/sparse.json" <<'JSON'
{"M": {"shape": [3, 3], "row": [0, 0, 1, 2], "col": [0, 2, 1, 2], "data": [0.1, 3, 1e-300, 2]},
 "q": [-0.1, 1e23, 3]}
JSON
for each in dense sparse; do
    run convert "$work/$each.json" "$work/$each.mat" -q
    run convert "$work/$each.json" "$work/$each-mtx" --to matrix-market -q
    run convert "$work/$each.json" "$work/$each-csv" --to csv -q
done

if command -v octave >/dev/null && "$perp" info mat >/dev/null 2>&1; then
    cat >"$work/arrays.m" <<'OCTAVE'
1;
function A = read_mtx(path)
  f = fopen(path); kind = fgetl(f); line = fgetl(f);
  while line(1) == '%', line = fgetl(f); end
  size = sscanf(line, '%f'); x = fscanf(f, '%f'); fclose(f);
  if strfind(kind, 'coordinate')
    x = reshape(x, 3, []); A = sparse(x(1,:), x(2,:), x(3,:), size(1), size(2));
  else
    A = reshape(x, size(1), size(2));
  end
end
function same(a, b, what)
  a = full(a); b = full(b);
  equal = isequal(size(a), size(b)) && ...
          isequal(typecast(a(:), 'uint64'), typecast(b(:), 'uint64'));
  printf('%d %s\n', equal, what);
end
A = [0.1 1e-300 3; 1e300 0.30000000000000004 -0.0; 5e-324 2 123456789012345678];
S = sparse([1 1 2 3], [1 3 2 3], [0.1 3 1e-300 2]); b = [-0.1; 1e23; 3];
d = load('dense.mat'); s = load('sparse.mat');
same(d.A, A, 'A of a .mat'); same(d.b, b, 'b of a .mat');
same(d.lo, [-Inf; 0; -1.5], 'lo of a .mat'); same(d.hi, [Inf; 0.25; 7], 'hi of a .mat');
same(s.A, S, 'a sparse A of a .mat'); same(s.b, b, 'b of a .mat');
printf('%d a sparse A is sparse\n', issparse(s.A));
same(read_mtx('dense-mtx/A.mtx'), A, 'A of Matrix Market');
same(read_mtx('dense-mtx/b.mtx'), b, 'b of Matrix Market');
same(read_mtx('sparse-mtx/A.mtx'), S, 'a sparse A of Matrix Market');
same(dlmread('dense-csv/A.csv'), A, 'A of CSV');
same(dlmread('dense-csv/b.csv'), b, 'b of CSV');
lo = d.lo; hi = d.hi; M = S; q = b;
save('-v7', 'their-dense.mat', 'A', 'b', 'lo', 'hi');
save('-v6', 'their-sparse.mat', 'M', 'q');
OCTAVE
    (cd "$work" && octave --norc --no-gui --quiet arrays.m) >"$work/found" 2>"$work/err"
    [ "$(grep -c '^1 ' "$work/found")" -eq 12 ] && ! grep -q '^0 ' "$work/found"
    ok $? "Octave opens .mat, Matrix Market and CSV of perp, bit for bit"
    for each in dense sparse; do
        "$perp" info "$work/$each.json" --json >"$work/ours"
        "$perp" info "$work/their-$each.mat" --json >"$work/theirs"
        grep -o '"hash": *"[0-9a-f]*"' "$work/ours" >"$work/hash"
        [ -s "$work/hash" ] && grep -qF "$(cat "$work/hash")" "$work/theirs"
        ok $? "a $each problem that Octave saves is read by perp, bit for bit"
    done
else
    skip "Octave opens .mat, Matrix Market and CSV of perp, and the reverse" "Octave with matio"
fi

if command -v jq >/dev/null; then
    run convert "$work/dense-csv" "$work/again.json" -q
    [ "$(jq -r '.A[1][1], .b[0], .lo[0], .hi[2], (.A | length), .kind' "$work/again.json" |
        tr '\n' ' ')" = '0.30000000000000004 -0.1 -inf 7 3 blcp ' ]
    ok $? "jq opens what perp writes as json"
    jq '{A: .A, b: .b, lo: .lo, hi: [.hi[] | if . == "inf" then null else . end]}' \
        "$work/again.json" >"$work/jq.json"
    jq -n '{M: [range(3) as $i | [range(3) as $j | if $i == $j then 2 else 0.5 end]],
            q: [-1, -2, 3]}' >"$work/made.json"
    run info "$work/jq.json"
    [ "$status" -eq 0 ] && grep -q 'blcp, 3 rows' "$work/out"
    ok $? "perp reads what jq makes of it"
    run solve "$work/made.json" --solver lemke --json
    [ "$status" -eq 0 ] && [ "$(jq -r '.outcome' "$work/out")" = solved ]
    ok $? "perp solves a problem that jq makes"
else
    skip "jq opens json of perp, and the reverse" jq
fi
run info --schema problem
[ "$status" -eq 0 ] && grep -q "https://json-schema.org/draft/2020-12/schema" "$work/out"
ok $? "perp prints the schema of problems"
refuse "a schema of another name is refused" "is \"robot\", expected one of: scene, problem, suite" \
    info --schema robot
echo "1..$count"
