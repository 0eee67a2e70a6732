# SPDX-License-Identifier: Apache-2.0
"""Finds and loads the two shared libraries, and calls their functions.

Searched in this order: the folders of the environment variable PERP_LIBRARY_PATH, separated by
colons; the folders above this package (``lib`` of the prefix under which it was installed); the
places where the system looks for libraries.
"""

from __future__ import annotations

import ctypes
import os
import shutil
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_size_t, c_void_p
from pathlib import Path
from typing import Any, Iterator, Optional

from . import _structs as c
from . import _structs_dynamics as d
from ._errors import from_status
from ._version import __version__

# Room behind each struct that Python allocates and C fills.
_SPARE = 4096


def _folders() -> Iterator[Path]:
    for name in os.environ.get("PERP_LIBRARY_PATH", "").split(":"):
        if name:
            yield Path(name)
    for folder in Path(__file__).resolve().parents:
        if folder.name.startswith("lib"):
            yield folder


def _load(name: str) -> ctypes.CDLL:
    for folder in _folders():
        if (folder / name).exists():
            return ctypes.CDLL(str(folder / name), mode=ctypes.RTLD_GLOBAL)
    try:
        return ctypes.CDLL(name, mode=ctypes.RTLD_GLOBAL)
    except OSError as error:
        raise ImportError(
            f"perp: cannot load {name}: {error}; PERP_LIBRARY_PATH names the folders that hold it"
        ) from None


solvers = _load("libperp-solvers.so.0")
dynamics = _load("libperp-dynamics.so.0")

_P = c_void_p
_problem = POINTER(c.perp_problem)
_operator = POINTER(c.perp_operator)
_type = POINTER(c.perp_solver_type)
_options = POINTER(c.perp_options)
_result = POINTER(c.perp_result)
_world = POINTER(d.perp_world)
_state = POINTER(d.perp_state)
_scheme = POINTER(d.perp_scheme)
_sizes = POINTER(c_size_t)

# Functions without a status: result, arguments.
_PLAIN = {
    "perp_version": (c_char_p,),
    "perp_outcome_text": (c_char_p, c_int),
    "perp_certificate_name": (c_char_p, c_int),
    "perp_rule_name": (c_char_p, c_int),
    "perp_set_kind_name": (c_char_p, c_int),
    "perp_kind_name": (c_char_p, c_int),
    "perp_label_kind_name": (c_char_p, c_int),
    "perp_problem_kind": (c_int, _problem),
    "perp_problem_contacts": (c_size_t, _problem),
    "perp_problem_hash": (ctypes.c_uint64, _problem),
    "perp_problem_free": (None, _problem),
    "perp_text_new": (c_void_p, c_char_p),
    "perp_operator_free": (None, _operator),
    "perp_operator_arrays": (c.perp_arrays, _operator),
    "perp_storage_name": (c_char_p, c_int),
    "perp_solvers": (POINTER(_type), _sizes),
    "perp_solver_print": (None, _type, _options, c_char_p, c_size_t),
    "perp_options_print": (None, _options, c_char_p, c_char_p, c_size_t),
    "perp_result_free": (None, _result),
    "perp_solutions_free": (None, POINTER(c.perp_solutions)),
    "perp_solution_kind_text": (c_char_p, c_int),
    "perp_formats": (POINTER(POINTER(c.perp_format)), _sizes),
    "perp_judge_free": (None, _P),
    "perp_judge_residual": (c_double, _P, _P),
    "perp_judge_measure": (None, _P, _P, c_double, POINTER(c.perp_measures)),
    "perp_certificate_check": (c_bool, POINTER(c.perp_certificate), _problem, c_char_p, c_size_t),
    "perp_scene_free": (None, POINTER(d.perp_scene)),
    "perp_stepper_free": (None, _P),
    "perp_stepper_state_size": (c_size_t, _P),
    "perp_stepper_state": (_state, _P),
    "perp_stepper_contacts": (POINTER(d.perp_contacts), _P),
    "perp_metrics": (POINTER(POINTER(d.perp_metric)), _sizes),
    "perp_world_find_joint": (ctypes.c_int32, _world, c_char_p),
    "perp_world_refresh": (None, _world, _state),
    "perp_scheme_print": (None, _scheme, c_char_p, c_char_p, c_size_t),
    "perp_contacts_clear": (None, POINTER(d.perp_contacts)),
    "perp_system_clear": (None, POINTER(d.perp_system)),
    "perp_system_velocities": (None, POINTER(d.perp_system), _P, _P),
    "perp_system_name": (None, POINTER(d.perp_system), _world, _P, c_size_t, c_char_p, c_size_t),
    "perp_rows_row": (c_void_p, POINTER(d.perp_rows), c_size_t, _P),
    "perp_rows_bodies": (c_void_p, POINTER(d.perp_rows), c_size_t),
    "perp_rows_rate": (c_double, POINTER(d.perp_rows), c_size_t, _P),
}

# Functions that return a status and end in a perp_error: the arguments before it.
_CHECKED = {
    "perp_problem_new_dense": (POINTER(_problem), c_size_t, _P, c_size_t, _P, _P, c_int, c_int),
    "perp_problem_new_csr": (POINTER(_problem), c_size_t, _P, _P, _P, _P, _P, c_int, c_int),
    "perp_problem_new_bsr": (
        POINTER(_problem), c_size_t, c_size_t, _P, _P, _P, _P, _P, c_int, c_int,
    ),
    "perp_problem_read": (
        POINTER(_problem), c_char_p, POINTER(c.perp_read_options), POINTER(c.perp_notes),
    ),
    "perp_problem_write": (_problem, c_char_p, c_char_p, c_char_p),
    "perp_operator_convert": (POINTER(_operator), _operator, c_int, c_size_t),
    "perp_judge_new": (POINTER(_P), _problem),
    "perp_solver_parse": (c_char_p, POINTER(_type), _options),
    "perp_options_init": (_options, _type, _type),
    "perp_options_set": (_options, c_char_p, c_char_p),
    "perp_result_new": (POINTER(_result), c_size_t),
    "perp_solutions_find": (_problem, POINTER(POINTER(c.perp_solutions))),
    "perp_solve": (_type, _problem, _options, _result),
    "perp_solver_view": (_type, _problem, _options, POINTER(_problem)),
    "perp_scene_read_with": (
        POINTER(POINTER(d.perp_scene)), c_char_p, POINTER(d.perp_scene_set), c_size_t,
    ),
    "perp_scene_parse_with": (
        POINTER(POINTER(d.perp_scene)), c_char_p, c_size_t, c_char_p, POINTER(d.perp_scene_set),
        c_size_t,
    ),
    "perp_scheme_set_quantity": (_scheme, c_char_p, c_char_p),
    "perp_quantity_read": (c_char_p, c_char_p, POINTER(c_double)),
    "perp_scheme_check": (_scheme,),
    "perp_world_reduce": (_world, POINTER(d.perp_reduction)),
    "perp_world_fit_coordinates": (_world, _state),
    "perp_stepper_new": (POINTER(_P), _world, _scheme, POINTER(d.perp_stepper_options)),
    "perp_stepper_set_dt": (_P, c_double),
    "perp_stepper_step": (_P, POINTER(d.perp_report)),
    "perp_stepper_save": (_P, _P, c_size_t),
    "perp_stepper_load": (_P, _P, c_size_t),
    "perp_stepper_contact_force": (_P, c_size_t, _P),
    "perp_stepper_joint_force": (_P, c_size_t, _P),
    "perp_step_formulate": (_world, _state, _scheme, _P, POINTER(d.perp_system)),
    "perp_system_export": (POINTER(d.perp_system), _world, _P, c_int, POINTER(_problem)),
}


def _function(name: str) -> Any:
    try:
        return getattr(solvers, name)
    except AttributeError:
        return getattr(dynamics, name)


def _declare() -> Any:
    """The functions as attributes; those of _CHECKED raise an exception for a status."""
    functions = type("functions", (), {})()
    for name, (result, *arguments) in _PLAIN.items():
        plain = _function(name)
        plain.restype, plain.argtypes = result, arguments
        setattr(functions, name, plain)
    for name, before in _CHECKED.items():
        checked = _function(name)
        checked.restype, checked.argtypes = c_int, [*before, POINTER(c.perp_error)]
        setattr(functions, name, _raising(checked))
    return functions


def _raising(function: Any) -> Any:
    def call(*arguments: Any) -> None:
        error = allocate(c.perp_error)
        status = function(*arguments, ctypes.byref(error))
        if status != 0:
            raise from_status(status, error.text.decode("utf-8", "replace"))

    return call


def allocate(struct: Any) -> Any:
    """A zeroed struct with spare room behind it."""
    memory = ctypes.create_string_buffer(ctypes.sizeof(struct) + _SPARE)
    return struct.from_buffer(memory)


lib = _declare()
sequential_impulses = c.perp_solver_type.in_dll(dynamics, "perp_sequential_impulses_solver")


def text(bytes_or_none: Optional[bytes]) -> str:
    """A string of C; "" for NULL."""
    return (bytes_or_none or b"").decode("utf-8", "replace")


def _check_version() -> None:
    found = text(lib.perp_version())
    if found != __version__:
        raise ImportError(
            f"perp: the package is {__version__}, libperp-solvers is {found}: "
            "install both from one release, or set PERP_LIBRARY_PATH"
        )


_check_version()


def _places() -> Iterator[Path]:
    """The folders above the package and above those that PERP_LIBRARY_PATH names: a prefix, or a
    folder in which perp was built."""
    for folder in _folders():
        yield from folder.resolve().parents


def data_files(pattern: str) -> Iterator[Path]:
    """Files that come with perp: $PERP_DATA_DIR, then a source tree, then the installation."""
    folders = [Path(os.environ["PERP_DATA_DIR"])] if os.environ.get("PERP_DATA_DIR") else []
    for place in _places():
        tree = place / "experiments" / "source-tree"
        if tree.is_file():
            folders.append(Path(tree.read_text().strip()))
        folders.append(place / "share" / "perp")
    for prefix in ("/usr/local", "/usr"):
        folders.append(Path(prefix) / "share" / "perp")
    for folder in folders:
        yield from sorted(folder.glob(pattern))


def command() -> Optional[str]:
    """The command perp: $PERP_EXECUTABLE, that of the libraries in use, or one in $PATH."""
    if os.environ.get("PERP_EXECUTABLE"):
        return os.environ["PERP_EXECUTABLE"]
    for place in _places():
        for file in (place / "perp", place / "bin" / "perp"):
            if file.is_file() and os.access(file, os.X_OK):
                return str(file)
    return shutil.which("perp")
