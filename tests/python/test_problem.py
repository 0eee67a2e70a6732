# SPDX-License-Identifier: Apache-2.0
"""Problems: their data as arrays, what is copied and what is not, files."""

import gc
import os
import unittest

import numpy as np
from support import DATASETS, needs_scipy, scratch, sparse, spd, vector

import perp

HAS_MAT = "mat" in [form.name for form in perp.formats()]


def samples():
    """A problem of each kind that files hold."""
    A, b = spd(6), vector(6)
    return {
        "lcp": perp.Problem(A, b),
        "mlcp": perp.Problem(A, b, lo=[-np.inf, -np.inf, 0, 0, 0, 0]),
        "blcp": perp.Problem(A, b, lo=[-np.inf, -1, 0, 0, -2, 0], hi=[np.inf, 1, np.inf, 2, 2, 3]),
        "blcp-findex": perp.Problem(A, b, mu=[0.5, 0.25, 0.75, 0.75], findex=[-1, 0, 0, -1, 3, 3]),
        "fc2d": perp.Problem(A, b, mu=[0.1, 0.2, 0.3], cones=2),
        "fc3d": perp.Problem(A, b, mu=[0.5, 0.25]),
        "rolling": perp.Problem(spd(5), vector(5), mu=0.5, mu_rolling=0.01),
        "mixed": perp.Problem(A, b, lo=-1, hi=1, mu=0.5, cones=[1, 3, 2]),
    }


class Data(unittest.TestCase):
    def test_kinds_and_contacts_are_those_of_the_library(self):
        contacts = {"blcp-findex": 2, "fc2d": 3, "fc3d": 2, "rolling": 1, "mixed": 2}
        for kind, p in samples().items():
            self.assertEqual((p.kind, p.contacts), (kind, contacts.get(kind, 0)))

    def test_a_matrix_in_fortran_order_is_borrowed_and_one_in_c_order_copied(self):
        A, b = spd(5), vector(5)
        p = perp.Problem(A, b)
        self.assertTrue(np.shares_memory(p.A, A) and np.shares_memory(p.b, b))
        q = perp.Problem(np.ascontiguousarray(A), b)
        self.assertFalse(np.shares_memory(q.A, A))
        np.testing.assert_array_equal(q.A, A)
        self.assertEqual(p.hash, q.hash)

    @needs_scipy
    def test_the_numbers_of_a_csr_matrix_are_borrowed(self):
        A = sparse.random(40, 40, 0.1, format="csr", random_state=1)
        A = A + 9 * sparse.eye(40, format="csr")
        A.sort_indices()
        p = perp.Problem(A, vector(40))
        self.assertEqual(p.storage, "csr")
        self.assertTrue(np.shares_memory(p.A.data, A.data))
        self.assertEqual(abs(p.A - A).nnz, 0)
        np.testing.assert_array_equal(p.dense(), A.toarray())

    @needs_scipy
    def test_a_sparse_matrix_of_the_user_is_not_changed(self):
        rows, columns = [0, 0, 1, 2, 0], [2, 0, 1, 2, 0]
        A = sparse.csr_matrix(([1.0, 2, 3, 4, 5], columns, [0, 3, 4, 5]), shape=(3, 3))
        A.indices[:3] = [2, 0, 0]  # not sorted, and an entry twice
        before = A.indices.copy(), A.data.copy()
        p = perp.Problem(A, [1.0, 2, 3])
        np.testing.assert_array_equal(A.indices, before[0])
        np.testing.assert_array_equal(A.data, before[1])
        np.testing.assert_array_equal(p.dense(), A.toarray())
        self.assertEqual(len(rows), 5)

    @needs_scipy
    def test_blocks_of_a_bsr_matrix_keep_their_layout(self):
        A = np.arange(36.0).reshape(6, 6) + 40 * np.eye(6)
        p = perp.Problem(sparse.bsr_matrix(A, blocksize=(3, 3)), vector(6), mu=0.5)
        self.assertEqual(p.storage, "bsr")
        np.testing.assert_array_equal(p.dense(), A)
        np.testing.assert_array_equal(p.A.toarray(), A)

    def test_views_are_read_only_and_outlive_the_name_of_their_problem(self):
        p = perp.Problem(spd(50), vector(50), mu=0.5, cones=2)
        A, b, rows = p.A, p.b, p.blocks
        copy = np.array(A), np.array(b)
        del p
        gc.collect()
        np.testing.assert_array_equal(A, copy[0])
        np.testing.assert_array_equal(b, copy[1])
        self.assertEqual(len(rows), 25)
        with self.assertRaises(ValueError):
            b[0] = 1.0

    def test_bounds_and_coefficients_are_read_back(self):
        p = samples()["blcp"]
        np.testing.assert_array_equal(p.lo, [-np.inf, -1, 0, 0, -2, 0])
        np.testing.assert_array_equal(p.hi, [np.inf, 1, np.inf, 2, 2, 3])
        np.testing.assert_array_equal(samples()["fc2d"].mu, [0.1, 0.2, 0.3])
        self.assertTrue(np.isnan(samples()["fc3d"].lo).all())

    def test_blocks_make_the_same_problem_again(self):
        for p in samples().values():
            again = perp.Problem(p.A, p.b, blocks=p.blocks, law=p.law)
            self.assertEqual(again.hash, p.hash)

    def test_names_titles_and_laws_are_kept(self):
        p = perp.Problem(spd(3), vector(3), mu=0.5, law="associated", name="one", title="A contact")
        self.assertEqual((p.name, p.title, p.law), ("one", "A contact", "associated"))
        self.assertIn("one: fc3d, 3 rows, 1 contact, dense", repr(p))

    def test_a_problem_without_rows_is_solved(self):
        self.assertTrue(perp.lcp(np.zeros((0, 0)), []).solved)


class Files(unittest.TestCase):
    def test_the_same_arrays_are_the_same_problem_in_a_file(self):
        friction = dict(mu=[0.5, 0.5], findex=[-1, 0, 0])
        with scratch() as folder:
            for given in (dict(hi=[1.0, 2, 3]), dict(lo=[-1.0, 0, 1]), dict(lo=[0, 0, 0.0], hi=[1.0, 2, 3]),
                          friction, dict(lo=[0.0, 0, -np.inf], hi=[9, np.inf, 0], **friction)):
                path = os.path.join(folder, "arrays.npz")
                np.savez(path, A=spd(3), b=vector(3), **given)
                self.assertEqual(perp.Problem(spd(3), vector(3), **given).hash,
                                 perp.Problem.read(path).hash, given)

    def test_every_format_that_is_written_is_read_back_with_the_same_bits(self):
        held = {}
        with scratch() as folder:
            for form in perp.formats():
                for kind, p in samples().items():
                    path = os.path.join(folder, f"{form.name}-{kind}{form.extension}")
                    if not (form.writes and form.reads):
                        continue
                    if (form.name, kind) == ("ampl-nl", "blcp-findex"):
                        continue  # multipliers of box friction come back as rows
                    try:
                        p.write(path, format=form.name)
                    except perp.UnsuitableError:
                        continue
                    again = perp.Problem.read(path, format=form.name)
                    held.setdefault(form.name, []).append(kind)
                    if form.name not in ("contactbench", "siconos"):
                        self.assertEqual(again.hash, p.hash, path)
                    np.testing.assert_allclose(again.dense(), p.dense(), rtol=1e-15)
        self.assertEqual(set(held["npz"]), set(samples()))
        if HAS_MAT:
            self.assertEqual(set(held["mat"]), set(samples()))
        self.assertIn("fc3d", held["fclib"])

    def test_the_extension_chooses_the_format(self):
        with scratch() as folder:
            path = os.path.join(folder, "one.npz")
            samples()["lcp"].write(path)
            arrays = np.load(path)
            np.testing.assert_array_equal(arrays["A"], samples()["lcp"].A)
            self.assertEqual(perp.Problem.read(path).name, "one")

    def test_a_problem_of_a_data_set_is_read_and_solved(self):
        p = perp.Problem.read(DATASETS / "siconos-fc3d" / "NESpheres_10_1.dat")
        self.assertEqual((p.kind, p.n, p.contacts, p.storage), ("fc3d", 27, 9, "dense"))
        self.assertTrue(p.solve("nsgs").solved)

    def test_a_global_problem_is_condensed_by_the_solver(self):
        file = sorted((DATASETS / "siconos-gfc3d").glob("GFC3D_Example1.dat"))[0]
        p = perp.Problem.read(file)
        self.assertTrue(p.is_global)
        self.assertTrue(p.solve().solved)
        self.assertTrue(p.solve("nsgs", global_="factored").solved)
        with self.assertRaisesRegex(perp.ArgumentError, "global"):
            p.A

    def test_texts_beyond_ascii_come_back_in_every_format_that_holds_them(self):
        title = "Körper auf schiefer Ebene, Ω \U0001f4e6"
        p = perp.Problem(spd(3), vector(3), mu=0.5, title=title)
        with scratch() as folder:
            for form in ("npz", "json", "fclib") + ("mat",) * HAS_MAT:
                path = os.path.join(folder, f"p-{form}")
                p.write(path, format=form)
                self.assertEqual(perp.Problem.read(path, format=form).title, title, form)

    @needs_scipy
    @unittest.skipUnless(HAS_MAT, "perp was built without matio")
    def test_matlab_files_of_scipy_are_read_with_their_description(self):
        import scipy.io

        note = "Körper, Ω \U0001f4e6"
        text = f'{{"note": "{note}", "sets": [{{"kind": "cone", "dim": 2}}, {{"kind": "box"}}]}}'
        arrays = {"A": spd(3), "b": vector(3), "mu": [0.5], "lo": [0.0, 0, -1], "hi": [0, 0, 1.0]}
        with scratch() as folder:
            path = os.path.join(folder, "p.mat")
            scipy.io.savemat(path, dict(arrays, perp=text))
            p = perp.Problem.read(path)
        self.assertEqual((p.kind, p.title), ("mixed", note))

    def test_messages_of_readers_arrive(self):
        with scratch() as folder:
            path = os.path.join(folder, "bad.npz")
            with open(path, "w") as out:
                out.write("no archive")
            with self.assertRaises(perp.Error) as caught:
                perp.Problem.read(path)
            self.assertIn("bad.npz", str(caught.exception))
        with self.assertRaisesRegex(perp.ReadError, "no-such-file"):
            perp.Problem.read("no-such-file.hdf5")
        with self.assertRaises(perp.Error):
            samples()["lcp"].write("/no/such/folder/p.npz")


if __name__ == "__main__":
    unittest.main()
