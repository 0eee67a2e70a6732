#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# qps.sh: SciPy minimises the quadratic programs that perp writes in QPS and finds the answers of
# perp. models.py reads the files. Speaks TAP.
set -u
perp=${PERP_BUILD:-.}/perp
data=${PERP_TEST_DATA:-tests/golden}/solvers
work=${PERP_BUILD:-.}/tests/scratch/qps-$$
suite=qps
. "${PERP_SOURCE:-.}/tests/support/command.sh"

python=
for candidate in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! "$candidate" -c 'import scipy.optimize' 2>"$work/err" || python=$candidate
done
if [ -z "$python" ]; then
    echo "ok 1 - $suite: SciPy minimises what perp writes # SKIP SciPy is not installed"
    echo "1..1"
    exit 0
fi

# With A = L L^T: 1/2 |L^T z + L^-1 b|^2 is the objective but for a constant, a bounded problem of
# least squares.
good=0
: >"$work/found"
for name in boxed_int_0 boxed_int_1 boxed_int_2 boxed_int_3 fathi_4 geiger_kanzow_16 obstacle1d_31; do
    file=$data/$name.json
    "$perp" convert -q "$file" "$work/p.qps" >>"$work/found" 2>&1 &&
        "$perp" solve "$file" --solver dantzig --json >"$work/out" 2>>"$work/found" &&
        "$python" - "$work/p.qps" "$work/out" "${PERP_SOURCE:-.}/tests/interop" \
            >"$work/z.txt" 2>>"$work/found" <<'PY' &&
import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[3])
import models
import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.optimize import lsq_linear

p = models.read_qps(open(sys.argv[1]).read())
A = np.zeros((p["n"], p["n"]))
for (i, j), a in p["A"].items():
    A[i, j] = a
lo, hi = np.array(p["lo"]), np.array(p["hi"])
free = lo < hi  # SciPy wants bounds that leave room
z = np.where(free, 0.0, lo)
L = cholesky(A[np.ix_(free, free)], lower=True)
b = (np.array(p["b"]) + A @ z)[free]
s = lsq_linear(L.T, -solve_triangular(L, b, lower=True), (lo[free], hi[free]), method="bvls",
               tol=1e-14)
z[free] = s.x
expected = np.array(json.load(open(sys.argv[2]))["z"])
assert np.abs(z - expected).max() <= 1e-8 * max(1.0, np.abs(expected).max()), (z, expected)
print("\n".join("%.17g" % x for x in z))
PY
        "$perp" verify "$file" "$work/z.txt" --tolerance 1e-8 >>"$work/found" 2>&1 ||
        { good=1; echo "$name" >>"$work/found"; }
done
ok $good "SciPy finds the answers of dantzig"

echo "1..$count"
