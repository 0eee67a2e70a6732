# SPDX-License-Identifier: Apache-2.0
"""The structs of the C headers of libperp-solvers, as ctypes sees them.

Each class lists the members of the struct of the same name, in the order of its header.
``tests/python/test_layout.py`` compiles a C program that prints the sizes and the offsets of the
headers and compares them with these classes. ``prefix = True`` marks a struct of which only the
first members are listed; Python only reads such structs and never allocates them.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_bool, c_char, c_char_p, c_double, c_int
from ctypes import c_size_t, c_ubyte, c_uint, c_uint64, c_void_p

# Constants of the headers that the package uses by value; the same test checks them.
PERP_OK = 0
PERP_ERR_MEMORY = 1
PERP_ERR_ARGUMENT = 2
PERP_ERR_DATA = 3
PERP_ERR_OPTION = 4
PERP_ERR_UNSUITABLE = 5
PERP_ERR_READ = 6
PERP_ERR_FORMAT = 7
PERP_ERR_WRITE = 8
PERP_ERR_LIBRARY = 9
PERP_ERR_NOT_SOLVED = 10
PERP_SET_FREE = 1
PERP_SET_NONNEG = 2
PERP_SET_BOX = 4
PERP_SET_FRICTION = 8
PERP_SET_CONE = 16
PERP_SET_ROLLING = 32
PERP_SET_DISK = 64
PERP_STORAGE_DENSE = 1
PERP_STORAGE_CSR = 2
PERP_STORAGE_BSR = 4
PERP_STORAGE_FACTORED = 8
PERP_STORAGE_PAIRS = 16
PERP_LAW_COULOMB = 0
PERP_LAW_ASSOCIATED = 1
PERP_DEMAND_SYMMETRIC = 1
PERP_DEMAND_POSITIVE_DEFINITE = 2
PERP_DEMAND_POSITIVE_SEMIDEFINITE = 4
PERP_DEMAND_POSITIVE_DIAGONAL = 8
PERP_COPY = 0
PERP_BORROW = 1
PERP_RUNNING = 0
PERP_SOLVED = 1
PERP_INTERRUPTED = 10
PERP_CERTIFICATE_NONE = 0
PERP_CERTIFICATE_INFEASIBLE = 1
PERP_CERTIFICATE_CYCLE = 4
PERP_OPTION_NONE = 0
PERP_OPTION_REAL = 1
PERP_OPTION_INTEGER = 2
PERP_OPTION_SWITCH = 3
PERP_OPTION_CHOICE = 4
PERP_OPTION_TEXT = 5
PERP_OPTION_LIST = 6


class perp_error(ctypes.Structure):
    _fields_ = [("status", c_int), ("text", c_char * 512)]


class perp_entries(ctypes.Structure):
    _fields_ = [("known", c_bool), ("asymmetry", c_double), ("largest", c_double)]


class perp_operator(ctypes.Structure):
    """Opaque: perp_operator_arrays has the arrays."""

    prefix = True
    _fields_ = []


class perp_arrays(ctypes.Structure):
    _fields_ = [
        ("storage", c_int),
        ("rows", c_size_t),
        ("cols", c_size_t),
        ("ld", c_size_t),
        ("block_size", c_size_t),
        ("count", c_size_t),
        ("ptr", c_void_p),
        ("col", c_void_p),
        ("x", c_void_p),
    ]


class perp_block(ctypes.Structure):
    _fields_ = [
        ("kind", c_int),
        ("dim", c_uint),
        ("first", c_size_t),
        ("lo", c_double),
        ("hi", c_double),
        ("mu", c_double),
        ("mu_rolling", c_double),
        ("radius", c_double),
        ("normal", c_size_t),
    ]


class perp_set(ctypes.Structure):
    _fields_ = [("n", c_size_t), ("count", c_size_t), ("blocks", c_void_p), ("capacity", c_size_t)]


class perp_point(ctypes.Structure):
    _fields_ = [("z", c_void_p), ("w", c_void_p), ("v", c_void_p)]


class perp_global(ctypes.Structure):
    _fields_ = [
        ("M", POINTER(perp_operator)),
        ("H", POINTER(perp_operator)),
        ("G", POINTER(perp_operator)),
        ("f", c_void_p),
    ]


class perp_label(ctypes.Structure):
    _fields_ = [
        ("kind", c_int),
        ("name", c_char_p),
        ("body", c_char_p * 2),
        ("joint", c_char_p),
        ("index", c_size_t),
        ("placed", c_bool),
        ("point", c_double * 3),
        ("normal", c_double * 3),
        ("gap", c_double),
        ("mu", c_double),
        ("key", c_uint64),
    ]


class perp_labels(ctypes.Structure):
    _fields_ = [("count", c_size_t), ("at", POINTER(perp_label))]


class perp_origin(ctypes.Structure):
    _fields_ = [
        ("source", c_char_p),
        ("version", c_char_p),
        ("units", c_char_p),
        ("licence", c_char_p),
        ("step", c_size_t),
        ("timed", c_bool),
        ("time", c_double),
        ("dt", c_double),
        ("hash", c_uint64),
    ]


class perp_problem(ctypes.Structure):
    _fields_ = [
        ("n", c_size_t),
        ("A", POINTER(perp_operator)),
        ("b", c_void_p),
        ("set", POINTER(perp_set)),
        ("law", c_int),
        ("global", POINTER(perp_global)),
        ("name", c_void_p),
        ("title", c_void_p),
        ("description", c_void_p),
        ("math_info", c_void_p),
        ("guesses", POINTER(perp_point)),
        ("guess_count", c_size_t),
        ("solution", POINTER(perp_point)),
        ("sealed", c_bool),
        ("entries", perp_entries),
        ("borrows_b", c_bool),
        ("borrows_set", c_bool),
        ("labels", POINTER(perp_labels)),
        ("origin", POINTER(perp_origin)),
        ("borrows_labels", c_bool),
    ]


class perp_option(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_int),
        ("value", c_double),
        ("low", c_double),
        ("high", c_double),
        ("open", c_bool),
        ("choices", c_char_p),
        ("help", c_char_p),
    ]


class perp_value(ctypes.Structure):
    _fields_ = [("number", c_double), ("text", c_char * 48), ("given", c_bool)]


class perp_solver_type(ctypes.Structure):
    prefix = True
    _fields_ = [
        ("name", c_char_p),
        ("family", c_char_p),
        ("summary", c_char_p),
        ("reference", c_char_p),
        ("algorithm", c_char_p),
        ("additions", c_char_p),
        ("sets", c_uint),
        ("laws", c_uint),
        ("storages", c_uint),
        ("demands", c_uint),
        ("flags", c_uint),
        ("certificates", c_uint),
        ("check_every", c_size_t),
        ("check_first", c_size_t),
        ("max_iterations", c_size_t),
        ("stall", c_size_t),
        ("inner", c_char_p),
        ("on_singular", c_char_p),
        ("chain", c_void_p),
        ("options", POINTER(perp_option)),
    ]


class perp_solutions(ctypes.Structure):
    _fields_ = [
        ("n", c_size_t),
        ("count", c_size_t),
        ("z", c_void_p),
        ("kind", c_void_p),
        ("joined", c_void_p),
        ("ray_count", c_size_t),
        ("ray", c_void_p),
        ("ray_of", c_void_p),
        ("lines", c_size_t),
        ("sets", c_size_t),
        ("singular", c_size_t),
        ("faces", c_size_t),
        ("complete", c_bool),
    ]


#: bool progress(context, iteration, residual, seconds)
progress_fn = ctypes.CFUNCTYPE(c_bool, c_void_p, c_size_t, c_double, c_double)


class perp_options(ctypes.Structure):
    _fields_ = [
        ("tables", POINTER(perp_option) * 3),
        ("solver", POINTER(perp_solver_type)),
        ("inner", POINTER(perp_solver_type)),
        ("registry", c_void_p),
        ("command", c_char * 256),
        ("values", perp_value * 64),
        ("interrupt", POINTER(c_int)),
        ("progress", progress_fn),
        ("progress_context", c_void_p),
        ("brief", c_bool),
    ]


class perp_percentiles(ctypes.Structure):
    _fields_ = [("max", c_double), ("p50", c_double), ("p90", c_double), ("p99", c_double)]


class perp_measures(ctypes.Structure):
    _fields_ = (
        [
            (name, c_double)
            for name in (
                "residual residual_coulomb residual_associated residual_local residual_literature "
                "residual_mean rounding e_abs beta_b beta_z "
                "feas_z feas_w gap relgap merit bilateral cone_gap cone_relgap objective "
                "objective_gap error_literature norm_map norm_b norm_z norm_w"
            ).split()
        ]
        + [
            (name, perp_percentiles)
            for name in (
                "penetration adhesion signorini cone dissipation direction lift penetration_rel "
                "adhesion_rel signorini_rel cone_rel dissipation_rel"
            ).split()
        ]
        + [
            (name, c_size_t)
            for name in (
                "contacts_free contacts_stick contacts_slide contacts_undecided"
            ).split()
        ]
        + [("seconds", c_double)]
    )


class perp_work(ctypes.Structure):
    _fields_ = [
        (name, c_double)
        for name in "products factorizations flops_factor pivots projections rounds".split()
    ]


class perp_history_sample(ctypes.Structure):
    _fields_ = [
        ("iteration", c_size_t),
        ("seconds", c_double),
        ("products", c_double),
        ("residual", c_double),
    ]


class perp_solution_path(ctypes.Structure):
    _fields_ = [("count", c_size_t), ("step", (c_char * 160) * 32), ("more", c_size_t)]


class perp_certificate(ctypes.Structure):
    _fields_ = [
        ("kind", c_int),
        ("n", c_size_t),
        ("y", c_void_p),
        ("dz", c_void_p),
        ("cover", c_void_p),
        ("z0", c_double),
        ("dz0", c_double),
        ("rule", c_int),
        ("steps", c_size_t),
        ("states", POINTER(c_ubyte)),
    ]


class perp_foreign(ctypes.Structure):
    _fields_ = [
        ("ran", c_bool),
        ("claim", c_char * 64),
        ("version", c_char * 64),
        ("reformulation", c_char * 160),
        ("seconds", c_double),
        ("wall_seconds", c_double),
        ("overhead_seconds", c_double),
        ("factor", c_double),
        ("calls", c_size_t),
        ("search_seconds", c_double),
        ("missed", c_double),
        ("false_claim", c_bool),
    ]


class perp_result(ctypes.Structure):
    prefix = True
    _fields_ = [
        ("n", c_size_t),
        ("z", c_void_p),
        ("w", c_void_p),
        ("outcome", c_int),
        ("reason", c_char * 256),
        ("residual", c_double),
        ("residual_given", c_double),
        ("measures", perp_measures),
        ("iterations", c_size_t),
        ("work", perp_work),
        ("seconds", c_double),
        ("prepare_seconds", c_double),
        ("setup_seconds", c_double),
        ("judge_seconds", c_double),
        ("bytes", c_size_t),
        ("foreign", perp_foreign),
        ("path", perp_solution_path),
        ("history", c_void_p),
        ("history_count", c_size_t),
        ("history_stride", c_size_t),
        ("certificate", perp_certificate),
        ("certificate_solver", c_char * 64),
    ]


class perp_read_options(ctypes.Structure):
    _fields_ = [
        ("format", c_char_p),
        ("kind", c_char_p),
        ("symmetric_upper", c_bool),
        ("item", c_size_t),
    ]


class perp_notes(ctypes.Structure):
    _fields_ = [("count", c_size_t), ("line", (c_char * 256) * 8)]


class perp_format(ctypes.Structure):
    prefix = True
    _fields_ = [
        ("name", c_char_p),
        ("summary", c_char_p),
        ("extension", c_char_p),
        ("reads", c_bool),
        ("writes", c_bool),
        ("memory", c_bool),
    ]
