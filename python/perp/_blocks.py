# SPDX-License-Identifier: Apache-2.0
"""The set K: bounds, coefficients of friction and cones as an array of blocks of C."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass, fields
from typing import Any, Iterable, List, Optional

import numpy as np

from . import _structs as c
from ._errors import ArgumentError
from ._library import lib, text
from ._memory import doubles, spread, vector

DTYPE: Any = np.dtype(c.perp_block)

KINDS = {text(lib.perp_set_kind_name(1 << k)): 1 << k for k in range(7)}


@dataclass(frozen=True)
class Block:
    """Rows first … first + dim - 1 of K.

    kind        "free", "nonneg", "box", "friction", "cone", "rolling" or "disk"
    dim         rows: 1; 2 or 3 of a cone, 5 of a rolling cone, 2 of a disk
    lo, hi      bounds of a box, which may be infinite
    mu          coefficient of friction of a friction row, a cone, a rolling cone
    mu_rolling  of a rolling cone [m]
    radius      of a disk
    normal      the row whose impulse bounds a friction row
    first       the first row; not read where blocks are given, since they follow one another
    """

    kind: str
    dim: int = 1
    lo: float = 0.0
    hi: float = math.inf
    mu: float = 0.0
    mu_rolling: float = 0.0
    radius: float = 0.0
    normal: int = 0
    first: int = 0


def _scalar_kinds(lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
    free = np.isneginf(lo) & np.isposinf(hi)
    nonneg = (lo == 0.0) & np.isposinf(hi)
    return np.where(free, c.PERP_SET_FREE, np.where(nonneg, c.PERP_SET_NONNEG, c.PERP_SET_BOX))


def _canonical(blocks: np.ndarray) -> np.ndarray:
    """Bounds as perp_set_add_free, _nonneg, … store them, in blocks of any kind."""
    kind = blocks["kind"]
    free, box = kind == c.PERP_SET_FREE, kind == c.PERP_SET_BOX
    above = free | (kind == c.PERP_SET_NONNEG)
    blocks["lo"] = np.where(box, blocks["lo"], np.where(free, -math.inf, 0.0))
    blocks["hi"] = np.where(box, blocks["hi"], np.where(above, math.inf, 0.0))
    return blocks


def _dimensions(n: int, cones: Any) -> np.ndarray:
    """The dimension of each block in order."""
    given = doubles(cones, "cones")
    if (given != np.floor(given)).any():
        raise ArgumentError("cones: a dimension is no whole number")
    if given.ndim > 0:
        dims = given.astype(np.int64).ravel()
        if dims.sum() != n:
            raise ArgumentError(f"cones: the dimensions sum to {dims.sum()}, expected {n} rows")
        return dims
    dim = int(cones)
    if dim < 1 or n % dim:
        raise ArgumentError(f"cones: {n} rows are no whole number of contacts of dimension {dim}")
    return np.full(n // dim, dim, dtype=np.int64)


def _expect_bare(values: np.ndarray, rows: np.ndarray, infinite: float, what: str) -> None:
    """Rows of contacts have no bounds: one that is listed there must state nothing."""
    for i in np.flatnonzero(rows & (values != 0.0) & (values != infinite)):
        raise ArgumentError(
            f"{what}[{i}] is {values[i]:g}, expected 0 or {infinite:g}: "
            "a row of a contact has no bounds of its own"
        )


def _fill_bounds(blocks: np.ndarray, rows: np.ndarray, lo: Any, hi: Any, n: int) -> None:
    """Blocks of one row, at the given places of `blocks`. One side alone leaves the other open."""
    low = spread((0.0 if hi is None else -math.inf) if lo is None else lo, n, "lo")
    high = spread(math.inf if hi is None else hi, n, "hi")
    bare = np.full(n, True)
    bare[blocks["first"][rows]] = False
    if np.ndim(lo) > 0:
        _expect_bare(low, bare, -math.inf, "lo")
    if np.ndim(hi) > 0:
        _expect_bare(high, bare, math.inf, "hi")
    low, high = low[blocks["first"][rows]], high[blocks["first"][rows]]
    blocks["kind"][rows] = _scalar_kinds(low, high)
    blocks["lo"][rows] = low
    blocks["hi"][rows] = high


def _cones(n: int, lo: Any, hi: Any, mu: Any, mu_rolling: Any, cones: Any) -> np.ndarray:
    dims = _dimensions(n, cones)
    blocks = np.zeros(len(dims), DTYPE)
    blocks["dim"] = dims
    blocks["first"] = np.cumsum(dims) - dims
    scalar = np.flatnonzero(dims == 1)
    contacts = np.flatnonzero(dims > 1)
    rolling = np.flatnonzero(dims == 5)
    if not np.isin(dims, (1, 2, 3, 5)).all():
        raise ArgumentError("cones: a dimension is none of 1, 2, 3 and 5")
    if len(contacts) and mu is None:
        raise ArgumentError(f"mu is missing, expected {len(contacts)} numbers, one per contact")
    if len(scalar) == 0 and (lo is not None or hi is not None):
        raise ArgumentError("lo, hi: all rows belong to contacts, which have no bounds")
    if len(rolling) and mu_rolling is None:
        raise ArgumentError(f"mu_rolling is missing, expected {len(rolling)} numbers")
    _fill_bounds(blocks, scalar, lo, hi, n)
    blocks["kind"][contacts] = c.PERP_SET_CONE
    blocks["kind"][rolling] = c.PERP_SET_ROLLING
    blocks["mu"][contacts] = spread(0.0 if mu is None else mu, len(contacts), "mu")
    if len(rolling):
        blocks["mu_rolling"][rolling] = spread(mu_rolling, len(rolling), "mu_rolling")
    return _canonical(blocks)


def _rows(findex: Any, n: int) -> np.ndarray:
    """For each row the row of its normal, or -1."""
    given = vector(findex, n, "findex")
    for i in np.flatnonzero(~np.isfinite(given) | (given != np.floor(given)) | (given < -1)):
        raise ArgumentError(
            f"findex[{i}] is {given[i]:g}, expected a row from 0 to {n - 1}, or -1"
        )
    return given.astype(np.int64)


def _scalars(n: int, lo: Any, hi: Any, mu: Any, findex: Any) -> np.ndarray:
    blocks = np.zeros(n, DTYPE)
    blocks["dim"] = 1
    blocks["first"] = np.arange(n)
    normal = np.full(n, -1) if findex is None else _rows(findex, n)
    friction = np.flatnonzero(normal >= 0)
    _fill_bounds(blocks, np.flatnonzero(normal < 0), lo, hi, n)
    if findex is not None:
        if mu is None:
            raise ArgumentError("mu is missing, expected the coefficients of the friction rows")
        some = np.ndim(mu) > 0 and np.size(mu) == len(friction)
        values = spread(mu, len(friction) if some else n, "mu")
        blocks["kind"][friction] = c.PERP_SET_FRICTION
        blocks["normal"][friction] = normal[friction]
        blocks["mu"][friction] = values if some else values[friction]
    return _canonical(blocks)


def make_blocks(
    n: int, lo: Any, hi: Any, mu: Any, findex: Any, cones: Any, mu_rolling: Any
) -> Optional[np.ndarray]:
    """The blocks of K; None for z >= 0."""
    if findex is not None and cones is not None:
        raise ArgumentError("findex and cones are two models of friction: give one of them")
    if cones is None and mu is not None and findex is None:
        cones = 3 if mu_rolling is None else 5
    if cones is not None:
        return _cones(n, lo, hi, mu, mu_rolling, cones)
    if lo is None and hi is None and findex is None:
        return None
    return _scalars(n, lo, hi, mu, findex)


def from_list(n: int, given: Iterable[Block]) -> np.ndarray:
    """Blocks that are listed one by one; they follow one another."""
    items = list(given)
    blocks = np.zeros(len(items), DTYPE)
    for k, item in enumerate(items):
        if item.kind not in KINDS:
            raise ArgumentError(
                f'blocks[{k}].kind is "{item.kind}", expected one of: {", ".join(KINDS)}'
            )
        if item.normal != int(item.normal):
            raise ArgumentError(f"blocks[{k}].normal is {item.normal}, expected a row")
        blocks[k]["kind"] = KINDS[item.kind]
        for name in ("dim", "lo", "hi", "mu", "mu_rolling", "radius", "normal"):
            blocks[k][name] = getattr(item, name)
    dims = blocks["dim"].astype(np.int64)
    if dims.sum() != n:
        raise ArgumentError(f"blocks: the dimensions sum to {dims.sum()}, expected {n} rows")
    blocks["first"] = np.cumsum(dims) - dims
    return _canonical(blocks)


def to_list(blocks: np.ndarray) -> List[Block]:
    """Blocks of C one by one."""
    names = {bit: name for name, bit in KINDS.items()}
    members = [field.name for field in fields(Block) if field.name != "kind"]
    return [
        Block(names[int(block["kind"])], **{name: block[name].item() for name in members})
        for block in blocks
    ]


def bounds(n: int, blocks: np.ndarray) -> np.ndarray:
    """lo and hi of all rows; NaN for rows whose bounds depend on other rows."""
    out = np.full((2, n), math.nan)
    single = blocks[blocks["dim"] == 1]
    rows = single["first"]
    free = single["kind"] == c.PERP_SET_FREE
    nonneg = single["kind"] == c.PERP_SET_NONNEG
    box = single["kind"] == c.PERP_SET_BOX
    out[:, rows[free]] = [[-math.inf], [math.inf]]
    out[:, rows[nonneg]] = [[0.0], [math.inf]]
    out[0, rows[box]] = single["lo"][box]
    out[1, rows[box]] = single["hi"][box]
    return out


def as_set(n: int, blocks: np.ndarray) -> c.perp_set:
    """A set of C that borrows the blocks."""
    return c.perp_set(n, len(blocks), ctypes.c_void_p(blocks.ctypes.data))
