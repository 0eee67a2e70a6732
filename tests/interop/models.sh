#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# models.sh: models that perp writes for AMPL, GAMS and solvers of programs, read again by
# models.py: A, b and the bounds come back bit by bit. Speaks TAP.
set -u
perp=${PERP_BUILD:-.}/perp
data=${PERP_TEST_DATA:-tests/golden}/solvers
read=${PERP_SOURCE:-.}/tests/interop/models.py
work=${PERP_BUILD:-.}/tests/scratch/models-$$
suite=models
. "${PERP_SOURCE:-.}/tests/support/command.sh"

# put NAME IN FORMATS: IN as JSON and in each format, in a folder of its own.
put() {
    name=$1 in=$2
    shift 2
    "$perp" convert -q "$in" "$work/all/$name.json" 2>>"$work/err" || return 1
    for format in "$@"; do
        "$perp" convert -q "$work/all/$name.json" "$work/all/$name.$format" 2>>"$work/err" ||
            return 1
    done
}

# same COUNT SENTENCE: at least so many models are there, and none differs.
same() {
    [ "$good" -eq 0 ] && python3 "$read" compare "$work/all" >"$work/found" 2>>"$work/err" &&
        [ "$(cat "$work/found")" -ge "$1" ]
    ok $? "$2"
    start
}
start() {
    good=0
    rm -rf "$work/all" && mkdir "$work/all"
    : >"$work/err" >"$work/found"
}

# All golden problems without cones, and what the pyramid makes of the others.
start
for file in "$data"/*.json; do
    name=$(basename "$file" .json)
    [ "$name" != index ] || continue
    if ! grep -q '"mu"' "$file" || grep -q '"findex"' "$file"; then
        put "$name" "$file" mod nl gms || good=1
    elif "$perp" convert -q "$file" "$work/lcp.json" --friction pyramid:4 2>/dev/null; then
        put "$name" "$work/lcp.json" mod nl gms || good=1
    fi
done
same 60 "AMPL, .nl and GAMS models hold each golden problem bit by bit"

# Every sort of row, numbers that need 17 digits or are at the ends of the range, friction with
# mu = 0, and an empty row.
cat >"$work/rows.json" <<'JSON'
{"id": "rows",
 "M": {"shape": [9, 9],
       "row": [0, 0, 1, 2, 2, 3, 4, 5, 6, 6, 7, 8, 3], "col": [0, 3, 1, 2, 0, 3, 4, 6, 6, 1, 7, 0, 8],
       "data": [0.30000000000000004, -5e-324, 2, 3, 1e298, 4, 5, 0.1, 7, -0.2, 1, 2, 1e-17]},
 "q": [-1, 0.1, -0.3, 4, 5e-324, -6, -0.0, 8, 9],
 "lo": [null, 0, -0.1, null, -3, 0, null, null, 0],
 "hi": [null, null, null, 1e298, 0.7, 0, null, null, null],
 "findex": [-1, -1, -1, -1, -1, -1, 1, 8, -1], "mu": [0.30000000000000004, 0]}
JSON
put rows "$work/rows.json" mod nl gms mps lp || good=1
same 5 "every sort of row comes back bit by bit"

for name in murty_upper_8 boxed_int_0 boxed_int_3 findex_2 kostreva_3 qp_kkt_40 infeasible_zero \
    obstacle1d_31 st_pyramid_rand8; do
    put "$name" "$data/$name.json" mps lp || good=1
done
same 18 "mixed-integer forms in MPS and LP hold A, b and the bounds bit by bit"

for name in hilbert_6 fathi_8 obstacle1d_31 boxed_int_0 boxed_int_1 boxed_int_2 boxed_int_3; do
    put "$name" "$data/$name.json" qps || good=1
done
same 7 "quadratic programs in QPS hold A, b and the bounds bit by bit"

# -- what perp convert says ---------------------------------------------------------------
cone=$data/incline_slip.json
good=0
for format in mod nl gms mps lp qps; do
    run convert "$cone" "$work/new.$format"
    [ "$status" -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && [ ! -e "$work/new.$format" ] &&
        grep -qF -- 'holds no cones; --friction pyramid:8 writes an LCP' "$work/err" || good=1
done
ok $good "cones are refused with the option that replaces them"
run convert "$cone" "$work/new.mod" --friction pyramid:8
[ "$status" -eq 0 ] && [ -s "$work/new.mod" ]
ok $? "with this option the model is written"
refuse "a format that is only written is not read" 'format ampl can only be written' \
    convert "$cone" "$work/new" --from ampl
run info formats --json
[ "$status" -eq 0 ] && python3 - "$work/out" <<'PY' 2>"$work/err"
import json, sys
formats = {f["name"]: f for f in json.load(open(sys.argv[1]))}
for name in "ampl gams mps lp qps".split():
    assert formats[name]["writes"] and not formats[name]["reads"], name
assert formats["npz"]["reads"] and formats["npz"]["writes"]
PY
ok $? "the list of formats says which are read and which are written"

echo "1..$count"
