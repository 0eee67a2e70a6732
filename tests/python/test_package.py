# SPDX-License-Identifier: Apache-2.0
"""The package as it is installed."""

import os
import re
import subprocess
import sys
import unittest

from support import SOURCE, scratch

import perp


def python(code, **environment):
    """Run code in a Python of its own; its result."""
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


class Package(unittest.TestCase):
    def test_its_version_is_that_of_configure(self):
        found = re.search(r"AC_INIT\(\[perp\], \[([^]]*)\]", (SOURCE / "configure.ac").read_text())
        self.assertEqual(perp.__version__, found.group(1))

    def test_every_module_is_installed_and_distributed(self):
        folder = SOURCE / "python" / "perp"
        listed = re.findall(r"%D%/perp/(\S+)", (SOURCE / "python" / "local.mk").read_text())
        there = [file.name for file in folder.iterdir() if file.suffix == ".py"] + ["py.typed"]
        self.assertEqual(sorted(listed), sorted(there))

    def test_every_test_is_distributed(self):
        folder = SOURCE / "tests" / "python"
        listed = re.findall(r"tests/python/(\S+\.py)", (folder.parent / "local.mk").read_text())
        self.assertEqual(sorted(listed), sorted(file.name for file in folder.glob("*.py")))

    def test_public_names_have_docstrings_and_types(self):
        for name in dir(perp):
            value = getattr(perp, name)
            if name.startswith("_") or not callable(value):
                continue
            self.assertTrue(value.__doc__, name)
            function = value if not isinstance(value, type) else value.__init__
            if hasattr(function, "__annotations__") and not is_error(value):
                self.assertTrue(function.__annotations__, name)

    def test_a_missing_library_is_named(self):
        with scratch() as folder:
            for name in ("libperp-solvers.so.0", "libperp-dynamics.so.0"):
                with open(os.path.join(folder, name), "w") as out:
                    out.write("no library")
            r = python("import perp", PERP_LIBRARY_PATH=folder)
        self.assertNotEqual(r.returncode, 0)
        self.assertIn("libperp-solvers.so.0", r.stderr)

    def test_libraries_of_another_version_are_refused(self):
        code = f"""
import sys, types
package = types.ModuleType("perp")  # without running its __init__
package.__path__ = [{str(SOURCE / "python" / "perp")!r}]
sys.modules["perp"] = package
import perp._version
perp._version.__version__ = "9.9.9"
import perp._library
"""
        r = python(code)
        self.assertIn("ImportError: perp: the package is 9.9.9, libperp-solvers is", r.stderr)

    def test_numpy_is_asked_for_by_name(self):
        r = python("import sys; sys.modules['numpy'] = None; import perp")
        self.assertIn("perp needs NumPy (Debian: apt-get install python3-numpy)", r.stderr)

    def test_scipy_is_not_needed_for_dense_problems(self):
        r = python(
            "import sys; sys.modules['scipy'] = None; sys.modules['scipy.sparse'] = None\n"
            "import perp; print(perp.lcp([[2, 1], [1, 2]], [-1, 1]).z)\n"
            "f = perp.formulate('stack', storage='csr'); print(f.problem.dense().shape)\n"
            "f.problem.A"
        )
        self.assertEqual(r.stdout.split("\n")[:2], ["[0.5 0. ]", "(240, 240)"], r.stderr)
        self.assertIn("install SciPy, or use Problem.dense()", r.stderr)


def is_error(value):
    return isinstance(value, type) and issubclass(value, BaseException)


if __name__ == "__main__":
    unittest.main()
