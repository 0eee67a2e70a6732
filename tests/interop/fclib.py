# SPDX-License-Identifier: Apache-2.0
"""FCLIB files and sequences of perp, read and written by h5py from the description of the
formats. Each check ends with an exception where a number differs.

    fclib.py read FILE.hdf5 FILE.npz      the same problem: FCLIB, and arrays by name
    fclib.py write FOLDER                 FCLIB files that perp must read, with their numbers
    fclib.py half IN.hdf5 OUT.hdf5        the same file with the upper triangle of M alone
    fclib.py sequence FILE.hdf5 FOLDER    a sequence, its folder with index.csv
    fclib.py labels FILE.hdf5 COUNT       the text /perp/meta
"""
import csv
import json
import os
import sys

import h5py
import numpy as np

ROOTS = ("fclib_local", "fclib_global", "fclib_global_rolling")


def one(group, name):
    """A scalar is a dataset of one dimension and extent 1, in 32 bits."""
    x = group[name]
    assert x.shape == (1,) and x.dtype == np.dtype("<i4"), (name, x)
    return int(x[0])


def reals(group, name, n):
    x = group[name]
    assert x.shape == (n,) and x.dtype == np.dtype("<f8"), (name, x, n)
    assert x.chunks is None and x.compression is None, name
    return x[()]


def matrix(group):
    """Triplets: rows i, columns p."""
    nz, m, n = one(group, "nz"), one(group, "m"), one(group, "n")
    assert nz >= 0 and one(group, "nzmax") == nz
    a = np.zeros((m, n))
    np.add.at(a, (group["i"][()], group["p"][()]), reals(group, "x", nz))
    return a


def read(path):
    """The problem of an FCLIB file, by the names of perp's arrays."""
    with h5py.File(path, "r") as f:
        (root,) = [name for name in ROOTS if name in f]
        g = f[root]
        dim = one(g, "spacedim")
        local = root == "fclib_local"
        v = g["vectors"]
        m = v["q" if local else "w"].shape[0]
        p = {"mu": reals(v, "mu", m // dim)}
        if root == "fclib_global_rolling":
            p["mu_rolling"] = reals(v, "mu_r", m // dim)
        b = reals(v, "q" if local else "w", m)
        if local:
            p["A"] = matrix(g["W"])
            if "V" in g:
                V, R = matrix(g["V"]), matrix(g["R"])
                p["A"] = np.block([[p["A"], V], [V.T, R]])
                b = np.concatenate([b, reals(v, "s", R.shape[0])])
        else:
            p["M"], p["H"] = matrix(g["M"]), matrix(g["H"])
            p["f"] = reals(v, "f", p["M"].shape[0])
            if "G" in g:
                p["G"] = matrix(g["G"])
                b = np.concatenate([b, reals(v, "b", p["G"].shape[1])])
        p["b"] = b
        points(f, p, m, local)
    return p


def points(f, p, m, local):
    free = p["b"].size - m

    def point(group, z, w, v):
        p[z] = reals(group, "r", m)
        if free:
            p[z] = np.concatenate([p[z], reals(group, "l", free)])
        if w:
            p[w] = np.concatenate([reals(group, "u", m), np.zeros(free)])
        if v and not local:
            p[v] = reals(group, "v", p["M"].shape[0])

    if "solution" in f:
        point(f["solution"], "z", "w", "v")
    if "guesses" in f:
        for k in range(1, one(f["guesses"], "number_of_guesses") + 1):
            point(f["guesses"][str(k)], f"guess_{k}", None, None)


def arrays(path):
    """The arrays of an npz; a sparse matrix is NAME_data, NAME_indices, NAME_indptr."""
    found = {}
    with np.load(path) as z:
        for name in z.files:
            if name.endswith("_indptr"):
                stem = name[: -len("_indptr")]
                shape = tuple(int(n) for n in z[stem + "_shape"])
                a = np.zeros(shape)
                ptr, col, x = z[name], z[stem + "_indices"], z[stem + "_data"]
                for i in range(shape[0]):
                    a[i, col[ptr[i] : ptr[i + 1]]] = x[ptr[i] : ptr[i + 1]]
                found[stem] = a
            else:
                found[name] = z[name]
    return found


def check_read(path, other):
    p, q = read(path), arrays(other)
    if "q" in q:
        q["A"], q["b"] = q["M"], q["q"]
    for name, x in p.items():
        assert name in q, (name, sorted(q))
        assert np.array_equal(x, np.asarray(q[name])), name


def put_matrix(g, name, a, storage):
    i, p = np.nonzero(a)
    x = a[i, p]
    h = g.create_group(name)
    if storage == "csc":
        order = np.lexsort((i, p))
        counts = np.bincount(p, minlength=a.shape[1])
        i, x, nz = i[order], x[order], -1
    elif storage == "csr":
        counts = np.bincount(i, minlength=a.shape[0])
        i, nz = p, -2
    else:
        nz = x.size
    if nz < 0:
        p = np.concatenate([[0], np.cumsum(counts)])
    h["nzmax"] = np.array([x.size + 7], "<i4")  # more than there are
    h["m"], h["n"] = (np.array([k], "<i8") for k in a.shape)
    h["nz"] = nz if storage == "csr" else np.array([nz], "<i4")
    h["p"], h["i"], h["x"] = p.astype("<i4"), i.astype("<i4"), x


def drawn(rng, *shape):
    return rng.uniform(-2, 2, shape) * (rng.random(shape) < 0.6)


def put(folder, name, kind, dim, contacts, free, storage):
    rng = np.random.default_rng(7)
    m, n_v = dim * contacts, 12
    root = {"local": ROOTS[0], "global": ROOTS[1], "rolling": ROOTS[2]}[kind]
    local = kind == "local"
    with h5py.File(os.path.join(folder, name + ".hdf5"), "w") as f:
        g = f.create_group(root)
        g["spacedim"] = dim if storage == "csr" else np.array([dim], "<i4")
        g["info/title"] = "by h5py, µ = 0.7"  # of variable length
        v = g.create_group("vectors")
        v["mu"] = rng.uniform(0, 1, contacts)
        if kind == "rolling":
            v["mu_r"] = rng.uniform(0, 1, contacts)
        v["q" if local else "w"] = drawn(rng, m)
        if local:
            put_matrix(g, "W", drawn(rng, m, m) + 9 * np.eye(m), storage)
            if free:
                put_matrix(g, "V", drawn(rng, m, free), storage)
                put_matrix(g, "R", drawn(rng, free, free), storage)
                v["s"] = drawn(rng, free)
        else:
            M = drawn(rng, n_v, n_v) + 9 * np.eye(n_v)
            put_matrix(g, "M", M if free else M + M.T, storage)
            put_matrix(g, "H", drawn(rng, n_v, m), storage)
            v["f"] = drawn(rng, n_v)
            if free:
                put_matrix(g, "G", drawn(rng, n_v, free), storage)
                v["b"] = drawn(rng, free)
        for at in ("solution", "guesses/1"):
            s = f.create_group(at)
            s["r"], s["u"] = drawn(rng, m), drawn(rng, m)
            if not local:
                s["v"] = drawn(rng, n_v)
            if free:
                s["l"] = drawn(rng, free)
        f["guesses/number_of_guesses"] = np.array([1], "<i4")


def check_write(folder):
    for storage in ("triplet", "csc", "csr"):
        put(folder, "local2-" + storage, "local", 2, 3, 0, storage)
        put(folder, "mixed-" + storage, "local", 3, 2, 2, storage)
        put(folder, "global-" + storage, "global", 3, 2, 0, storage)
        put(folder, "joints-" + storage, "global", 3, 2, 3, storage)
        put(folder, "rolling-" + storage, "rolling", 5, 2, 0, storage)


def half(source, target):
    with h5py.File(source, "r") as f, h5py.File(target, "w") as h:
        for name in f:
            f.copy(name, h)
        g = h["fclib_global"]
        M = matrix(g["M"])
        assert np.array_equal(M, M.T) and np.count_nonzero(np.triu(M, 1)) > 0
        del g["M"]
        put_matrix(g, "M", np.triu(M), "triplet")


def text(x):
    return x.decode() if isinstance(x, bytes) else x


def dense(g):
    """A matrix of a sequence."""
    a = g.attrs
    storage = text(a["storage"])
    if storage == "factored":
        J = dense(g["J"])
        return J @ (dense(g["Minv"]) @ J.T if "Minv" in g else dense(g["G"]).T) + np.diag(g["C"])
    if storage == "dense":
        return g["x"][()].reshape(a["cols"], a["rows"]).T
    e, ptr, col = int(a["edge"]), g["ptr"][()], g["col"][()]
    x = g["x"][()].reshape(-1, e, e)
    out = np.zeros((int(a["rows"]), int(a["cols"])))
    for i in range(len(ptr) - 1):
        for k in range(ptr[i], ptr[i + 1]):
            # blocks are column-major
            out[i * e : i * e + e, col[k] * e : col[k] * e + e] = x[k].T
    return out


def meta(document):
    found = json.loads(text(document))
    assert found["format"] == "perp-meta" and found["version"] == 1, found
    return found


def check_sequence(path, folder):
    with open(os.path.join(folder, "index.csv"), newline="") as f:
        index = list(csv.DictReader(f))
    with h5py.File(path, "r") as f:
        assert text(f.attrs["format"]) == "perp-sequence"
        assert f.attrs["count"] == len(index) > 1 and f.attrs["version"] == 1
        shared = meta(f["perp/meta"][()])["origin"]
        assert shared["source"] and "step" not in shared, shared
        last = None
        for k, line in enumerate(index):
            s = f[f"steps/{k}"]
            n = s["b"].shape[0]
            A = dense(s["A"])
            own = meta(s["meta"][()])
            assert A.shape == (n, n) and n == int(line["n"])
            assert s.attrs["t"] == float(line["t"]) == own["origin"]["time"]
            assert s.attrs["h"] == float(line["h"]) == own["origin"]["dt"]
            assert own["origin"]["hash"] == line["hash"], (own["origin"], line)
            assert "source" not in own["origin"]  # it is shared
            keys = s["keys"][()]
            assert len(own["labels"]) == len(keys) == s["set/kind"].shape[0]
            for label, key, mu in zip(own["labels"], keys, s["set/mu"][()]):
                assert int(label["key"], 16) == key and label["mu"] == mu
                assert len(label["bodies"]) == 2 and label["kind"] == "contact"
            assert last is None or last & set(keys)  # a contact that lasts keeps its key
            last = set(keys)
            with h5py.File(os.path.join(folder, line["file"]), "r") as part:
                assert np.array_equal(part["steps/0/b"][()], s["b"][()])
                assert np.array_equal(dense(part["steps/0/A"]), A)
                origin = meta(part["perp/meta"][()])["origin"]
                assert origin == shared, (origin, shared)


def check_labels(path, count):
    with h5py.File(path, "r") as f:
        found = meta(f["perp/meta"][()])
    assert len(found["labels"]) == int(count), found
    assert found["origin"]["source"].startswith("scene:"), found["origin"]


if __name__ == "__main__":
    {
        "read": check_read,
        "write": check_write,
        "half": half,
        "sequence": check_sequence,
        "labels": check_labels,
    }[sys.argv[1]](*sys.argv[2:])
