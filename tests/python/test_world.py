# SPDX-License-Identifier: Apache-2.0
"""Worlds, runs and the problems of their steps."""

import gc
import unittest

import numpy as np
from support import SOURCE, press_ctrl_c

import perp

G = 9.81
BALL = {
    "name": "ball",
    "scheme": {"dt": "10 ms"},
    "bodies": [
        {
            "name": "ball",
            "mass": "2 kg",
            "position": [0, 0, 5],
            "shapes": [{"type": "sphere", "radius": "50 cm"}],
        }
    ],
    "ground": {},
}


class Worlds(unittest.TestCase):
    def test_a_falling_ball_follows_the_symplectic_rule(self):
        # z_k = z_0 - g dt^2 k (k + 1)/2, v_k = -g dt k.
        run = perp.simulate(BALL, steps=20)
        k = np.arange(21)
        np.testing.assert_allclose(run.poses[:, 0, 2], 5 - G * 1e-4 * k * (k + 1) / 2, rtol=1e-12)
        np.testing.assert_allclose(run.velocities[:, 0, 2], -G * 0.01 * k, atol=1e-12)
        np.testing.assert_allclose(run.t, 0.01 * k, atol=1e-12)
        self.assertEqual(run.bodies, ["ball", "world"])

    def test_metrics_and_outcomes_are_of_each_step_and_frames_of_every_nth(self):
        run = perp.simulate(BALL, steps=10, every=5)
        np.testing.assert_array_equal(run.step, [0, 5, 10])
        self.assertEqual(run.outcomes, ["solved"] * 10)
        self.assertEqual(len(run.metrics["kinetic"]), 10)
        np.testing.assert_allclose(run.metrics["kinetic"][-1], run.velocities[-1, 0, 2] ** 2)

    def test_the_length_of_a_run_is_a_number_of_steps_a_time_or_that_of_the_scene(self):
        self.assertEqual(len(perp.simulate(BALL, time=0.25).outcomes), 25)
        usual = perp.World("pendulum", dt=0.1)
        self.assertEqual(usual.duration, 4.0)
        self.assertEqual(len(usual.run().outcomes), 40)
        with self.assertRaises(perp.ArgumentError):
            perp.simulate(BALL, steps=1, time=1)

    def test_a_run_ends_at_the_time_asked_for_with_a_shorter_last_step(self):
        run = perp.simulate(BALL, time=0.025)
        np.testing.assert_allclose(run.t, [0, 0.01, 0.02, 0.025], atol=1e-15)
        h = np.array([0.01, 0.01, 0.005])
        v = -G * np.cumsum(h)
        np.testing.assert_allclose(run.velocities[1:, 0, 2], v, rtol=1e-14)
        np.testing.assert_allclose(run.poses[-1, 0, 2], 5 + np.dot(v, h), rtol=1e-14)

    def test_lengths_and_times_may_have_a_unit_and_numbers_of_steps_are_whole(self):
        world = perp.World(BALL, dt="1/60 s")
        self.assertEqual(world.dt, 1 / 60)
        self.assertEqual(len(world.run(time="500 ms").outcomes), 30)
        for steps in (1.5, -1, "two"):
            with self.assertRaisesRegex(perp.ArgumentError, "steps"):
                world.run(steps)
        with self.assertRaisesRegex(perp.ArgumentError, "every"):
            world.run(2, every=1.5)
        with self.assertRaisesRegex(perp.OptionError, "expected a unit of"):
            perp.World(BALL, dt="1/60 m")

    def test_scenes_are_found_by_name_and_by_file(self):
        self.assertIn("stack", perp.scenes())
        file = SOURCE / "experiments" / "scenes" / "stack.json"
        self.assertEqual(perp.World(file).bodies, perp.World("stack").bodies)
        with self.assertRaisesRegex(perp.ReadError, "stak"):
            perp.World("stak")

    def test_parameters_and_settings_reach_the_scene_the_scheme_and_the_solver(self):
        settings = {"dt": 0.02, "friction": "box", "max_iterations": 7}
        w = perp.World("box-pyramid", {"levels": 3}, solver="nsgs", **settings)
        self.assertEqual((w.parameters["levels"], w.dt, w.solver), (3.0, 0.02, "nsgs"))
        self.assertEqual(perp.formulate(w).problem.kind, "blcp-findex")
        for words, keywords in (
            ('friction is "boxx"', {"friction": "boxx"}),
            ('unknown option "modl"', {"modl": "box"}),
            ("coordinates", {"coordinates": "polar"}),
            ("erp", {"erp": 2}),
        ):
            with self.assertRaisesRegex(perp.OptionError, words):
                perp.World("box-pyramid", **keywords)
        with self.assertRaisesRegex(perp.OptionError, "levls"):
            perp.World("box-pyramid", {"levls": 3})

    def test_sequential_impulses_step_the_box_model(self):
        names = {"solver": "sequential-impulses", "friction": "box"}
        w = perp.World("box-pyramid", {"levels": 2}, **names)
        self.assertEqual(w.solver, "sequential-impulses")
        w.run(steps=3)
        self.assertEqual(w.step_count, 3)

    def test_a_fault_of_a_scene_is_reported_with_its_place(self):
        with self.assertRaisesRegex(perp.FormatError, "ball:1:.*bodies.0..mas is not known"):
            perp.World({"name": "ball", "bodies": [{"name": "a", "mas": 1}]})

    def test_the_state_is_in_arrays_that_may_be_changed(self):
        w = perp.World(BALL)
        w.poses[0, 2] = 8.0
        w.velocities[0, 0] = 3.0
        w.refresh()
        w.loads[0, :3] = [0, 0, 2 * G]  # carries the weight
        w.run(steps=10)
        np.testing.assert_allclose(w.poses[0, :3], [0.3, 0, 8], atol=1e-12)
        np.testing.assert_allclose(w.masses, [2, 0])

    def test_arrays_outlive_the_name_of_their_world(self):
        poses = perp.World(BALL).poses
        gc.collect()
        self.assertEqual(poses[0, 2], 5.0)

    def test_a_resting_ball_is_carried_by_its_contact(self):
        w = perp.World(dict(BALL, bodies=[dict(BALL["bodies"][0], position=[0, 0, 0.5])]))
        for _ in range(20):
            w.step()
        contact = w.contacts[0]
        force = w.contact_forces[0, :3] * (1 if contact["j"] == 0 else -1)
        np.testing.assert_allclose(force, [0, 0, 2 * G], atol=1e-6)
        np.testing.assert_allclose(np.abs(contact["normal"]), [0, 0, 1], atol=1e-12)

    def test_the_force_of_a_joint_is_found_by_its_name(self):
        w = perp.World("pendulum")
        w.run(steps=3)
        self.assertEqual(w.joint_force("pivot").shape, (6,))
        with self.assertRaisesRegex(perp.ArgumentError, "no joint"):
            w.joint_force("knee")

    def test_reduced_coordinates_give_the_same_motion(self):
        reduced = perp.simulate("pendulum", time=0.5, coordinates="reduced")
        maximal = perp.simulate("pendulum", time=0.5, coordinates="maximal")
        np.testing.assert_allclose(reduced.poses[-1, 0, :3], maximal.poses[-1, 0, :3], atol=2e-3)

    def test_a_run_goes_on_from_a_saved_state_with_the_same_bits(self):
        w = perp.World("box-pyramid", {"levels": 3})
        w.run(steps=5)
        state = w.save()
        w.run(steps=5)
        expected = w.poses.copy()
        w.load(state)
        self.assertEqual(w.step_count, 5)
        w.run(steps=5)
        np.testing.assert_array_equal(w.poses, expected)

    def test_progress_ends_a_run_and_ctrl_c_keeps_the_trajectory(self):
        run = perp.simulate(BALL, steps=100, progress=lambda step: step.step < 7)
        self.assertEqual(len(run.outcomes), 7)
        finger = press_ctrl_c()
        with self.assertRaises(perp.Interrupted) as caught:
            perp.simulate("stack", steps=10**6)
        finger.join()
        run = caught.exception.result
        self.assertEqual(len(run.t), len(run.outcomes) + 1)

    def test_a_world_can_be_run_again_after_ctrl_c(self):
        w = perp.World("stack")
        finger = press_ctrl_c()
        with self.assertRaises(perp.Interrupted):
            w.run(steps=10**6)
        finger.join()
        self.assertEqual(w.run(steps=2).outcomes, ["solved"] * 2)


class Formulations(unittest.TestCase):
    def test_the_problem_is_the_one_of_the_next_step(self):
        w = perp.World("box-pyramid", {"levels": 3}, solver="nsgs+newton", tolerance=1e-10)
        w.run(steps=3)
        f = perp.formulate(w)
        self.assertEqual((f.problem.kind, f.problem.n), ("fc3d", len(f.rows)))
        u = f.velocities(f.problem.solve("nsgs+newton", tolerance=1e-10).z)
        w.step()
        np.testing.assert_allclose(u, w.velocities, atol=1e-7)

    def test_the_matrix_is_that_of_jacobian_and_masses(self):
        f = perp.formulate("box-pyramid", parameters={"levels": 2}, storage="csr")
        z = np.random.default_rng(5).standard_normal(f.problem.n)
        lift = f.velocities(z) - f.u_free  # M^-1 J^T z
        w = np.zeros(f.problem.n)
        for side in (0, 1):
            moved = f.bodies[:, side] >= 0
            part = f.J[:, 6 * side : 6 * side + 6]
            w[moved] += np.einsum("ij,ij->i", part[moved], lift[f.bodies[moved, side]])
        np.testing.assert_allclose(f.problem.dense() @ z, w, atol=1e-9)

    def test_rows_have_names_and_bounds(self):
        f = perp.formulate("pendulum")
        self.assertEqual(f.rows[0], "revolute pivot: x")
        self.assertTrue(np.isneginf(f.lo).all() and np.isposinf(f.hi).all())
        f = perp.formulate("stack")
        self.assertEqual(f.rows[0], "contact box-1/box-2: normal")
        np.testing.assert_allclose(f.mu, 0.5)
        self.assertEqual(f.bodies[0].tolist(), [0, 1])

    def test_contacts_are_labelled_and_the_origin_is_known(self):
        w = perp.World("stack")
        w.run(steps=2)
        p = perp.formulate(w).problem
        label = p.labels[0]
        self.assertEqual(len(p.labels), p.contacts)
        self.assertEqual((label.kind, label.bodies, label.mu), ("contact", ("box-1", "box-2"), 0.5))
        np.testing.assert_allclose(np.abs(label.normal), [0, 0, 1], atol=1e-12)
        self.assertIn("m/s", p.origin["units"])
        self.assertEqual(perp.Problem(np.eye(2), [1, 2]).labels, [])
        self.assertEqual(perp.Problem(np.eye(2), [1, 2]).origin, {})

    def test_factors_and_blocks_are_the_same_problem(self):
        w = perp.World("box-pyramid", {"levels": 2})
        hashes = {}
        for storage in ("bsr", "csr", "factored"):
            f = perp.formulate(w, storage)
            hashes[storage] = f.problem.dense()
        np.testing.assert_allclose(hashes["bsr"], hashes["csr"], atol=1e-14)
        np.testing.assert_allclose(hashes["bsr"], hashes["factored"], atol=1e-12)

    def test_rates_of_a_gear_are_those_of_both_joints(self):
        # v = 2 u of two hinges about z through the centres.
        names = "uv"
        scene = {
            "gravity": [0, 0, 0],
            "bodies": [
                {"name": n, "mass": 1, "inertia": [1, 1, 1], "position": [3 * k, 0, 0]}
                for k, n in enumerate(names)
            ],
            "joints": [
                {"type": "revolute", "name": n, "bodies": ["world", n], "at": [3 * k, 0, 0], "axis": [0, 0, 1]}
                for k, n in enumerate(names)
            ],
            "gears": [{"joint": "v", "follows": "u", "ratio": 2}],
        }
        f = perp.formulate(scene)
        self.assertEqual(f.rows[-1], "gear v")
        u = np.zeros_like(f.u_free)
        u[0, 5], u[1, 5] = 3, 5
        self.assertAlmostEqual(f.rates(u)[-1], 5 - 2 * 3, delta=1e-14)
        z = np.arange(1.0, 1 + f.problem.n)
        np.testing.assert_allclose(f.problem.dense() @ z, f.rates(f.velocities(z) - f.u_free), atol=1e-12)

    def test_a_step_without_rows_has_an_empty_problem(self):
        f = perp.formulate(BALL)
        self.assertEqual((f.problem.n, f.rows), (0, []))
        np.testing.assert_allclose(f.velocities([])[0, 2], -G * 0.01)

    def test_the_problem_outlives_its_formulation(self):
        p = perp.formulate("stack").problem
        gc.collect()
        self.assertTrue(p.solve("nsgs+newton").solved)


if __name__ == "__main__":
    unittest.main()
