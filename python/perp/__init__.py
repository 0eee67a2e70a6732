# SPDX-License-Identifier: Apache-2.0
"""perp: linear complementarity and frictional contact problems, and simulations made of them.

    >>> import perp
    >>> perp.lcp([[2, 1], [1, 2]], [-1, 1]).z
    array([0.5, 0. ])

This package calls the shared libraries libperp-solvers and libperp-dynamics. It needs NumPy; sparse
matrices need SciPy. PERP_LIBRARY_PATH names the folders of libraries that are not installed.
"""

from __future__ import annotations

try:
    import numpy as _numpy  # noqa: F401
except ImportError:
    raise ImportError("perp needs NumPy (Debian: apt-get install python3-numpy)") from None

from ._blocks import Block
from ._compare import compare
from ._errors import (
    ArgumentError,
    DataError,
    Error,
    FormatError,
    Interrupted,
    LibraryError,
    NotSolvedError,
    OptionError,
    OutOfMemoryError,
    ReadError,
    UnsuitableError,
    WriteError,
)
from ._formulate import Formulation, formulate
from ._problem import Format, Label, Point, Problem, formats
from ._scene import scenes
from ._solve import (
    Certificate,
    Option,
    Result,
    Solution,
    Solver,
    friction,
    lcp,
    solve,
    solvers,
)
from ._version import __version__
from ._world import SavedState, Step, Trajectory, World, simulate

__all__ = [
    "ArgumentError",
    "Block",
    "Certificate",
    "DataError",
    "Error",
    "Format",
    "FormatError",
    "Formulation",
    "Interrupted",
    "Label",
    "LibraryError",
    "NotSolvedError",
    "Option",
    "OptionError",
    "OutOfMemoryError",
    "Point",
    "Problem",
    "ReadError",
    "Result",
    "Solution",
    "SavedState",
    "Solver",
    "Step",
    "Trajectory",
    "UnsuitableError",
    "World",
    "WriteError",
    "__version__",
    "compare",
    "formats",
    "formulate",
    "friction",
    "lcp",
    "scenes",
    "simulate",
    "solve",
    "solvers",
]
