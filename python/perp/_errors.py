# SPDX-License-Identifier: Apache-2.0
"""Exceptions: one class per status of the C interface, with the sentence of the library."""

from __future__ import annotations

from typing import Any


class Error(Exception):
    """What the library refused or could not do, in one sentence: the object, the place, what was
    found, what was expected. ``status`` is the text of the status in C."""

    status = "bad argument"


class OutOfMemoryError(Error, MemoryError):
    """PERP_ERR_MEMORY: there is not enough memory, or the limit of the workspace is reached."""

    status = "not enough memory"


class ArgumentError(Error, ValueError):
    """PERP_ERR_ARGUMENT: an argument does not fit the others."""

    status = "bad argument"


class DataError(Error, ValueError):
    """PERP_ERR_DATA: NaN, infinity, a negative coefficient of friction, lo > hi."""

    status = "bad data"


class OptionError(Error, ValueError):
    """PERP_ERR_OPTION: an unknown solver or option, or a value out of range."""

    status = "bad option"


class UnsuitableError(Error):
    """PERP_ERR_UNSUITABLE: this solver or format does not accept this problem."""

    status = "unsuitable"


class ReadError(Error, OSError):
    """PERP_ERR_READ: a file is missing, truncated or not readable."""

    status = "cannot read"


class FormatError(Error, ValueError):
    """PERP_ERR_FORMAT: a file is not what it should be."""

    status = "malformed"


class WriteError(Error, OSError):
    """PERP_ERR_WRITE: the disk is full, or there is no permission."""

    status = "cannot write"


class LibraryError(Error, RuntimeError):
    """PERP_ERR_LIBRARY: a library that perp uses failed."""

    status = "a library failed"


class NotSolvedError(Error):
    """PERP_ERR_NOT_SOLVED: no solution was found where one is required."""

    status = "not solved"


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a call. ``result`` has what was reached: a :class:`perp.Result`, a
    :class:`perp.Trajectory`, or the records of a comparison."""

    def __init__(self, result: Any = None) -> None:
        super().__init__()
        self.result = result


#: by the number of the status, from 1
CLASSES = (
    OutOfMemoryError,
    ArgumentError,
    DataError,
    OptionError,
    UnsuitableError,
    ReadError,
    FormatError,
    WriteError,
    LibraryError,
    NotSolvedError,
)


def from_status(status: int, text: str) -> Error:
    """The exception of a status other than PERP_OK."""
    known = 1 <= status <= len(CLASSES)
    return CLASSES[status - 1](text) if known else Error(text)
