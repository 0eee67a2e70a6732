# SPDX-License-Identifier: Apache-2.0
"""NumPy arrays over the memory of C, and pointers to that of NumPy."""

from __future__ import annotations

import ctypes
from typing import Any, Optional, Sequence

import numpy as np

from ._errors import ArgumentError


def view(
    owner: Any,
    address: Optional[int],
    shape: Sequence[int],
    dtype: Any = float,
    order: Any = "C",
    writeable: bool = False,
) -> np.ndarray:
    """An array at an address, without a copy. It keeps `owner` alive, to which the memory
    belongs."""
    kind = np.dtype(dtype)
    size = int(np.prod(shape)) * kind.itemsize
    if size == 0 or not address:
        return np.empty(shape, kind)
    memory: Any = (ctypes.c_char * size).from_address(address)
    memory.owner = owner
    array = np.frombuffer(memory, kind).reshape(shape, order=order)
    array.flags.writeable = writeable
    return array


def doubles(value: Any, what: str) -> np.ndarray:
    """`value` as doubles; it is not copied if it is that already. Complex numbers are refused, and
    integers that no double holds."""
    try:
        given = np.asarray(value)
        if given.dtype.kind == "c":
            raise ArgumentError(f"{what} is complex, expected real numbers")
        array = given.astype(float, copy=False)
    except (TypeError, ValueError, OverflowError) as error:
        raise ArgumentError(f"{what} is not an array of numbers: {error}") from None
    if given.dtype.kind in "iuO":
        for k in given[np.abs(array) >= 2.0**53]:
            if isinstance(k, (int, np.integer)) and int(float(k)) != int(k):
                raise ArgumentError(
                    f"{what} has the entry {k}, expected integers that a double holds, "
                    "as all up to 2^53"
                )
    return array


def vector(value: Any, n: int, what: str) -> np.ndarray:
    """`value` as n contiguous doubles; it is not copied if it is that already."""
    array = np.ascontiguousarray(doubles(value, what))
    if array.size != n or array.ndim > 1 and max(array.shape) != n:
        raise ArgumentError(f"{what} has {array.size} number{'' if array.size == 1 else 's'}, expected {n}")
    return array.reshape(n)


def spread(value: Any, n: int, what: str) -> np.ndarray:
    """One number for all, or n of them."""
    if np.ndim(value) == 0:
        return np.full(n, doubles(value, what))
    return vector(value, n, what)


def address(array: Optional[np.ndarray]) -> Optional[int]:
    """Where an array begins; None for None."""
    return None if array is None else array.ctypes.data
