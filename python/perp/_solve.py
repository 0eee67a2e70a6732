# SPDX-License-Identifier: Apache-2.0
"""Solvers, their options, and the answer of a solve."""

from __future__ import annotations

import ctypes
import numbers
import operator
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

import numpy as np

from . import _structs as c
from ._blocks import KINDS
from ._errors import ArgumentError, Interrupted
from ._library import allocate, lib, sequential_impulses, text
from ._matrix import storage_names
from ._memory import vector, view
from ._problem import LAWS, Problem, measures_dict
from ._wait import Call, Progress

_DEMANDS = ("symmetric", "positive-definite", "positive-semidefinite", "positive-diagonal")
_HISTORY: Any = np.dtype(c.perp_history_sample)
_OPTION_KINDS = ("", "real", "integer", "switch", "choice", "text", "list")


@dataclass(frozen=True)
class Option:
    """An option of a solver. As a keyword its name has underscores in place of hyphens."""

    name: str
    kind: str  #: "real", "integer", "switch", "choice", "text" or "list"
    default: Any
    choices: List[str]
    help: str


@dataclass(frozen=True)
class Solver:
    """What a solver is and which problems it accepts."""

    name: str
    family: str
    summary: str
    algorithm: str
    reference: str
    sets: List[str]
    laws: List[str]
    storages: List[str]
    demands: List[str]  #: properties that A must have
    certificates: List[str]  #: that a negative answer may carry
    options: List[Option] = field(repr=False)


def _option(row: c.perp_option) -> Option:
    listed = row.kind in (c.PERP_OPTION_CHOICE, c.PERP_OPTION_LIST)
    choices = text(row.choices).split("|") if listed else []
    default: Any = row.value
    if row.kind == c.PERP_OPTION_INTEGER:
        default = int(row.value)
    elif row.kind == c.PERP_OPTION_SWITCH:
        default = bool(row.value)
    elif row.kind == c.PERP_OPTION_CHOICE:
        default = choices[int(row.value)]
    elif row.kind == c.PERP_OPTION_LIST:
        default = [name for k, name in enumerate(choices) if int(row.value) >> k & 1]
    elif row.kind == c.PERP_OPTION_TEXT:
        default = text(row.choices)
    return Option(text(row.name), _OPTION_KINDS[row.kind], default, choices, text(row.help))


def _table(rows: Any) -> List[Option]:
    out: List[Option] = []
    while rows and rows[len(out)].name:
        out.append(_option(rows[len(out)]))
    return out


def _certificate_names(bits: int) -> List[str]:
    return [text(lib.perp_certificate_name(k)) for k in range(1, 5) if bits >> k & 1]


def solvers() -> List[Solver]:
    """All solvers, in the order of ``perp info solvers``."""
    count = ctypes.c_size_t()
    found = lib.perp_solvers(ctypes.byref(count))
    return [
        Solver(
            name=text(t.name),
            family=text(t.family),
            summary=text(t.summary),
            algorithm=text(t.algorithm),
            reference=text(t.reference),
            sets=[name for name, bit in KINDS.items() if t.sets & bit],
            laws=[name for k, name in enumerate(LAWS) if t.laws >> k & 1],
            storages=storage_names(t.storages),
            demands=[name for k, name in enumerate(_DEMANDS) if t.demands >> k & 1],
            certificates=_certificate_names(t.certificates),
            options=_table(t.options),
        )
        for t in (found[k].contents for k in range(count.value))
    ]


def whole(name: str, value: Any, least: int) -> int:
    """A count; what is no whole number is refused, not cut."""
    try:
        count = operator.index(value)
    except TypeError:
        count = least - 1
    if count < least:
        raise ArgumentError(f"{name} is {value!r}, expected a whole number from {least}")
    return count


def as_text(value: Any) -> str:
    """The value of an option as it would be typed."""
    if isinstance(value, (bool, np.bool_)):
        return "on" if value else "off"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value)


def option_name(key: str) -> str:
    """The name of an option or a setting from its keyword: "max_iterations", "global_"."""
    return key.rstrip("_").replace("_", "-")


class Options:
    """A solver with its options, as perp_solve takes them."""

    def __init__(self, solver: str, options: Dict[str, Any]) -> None:
        self.type = ctypes.POINTER(c.perp_solver_type)()
        self.c = allocate(c.perp_options)
        lib.perp_solver_parse(solver.encode(), ctypes.byref(self.type), ctypes.byref(self.c))
        for name, value in options.items():
            self.set(option_name(name), value)

    def set(self, name: str, value: Any) -> None:
        lib.perp_options_set(ctypes.byref(self.c), name.encode(), as_text(value).encode())

    def get(self, name: str) -> str:
        """The value of an option as text; "" for an unknown name."""
        out = ctypes.create_string_buffer(64)
        lib.perp_options_print(ctypes.byref(self.c), name.encode(), out, len(out))
        return text(out.value)

    @classmethod
    def sequential_impulses(cls) -> "Options":
        """Those of the solver of steps that is in no list; it has none."""
        options = cls.__new__(cls)
        options.type = ctypes.pointer(sequential_impulses)
        options.c = allocate(c.perp_options)
        lib.perp_options_init(ctypes.byref(options.c), options.type, None)
        return options

    @property
    def name(self) -> str:
        """The full name of the solver: "ds:mpgp"."""
        out = ctypes.create_string_buffer(1024)
        lib.perp_solver_print(self.type, ctypes.byref(self.c), out, len(out))
        return text(out.value)


@dataclass(frozen=True)
class Certificate:
    """Why there is no solution, or why the solver stopped.

    kind    "infeasible" shows that there is no solution. "ray", "singular" and "cycle" show why
            the solver stopped; they refer to the problem as `solver` was given it
    holds   whether the certificate was checked from the data alone and holds
    says    one sentence: what was checked, or what fails
    y       infeasible: y; singular: x; ray: z where it starts
    dz, cover, z0, dz0  of a ray; rule, states (one active set per row) of a cycle
    """

    kind: str
    holds: bool
    says: str
    solver: str
    y: Optional[np.ndarray] = None
    dz: Optional[np.ndarray] = None
    cover: Optional[np.ndarray] = None
    z0: float = 0.0
    dz0: float = 0.0
    rule: str = ""
    states: Optional[np.ndarray] = None


@dataclass(frozen=True)
class Solution:
    """One of all solutions of a small problem.

    z       a vertex of the solutions of one choice of active rows
    kind    "isolated", "on a face" (the segments to others solve), "unbounded" (z plus multiples
            of its rays solves, or a line through it)
    joined  numbers in the list of those that a segment of solutions joins to it; what lies between
            solutions that are all joined solves, too
    rays    directions, one per row
    """

    z: np.ndarray
    kind: str
    joined: List[int]
    rays: np.ndarray


@dataclass(frozen=True)
class Result:
    """The answer of a solver, how it was found, and what it cost.

    z, w            the best point found, and A z + b
    outcome         "solved", "iteration limit", "time limit", "stalled", "ray", "infeasible",
                    "unbounded", "cycle", "singular block", "interrupted"
    reason          one sentence: what stopped the solver, and where
    solver          its full name
    residual        of the problem as asked; `residual_given` of the problem as given, which
                    differs where the option formulation asks for another problem
    measures        all error measures by name, as :meth:`Problem.measures` returns them
    history         the judgements: an array with iteration, seconds, products, residual
    certificate     of a negative answer, or None
    solutions       of the solver "enumerate" all solutions, a list of :class:`Solution`; else None
    path            reformulations, solvers and fallbacks in the order in which they were executed
    foreign         what another code says about its run (claim, version, reformulation, seconds,
                    wall_seconds, overhead_seconds, factor, calls, search_seconds, missed,
                    false_claim), or None; it decides nothing
    iterations, work, seconds   the cost; seconds without judging
    setup_seconds, judge_seconds, bytes  more of it; bytes is the peak of the workspace
    """

    z: np.ndarray
    w: np.ndarray
    outcome: str
    reason: str
    solver: str
    residual: float
    residual_given: float
    iterations: int
    seconds: float
    measures: Dict[str, Any] = field(repr=False)
    history: np.ndarray = field(repr=False)
    certificate: Optional[Certificate] = field(repr=False)
    path: List[str] = field(repr=False)
    work: Dict[str, float] = field(repr=False)
    prepare_seconds: float = field(repr=False)
    setup_seconds: float = field(repr=False)
    judge_seconds: float = field(repr=False)
    bytes: int = field(repr=False)
    foreign: Optional[Dict[str, Any]] = field(repr=False)
    solutions: Optional[List[Solution]] = field(repr=False, default=None)

    @property
    def solved(self) -> bool:
        """Whether the judge found the residual at most the tolerance."""
        return self.outcome == "solved"

    def __repr__(self) -> str:
        return (
            f"<perp.Result {self.outcome}: residual {self.residual:.1e}, "
            f"{self.iterations} iterations of {self.solver}>"
        )


def _copy(at: Optional[int], n: int) -> Optional[np.ndarray]:
    return np.array(view(None, at, (n,))) if at else None


def _check(r: Any, problem: Problem, options: Options) -> Any:
    """Check a certificate for the problem it refers to: the given one, or that of the solver."""
    why = ctypes.create_string_buffer(256)
    kind = r.certificate.kind
    if kind == c.PERP_CERTIFICATE_INFEASIBLE:
        holds = lib.perp_certificate_check(ctypes.byref(r.certificate), problem._p, why, len(why))
        return holds, text(why.value)
    seen = Options(text(r.certificate_solver), {})
    for name in ("friction", "scale", "global"):
        seen.set(name, options.get(name))
    head = ctypes.POINTER(c.perp_problem)()
    lib.perp_solver_view(seen.type, problem._p, ctypes.byref(seen.c), ctypes.byref(head))
    try:
        holds = lib.perp_certificate_check(ctypes.byref(r.certificate), head, why, len(why))
    finally:
        lib.perp_problem_free(head)
    return holds, text(why.value)


def _certificate(r: Any, problem: Problem, options: Options) -> Optional[Certificate]:
    k = r.certificate
    if k.kind == c.PERP_CERTIFICATE_NONE:
        return None
    holds, says = _check(r, problem, options)
    cycle = k.kind == c.PERP_CERTIFICATE_CYCLE
    states = ctypes.cast(k.states, ctypes.c_void_p).value
    return Certificate(
        kind=text(lib.perp_certificate_name(k.kind)),
        holds=bool(holds),
        says=says,
        solver=text(r.certificate_solver),
        y=_copy(k.y, k.n),
        dz=_copy(k.dz, k.n),
        cover=_copy(k.cover, k.n),
        z0=k.z0,
        dz0=k.dz0,
        rule=text(lib.perp_rule_name(k.rule)) if cycle else "",
        states=np.array(view(None, states, (k.steps, k.n), np.uint8)) if cycle else None,
    )


def _foreign(f: c.perp_foreign) -> Optional[Dict[str, Any]]:
    if not f.ran:
        return None
    values = {name: getattr(f, name) for name, _ in c.perp_foreign._fields_ if name != "ran"}
    return {name: text(v) if isinstance(v, bytes) else v for name, v in values.items()}


def _solutions(problem: Problem) -> List[Solution]:
    head = ctypes.POINTER(c.perp_solutions)()
    lib.perp_solutions_find(problem._p, ctypes.byref(head))
    s = head.contents
    try:
        z = np.array(view(None, s.z, (s.count, s.n)))
        kind = np.array(view(None, s.kind, (s.count,), np.intc))
        joined = np.array(view(None, s.joined, (s.count, s.count), bool))
        ray = np.array(view(None, s.ray, (s.ray_count, s.n)))
        ray_of = np.array(view(None, s.ray_of, (s.ray_count,), np.uintp))
    finally:
        lib.perp_solutions_free(head)
    return [
        Solution(
            z=z[k],
            kind=text(lib.perp_solution_kind_text(int(kind[k]))),
            joined=[int(l) for l in np.flatnonzero(joined[k])],
            rays=ray[ray_of == k],
        )
        for k in range(len(z))
    ]


def _result(r: Any, problem: Problem, options: Options) -> Result:
    n = problem.n
    path = [text(r.path.step[k].value) for k in range(r.path.count)]
    return Result(
        z=np.array(view(None, r.z, (n,))),
        w=np.array(view(None, r.w, (n,))),
        outcome=text(lib.perp_outcome_text(r.outcome)),
        reason=text(r.reason),
        solver=options.name,
        residual=r.residual,
        residual_given=r.residual_given,
        iterations=r.iterations,
        seconds=r.seconds,
        measures=measures_dict(r.measures),
        history=np.array(view(None, r.history, (r.history_count,), _HISTORY)),
        certificate=_certificate(r, problem, options),
        path=path,
        work={name: getattr(r.work, name) for name, _ in c.perp_work._fields_},
        prepare_seconds=r.prepare_seconds,
        setup_seconds=r.setup_seconds,
        judge_seconds=r.judge_seconds,
        bytes=r.bytes,
        foreign=_foreign(r.foreign),
        solutions=_solutions(problem) if options.name.split()[0] == "enumerate" else None,
    )


def _set_start(r: Any, problem: Problem, start: Any) -> None:
    if start is None:
        return
    if isinstance(start, str):
        if start != "guess" or not problem.guesses:
            expected = '"guess"' if problem.guesses else "numbers: the problem has no guess"
            raise ArgumentError(f'start is "{start}", expected {expected}')
        start = problem.guesses[0].z
    view(r, r.z, (problem.n,), writeable=True)[:] = vector(start, problem.n, "start")


def solve_with(
    problem: Problem, options: Options, start: Any = None, progress: Optional[Progress] = None
) -> Result:
    """Solve with options that are made already."""
    head = ctypes.POINTER(c.perp_result)()
    lib.perp_result_new(ctypes.byref(head), problem.n)
    r = head.contents
    call = Call(progress)

    def report(_context: Any, iteration: int, residual: float, seconds: float) -> bool:
        return call.report(iteration, residual, seconds)

    try:
        _set_start(r, problem, start)
        options.c.interrupt = ctypes.pointer(call.flag)
        if progress is not None:
            options.c.progress = c.progress_fn(report)
        call.run(
            lambda _: lib.perp_solve(options.type, problem._p, ctypes.byref(options.c), head)
        )
        answer = _result(r, problem, options)
    finally:
        lib.perp_result_free(head)
    if call.interrupted:
        raise Interrupted(answer)
    return answer


def solve(
    A: Any,
    b: Any = None,
    lo: Any = None,
    hi: Any = None,
    mu: Any = None,
    findex: Any = None,
    cones: Any = None,
    law: Optional[str] = None,
    solver: str = "auto",
    start: Any = None,
    *,
    mu_rolling: Any = None,
    blocks: Any = None,
    progress: Optional[Progress] = None,
    **options: Any,
) -> Result:
    """Solve a complementarity problem and judge the answer.

    A, b, lo, hi, mu, findex, cones, law, mu_rolling, blocks
              as of :class:`Problem`, or one Problem in place of all
    solver    a name of :func:`solvers`, that of a wrapper and its inner solver, "ds:mpgp", or with
              settings, "nsgs relaxation=0.7"
    start     starting point, n numbers; "guess": the one that came with a file; None: zero
    progress  called as progress(iteration, residual, seconds) whenever the solver is judged;
              where it returns False, the solve ends with the outcome "interrupted"
    options   of the loop and of the solver, with underscores: tolerance=1e-6, time_limit=10;
              global_="factored", since global is a word of Python

    Reaching a limit is an outcome of the result. An exception (:class:`perp.Error`) is raised
    where the solver could not start. Ctrl-C ends the solve: :class:`perp.Interrupted`, whose
    `result` has the best point so far.
    """
    if isinstance(A, Problem):
        given = (b, lo, hi, mu, findex, cones, law, mu_rolling, blocks)
        if any(value is not None for value in given):
            raise ArgumentError("a Problem has its own b, bounds and law: give it alone")
        problem = A
    elif b is None:
        raise ArgumentError("b is missing")
    else:
        law = law or "coulomb"
        problem = Problem(
            A, b, lo, hi, mu, findex, cones, law, mu_rolling=mu_rolling, blocks=blocks
        )
    return solve_with(problem, Options(solver, options), start, progress)


def lcp(M: Any, q: Any, solver: str = "auto", start: Any = None, **options: Any) -> Result:
    """Solve the LCP 0 <= z, w = M z + q >= 0, z.w = 0; options as of :func:`solve`."""
    return solve(M, q, solver=solver, start=start, **options)


def friction(
    W: Any, q: Any, mu: Any, cones: int = 3, solver: str = "auto", start: Any = None, **options: Any
) -> Result:
    """Solve a contact problem with Coulomb friction: u = W z + q, impulses z in the cones
    ||z_T|| <= mu z_N. `mu` is one number or one per contact; rows of a contact are the normal,
    then the tangents. `cones` is 2 in the plane; options as of :func:`solve`."""
    return solve(W, q, mu=mu, cones=cones, solver=solver, start=start, **options)
