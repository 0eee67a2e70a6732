# SPDX-License-Identifier: Apache-2.0
"""The structs of the C headers of libperp-dynamics, as in ``_structs``."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_bool, c_char, c_char_p, c_double, c_int, c_int8, c_int32
from ctypes import c_size_t, c_uint, c_uint8, c_uint32, c_uint64, c_void_p

from ._structs import perp_options, perp_problem, perp_solver_type, perp_work

# Constants of the headers that the package uses by value; checked by the same test.
PERP_COORDINATES_MAXIMAL = 0
PERP_COORDINATES_REDUCED = 1


class perp_contact(ctypes.Structure):
    _fields_ = [
        ("i", c_int32),
        ("j", c_int32),
        ("point", c_double * 3),
        ("normal", c_double * 3),
        ("gap", c_double),
        ("mu", c_double),
        ("restitution", c_double),
        ("mu_rolling", c_double),
        ("erp", c_double),
        ("cfm", c_double),
        ("key", c_uint64),
        ("shape_i", c_uint32),
        ("shape_j", c_uint32),
        ("part_i", c_uint32),
        ("part_j", c_uint32),
        ("open", c_bool),
    ]


class perp_contacts(ctypes.Structure):
    _fields_ = [
        ("count", c_size_t),
        ("open", c_size_t),
        ("room", c_size_t),
        ("at", c_void_p),
    ]


class perp_state(ctypes.Structure):
    prefix = True
    _fields_ = [
        ("t", c_double),
        ("body_count", c_size_t),
        ("s", c_void_p),
        ("u", c_void_p),
        ("load", c_void_p),
    ]


class perp_world(ctypes.Structure):
    prefix = True
    _fields_ = [
        ("dimension", c_uint),
        ("gravity", c_double * 3),
        ("body_count", c_size_t),
        ("name", POINTER(c_char_p)),
        ("motion", c_void_p),
        ("disabled", c_void_p),
        ("gyro", c_void_p),
        ("gravity_scale", c_void_p),
        ("friction_frame", c_void_p),
        ("axis_joint", c_void_p),
        ("mass", c_void_p),
        ("inertia", c_void_p),
        ("inverse_mass", c_void_p),
        ("start", POINTER(perp_state)),
    ]


class perp_scheme(ctypes.Structure):
    _fields_ = [
        ("dt", c_double),
        ("model", c_int),
        ("eta", c_uint),
        ("restitution", c_int),
        ("bias", c_int),
        ("threshold", c_double),
        ("stabilize", c_int),
        ("erp", c_double),
        ("slop", c_double),
        ("max_correction", c_double),
        ("margin", c_double),
        ("limits", c_int),
        ("broad", c_void_p),
        ("narrow", c_void_p),
        ("reduce", c_uint),
        ("speculative", c_bool),
        ("threads", c_uint),
        ("integrator", c_int),
        ("turn", c_int),
        ("max_angle", c_double),
        ("gyro_split", c_int),
        ("override_gyro", c_bool),
        ("gyro", c_int),
        ("storage", c_int),
    ]


class perp_scene_set(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("value", c_char_p)]


class perp_scene_parameter(ctypes.Structure):
    _fields_ = [
        ("name", c_char * 48),
        ("value", c_double),
        ("usual", c_double),
        ("least", c_double),
        ("most", c_double),
        ("unit", c_char * 48),
        ("help", c_char * 128),
    ]


class perp_reduction(ctypes.Structure):
    _fields_ = [("euler", c_bool), ("no_chart_switch", c_bool), ("free_bodies", c_bool)]


class perp_scene(ctypes.Structure):
    prefix = True
    _fields_ = [
        ("name", c_char_p),
        ("title", c_char_p),
        ("description", c_char_p),
        ("answer", c_char_p),
        ("world", POINTER(perp_world)),
        ("scheme", perp_scheme),
        ("time", c_double),
        ("coordinates", c_int),
        ("reduction", perp_reduction),
        ("solver", c_char * 64),
        ("parameters", POINTER(perp_scene_parameter)),
        ("parameter_count", c_size_t),
        ("notes", POINTER(c_char_p)),
        ("note_count", c_size_t),
    ]


class perp_stepper_options(ctypes.Structure):
    _fields_ = [
        ("solver", POINTER(perp_solver_type)),
        ("options", POINTER(perp_options)),
        ("state", POINTER(perp_state)),
        ("cold", c_bool),
    ]


class perp_report(ctypes.Structure):
    _fields_ = [
        ("step", c_size_t),
        ("t", c_double),
        ("kinetic", c_double),
        ("potential", c_double),
        ("stored", c_double),
        ("ledger", c_double * 8),
        ("momentum", c_double * 3),
        ("angular_momentum", c_double * 3),
        ("contacts", c_size_t),
        ("rows", c_size_t),
        ("penetration", c_double),
        ("pairs", c_size_t),
        ("unresolved", c_size_t),
        ("drift_length", c_double),
        ("drift_angle", c_double),
        ("speed", c_double),
        ("outcome", c_int),
        ("residual", c_double),
        ("iterations", c_size_t),
        ("work", perp_work),
        ("seconds", c_double),
        ("warm", c_size_t),
        ("reason", c_char_p),
    ]


class perp_metric(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("unit", c_char_p),
        ("summary", c_char_p),
        ("value", ctypes.CFUNCTYPE(c_double, POINTER(perp_report))),
    ]


class perp_row_block(ctypes.Structure):
    _fields_ = [
        ("role", c_int),
        ("dim", c_uint8),
        ("axis", c_uint8),
        ("side", c_int8),
        ("first", c_size_t),
        ("source", c_size_t),
        ("key", c_uint64),
    ]


class perp_rows(ctypes.Structure):
    _fields_ = [
        ("count", c_size_t),
        ("block_count", c_size_t),
        ("J", c_void_p),
        ("frames", c_void_p),
        ("frames_from", c_size_t),
        ("body", c_void_p),
        ("bias", c_void_p),
        ("bias_position", c_void_p),
        ("bias_restitution", c_void_p),
        ("soft", c_void_p),
        ("lo", c_void_p),
        ("hi", c_void_p),
        ("blocks", POINTER(perp_row_block)),
        ("contact_blocks", c_size_t),
        ("any_soft", c_bool),
        ("seconds", c_void_p),
        ("second_count", c_size_t),
        ("second_room", c_size_t),
        ("room", c_size_t),
        ("block_room", c_size_t),
        ("row_room", c_size_t),
        ("frame_room", c_size_t),
        ("body_room", c_size_t),
        ("team", c_void_p),
    ]


class perp_system(ctypes.Structure):
    _fields_ = [
        ("rows", perp_rows),
        ("problem", perp_problem),
        ("keys", c_void_p),
        ("u_free", c_void_p),
        ("bodies", c_size_t),
        ("inverse_mass", c_void_p),
        ("inverse_inertia", c_void_p),
        ("mass", c_void_p),
        ("own", c_void_p),
    ]
