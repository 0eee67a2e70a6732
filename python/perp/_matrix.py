# SPDX-License-Identifier: Apache-2.0
"""Matrices: NumPy arrays and SciPy's sparse ones as operators of C, and back.

Without a copy: a dense array of doubles whose columns are contiguous (order "F"), and the numbers
and columns of a SciPy CSR matrix of doubles with sorted columns. All else is copied once: a dense
array in order "C" is transposed, BSR blocks are transposed one by one, other sparse matrices become
CSR. Integers and single precision are converted.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, List, Optional

import numpy as np

from . import _structs as c
from ._errors import ArgumentError
from ._library import lib, text
from ._memory import doubles, view


@dataclass
class Matrix:
    """A square matrix as perp_problem_new_dense, _csr and _bsr read it."""

    n: int
    x: np.ndarray
    ld: int = 0
    block_size: int = 0  # 0: dense
    ptr: Optional[np.ndarray] = None
    col: Optional[np.ndarray] = None


def _require_square(shape: Any, what: str) -> int:
    if len(shape) != 2 or shape[0] != shape[1]:
        size = " x ".join(str(k) for k in shape) or "a number"
        raise ArgumentError(f"{what} is {size}, expected a square matrix")
    return int(shape[0])


def _dense(A: Any, what: str) -> Matrix:
    array = doubles(A, what)
    n = _require_square(array.shape, what)
    ld = array.strides[1] // 8 if n else 1
    if n > 1 and (array.strides[0] != 8 or array.strides[1] % 8 or ld < n):
        array, ld = np.asfortranarray(array), n
    return Matrix(n, array, max(ld, n, 1))


def _sparse(A: Any, what: str) -> Matrix:
    n = _require_square(A.shape, what)
    if n > np.iinfo(np.int32).max:
        raise ArgumentError(f"{what} has {n} columns, expected fewer than 2^31")
    blocks = getattr(A, "blocksize", (1, 1))
    size = int(blocks[0]) if A.format == "bsr" and blocks[0] == blocks[1] else 1
    A = A if size > 1 else A.tocsr()
    if not A.has_canonical_format:
        A = A.copy()
        A.sum_duplicates()
    x = A.data.transpose(0, 2, 1) if size > 1 else A.data
    return Matrix(
        n,
        np.ascontiguousarray(doubles(x, what)),
        block_size=size,
        ptr=np.ascontiguousarray(A.indptr, dtype=np.uint64),
        col=np.ascontiguousarray(A.indices, dtype=np.int32),
    )


def read_matrix(A: Any, what: str) -> Matrix:
    """The arrays of a matrix, borrowed where possible."""
    return _sparse(A, what) if hasattr(A, "tocsr") else _dense(A, what)


def _scipy_sparse(storage: str) -> Any:
    try:
        import scipy.sparse
    except ImportError:
        raise ImportError(
            f"perp: the matrix is stored as {storage}: install SciPy, or use Problem.dense()"
        ) from None
    return scipy.sparse


def _convert(A: Any, storage: int, finish: Any) -> Any:
    """finish(A in another storage), which must copy what it keeps."""
    other = ctypes.POINTER(c.perp_operator)()
    lib.perp_operator_convert(ctypes.byref(other), A, storage, 1)
    try:
        return finish(None, other)
    finally:
        lib.perp_operator_free(other)


def _dense_view(owner: Any, A: Any) -> np.ndarray:
    a = lib.perp_operator_arrays(A)
    columns = view(owner, a.x, (a.ld * a.cols,))
    return columns.reshape((a.ld, a.cols), order="F")[: a.rows]


def _dense_copy(owner: Any, A: Any) -> np.ndarray:
    return np.array(_dense_view(owner, A), order="F")


def _sparse_view(owner: Any, A: Any) -> Any:
    a = lib.perp_operator_arrays(A)
    size = int(a.block_size)
    starts = view(owner, a.ptr, (a.rows // size + 1,), np.int64)
    columns = view(owner, a.col, (a.count,), np.int32)
    if a.storage == c.PERP_STORAGE_BSR:
        x = view(owner, a.x, (a.count, size, size)).transpose(0, 2, 1)
        make = _scipy_sparse("bsr").bsr_matrix
    else:
        x = view(owner, a.x, (a.count,))
        make = _scipy_sparse("csr").csr_matrix
    return make((x, columns, starts), shape=(a.rows, a.cols))


def _sparse_copy(owner: Any, A: Any) -> Any:
    return _sparse_view(owner, A).copy()


def to_python(owner: Any, A: Any) -> Any:
    """An operator as NumPy array or SciPy matrix; a view where its storage permits, read-only."""
    storage = lib.perp_operator_arrays(A).storage
    if storage == c.PERP_STORAGE_DENSE:
        return _dense_view(owner, A)
    if storage in (c.PERP_STORAGE_CSR, c.PERP_STORAGE_BSR):
        return _sparse_view(owner, A)
    return _convert(A, c.PERP_STORAGE_CSR, _sparse_copy)


def to_dense(A: Any) -> np.ndarray:
    """An operator in any storage as a dense array."""
    return _convert(A, c.PERP_STORAGE_DENSE, _dense_copy)


def storage_name(A: Any) -> str:
    return text(lib.perp_storage_name(lib.perp_operator_arrays(A).storage))


def storage_names(bits: int) -> List[str]:
    """Of a mask of storages."""
    names = ["dense", "csr", "bsr", "factored", "pairs"]
    return [name for k, name in enumerate(names) if bits >> k & 1]
