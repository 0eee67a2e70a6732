# exec:"python3 lcp_scipy.py": a symmetric positive definite LCP or box problem by
# bounded-variable least squares of SciPy: with A = L L^T,
#
#     min |L^T z + L^-1 b|^2  within lo <= z <= hi.
import json
import os
import sys
import time

import numpy as np
import scipy
from scipy.linalg import LinAlgError, cholesky, solve_triangular
from scipy.optimize import lsq_linear
from scipy.sparse import csr_matrix

file = np.load(os.environ["PERP_INSTANCE"])
b = file["b"]
n = len(b)
if "A" in file:
    A = file["A"]
else:
    A = csr_matrix((file["A_data"], file["A_indices"], file["A_indptr"]), (n, n)).toarray()

kinds = {block["kind"] for block in json.loads(file["problem.json"])["sets"]}
if not kinds <= {"nonneg", "box"}:
    print("expected nonneg and box rows, found", ", ".join(sorted(kinds)), file=sys.stderr)
    sys.exit(3)
lo = file["lo"] if "lo" in file else np.zeros(n)
hi = file["hi"] if "hi" in file else np.full(n, np.inf)

begin = time.perf_counter()
try:
    L = cholesky((A + A.T) / 2, lower=True)
except LinAlgError:
    print("A is not positive definite", file=sys.stderr)
    sys.exit(3)
found = lsq_linear(L.T, -solve_triangular(L, b, lower=True), (lo, hi), method="bvls", tol=1e-14)
seconds = time.perf_counter() - begin

with open(os.environ["PERP_SOLUTION"], "w") as out:
    json.dump(
        {
            "z": found.x.tolist(),
            "claim": "solved" if found.status > 0 else "iteration limit",
            "seconds": seconds,
            "iterations": int(found.nit),
            "version": "SciPy " + scipy.__version__,
            "reformulation": "least squares with bounds",
        },
        out,
    )
