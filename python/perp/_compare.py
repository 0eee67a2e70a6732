# SPDX-License-Identifier: Apache-2.0
"""Every solver on every problem, as records ready for pandas."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Union

import numpy as np

from ._errors import (
    ArgumentError,
    Error,
    Interrupted,
    OutOfMemoryError,
    ReadError,
    UnsuitableError,
)
from ._library import command
from ._problem import Problem
from ._solve import Options, option_name, solve_with, whole
from ._wait import on_ctrl_c

#: members of a result that are columns
_FOUND = (
    "outcome solved residual residual_given iterations seconds prepare_seconds setup_seconds bytes "
    "reason"
).split()
#: a Problem, a file, a call such as "generate:spd:n=50", or several of them, by name or not
Problems = Union[Any, Iterable[Any], Mapping[str, Any]]
Record = Dict[str, Any]

# What a record has in both ways of running, in this order, before work, measures and options.
_COLUMNS = (
    "instance kind n contacts solver label formulation tolerance seed status outcome solved "
    "residual residual_given iterations seconds prepare_seconds setup_seconds bytes reason "
    "message hash"
).split()


def _is_call(text: str) -> bool:
    return text.startswith(("generate:", "scene:"))


def _name(item: Any, number: int) -> str:
    if isinstance(item, Problem):
        return item.name or f"problem-{number}"
    text = os.fspath(item)
    return text if _is_call(text) else Path(text).stem


def _named(problems: Problems) -> Iterator[Tuple[str, Any]]:
    """Each with its name; equal names are numbered."""
    if isinstance(problems, Mapping):
        yield from problems.items()
        return
    if isinstance(problems, (Problem, str, os.PathLike)):
        problems = [problems]
    taken: Dict[str, int] = {}
    for number, item in enumerate(problems, 1):
        name = _name(item, number)
        taken[name] = taken.get(name, 0) + 1
        yield (name if taken[name] == 1 else f"{name}-{taken[name]}"), item


def _solver_list(solvers: Any, end_by: str) -> List[Record]:
    """Each as a suite has it: {"solver": …, "label": …, "friction": …, "options": {…}}. An
    unknown solver or option is refused here, by the library."""
    if isinstance(solvers, (str, Mapping)):
        solvers = [solvers]
    out = []
    for item in solvers:
        given: Record = {"solver": item} if isinstance(item, str) else dict(item)
        if "solver" not in given:
            raise ArgumentError(f'solvers: {given!r} has no member "solver"')
        own = [name for name in ("solver", "label", "friction") if name in given]
        entry: Record = {name: given.pop(name) for name in own}
        entry["options"] = {option_name(name): value for name, value in given.items()}
        entry["options"].setdefault("end-by", end_by)
        _options(entry, {})
        out.append(entry)
    return out


def _options(entry: Record, rules: Record) -> Options:
    """The solver of an entry; its own formulation may be given beside its options."""
    own = {"friction": entry["friction"]} if "friction" in entry else {}
    return Options(entry["solver"], {**rules, **entry["options"], **own})


def _at_tolerances(record: Record) -> List[Record]:
    """An exact solver runs once for several tolerances: a record of each, judged there."""
    residual = record.get("residual_given")
    judged = record.get("status") == "ok" and residual is not None
    return [
        dict(record, tolerance=one, solved=residual <= one if judged else record["solved"])
        for one in record.get("tolerances") or [record["tolerance"]]
    ]


def _flat(record: Record) -> Record:
    """The columns, then what is nested as "work.products"; vectors are left out."""
    out: Record = {name: record.get(name) for name in _COLUMNS}
    for group in ("work", "measures", "foreign", "options"):
        _flatten(group, record.get(group), out)
    certificate = record.get("certificate") or {}
    out["certificate"] = certificate.get("kind")
    return out


def _flatten(name: str, value: Any, out: Record) -> None:
    if isinstance(value, Mapping):
        for part, inner in value.items():
            _flatten(f"{name}.{part}", inner, out)
    elif value is not None:
        out[name] = value


# Through the command.


def _instances(folder: Path, problems: Problems) -> Dict[str, str]:
    """What a suite calls the problems, with their names; those of this process are written to a
    folder."""
    out = {}
    for number, (name, item) in enumerate(_named(problems)):
        if isinstance(item, Problem):
            path = str(folder / f"{number}.npz")
            item.write(path, format="npz")
        else:
            path = os.fspath(item)
            path = path if _is_call(path) else os.path.abspath(path)
        out[path] = name
    return out


def _read_records(path: Path, names: Dict[str, str]) -> List[Record]:
    if not path.exists():
        return []
    out = []
    for line in path.read_text().splitlines(keepends=True):
        if line.endswith("\n"):
            record = json.loads(line)
            record["instance"] = names.get(record["file"], record["instance"])
            out.extend(_flat(each) for each in _at_tolerances(record))
    return out


def _run(words: List[str]) -> Tuple[int, str, bool]:
    """Run the command: exit status, standard error, and whether Ctrl-C ended it. It runs in a
    session of its own, so that it receives the signal once."""
    interrupted = False
    process: Optional[subprocess.Popen[str]] = None

    def stop() -> None:
        nonlocal interrupted
        if process is not None and not interrupted:
            process.send_signal(signal.SIGINT)
        interrupted = True

    with on_ctrl_c(stop):
        process = subprocess.Popen(
            words,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        with process:
            try:
                if interrupted:
                    process.send_signal(signal.SIGINT)
                _, said = process.communicate()
            except BaseException:  # of a handler of the user
                process.send_signal(signal.SIGINT)
                raise
    return process.returncode, said, interrupted


def _compare_isolated(
    perp: str, problems: Problems, solvers: List[Record], rules: Record, jobs: int
) -> List[Record]:
    with tempfile.TemporaryDirectory(prefix="perp-") as name:
        folder = Path(name)
        names = _instances(folder, problems)
        suite = folder / "suite.json"
        whole = {"name": "all", "instances": list(names), "solvers": solvers}
        suite.write_text(json.dumps(dict(rules, name="python", sets=[whole])))
        output = folder / "runs"
        words = [perp, "compare", str(suite), "-o", str(output), "-j", str(jobs)]
        status, said, interrupted = _run([*words, "--quiet", "--no-report"])
        records = _read_records(output / "runs.jsonl", names)
    if interrupted:
        raise Interrupted(records)
    if status > 1 or status < 0:
        raise ArgumentError(said.strip() or f"perp compare: exit status {status}")
    return records


# In this process.


def _open(item: Any) -> Problem:
    if isinstance(item, Problem):
        return item
    text = os.fspath(item)
    if _is_call(text):
        raise UnsuitableError(f'"{text}" is made by the command perp, which was not found')
    return Problem.read(text)


def _status(error: Error) -> str:
    if isinstance(error, UnsuitableError):
        return "unsuitable"
    return "memory limit" if isinstance(error, OutOfMemoryError) else "error"


def _attempt(entry: Record, problem: Problem, rules: Record, repeats: int) -> Record:
    """One run as a record with the members of `perp compare`."""
    options = _options(entry, rules)
    record: Record = {
        "kind": problem.kind,
        "n": problem.n,
        "contacts": problem.contacts,
        "hash": problem.hash,
        "solver": entry["solver"],
        "label": entry.get("label", entry["solver"]),
        "friction": options.get("friction"),
        "seed": rules["seed"],
        "solved": False,
    }
    try:
        r = min((solve_with(problem, options) for _ in range(repeats)), key=lambda r: r.seconds)
    except Error as error:
        record.update(status=_status(error), message=str(error))
        return record
    record.update(
        {name: getattr(r, name) for name in _FOUND},
        status="ok",
        work=r.work,
        measures=r.measures,
        foreign=r.foreign,
        certificate={"kind": r.certificate.kind} if r.certificate else None,
    )
    return record


def _compare_here(
    problems: Problems, solvers: List[Record], rules: Record
) -> List[Record]:
    records: List[Record] = []
    fixed = {"time-limit": rules["limits"]["seconds"], "seed": rules["seed"]}
    try:
        for name, item in _named(problems):
            problem = _open(item)
            for entry in solvers:
                for tolerance in rules["tolerances"]:
                    asked = dict(fixed, tolerance=tolerance)
                    record = _attempt(entry, problem, asked, rules["repeats"])
                    records.append(_flat(dict(record, instance=name, tolerance=tolerance)))
    except KeyboardInterrupt:
        raise Interrupted(records) from None
    return records


def compare(
    problems: Problems,
    solvers: Any,
    tolerance: Any = 1e-8,
    seconds: float = 10.0,
    megabytes: float = 4096.0,
    repeats: int = 1,
    seed: int = 1,
    jobs: int = 1,
    isolated: Optional[bool] = None,
    end_by: str = "limits",
) -> List[Record]:
    """Every solver on every problem, one record per run: ``pandas.DataFrame(records)``.

    problems   a :class:`Problem`, a file, or a call of ``perp compare`` such as "generate:spd:n=50"
               or "scene:stack:step=3"; several of them in a list, or in a dict by name
    solvers    a name or a list of names; in place of a name a dict {"solver": NAME, OPTION: VALUE}
    tolerance  one or several
    seconds, megabytes, repeats, seed  limits of a run, least time of how many, random numbers
    jobs       runs at the same time
    isolated   True: each run is a process of its own, started by the command ``perp compare``, so
               that a solver that crashes or hangs is one failed record. False: in this process,
               one after the other, without a limit of memory. None: isolated where the command is
               found
    end_by     "limits": runs end by the limits of the comparison. "solver": also by the solver's own
               limit of iterations and its rule of stalls. OPTION end_by of a solver precedes it

    A record has the members of ``perp compare`` (instance, solver, status, outcome, solved,
    residual, iterations, seconds, …), and nested ones as "work.products", "measures.gap". Ctrl-C
    raises :class:`perp.Interrupted`, whose `result` has the records so far.
    """
    tolerances = [float(value) for value in np.atleast_1d(tolerance)]
    rules: Record = {
        "limits": {"seconds": float(seconds), "megabytes": float(megabytes)},
        "tolerances": tolerances,
        "repeats": whole("repeats", repeats, 1),
        "seed": whole("seed", seed, 0),
    }
    entries = _solver_list(solvers, end_by)
    perp = command() if isolated is not False else None
    if isolated and perp is None:
        raise ReadError("the command perp was not found: set PERP_EXECUTABLE, or isolated=False")
    if perp is None:
        return _compare_here(problems, entries, rules)
    return _compare_isolated(perp, problems, entries, rules, jobs)
