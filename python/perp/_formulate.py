# SPDX-License-Identifier: Apache-2.0
"""The problem of the next step of a world, with the map of its rows."""

from __future__ import annotations

import ctypes
import weakref
from typing import Any, List, Union

import numpy as np

from . import _structs as c
from . import _structs_dynamics as d
from ._errors import OptionError
from ._library import allocate, lib, text
from ._memory import address, doubles, vector, view
from ._problem import Problem
from ._scene import Scene
from ._world import World

_STORAGES = {
    "csr": c.PERP_STORAGE_CSR,
    "bsr": c.PERP_STORAGE_BSR,
    "factored": c.PERP_STORAGE_FACTORED,
}


class Formulation:
    """Contacts, joints, limits and motors of a step as a problem w = A z + b.

    problem   the problem: impulses z [N s or N m s], velocities w [m/s or rad/s]
    rows      the name of each row: "contact box/ground: normal", "revolute elbow: x"
    bodies    rows x 2: numbers of the two bodies, -1 for one that impulses cannot move
    J         rows x 12: (linear, angular) of the first body, then of the second; w = J u - bias
    u_free    bodies x 6: velocities at the end of the step without impulses
    world     its world, in the state of the formulation

    Auxiliary rows of the pyramid have J = 0 and the bodies -1. The row of a gear has J and bodies of
    its first joint only; rates() has J u of both.
    """

    def __init__(self, world: World, storage: str = "bsr") -> None:
        if storage not in _STORAGES:
            raise OptionError(
                f'storage is "{storage}", expected one of: {", ".join(_STORAGES)}'
            )
        self.world = world
        self._system = allocate(d.perp_system)
        self._contacts = allocate(d.perp_contacts)
        self._finalizer = weakref.finalize(self, _free, self._system, self._contacts)
        scene = world._scene.contents
        lib.perp_step_formulate(
            scene.world,
            world._state,
            ctypes.byref(scene.scheme),
            ctypes.addressof(self._contacts),
            ctypes.byref(self._system),
        )
        self.problem = self._export(_STORAGES[storage])
        self.rows = self._names()
        self.bodies, self.J = self._jacobian()
        self.u_free = np.array(view(self, self._system.u_free, (self._system.bodies, 6)))

    def _export(self, storage: int) -> Problem:
        if self._system.problem.n == 0:
            return Problem(np.zeros((0, 0)), np.zeros(0))
        head = ctypes.POINTER(c.perp_problem)()
        lib.perp_system_export(
            ctypes.byref(self._system),
            self.world._scene.contents.world,
            ctypes.addressof(self._contacts),
            storage,
            ctypes.byref(head),
        )
        if not head.contents.name:
            head.contents.name = lib.perp_text_new(self.world.name.encode())
        return Problem._from_c(head)

    def _names(self) -> List[str]:
        out = ctypes.create_string_buffer(512)
        names = []
        for row in range(self._system.problem.n):
            lib.perp_system_name(
                ctypes.byref(self._system),
                self.world._scene.contents.world,
                ctypes.addressof(self._contacts),
                row,
                out,
                len(out),
            )
            names.append(text(out.value))
        return names

    def _jacobian(self) -> Any:
        rows = ctypes.byref(self._system.rows)
        n = self._system.problem.n
        bodies = np.full((n, 2), -1, dtype=np.int32)
        J = np.zeros((n, 12))
        made = (ctypes.c_double * 12)()
        for row in range(self._system.rows.count):
            J[row] = view(None, lib.perp_rows_row(rows, row, made), (12,))
            bodies[row] = view(None, lib.perp_rows_bodies(rows, row), (2,), np.int32)
        return bodies, J

    @property
    def A(self) -> Any:
        """The matrix A = J M^-1 J^T + C of the problem."""
        return self.problem.A

    @property
    def b(self) -> np.ndarray:
        """b = J u_free - bias."""
        return self.problem.b

    @property
    def lo(self) -> np.ndarray:
        """Lower bounds of z; NaN for the rows of cones and friction rows."""
        return self.problem.lo

    @property
    def hi(self) -> np.ndarray:
        """Upper bounds of z; NaN for the rows of cones and friction rows."""
        return self.problem.hi

    @property
    def mu(self) -> np.ndarray:
        """Coefficients of friction of the contacts."""
        return self.problem.mu

    def velocities(self, z: Any) -> np.ndarray:
        """bodies x 6: u_free + M^-1 J^T z, the velocities that the impulses z lead to."""
        impulses = vector(z, self.problem.n, "z")
        u = np.array(self.u_free)
        if self.problem.n:
            lib.perp_system_velocities(ctypes.byref(self._system), address(impulses), address(u))
        return u

    def rates(self, u: Any) -> np.ndarray:
        """J u of every row over the bodies that impulses move, for bodies x 6 velocities u."""
        velocities = np.ascontiguousarray(doubles(u, "u")).reshape(-1)
        velocities = vector(velocities, 6 * self._system.bodies, "u")
        rates = np.zeros(self.problem.n)
        for row in range(self._system.rows.count):
            rates[row] = lib.perp_rows_rate(ctypes.byref(self._system.rows), row, address(velocities))
        return rates

    def __repr__(self) -> str:
        return f"<perp.Formulation of {self.world.name}: {self.problem!r}>"


def _free(system: Any, contacts: Any) -> None:
    lib.perp_system_clear(ctypes.byref(system))
    lib.perp_contacts_clear(ctypes.byref(contacts))


def formulate(scene: Union[Scene, World], storage: str = "bsr", **settings: Any) -> Formulation:
    """The problem of the next step of a world, or of the first step of a scene.

    storage   of A: "bsr" [where all blocks have one size, else CSR], "csr", or "factored", which
              keeps J M^-1 J^T in factors
    settings  of :class:`World`, where a scene is given
    """
    world = scene if isinstance(scene, World) else World(scene, **settings)
    return Formulation(world, storage)
