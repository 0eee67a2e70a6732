# SPDX-License-Identifier: Apache-2.0
"""view_page.py WHAT PAGE [TRAJECTORY ...]: read a viewer page as its own scripts do, and compare
it with the trajectories that it was made from."""

import base64
import json
import re
import sys
import zlib

import h5py
import numpy as np


def blocks(path):
    """The data of a page by their names."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    found = re.findall(r'<script type="application/octet-stream" id="([^"]*)" data-size="(\d+)">([^<]*)<', text)
    out = {}
    for name, size, packed in found:
        out[name] = zlib.decompress(base64.b64decode(packed), -15)
        assert len(out[name]) == int(size), name
    return out


def motion(path, k=0):
    """The head and the arrays of motion k."""
    of = blocks(path)
    head, data = json.loads(of[f"motion-{k}"]), of[f"motion-{k}-data"]
    types = {"f32": "<f4", "u32": "<u4", "i32": "<i4", "u16": "<u2", "i16": "<i2", "u8": "u1"}
    arrays = {}
    for name, a in head["arrays"].items():
        kind = np.dtype(types[a["type"]])
        count = int(np.prod(a["shape"]))
        raw = np.frombuffer(data, np.uint8, count * kind.itemsize, a["start"])
        if a["planes"]:
            raw = raw.reshape(kind.itemsize, count).T.copy().reshape(-1)
        values = raw.view(kind).reshape(a["shape"])
        if a["planes"]:
            bits = np.cumsum(values.view(f"<u{kind.itemsize}").astype(np.uint64), axis=0)
            values = bits.astype(f"<u{kind.itemsize}").view(kind)
        arrays[name] = values
    return head, arrays


def logarithm(q):
    """Values of a logarithmic array."""
    q = q.astype(float)
    return np.where(q > 0, 10 ** (-6 + 12 * (q - 1) / 65534), 0.0)


def check_poses(page, run):
    head, a = motion(page)
    run = h5py.File(run)
    poses, velocities = run["/poses"][:], run["/velocities"][:]
    frames, bodies = poses.shape[:2]
    assert head["frames"] == frames and len(head["bodies"]) == bodies
    assert np.allclose(a["time"][:, 0], run["/time"][:], rtol=1e-6)
    assert (a["step"][:, 0] == run["/step"][:]).all()
    q = a["position"].reshape(frames, bodies, 3)
    x = a["origin"].astype(float) + a["scale"].astype(float)[:, :1] * q
    worst = np.abs(x - poses[:, :, :3]).max()
    size = np.ptp(poses[:, :, :3], axis=0).max()
    assert worst <= head["errors"]["position"] * (1 + 1e-9), (worst, head["errors"])
    assert head["errors"]["position"] <= size / 65535 + 1e-6, (head["errors"], size)
    turn = a["turn"].reshape(frames, bodies, 4) / 32767.0
    turn /= np.linalg.norm(turn, axis=2, keepdims=True)
    cosine = np.abs((turn * poses[:, :, 3:]).sum(axis=2))
    angle = 2 * np.arccos(np.minimum(cosine, 1)).max()
    assert head["errors"]["angle"] <= 1e-4 and angle <= head["errors"]["angle"] + 1e-7, angle
    speed = np.linalg.norm(velocities[:, :, :3], axis=2)
    shown = logarithm(a["speed"])
    assert np.allclose(shown, speed, rtol=3e-4, atol=1.1e-6)
    mass = np.array([b["mass"] for b in head["bodies"]])
    assert (logarithm(a["energy"]) >= 0.499 * mass * speed**2 - 1e-6).all()


def rows(head, a, run):
    """For each frame that has its contacts in the page: the rows there and in the run."""
    end = np.concatenate([[0], a["contact_end"][:, 0]]).astype(int)
    whole = np.concatenate([[0], run["/contacts/end"][:]]).astype(int)
    for k, frame in enumerate(head["contacts"]["frames"]):
        yield slice(end[k], end[k + 1]), slice(whole[frame], whole[frame + 1])


def check_contacts(page, run, all_frames=True):
    head, a = motion(page)
    run = h5py.File(run)
    low, high = np.array(head["contacts"]["box"])
    seen = 0
    for here, there in rows(head, a, run):
        assert here.stop - here.start == there.stop - there.start
        seen += here.stop - here.start
        point = low + (high - low) * a["contact_point"][here] / 65535.0
        error = head["contacts"]["position_error"]
        assert (np.abs(point - run["/contacts/point"][there]) <= error * (1 + 1e-9) + 1e-15).all()
        assert np.allclose(a["contact_normal"][here] / 32767.0, run["/contacts/normal"][there], atol=2e-5)
        for name in "impulse", "gap", "mu", "residual":
            x = a["contact_" + name][here].reshape(run["/contacts/" + name][there].shape)
            assert np.allclose(x, run["/contacts/" + name][there], rtol=1e-6, atol=1e-30, equal_nan=True), name
        assert (a["contact_status"][here, 0] == run["/contacts/status"][there]).all()
        assert (a["contact_body"][here] == run["/contacts/bodies"][there]).all()
    assert seen > 0
    if all_frames:
        assert head["contacts"]["frames"] == list(range(head["frames"]))
        assert seen == run["/contacts/end"][-1]


def check_thinned(page, run):
    head, _ = motion(page)
    check_contacts(page, run, all_frames=False)
    frames = head["contacts"]["frames"]
    assert len(frames) < head["frames"] and frames[-1] == head["frames"] - 1
    assert len(set(np.diff(frames))) <= 1, frames


def check_metrics(page, run):
    head, a = motion(page)
    run = h5py.File(run)
    assert len(head["metrics"]) == len(run["/metrics"])
    for metric in head["metrics"]:
        values = run["/metrics/" + metric["name"]]
        assert np.allclose(a["metric_" + metric["name"]][:, 0], values[:], rtol=1e-6, atol=1e-38, equal_nan=True)
        unit = values.attrs.get("unit", "")
        assert (unit.decode() if isinstance(unit, bytes) else unit) == metric["unit"], metric
    assert np.allclose(a["step_time"][:, 0], run["/steps/t"][:], rtol=1e-6)


def texts(values):
    return [v.decode() if isinstance(v, bytes) else str(v) for v in values]


def check_shapes(page, run):
    head, _ = motion(page)
    run = h5py.File(run)
    assert [b["name"] for b in head["bodies"]] == texts(run["/meta/bodies"][:])
    assert [s["type"] for s in head["shapes"]] == texts(run["/shapes/type"][:])
    assert np.allclose([s["pose"] for s in head["shapes"]], run["/shapes/pose"][:])
    assert np.allclose([s["size"] for s in head["shapes"]], run["/shapes/size"][:])
    assert [s["body"] for s in head["shapes"]] == list(run["/shapes/body"][:])
    assert all(re.fullmatch("#[0-9a-f]{6}", s["colour"]) for s in head["shapes"])
    names = texts(run["/meta/joints"][:]) if "/meta/joints" in run else []
    assert [j["name"] for j in head["joints"]] == names


def check_sticks(page):
    head, _ = motion(page)
    for k, body in enumerate(head["bodies"]):
        own = [s for s in head["shapes"] if s["body"] == k]
        anchors = [j["anchor"][i] for j in head["joints"] for i in (0, 1) if j["bodies"][i] == k]
        if body["fixed"]:
            assert not own
            continue
        assert [s["type"] for s in own][0] == "sphere" and own[0]["pose"][:3] == [0, 0, 0]
        rods = own[1:]
        assert len(rods) == len(anchors) > 0, body
        for rod, anchor in zip(rods, anchors):
            w, x, y, z = rod["pose"][3:]
            axis = np.array([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])
            middle = np.array(rod["pose"][:3])
            assert np.isclose(w * w + x * x + y * y + z * z, 1)
            assert np.allclose(middle + rod["size"][1] / 2 * axis, anchor)
            assert np.allclose(middle - rod["size"][1] / 2 * axis, 0)


def check_difference(page, one, two):
    difference = json.loads(blocks(page)["difference"])
    one, two = h5py.File(one), h5py.File(two)
    a, b = one["/poses"][:], two["/poses"][:]
    distance = np.linalg.norm(a[:, :, :3] - b[:, :, :3], axis=2)
    frame, body = np.unravel_index(distance.argmax(), distance.shape)
    assert distance.max() > 1e-6
    assert np.isclose(difference["length"], distance.max(), rtol=1e-9)
    assert np.isclose(difference["time"], one["/time"][frame])
    assert difference["body"] == texts(one["/meta/bodies"][:])[body]
    assert np.allclose(difference["at"], a[frame, body, :3])
    assert np.allclose([x for _, x in difference["series"]], distance.max(axis=1), rtol=1e-9, atol=1e-15)


def check_instance(page):
    head, a = motion(page)
    assert head["frames"] == 1 and not head["shapes"]
    assert len(a["contact_gap"]) > 10 and np.linalg.norm(a["contact_impulse"], axis=1).max() > 0
    assert np.isfinite(a["contact_residual"]).all() and a["contact_residual"].max() < 1e-6
    assert np.allclose(np.linalg.norm(a["contact_normal"] / 32767.0, axis=1), 1, atol=1e-4)


def check_alone(page):
    with open(page, encoding="utf-8") as f:
        text = f.read()
    assert "default-src 'none'" in text
    own = re.sub(r"<script>.*?</script>", "", text, flags=re.S)
    assert not re.search(r'\b(src|href)\s*=\s*"?(https?:|//|file:)', own)
    assert "<script>alert" not in text and "<img" not in own


if __name__ == "__main__":
    globals()["check_" + sys.argv[1]](*sys.argv[2:])
