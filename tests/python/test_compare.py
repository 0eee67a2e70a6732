# SPDX-License-Identifier: Apache-2.0
"""Comparisons through the command and in this process."""

import os
import unittest

import numpy as np
from support import DATASETS, press_ctrl_c, scratch, spd, vector

import perp
from perp import _library

needs_command = unittest.skipUnless(_library.command(), "the command perp is not built")


def problem(n=20, seed=1):
    return perp.Problem(spd(n, seed), vector(n, seed), name=f"spd-{seed}")


class Compare(unittest.TestCase):
    @needs_command
    def test_both_ways_give_the_same_records_but_for_times(self):
        solvers = ["lemke", {"solver": "pgs", "label": "over", "relaxation": 1.3}, "ds:mpgp"]
        problems = [problem(seed=1), problem(seed=2)]
        isolated = perp.compare(problems, solvers, tolerance=[1e-6, 1e-9], isolated=True)
        here = perp.compare(problems, solvers, tolerance=[1e-6, 1e-9], isolated=False)
        self.assertEqual(len(here), 12)
        same = "instance kind n contacts solver label tolerance status outcome solved hash".split()

        def key(record):
            return tuple(str(record[name]) for name in [*same, "iterations"])

        self.assertEqual(sorted(map(key, isolated)), sorted(map(key, here)))
        self.assertLessEqual(set(here[0]), set(isolated[0]))
        self.assertEqual(
            {r["work.pivots"] for r in isolated if r["solver"] == "lemke"},
            {r["work.pivots"] for r in here if r["solver"] == "lemke"},
        )

    @needs_command
    def test_files_and_calls_are_compared_through_the_command(self):
        file = DATASETS / "siconos-fc3d" / "NESpheres_10_1.dat"
        records = perp.compare([file, "generate:incline:mu=0.5"], "nsgs")
        self.assertEqual([r["solved"] for r in records], [True, True])
        self.assertEqual(records[0]["kind"], "fc3d")
        self.assertEqual([r["instance"] for r in records], [file.stem, "generate:incline:mu=0.5"])
        named = perp.compare({"spheres": file, "mine": problem()}, "nsgs")
        self.assertEqual([r["instance"] for r in named], ["spheres", "mine"])

    def test_records_are_flat(self):
        for record in perp.compare(problem(), "pgs", isolated=False):
            for name, value in record.items():
                self.assertIsInstance(value, (str, int, float, bool, type(None)), name)
            self.assertIn("measures.cone.p99", record)

    def test_problems_have_the_names_of_a_dict_and_equal_names_are_numbered(self):
        named = perp.compare({"a": problem(), "b": problem()}, "lemke", isolated=False)
        self.assertEqual([r["instance"] for r in named], ["a", "b"])
        listed = perp.compare([problem(), problem()], "lemke", isolated=False)
        self.assertEqual([r["instance"] for r in listed], ["spd-1", "spd-1-2"])

    def test_runs_end_by_the_limits_unless_the_solver_shall_decide(self):
        # Gauss-Seidel has a cycle of two points here.
        turning = perp.Problem(np.array([[1.0, -3.0], [3.0, 1.0]]), np.array([1.0, -1.0]))
        for isolated in (True, False):
            solvers = ["pgs", {"solver": "pgs", "label": "pgs by its rules", "end_by": "solver"}]
            records = perp.compare(turning, solvers, seconds=0.2, isolated=isolated)
            self.assertEqual([r["outcome"] for r in records], ["time limit", "stalled"])
            # A solver's own choice precedes that of the comparison.
            solvers = ["pgs", {"solver": "pgs", "label": "pgs by limits", "end_by": "limits"}]
            records = perp.compare(
                turning, solvers, seconds=0.2, isolated=isolated, end_by="solver"
            )
            self.assertEqual([r["outcome"] for r in records], ["stalled", "time limit"])
            self.assertEqual([r["label"] for r in records], ["pgs", "pgs by limits"])
            with self.assertRaisesRegex(perp.OptionError, "limits"):
                perp.compare(turning, "pgs", isolated=isolated, end_by="time")

    def test_a_solver_that_refuses_is_a_record(self):
        contact = perp.Problem(spd(3), vector(3), mu=0.5, name="contact")
        record = perp.compare(contact, "lemke", isolated=False)[0]
        self.assertEqual((record["status"], record["solved"]), ("unsuitable", False))
        self.assertIn("lemke", record["message"])

    def test_unknown_solvers_and_options_are_refused_before_anything_runs(self):
        for isolated in (None, False):
            with self.assertRaisesRegex(perp.OptionError, 'unknown solver "lemk"'):
                perp.compare(problem(), ["pgs", "lemk"], isolated=isolated)
            with self.assertRaisesRegex(perp.OptionError, "relaxtion"):
                perp.compare(problem(), {"solver": "pgs", "relaxtion": 1}, isolated=isolated)
        with self.assertRaisesRegex(perp.ArgumentError, "no member"):
            perp.compare(problem(), [{"label": "x"}])

    @needs_command
    def test_a_process_that_dies_is_one_failed_record(self):
        script = "#!/bin/sh\nkill -SEGV $$\n"
        with scratch() as folder:
            fake = os.path.join(folder, "perp")
            with open(fake, "w") as out:
                out.write(script)
            os.chmod(fake, 0o755)
            with scratch() as other:
                record = self.compare_with_runs_by(fake, other)
        self.assertIn("crash", record["status"])
        self.assertFalse(record["solved"])

    def compare_with_runs_by(self, fake, folder):
        """The real command, whose runs are processes of another program."""
        wrapper = os.path.join(folder, "perp")
        with open(wrapper, "w") as out:
            out.write(f'#!/bin/sh\nPERP_EXECUTABLE={fake} exec {_library.command()} "$@"\n')
        os.chmod(wrapper, 0o755)
        os.environ["PERP_EXECUTABLE"] = wrapper
        try:
            return perp.compare(problem(), "lemke", isolated=True)[0]
        finally:
            del os.environ["PERP_EXECUTABLE"]

    @needs_command
    def test_ctrl_c_ends_a_comparison_and_keeps_its_records(self):
        finger = press_ctrl_c()
        with self.assertRaises(perp.Interrupted) as caught:
            perp.compare(
                "generate:contacts:contacts=40", "auto", tolerance=0.0, seconds=20, repeats=900
            )
        finger.join()
        self.assertIsInstance(caught.exception.result, list)


if __name__ == "__main__":
    unittest.main()
