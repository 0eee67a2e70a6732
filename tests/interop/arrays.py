# SPDX-License-Identifier: Apache-2.0
"""arrays.py PERP FOLDER: arrays of problems between perp and NumPy, SciPy, json and jsonschema,
compared to the bit. Prints TAP lines without the plan."""
import json
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import scipy.io
import scipy.sparse

perp, folder = sys.argv[1], Path(sys.argv[2])
count = 0


def ok(passed, sentence):
    global count
    count += 1
    print(f"{'ok' if passed else 'not ok'} {count} - arrays: {sentence}", flush=True)


def run(*words):
    done = subprocess.run([perp, *map(str, words)], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        print(f"# perp {' '.join(map(str, words))}: {done.stderr.strip()}")
    return done


def convert(path, to, form):
    return run("convert", path, to, "--to", form, "-q").returncode == 0


def same(a, b):
    """Equal shapes and bits; a sparse matrix counts by its entries."""
    a, b = (np.ascontiguousarray(x.toarray() if scipy.sparse.issparse(x) else x, dtype=float)
            for x in (a, b))
    return a.shape == b.shape and np.array_equal(a.view(np.int64), b.view(np.int64))


def awkward(rng, shape):
    """Numbers of all sizes, with a few that are hard to print and read."""
    x = rng.standard_normal(shape) * 10.0 ** rng.integers(-18, 18, shape)
    x.flat[:6] = [1 / 3, 0.1, 5e-324, 1.7976931348623157e300, 9007199254740993.0, 1e23]
    return x


# What a problem is made of: dense and sparse, with bounds of every kind.
rng = np.random.default_rng(7)
n = 12
problems = {
    "dense": {"A": awkward(rng, (n, n)), "b": awkward(rng, n)},
    "sparse": {"A": scipy.sparse.random(n, n, 0.3, "csr", random_state=7) + scipy.sparse.eye(n),
               "b": awkward(rng, n)},
    "box": {"A": awkward(rng, (n, n)), "b": awkward(rng, n),
            "lo": np.array([-np.inf, 0.0, -1.5] * 4), "hi": np.array([np.inf, 0.25, np.inf] * 4)},
    "contacts": {"A": awkward(rng, (n, n)), "b": awkward(rng, n), "mu": rng.random(n // 3)},
    "findex": {"A": np.eye(n) * 3 + 0.1, "b": rng.standard_normal(n), "mu": np.full(n - 1, 0.5),
               "findex": np.array([-1.0] + [0.0] * (n - 1))},
}
problems["sparse"]["A"] = problems["sparse"]["A"].tocsr()
# The kind says what no array does: row 0 of findex is bounded, the others have friction.
findex_sets = {"kind": "blcp-findex", "sets": [{"kind": "nonneg"}, {"kind": "friction", "count": n - 1}]}


def rows_of(value):
    return value.tolist()


def json_sparse(A):
    coo = A.tocoo()
    return {"shape": list(coo.shape), "row": coo.row.tolist(), "col": coo.col.tolist(),
            "data": coo.data.tolist()}


def write_json(p, path, extra):
    members = {k: json_sparse(v) if scipy.sparse.issparse(v) else v.tolist() for k, v in p.items()}
    path.write_text(json.dumps({**extra, **members}))  # with Infinity, as Python has it


def write_npz(p, path, extra):
    arrays = {}
    for k, v in p.items():
        if scipy.sparse.issparse(v):
            arrays.update({k + "_data": v.data, k + "_indices": v.indices, k + "_indptr": v.indptr,
                           k + "_shape": np.array(v.shape)})
        else:
            arrays[k] = v
    np.savez_compressed(path, **arrays)
    if extra:
        import zipfile
        with zipfile.ZipFile(path, "a") as z:
            z.writestr("problem.json", json.dumps(extra))


def write_npy(p, path, extra, make=scipy.sparse.csr_matrix):
    path.mkdir()
    for k, v in p.items():
        if scipy.sparse.issparse(v):
            scipy.sparse.save_npz(path / f"{k}.npz", make(v))
        else:
            np.save(path / f"{k}.npy", v)
    if extra:
        (path / "problem.json").write_text(json.dumps(extra))


def write_csv(p, path, extra):
    path.mkdir()
    for k, v in p.items():
        np.savetxt(path / f"{k}.csv", v.toarray() if scipy.sparse.issparse(v) else v, delimiter=",",
                   fmt="%.17g")
    if extra:
        (path / "problem.json").write_text(json.dumps(extra))


def write_mat(p, path, extra):
    arrays = {k: v + 1 if k == "findex" else v for k, v in p.items()}
    if extra:
        arrays["perp"] = json.dumps(extra)
    scipy.io.savemat(path, arrays, do_compression=True, oned_as="column")


def write_mtx(p, path, extra):
    path.mkdir()
    for k, v in p.items():
        v = v + 1 if k == "findex" else v
        v = v if scipy.sparse.issparse(v) else v.reshape(v.shape[0], -1)
        scipy.io.mmwrite(path / f"{k}.mtx", v, precision=17)
    if extra:
        (path / "problem.json").write_text(json.dumps(extra))


def read_npz(path, name):
    z = np.load(path)
    if name + "_data" in z:
        return scipy.sparse.csr_matrix((z[name + "_data"], z[name + "_indices"], z[name + "_indptr"]),
                                       z[name + "_shape"])
    return z[name]


def read_npy(path, name):
    if (path / f"{name}.npz").exists():
        return scipy.sparse.load_npz(path / f"{name}.npz")
    return np.load(path / f"{name}.npy")


def read_json(path, name):
    value = json.loads(path.read_text())[name]
    if isinstance(value, dict):
        return scipy.sparse.coo_matrix((value["data"], (value["row"], value["col"])), value["shape"])
    return np.array(value, dtype=float)  # "inf" and "-inf" too


def read_mat(path, name):
    value = scipy.io.loadmat(path)[name]
    value = value if scipy.sparse.issparse(value) or name in "AM" else value.ravel()
    return value - 1 if name == "findex" else value


def read_mtx(path, name):
    value = scipy.io.mmread(path / f"{name}.mtx")
    value = value if scipy.sparse.issparse(value) or name in "AM" else value.ravel()
    return value - 1 if name == "findex" else value


formats = [
    ("npz", "x.npz", write_npz, read_npz, "numpy.savez and numpy.load"),
    ("npy", "x-npy", write_npy, read_npy, "numpy.save, scipy.sparse.save_npz and load_npz"),
    ("json", "x.json", write_json, read_json, "Python's json"),
    ("csv", "x-csv", write_csv, lambda path, name: np.loadtxt(path / f"{name}.csv", delimiter=","),
     "numpy.savetxt and loadtxt"),
    ("mat", "x.mat", write_mat, read_mat, "scipy.io.savemat and loadmat"),
    ("matrix-market", "x-mtx", write_mtx, read_mtx, "scipy.io.mmwrite and mmread"),
]
has_mat = run("info", "mat").returncode == 0  # not in a build without matio
formats = [each for each in formats if has_mat or each[0] != "mat"]

for form, name, write, read, tools in formats:
    opened = read_back = True
    for label, p in problems.items():
        extra = findex_sets if label == "findex" else {}
        theirs, ours = folder / f"{label}-{name}", folder / f"{label}-ours-{name}"
        back = folder / f"{label}-back-{form}.npz"
        write(p, theirs, extra)
        if not convert(theirs, back, "npz") or not convert(back, ours, form):
            opened = read_back = False
            continue
        for key, value in p.items():
            if not same(read(ours, key), value):
                print(f"# {ours}: {key} has other bits")
                opened = False
        for key, value in p.items():
            if not same(read_npz(back, key), value):
                print(f"# {theirs}: {key} has other bits in {back}")
                read_back = False
    ok(opened, f"{form} of perp is opened by {tools}, bit for bit")
    ok(read_back, f"{form} of {tools} is read by perp, bit for bit")

layouts = [scipy.sparse.csr_matrix, scipy.sparse.csc_matrix, scipy.sparse.coo_matrix]
same_layouts = True
for k, make in enumerate(layouts):
    p = problems["sparse"]
    write_npy(p, folder / f"layout-{k}", {}, make)
    same_layouts &= convert(folder / f"layout-{k}" / "A.npz", folder / f"layout-{k}.npz", "npz")
    same_layouts &= same(read_npz(folder / f"layout-{k}.npz", "A"), p["A"])
ok(same_layouts, "scipy.sparse.save_npz is read by rows, by columns and by coordinates")
write_npy(problems["sparse"], folder / "layout-bsr", {}, scipy.sparse.bsr_matrix)
refused = run("info", folder / "layout-bsr")
ok(refused.returncode == 2 and "A.tocsr() makes" in refused.stderr,
   "another layout of SciPy is refused with the call that changes it")

# A problem with one solution, in every format: the same bits of z.
spd = rng.standard_normal((n, n))
p = {"A": spd @ spd.T + np.eye(n), "b": rng.standard_normal(n)}
answers = set()
for form, name, write, _, _ in formats:
    write(p, folder / f"solve-{name}", {})
    answer = run("solve", folder / f"solve-{name}", "--solver", "lemke", "--json")
    found = json.loads(answer.stdout) if answer.returncode == 0 else {}
    answers.add(json.dumps(found.get("z")))
z = np.array(json.loads(answers.pop()) if len(answers) == 1 else [], dtype=float)
w = p["A"] @ z + p["b"] if len(z) == n else np.array([-1.0])
ok(len(z) == n and min(z.min(), w.min()) > -1e-9 and abs(z @ w) < 1e-9,
   "a problem has one solution in all formats, and NumPy agrees that it is one")

def pack(path, plain_path, short):
    """The variables of a .mat in compressed elements; short: the numbers of the last are cut off."""
    data = plain_path.read_bytes()
    out, at = data[:128], 128
    while at < len(data):
        size = struct.unpack_from("<I", data, at + 4)[0]
        element = bytearray(data[at:at + 8 + size])
        at += 8 + size
        if short and at >= len(data):
            element = element[:-16]
            element[4:8] = struct.pack("<I", len(element) - 8)
            tag = len(element) - 8 * (p["b"].size - 2) - 4
            element[tag:tag + 4] = struct.pack("<I", 8 * (p["b"].size - 2))
        packed = zlib.compress(bytes(element))
        out += struct.pack("<II", 15, len(packed)) + packed
    path.write_bytes(out)


def matlab():
    cells = np.empty((1, 2), dtype=object)
    cells[0, :] = [np.eye(2), "text"]
    more = {"extra": {"a": {"b": [1.0, 2.0]}}, "cells": cells, "flag": np.array([True]), "text": "x"}
    said = []
    for packed in (False, True):
        scipy.io.savemat(folder / "more.mat", {"A": p["A"], **more, "b": p["b"]}, do_compression=packed,
                         oned_as="column")
        said.append(run("info", folder / "more.mat", "--json"))
    ok(all(r.returncode == 0 for r in said) and len({json.loads(r.stdout)["hash"] for r in said}) == 1,
       "variables of other kinds may stand beside the arrays of a .mat")
    scipy.io.savemat(folder / "plain.mat", {"A": p["A"], "b": p["b"]}, oned_as="column")
    pack(folder / "packed.mat", folder / "plain.mat", False)
    pack(folder / "short.mat", folder / "plain.mat", True)
    good, bad = run("info", folder / "packed.mat"), run("info", folder / "short.mat")
    ok(good.returncode == 0 and bad.returncode == 2 and "not a list of variables of their sizes" in bad.stderr,
       "numbers that are missing in a compressed variable are noticed")


if has_mat:
    matlab()

try:
    import jsonschema
except ImportError:
    jsonschema = None
if jsonschema:
    schema = json.loads(run("info", "--schema", "problem").stdout or "{}")
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    files = sorted(folder.glob("*-ours-x.json"))
    ok(len(files) == len(problems) and all(validator.is_valid(json.loads(f.read_text())) for f in files),
       "what perp writes as json is valid by its schema")
    wrong = [{}, {"A": [[1]]}, {"A": [[1]], "b": ["1"]}, {"A": {"shape": [1, 1]}, "b": [1]},
             {"A": [[1]], "b": [1], "lo": ["low"]}, {"A": [[1]], "b": [1], "law": "newton"},
             {"A": [1], "b": [1]}, {"A": [[1]], "b": [1], "findex": [0.5]}]
    ok(bool(schema) and not any(validator.is_valid(w) for w in wrong), "the schema refuses what perp refuses")
else:
    count += 1
    print(f"ok {count} - arrays: json is valid by its schema # SKIP jsonschema is not installed")
