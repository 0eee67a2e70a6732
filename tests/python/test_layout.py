# SPDX-License-Identifier: Apache-2.0
"""The structs of the package are those of the C headers."""

import ctypes
import os
import shlex
import shutil
import subprocess
import unittest

from support import SOURCE, scratch

from perp import _structs, _structs_dynamics

MODULES = (_structs, _structs_dynamics)
COMPILER = shlex.split(os.environ.get("CC") or "cc")


def structs():
    """Each struct once, with its name."""
    for module in MODULES:
        for name, value in vars(module).items():
            if isinstance(value, type) and issubclass(value, ctypes.Structure):
                if value.__module__ == module.__name__:
                    yield name, value


def facts():
    """C expressions, each with the value that the package counts on."""
    for name, struct in structs():
        if not getattr(struct, "prefix", False):
            yield f"sizeof({name})", ctypes.sizeof(struct)
        for member, _ in struct._fields_:
            place = getattr(struct, member)
            yield f"offsetof({name}, {member})", place.offset
            yield f"sizeof((({name} *)0)->{member})", place.size
    for module in MODULES:
        for name, value in vars(module).items():
            if name.startswith("PERP_"):
                yield name, value


def program():
    lines = ["#include <stdio.h>", "#include <perp/extend.h>", "#include <perp/dynamics/dynamics.h>"]
    lines += ["#include <perp/dynamics/scene.h>", "#include <perp/dynamics/step.h>"]
    lines += ["int main(void)", "{"]
    lines += [f'    printf("%ld\\n", (long)({expression}));' for expression, _ in facts()]
    return "\n".join([*lines, "    return 0;", "}", ""])


class Layout(unittest.TestCase):
    @unittest.skipUnless(shutil.which(COMPILER[0]), f"{COMPILER[0]} is not installed")
    def test_structs_have_the_sizes_offsets_and_constants_of_the_headers(self):
        with scratch() as folder:
            source, binary = os.path.join(folder, "layout.c"), os.path.join(folder, "layout")
            with open(source, "w") as out:
                out.write(program())
            include = [f"-I{SOURCE / room}" for room in ("libsolvers", "libdynamics")]
            subprocess.run([*COMPILER, "-std=c11", *include, source, "-o", binary], check=True)
            printed = subprocess.run([binary], stdout=subprocess.PIPE, check=True).stdout.split()
        expected = list(facts())
        self.assertEqual(len(printed), len(expected))
        wrong = [
            f"{expression} is {int(found)} in the headers, {value} in python/perp"
            for found, (expression, value) in zip(printed, expected)
            if int(found) != value
        ]
        self.assertEqual(wrong, [])

    def test_every_member_of_a_struct_that_python_allocates_is_listed(self):
        names = {name for name, struct in structs() if not getattr(struct, "prefix", False)}
        allocated = {"perp_error", "perp_options", "perp_read_options", "perp_notes", "perp_report"}
        allocated |= {"perp_contacts", "perp_system", "perp_set", "perp_block", "perp_measures"}
        self.assertLessEqual(allocated, names)


if __name__ == "__main__":
    unittest.main()
