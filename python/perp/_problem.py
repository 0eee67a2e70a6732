# SPDX-License-Identifier: Apache-2.0
"""Complementarity problems."""

from __future__ import annotations

import ctypes
import os
import weakref
from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Optional, Tuple, Union

import numpy as np

from . import _blocks
from . import _structs as c
from ._blocks import Block
from ._errors import ArgumentError
from ._library import allocate, lib, text
from ._matrix import read_matrix, storage_name, to_dense, to_python
from ._memory import address, vector, view

LAWS = ("coulomb", "associated")


@dataclass(frozen=True)
class Format:
    """A way to store problems, as :func:`formats` lists them."""

    name: str
    summary: str
    extension: str
    reads: bool
    writes: bool


def formats() -> List[Format]:
    """The file formats of the library."""
    count = ctypes.c_size_t()
    found = lib.perp_formats(ctypes.byref(count))
    return [
        Format(text(f.name), text(f.summary), text(f.extension), f.reads, f.writes)
        for f in (found[k].contents for k in range(count.value))
    ]


@dataclass(frozen=True)
class Point:
    """A point that came with a problem. It is never trusted."""

    z: np.ndarray
    w: Optional[np.ndarray]


@dataclass(frozen=True)
class Label:
    """What a block of K comes from, and its name. No solver reads it.

    kind    "contact", "joint", "limit", "motor", "spring", "auxiliary" or "other"
    name    "contact box/floor", "limit elbow (lower)"
    bodies  names of its two bodies; "" where unknown
    joint   name of its joint
    index   number of the contact or joint in its source, or None
    point, normal, gap  of a contact [m], world axes, the normal from body 0 to body 1; or None
    mu      coefficient of friction of the contact, or None
    key     identity from step to step, or None
    """

    kind: str
    name: str
    bodies: Tuple[str, str]
    joint: str
    index: Optional[int]
    point: Optional[np.ndarray]
    normal: Optional[np.ndarray]
    gap: Optional[float]
    mu: Optional[float]
    key: Optional[int]


def _label(one: c.perp_label) -> Label:
    unknown = ctypes.c_size_t(-1).value
    return Label(
        kind=text(lib.perp_label_kind_name(one.kind)),
        name=text(one.name),
        bodies=(text(one.body[0]), text(one.body[1])),
        joint=text(one.joint),
        index=None if one.index == unknown else one.index,
        point=np.array(one.point) if one.placed else None,
        normal=np.array(one.normal) if one.placed else None,
        gap=one.gap if one.placed else None,
        mu=one.mu if one.mu >= 0 else None,
        key=one.key or None,
    )


def measures_dict(m: c.perp_measures) -> Dict[str, Any]:
    """All error measures by name; those of contacts as a dict of max, p50, p90 and p99."""
    out: Dict[str, Any] = {}
    for name, kind in c.perp_measures._fields_:
        value = getattr(m, name)
        if kind is c.perp_percentiles:
            value = {part: getattr(value, part) for part, _ in c.perp_percentiles._fields_}
        out[name] = value
    return out


def _encode(path: Union[str, "os.PathLike[str]"]) -> bytes:
    return os.fsencode(path)


def _optional(word: Optional[str]) -> Optional[bytes]:
    return None if word is None else word.encode()


class Problem:
    """Find z in K with w = A z + b and -w in the normal cone of K at z. It is constant.

    A            n x n: NumPy array, SciPy sparse matrix, anything that NumPy reads
    b            n numbers: the free velocity [m/s] of a contact problem
    lo, hi       bounds of z, n numbers, or one for all rows outside of contacts; lo alone means
                 hi = inf, hi alone lo = -inf; without any argument below z >= 0
    mu           coefficients of friction, one number or one per contact (or per friction row)
    findex       box friction: the row whose impulse bounds row i, or -1; |z_i| <= mu z_normal;
                 such a row has no bounds of its own: 0 or an infinity in lo and hi
    cones        dimension of all contacts, 2, 3 [the default with mu] or 5, normal row first; or
                 the dimension of each block of rows in order, 1 for a row with bounds
    mu_rolling   coefficients of rolling friction [m] of contacts with five rows
    law          of cones: "coulomb", or "associated", its convex relaxation
    blocks       in place of all these: a list of :class:`Block`
    name, title  texts for files

    A matrix of doubles in Fortran order, a SciPy CSR matrix of doubles and a vector b are borrowed,
    not copied: do not change them while the problem lives.
    """

    def __init__(
        self,
        A: Any,
        b: Any,
        lo: Any = None,
        hi: Any = None,
        mu: Any = None,
        findex: Any = None,
        cones: Any = None,
        law: str = "coulomb",
        *,
        mu_rolling: Any = None,
        blocks: Optional[Iterable[Block]] = None,
        name: Optional[str] = None,
        title: Optional[str] = None,
    ) -> None:
        matrix = read_matrix(A, "A")
        free = vector(b, matrix.n, "b")
        if law not in LAWS:
            raise ArgumentError(f'law is "{law}", expected one of: {", ".join(LAWS)}')
        if blocks is None:
            rows = _blocks.make_blocks(matrix.n, lo, hi, mu, findex, cones, mu_rolling)
        else:
            rows = _blocks.from_list(matrix.n, blocks)
        K = None if rows is None else _blocks.as_set(matrix.n, rows)
        head = ctypes.POINTER(c.perp_problem)()
        tail = (
            address(free),
            None if K is None else ctypes.addressof(K),
            LAWS.index(law),
            c.PERP_BORROW,
        )
        if matrix.block_size == 0:
            lib.perp_problem_new_dense(
                ctypes.byref(head), matrix.n, address(matrix.x), matrix.ld, *tail
            )
        else:
            sparse = (address(matrix.ptr), address(matrix.col), address(matrix.x), *tail)
            if matrix.block_size == 1:
                lib.perp_problem_new_csr(ctypes.byref(head), matrix.n, *sparse)
            else:
                lib.perp_problem_new_bsr(ctypes.byref(head), matrix.n, matrix.block_size, *sparse)
        self._adopt(head, (matrix, free, rows, K))
        for member, word in (("name", name), ("title", title)):
            if word is not None:
                setattr(self._p.contents, member, lib.perp_text_new(word.encode()))

    def _adopt(self, head: Any, keep: Any = None) -> None:
        """Take over a problem of C; `keep` has what it borrows."""
        self._p = head
        self._notes: List[str] = []
        self._finalizer = weakref.finalize(self, _free, head, keep)

    @classmethod
    def _from_c(cls, head: Any) -> "Problem":
        problem = cls.__new__(cls)
        problem._adopt(head)
        return problem

    @classmethod
    def read(
        cls,
        path: Union[str, "os.PathLike[str]"],
        format: Optional[str] = None,
        kind: Optional[str] = None,
        item: int = 0,
        symmetric_upper: bool = False,
    ) -> "Problem":
        """Read a problem from a file. The format and the kind are detected unless they are given
        (see :func:`formats`); `item` is the number of a problem in a batch or in a sequence.
        Remarks of the reader are in `notes`."""
        head = ctypes.POINTER(c.perp_problem)()
        options = c.perp_read_options(_optional(format), _optional(kind), symmetric_upper, item)
        notes = allocate(c.perp_notes)
        lib.perp_problem_read(
            ctypes.byref(head), _encode(path), ctypes.byref(options), ctypes.byref(notes)
        )
        problem = cls._from_c(head)
        problem._notes = [text(notes.line[k].value) for k in range(notes.count)]
        return problem

    def write(
        self,
        path: Union[str, "os.PathLike[str]"],
        format: Optional[str] = None,
        kind: Optional[str] = None,
    ) -> None:
        """Write the problem, completely or not at all. Without a format, the extension of the
        path decides."""
        lib.perp_problem_write(self._p, _encode(path), _optional(format), _optional(kind))

    # What it is.

    @property
    def n(self) -> int:
        """Rows."""
        return int(self._p.contents.n)

    @property
    def kind(self) -> str:
        """"lcp", "mlcp", "blcp", "blcp-findex", "fc2d", "fc3d", "rolling" or "mixed"."""
        return text(lib.perp_kind_name(lib.perp_problem_kind(self._p)))

    @property
    def contacts(self) -> int:
        """Contacts: cones, or rows that bound a friction row."""
        return int(lib.perp_problem_contacts(self._p))

    @property
    def law(self) -> str:
        """The law of the cones."""
        return LAWS[self._p.contents.law]

    @property
    def hash(self) -> str:
        """A hash of the data that define the problem, the same in every storage."""
        return f"{lib.perp_problem_hash(self._p):016x}"

    @property
    def is_global(self) -> bool:
        """Whether it holds M, H and f in place of A, as some files do. The solvers condense it."""
        return not self._p.contents.A

    @property
    def name(self) -> str:
        """The stem of the file, or the name that was given."""
        return self._text("name")

    @property
    def title(self) -> str:
        """One line about it."""
        return self._text("title")

    @property
    def description(self) -> str:
        """Several lines about it."""
        return self._text("description")

    @property
    def notes(self) -> List[str]:
        """Remarks of the reader of the file."""
        return list(self._notes)

    def _text(self, member: str) -> str:
        at = getattr(self._p.contents, member)
        return text(ctypes.string_at(at)) if at else ""

    # Its data: read-only views of the memory of the problem.

    def _operator(self) -> Any:
        if self.is_global:
            raise ArgumentError("the problem is global: it holds M, H and f in place of A")
        return self._p.contents.A

    @property
    def storage(self) -> str:
        """Of A: "dense", "csr", "bsr", "factored" or "pairs"; "" for a global problem."""
        return "" if self.is_global else storage_name(self._p.contents.A)

    @property
    def A(self) -> Any:
        """The matrix: a NumPy array, or a SciPy sparse matrix (multiplied out if the problem has
        it in factors)."""
        return to_python(self, self._operator())

    def dense(self) -> np.ndarray:
        """A copy of the matrix as a NumPy array."""
        return to_dense(self._operator())

    @property
    def b(self) -> np.ndarray:
        """n numbers."""
        return view(self, self._p.contents.b, (self.n,))

    def _rows(self) -> np.ndarray:
        K = self._p.contents.set.contents
        return view(self, K.blocks, (K.count,), _blocks.DTYPE)

    @property
    def blocks(self) -> List[Block]:
        """The set K, block by block."""
        return _blocks.to_list(self._rows())

    @property
    def lo(self) -> np.ndarray:
        """Lower bounds of z; NaN where they depend on other rows."""
        return _blocks.bounds(self.n, self._rows())[0]

    @property
    def hi(self) -> np.ndarray:
        """Upper bounds of z; NaN where they depend on other rows."""
        return _blocks.bounds(self.n, self._rows())[1]

    @property
    def mu(self) -> np.ndarray:
        """The coefficients of friction rows, cones and rolling cones in their order."""
        rows = self._rows()
        frictional = c.PERP_SET_FRICTION | c.PERP_SET_CONE | c.PERP_SET_ROLLING
        return np.array(rows["mu"][(rows["kind"] & frictional) != 0])

    def _point(self, point: c.perp_point) -> Point:
        z = view(self, point.z, (self.n,))
        return Point(z, view(self, point.w, (self.n,)) if point.w else None)

    @property
    def guesses(self) -> List[Point]:
        """Starting points that came with the file."""
        p = self._p.contents
        return [self._point(p.guesses[k]) for k in range(p.guess_count)]

    @property
    def solution(self) -> Optional[Point]:
        """The solution that came with the file, or None."""
        p = self._p.contents
        return self._point(p.solution.contents) if p.solution else None

    @property
    def labels(self) -> List[Label]:
        """One per block of the set; empty where nothing is known."""
        found = self._p.contents.labels
        return [_label(found.contents.at[k]) for k in range(found.contents.count)] if found else []

    @property
    def origin(self) -> Dict[str, Any]:
        """Where the problem comes from, as far as it is known: source, version, units, licence,
        step, time and dt [s], hash."""
        found = self._p.contents.origin
        if not found:
            return {}
        one = found.contents
        names = ("source", "version", "units", "licence")
        known = {name: text(getattr(one, name)) for name in names}
        times = {"time": one.time, "dt": one.dt} if one.timed else {}
        numbers = {"step": one.step, "hash": f"{one.hash:016x}" if one.hash else ""}
        words = {name: value for name, value in {**known, **numbers}.items() if value}
        return {**words, **times}

    # The judge.

    def _judge(self, z: Any, use: Any) -> Any:
        point = vector(z, self.n, "z")
        judge = ctypes.c_void_p()
        lib.perp_judge_new(ctypes.byref(judge), self._p)
        try:
            return use(judge, point)
        finally:
            lib.perp_judge_free(judge)

    def residual(self, z: Any) -> float:
        """The residual at z, the measure that decides what is solved."""
        return self._judge(z, lambda judge, x: lib.perp_judge_residual(judge, address(x)))

    def measures(self, z: Any, tolerance: float = 1e-8) -> Dict[str, Any]:
        """All error measures at z."""

        def measure(judge: Any, x: np.ndarray) -> Dict[str, Any]:
            out = allocate(c.perp_measures)
            lib.perp_judge_measure(judge, address(x), tolerance, ctypes.byref(out))
            return measures_dict(out)

        return self._judge(z, measure)

    def solve(self, solver: str = "auto", start: Any = None, **options: Any) -> Any:
        """:func:`perp.solve` of this problem."""
        from ._solve import solve

        return solve(self, solver=solver, start=start, **options)

    def __repr__(self) -> str:
        name = f" {self.name}" if self.name else ""
        contacts = f", {self.contacts} contact{'' if self.contacts == 1 else 's'}" if self.contacts else ""
        storage = "global" if self.is_global else self.storage
        return f"<perp.Problem{name}: {self.kind}, {self.n} row{'' if self.n == 1 else 's'}{contacts}, {storage}>"


def _free(head: Any, keep: Any) -> None:
    """Free a problem, then what it borrowed."""
    lib.perp_problem_free(head)
    del keep
