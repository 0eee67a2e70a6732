# SPDX-License-Identifier: Apache-2.0
"""Solves, their results, errors, progress and Ctrl-C."""

import os
import signal
import sys
import threading
import unittest

import numpy as np
from support import needs_scipy, press_ctrl_c, scratch, sparse, spd, vector

import perp


def slow(**options):
    """A problem on which sweeps alternate between two points, until the time limit of a minute."""
    return dict(A=[[1, 1], [-1, 1]], b=[1.0, 1.0], lo=-np.inf, solver="pgs", stall=0,
                max_iterations=10**9, time_limit=60.0, **options)


class AllSolutions(unittest.TestCase):
    def test_all_solutions_are_listed_with_what_lies_around_them(self):
        r = perp.solve([[-1.0]], [1.0], solver="enumerate")
        self.assertEqual([(s.z[0], s.kind) for s in r.solutions], [(0, "isolated"), (1, "isolated")])
        r = perp.solve([[0.0, 0.0], [1.0, -1.0]], [0.0, -2.0], solver="enumerate")
        (corner,) = r.solutions
        np.testing.assert_array_equal(corner.z, [2, 0])
        np.testing.assert_array_equal(corner.rays, [[1, 0], [1, 1]])
        self.assertEqual(corner.kind, "unbounded")
        r = perp.solve([[1.0, 1.0], [1.0, 1.0]], [-1.0, -1.0], solver="enumerate")
        self.assertEqual([s.joined for s in r.solutions], [[1], [0]])
        self.assertIsNone(perp.solve([[1.0]], [1.0]).solutions)


class Solve(unittest.TestCase):
    def test_an_lcp_worked_by_hand_is_solved(self):
        # Row 1 is active, row 2 is not: z = (1/2, 0), w = (0, 3/2).
        r = perp.lcp([[2, 1], [1, 2]], [-1, 1])
        self.assertEqual(r.outcome, "solved")
        self.assertTrue(r.solved)
        np.testing.assert_allclose(r.z, [0.5, 0.0], atol=1e-14)
        np.testing.assert_allclose(r.w, [0.0, 1.5], atol=1e-14)

    def test_bounds_are_those_of_each_row(self):
        # w = 2 z + b with z clipped to [lo, hi]: -b/2 clipped.
        lo, hi = [-1, 0, -1, -np.inf], [1, 0.25, 1, np.inf]
        r = perp.solve(2 * np.eye(4), [1, -1, 4, 9], lo=lo, hi=hi)
        np.testing.assert_allclose(r.z, [-0.5, 0.25, -1.0, -4.5], atol=1e-12)

    def test_one_bound_alone_leaves_the_other_side_open(self):
        # w = z + b: z = -b where the bound permits.
        np.testing.assert_allclose(perp.solve(np.eye(2), [5, 6], hi=1).z, [-5, -6], atol=1e-12)
        np.testing.assert_allclose(perp.solve(np.eye(2), [-5, 6], hi=[1, 1]).z, [1, -6], atol=1e-12)
        np.testing.assert_allclose(perp.solve(np.eye(2), [-5, 6], lo=-1).z, [5, -1], atol=1e-12)

    def test_a_single_contact_slides_sticks_and_lifts_as_coulomb_says(self):
        # W = E: the normal impulse is 1; |b_T| below mu sticks, above it slides at the limit.
        sticks = perp.friction(np.eye(3), [-1, 0.3, 0.0], 0.5)
        slides = perp.friction(np.eye(3), [-1, 3.0, 4.0], 0.5)
        lifts = perp.friction(np.eye(3), [1, 3.0, 4.0], 0.5)
        np.testing.assert_allclose(sticks.z, [1, -0.3, 0], atol=1e-7)
        np.testing.assert_allclose(slides.z, [1, -0.3, -0.4], atol=1e-7)
        np.testing.assert_allclose(lifts.z, [0, 0, 0], atol=1e-7)

    def test_friction_in_the_plane_has_two_rows_per_contact(self):
        r = perp.friction(np.eye(4), [-1, 2.0, -2, 0.1], [0.5, 0.25], cones=2)
        np.testing.assert_allclose(r.z, [1, -0.5, 2, -0.1], atol=1e-7)

    def test_findex_bounds_a_row_by_the_impulse_of_its_normal(self):
        r = perp.solve(np.eye(3), [-2, 5, -0.5], mu=0.5, findex=[-1, 0, 0])
        np.testing.assert_allclose(r.z, [2, -1, 0.5], atol=1e-7)
        r = perp.solve(np.eye(3), [-2, 5, -0.5], mu=0.5, findex=[-1, 0, 0], lo=0, hi=1)
        np.testing.assert_allclose(r.z, [1, -0.5, 0.5], atol=1e-7)

    def test_cones_and_rows_with_bounds_share_a_problem(self):
        r = perp.solve(np.eye(5), [3, -1, 3, 4, -9], lo=[-1, 0, 0, 0, 0], hi=2, mu=0.5,
                       cones=[1, 3, 1])
        np.testing.assert_allclose(r.z, [-1, 1, -0.3, -0.4, 2], atol=1e-7)

    def test_blocks_state_any_set(self):
        blocks = [perp.Block("disk", 2, radius=0.5), perp.Block("free"),
                  perp.Block("box", lo=0, hi=1)]
        r = perp.solve(np.eye(4), [3, 4, 2, -7], blocks=blocks)
        np.testing.assert_allclose(r.z, [-0.3, -0.4, -2, 1], atol=1e-7)

    @needs_scipy
    def test_dense_and_sparse_matrices_give_the_same_answer(self):
        A, b = spd(30), vector(30)
        A[np.abs(A) < 0.1] = 0.0
        A = A + 30 * np.eye(30)
        dense = perp.lcp(A, b, solver="pgs", tolerance=1e-12)
        for make in (sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix):
            r = perp.lcp(make(A), b, solver="pgs", tolerance=1e-12)
            np.testing.assert_allclose(r.z, dense.z, atol=1e-10)
        blocks = sparse.bsr_matrix(A, blocksize=(3, 3))
        r = perp.friction(blocks, b, 0.3, solver="nsgs")
        np.testing.assert_allclose(r.z, perp.friction(A, b, 0.3, solver="nsgs").z, atol=1e-9)

    def test_every_layout_of_a_dense_matrix_is_read_as_the_same_matrix(self):
        rng = np.random.default_rng(3)
        A = rng.standard_normal((6, 6)) + 8 * np.eye(6)  # not symmetric
        b = vector(6)
        big = np.zeros((9, 11), order="F")
        big[:6, :6] = A
        wide = np.zeros((12, 12))
        wide[::2, ::2] = A
        reference = perp.lcp(A.tolist(), b, solver="lemke").z
        for layout in (A, np.asfortranarray(A), A.T.copy().T, big[:6, :6], wide[::2, ::2],
                       A.astype(">f8"), np.matrix(A)):
            np.testing.assert_array_equal(perp.lcp(layout, b, solver="lemke").z, reference)

    def test_the_result_has_measures_history_path_and_costs(self):
        r = perp.lcp(spd(40), vector(40), solver="pgs")
        self.assertEqual(r.solver, "pgs")
        self.assertEqual(r.measures["residual"], r.residual)
        self.assertEqual(set(r.measures["cone"]), {"max", "p50", "p90", "p99"})
        self.assertEqual(r.history.dtype.names, ("iteration", "seconds", "products", "residual"))
        self.assertEqual(r.history["iteration"][-1], r.iterations)
        self.assertGreater(r.work["products"], 0)
        self.assertGreater(len(r.path), 0)
        self.assertIn("residual", r.reason)
        self.assertGreater(r.seconds, 0)
        self.assertIn("solved", repr(r))

    def test_the_residual_is_that_of_the_judge(self):
        p = perp.Problem(spd(10), vector(10))
        r = p.solve()
        self.assertEqual(p.residual(r.z), r.residual)
        self.assertEqual(p.measures(r.z)["gap"], r.measures["gap"])
        self.assertGreater(p.residual(np.zeros(10)), 0.1)

    def test_a_start_at_the_solution_ends_at_once(self):
        A, b = spd(50), vector(50)
        cold = perp.lcp(A, b, solver="pgs", tolerance=1e-10)
        warm = perp.lcp(A, b, solver="pgs", start=cold.z)
        self.assertGreater(cold.iterations, 0)
        self.assertEqual(warm.iterations, 0)

    def test_a_limit_is_an_outcome_and_no_exception(self):
        r = perp.lcp(spd(50), vector(50), solver="pgs", max_iterations=1)
        self.assertEqual(r.outcome, "iteration limit")
        self.assertFalse(r.solved)

    def test_infeasibility_has_a_certificate_that_is_checked(self):
        # Row 1 reads w = -z - 1 < 0 for every z >= 0.
        r = perp.lcp([[-1, 0], [0, 1]], [-1, 2], solver="lemke")
        self.assertEqual(r.outcome, "infeasible")
        self.assertEqual(r.certificate.kind, "infeasible")
        self.assertTrue(r.certificate.holds)
        np.testing.assert_array_equal(r.certificate.y, [1, 0])

    def test_other_certificates_are_checked_on_the_problem_of_the_solver(self):
        M, q = [[-1, 2], [2, -1]], [-1, -1]
        kinds = {"lemke": "ray", "keller": "singular", "murty": "cycle"}
        for solver, kind in kinds.items():
            r = perp.lcp(M, q, solver=solver)
            self.assertEqual(r.certificate.kind, kind)
            self.assertEqual(r.certificate.solver, solver)
            self.assertTrue(r.certificate.holds, r.certificate)
        self.assertEqual(r.certificate.states.shape[1], 2)
        self.assertNotEqual(r.certificate.rule, "")

    def test_solvers_describe_themselves(self):
        by_name = {s.name: s for s in perp.solvers()}
        self.assertIn("auto", by_name)
        pgs = by_name["pgs"]
        self.assertIn("nonneg", pgs.sets)
        self.assertIn("csr", pgs.storages)
        option = {o.name: o for o in pgs.options}["relaxation"]
        self.assertEqual((option.kind, option.default), ("real", 1.0))
        self.assertTrue(all(s.summary and s.family and s.algorithm for s in by_name.values()))

    def test_options_are_passed_by_their_kind(self):
        r = perp.lcp(spd(20), vector(20), solver="pgs", relaxation=1.2, history=False)
        self.assertEqual(len(r.history), 0)
        r = perp.lcp(spd(20), vector(20), solver="nsgs relaxation=0.7")
        self.assertTrue(r.solved)


class OtherCodes(unittest.TestCase):
    """A program of another language as a solver."""

    PROGRAM = """
import json, os, numpy as np
problem = np.load(os.environ["PERP_INSTANCE"])
z = np.maximum(0.0, -problem["b"] / np.diag(problem["A"])) * {factor}
with open(os.environ["PERP_SOLUTION"], "w") as out:
    json.dump({{"z": z.tolist(), "claim": "solved", "version": "mine 1.0"}}, out)
"""

    def run_program(self, factor):
        with scratch() as folder:
            path = os.path.join(folder, "mine.py")
            with open(path, "w") as out:
                out.write(self.PROGRAM.format(factor=factor))
            return perp.lcp(np.diag([2.0, 4.0]), [-1.0, 2.0],
                            solver=f'exec:"{sys.executable} {path}"')

    def test_another_code_runs_as_a_solver(self):
        r = self.run_program(1.0)
        self.assertEqual(r.outcome, "solved")
        np.testing.assert_array_equal(r.z, [0.5, 0.0])
        self.assertEqual((r.foreign["claim"], r.foreign["version"]), ("solved", "mine 1.0"))
        self.assertFalse(r.foreign["false_claim"])
        self.assertIsNone(perp.lcp(np.eye(2), [1, 2]).foreign)

    def test_a_false_claim_is_shown_as_such(self):
        r = self.run_program(2.0)
        self.assertNotEqual(r.outcome, "solved")
        self.assertTrue(r.foreign["false_claim"])


class Errors(unittest.TestCase):
    def refuses(self, error, words, *arguments, **options):
        with self.assertRaises(error) as caught:
            perp.solve(*arguments, **options)
        self.assertIsInstance(caught.exception, perp.Error)
        for word in words.split("|"):
            self.assertIn(word, str(caught.exception))

    def test_an_error_has_the_sentence_of_the_library(self):
        self.refuses(perp.DataError, "b[1] is nan, expected a finite number",
                     np.eye(2), [1, np.nan])
        self.refuses(perp.OptionError, 'unknown solver "lemk", the nearest is "lemke"',
                     np.eye(2), [1, 2], solver="lemk")
        self.refuses(perp.OptionError, 'unknown option "tolerence", the nearest is "tolerance"',
                     np.eye(2), [1, 2], tolerence=1)
        self.refuses(perp.OptionError, "tolerance", np.eye(2), [1, 2], tolerance=-1)
        self.refuses(perp.UnsuitableError, "lemke", np.eye(3), [1, 2, 3], mu=0.5, solver="lemke")

    def test_classes_are_those_of_python_too(self):
        for error, base in ((perp.DataError, ValueError), (perp.OptionError, ValueError),
                            (perp.ReadError, OSError), (perp.OutOfMemoryError, MemoryError)):
            self.assertTrue(issubclass(error, base) and issubclass(error, perp.Error))
        with self.assertRaises(OSError):
            perp.Problem.read("/no/such/file.hdf5")

    def test_arguments_that_do_not_fit_are_refused(self):
        E = np.eye(4)
        self.refuses(perp.ArgumentError, "A is 2 x 3, expected a square matrix",
                     np.ones((2, 3)), [1, 2])
        self.refuses(perp.ArgumentError, "b has 3 numbers, expected 4", E, [1, 2, 3])
        self.refuses(perp.ArgumentError, "b is missing", E)
        self.refuses(perp.ArgumentError, "lo has 2 numbers, expected 4", E, np.ones(4), lo=[1, 2])
        self.refuses(perp.ArgumentError, "4 rows are no whole number", E, np.ones(4), mu=0.5)
        self.refuses(perp.ArgumentError, "sum to 3, expected 4", E, np.ones(4), mu=1, cones=[3])
        self.refuses(perp.ArgumentError, "mu is missing", E, np.ones(4), cones=2)
        self.refuses(perp.ArgumentError, "mu has 3 numbers", E, np.ones(4), mu=[1, 2, 3], cones=2)
        self.refuses(perp.ArgumentError, "give one of them", E, np.ones(4), findex=[0] * 4, cones=2)
        self.refuses(perp.ArgumentError, "no bounds", E, np.ones(4), mu=1, cones=2, lo=0)
        self.refuses(perp.ArgumentError, 'law is "dry"', E, np.ones(4), law="dry")
        self.refuses(perp.ArgumentError, "not an array of numbers", E, ["a"] * 4)
        self.refuses(perp.ArgumentError, "start has 1 number", E, np.ones(4), start=[1])
        self.refuses(perp.ArgumentError, "A is complex", np.array([[2, 1j], [0, 2]]), [1, 2])
        self.refuses(perp.ArgumentError, "b is complex", np.eye(2), [1, 2j])
        self.refuses(perp.ArgumentError, "hi is complex", np.eye(2), [1, 2], hi=2j)
        friction = dict(mu=0.5, findex=[-1, 0, 0])
        self.refuses(perp.ArgumentError, "lo[1] is -0.1, expected 0 or -inf", np.eye(3), [1, 2, 3],
                     lo=[0, -0.1, -0.1], **friction)
        self.refuses(perp.ArgumentError, "hi[2] is 0.1, expected 0 or inf", np.eye(3), [1, 2, 3],
                     hi=[9, 0, 0.1], **friction)
        self.refuses(perp.ArgumentError, "hi[2] is 2, expected 0 or inf", E, np.ones(4), mu=1,
                     cones=[1, 3], hi=[1, 0, 2, 0])
        for bad, words in ((0.9, "findex[2] is 0.9, expected a row from 0 to 2, or -1"),
                           (np.nan, "findex[2] is nan"), (-2, "findex[2] is -2")):
            self.refuses(perp.ArgumentError, words, np.eye(3), [1, 2, 3], mu=0.5,
                         findex=[-1, 0, bad])
        self.refuses(perp.ArgumentError, "no whole number", np.eye(3), [1, 2, 3], mu=1, cones=3.5)
        rows = [perp.Block("nonneg"), perp.Block("friction", normal=0.9, mu=1)]
        self.refuses(perp.ArgumentError, "blocks[1].normal is 0.9", np.eye(2), [1, 2], blocks=rows)
        self.refuses(perp.ArgumentError, "no guess", E, np.ones(4), start="guess")
        cube = [perp.Block("cube")]
        self.refuses(perp.ArgumentError, 'kind is "cube"', E, np.ones(4), blocks=cube)
        self.refuses(perp.ArgumentError, "give it alone", perp.Problem(E, np.ones(4)), np.ones(4))
        self.refuses(perp.ArgumentError, "alone", perp.Problem(E, np.ones(4)), law="associated")

    def test_integers_that_no_double_holds_are_refused(self):
        odd, even = 2**53 + 1, 2**53 + 2
        self.assertEqual(perp.Problem([[1]], [even]).b[0], float(even))
        self.assertEqual(perp.Problem([[1]], [2**70]).b[0], 2.0**70)
        words = f"b has the entry {odd}, expected integers that a double holds"
        self.refuses(perp.ArgumentError, words, [[1]], [odd])
        self.refuses(perp.ArgumentError, "A has the entry -9007199254740993", [[-odd]], [1])
        most = np.array([2**64 - 1], dtype=np.uint64)
        self.refuses(perp.ArgumentError, "b has the entry 18446744073709551615", [[1]], most)
        self.refuses(perp.ArgumentError, "b has the entry", [[1]], [2**70 + 1])

    def test_data_that_no_solver_may_see_are_refused(self):
        E = np.eye(2)
        self.refuses(perp.DataError, "A", [[1, np.inf], [0, 1]], [1, 2])
        self.refuses(perp.DataError, "lo", E, [1, 2], lo=1, hi=0)
        self.refuses(perp.DataError, "mu", np.eye(3), [1, 2, 3], mu=-1)
        self.refuses(perp.DataError, "", E, [1, 2], mu=1, findex=[-1, 7])


class Progress(unittest.TestCase):
    def test_progress_is_called_in_the_thread_of_the_caller(self):
        seen = []

        def progress(iteration, residual, seconds):
            seen.append((iteration, residual, seconds, threading.current_thread()))

        r = perp.lcp(spd(60), vector(60), solver="pgs", check_every=1, progress=progress)
        self.assertTrue(r.solved)
        self.assertGreater(len(seen), 2)
        self.assertLess(seen[-1][1], seen[0][1])
        self.assertTrue(all(entry[3] is threading.current_thread() for entry in seen))

    def test_progress_that_returns_false_ends_the_solve(self):
        r = perp.solve(**slow(progress=lambda iteration, residual, seconds: iteration < 20))
        self.assertEqual(r.outcome, "interrupted")

    def test_an_exception_in_progress_reaches_the_caller(self):
        def progress(*_):
            raise ZeroDivisionError("in progress")

        with self.assertRaisesRegex(ZeroDivisionError, "in progress"):
            perp.solve(**slow(progress=progress))

    def test_ctrl_c_ends_a_solve_and_keeps_its_best_point(self):
        finger = press_ctrl_c()
        with self.assertRaises(KeyboardInterrupt) as caught:
            perp.solve(**slow())
        finger.join()
        self.assertIsInstance(caught.exception, perp.Interrupted)
        self.assertEqual(caught.exception.result.outcome, "interrupted")
        self.assertEqual(len(caught.exception.result.z), 2)

    def test_a_handler_of_the_user_ends_a_solve_by_its_exception(self):
        def handler(_number, _frame):
            raise TimeoutError("alarm")

        before = signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        try:
            with self.assertRaisesRegex(TimeoutError, "alarm"):
                perp.solve(**slow())
        finally:
            signal.signal(signal.SIGALRM, before)

    def test_the_handler_of_ctrl_c_is_restored(self):
        before = signal.getsignal(signal.SIGINT)
        perp.lcp(np.eye(2), [-1, 1])
        self.assertIs(signal.getsignal(signal.SIGINT), before)

    def test_a_solve_in_another_thread_reports_and_ends(self):
        answers = []
        stop = lambda iteration, residual, seconds: iteration < 20
        thread = threading.Thread(target=lambda: answers.append(perp.solve(**slow(progress=stop))))
        thread.start()
        thread.join()
        self.assertEqual(answers[0].outcome, "interrupted")

    def test_two_threads_solve_at_once(self):
        A, b = spd(80), vector(80)
        expected = perp.lcp(A, b, solver="pgs").z
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(perp.lcp(A, b, solver="pgs").z))
                   for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(answers), 4)
        for z in answers:
            np.testing.assert_array_equal(z, expected)


if __name__ == "__main__":
    unittest.main()
