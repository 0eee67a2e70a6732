# SPDX-License-Identifier: Apache-2.0
"""What the tests of the package share."""

import os
import signal
import tempfile
import threading
import time
import unittest
from pathlib import Path

import numpy as np

SOURCE = Path(os.environ.get("PERP_SOURCE", Path(__file__).resolve().parents[2]))
BUILD = Path(os.environ.get("PERP_BUILD", SOURCE / "build"))
DATASETS = Path(os.environ.get("PERP_DATASETS", SOURCE / "datasets"))

try:
    import scipy.sparse as sparse
except ImportError:
    sparse = None

needs_scipy = unittest.skipUnless(sparse, "SciPy is not installed")


def scratch():
    """A folder below the build folder that is removed at the end of a `with`."""
    folder = BUILD / "tests" / "scratch"
    folder.mkdir(parents=True, exist_ok=True)
    return tempfile.TemporaryDirectory(prefix="python-", dir=folder)


def spd(n, seed=1):
    """A symmetric positive definite matrix with a diagonal of at least 1, in Fortran order."""
    B = np.random.default_rng(seed).standard_normal((n, n))
    return np.asfortranarray(B @ B.T / n + np.eye(n))


def vector(n, seed=2):
    """n normally distributed numbers."""
    return np.random.default_rng(seed).standard_normal(n)


def press_ctrl_c():
    """A thread that sends SIGINT once a call of the package has taken over its handler. Without such
    a call within half a minute it ends, so that a call which fails does not hold up the tests."""

    def press():
        end = time.monotonic() + 30
        while signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            if time.monotonic() > end:
                return
            time.sleep(0.01)
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    return thread
