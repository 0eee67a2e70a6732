#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hostile names for names.sh: `names.py make` writes files, a suite and a scene that bear them into
the present folder; `names.py CHECK FILE...` compares what perp made of them."""
import base64
import csv
import json
import os
import pty
import re
import subprocess
import sys
import zlib
from xml.etree import ElementTree

# Texts, for ids, labels, bodies and joints.
TEXTS = [
    "it's", "a''b", "'a", 'say "hi"', "back`tick`", "new\nline", "car\rriage", "tab\tbed", "back\\slash\\",
    "per%cent %d %s", "{braces}{", "}{", "sub_script^up@x&y~z", "$(touch pwned)`touch pwned`",
    "';system('touch pwned');'", "=cmd|' /C calc'!A0", "+1+1", "-2", "@SUM(1)", "rtl\u202egnp.exe",
    "iso\u2066late\u2069", "zero\u200bwidth\ufeff", "-leading", ".leading", " spaces ",
    "<script>alert(1)<b>", "\\input{etc} a%b&c#d~e", "e\u0301 combining", "\u00e9 combining",
    "nul\\0 \\u0000 %00", "esc\x1b[2J\x1b]0;title\x07", "c1\u009b31m", "Case", "case", "\\xe9", "\\x5cxe9",
    "😀 日本語", "comma, semi; ]]>-->", "''=1", "\uff1d1+1", "..",
]
# Names of files alone: bytes that are not UTF-8, and long ones that differ at their end.
BYTES = [b"\xe9", b"\xe8", b"lone\x80", b"over\xc0\xaf", b"\xed\xa0\x80", b"y" * 249 + b"1", b"y" * 249 + b"2"]

# What no line for a terminal or a pipe may hold: controls but the newline, and Unicode's formats.
UNSHOWN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


SET = "f'{_^\u202e\x1b[2J"


def labels():
    return [t for t in TEXTS if t != ".."]


def file_names():
    return [t.replace("/", "|").encode() for t in TEXTS] + BYTES


def lcp(k):
    return {"M": [[2, 1], [1, 2 + k / 64]], "q": [-5, -6]}


def scene(names):
    """Boxes on the ground, each with a joint to the one before; every name is a body and a joint."""
    bodies = [{"name": name, "mass": 1, "position": [2.0 * k, 0, 0.5],
               "shapes": [{"type": "box", "size": [1, 1, 1]}], "inertia": [1, 1, 1]}
              for k, name in enumerate(names)]
    joints = [{"type": "spherical", "name": name, "bodies": [names[k], names[k - 1]], "at": [2.0 * k - 1, 0, 0.5]}
              for k, name in enumerate(names) if k]
    ground = {"name": "ground", "motion": "static", "shapes": [{"type": "plane"}]}
    return {"title": " ".join(names[:20]), "description": "|".join(names), "time": "0.02 s", "solver": "nsgs",
            "scheme": {"dt": "5 ms"}, "bodies": [ground] + bodies, "joints": joints}


def make():
    os.makedirs("in", exist_ok=True)
    for k, name in enumerate(file_names()):
        with open(b"in/" + name + b".json", "w", encoding="ascii") as f:
            json.dump(lcp(k), f)
    suite = {
        "name": "x\n$(touch pwned)'\u202e", "title": TEXTS[3] + "\n{_^" + TEXTS[19] + "\x1b[2J<b>",
        "description": "|".join(TEXTS), "limits": {"seconds": 5, "megabytes": 1e8},
        "sets": [
            {"name": SET, "instances": ["in/*.json", "in/.leading.json", "in/...json"], "solvers": ["pgs"]},
            {"name": "=labels", "instances": ["in/case.json"], "solvers":
             [{"solver": "pgs", "label": label, "options": {"relaxation": 1 + k / 256}}
              for k, label in enumerate(labels())]},
        ]}
    with open("suite.json", "w", encoding="utf-8") as f:
        json.dump(suite, f)
    text = "|".join(TEXTS) + "\nINJECTED 1\rINJECTED 2\x0bINJECTED 3\\"
    label = {"kind": "other", "name": text, "bodies": [text, text], "joint": text}
    with open("hostile.json", "w", encoding="utf-8") as f:
        json.dump(dict(lcp(0), id=text, note=text, description=text, labels=[label] * 2, origin={
            "source": text, "version": text, "units": text, "licence": text}), f)
    os.makedirs("scenes", exist_ok=True)
    for name in ("it's\n\u202e{_^", "plain"):
        with open("scenes/" + name + ".json", "w", encoding="utf-8") as f:
            json.dump(scene(TEXTS), f, ensure_ascii=False)


def shown(*files):
    """No file has a byte that is not UTF-8, nor a character that a terminal would act on."""
    for name in files:
        with open(name, "rb") as f:
            text = f.read().decode()
        found = UNSHOWN.search(text)
        assert not found, (name, text[max(0, found.start() - 60):found.end() + 20])


def plain(cell):
    """A cell of CSV without the apostrophe of a formula."""
    return cell[1:] if re.match("'+[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]", cell) else cell


def table(path):
    """The rows of a CSV file; no cell may be a formula."""
    with open(path, encoding="utf-8", newline="") as f:
        rows = list(csv.reader(f))
    assert len({len(row) for row in rows}) == 1, path
    for cell in (c for row in rows for c in row):
        number = re.fullmatch(r"[-+]?\d+(\.\d*)?(e[-+]?\d+)?", cell)
        assert number or not re.match("[=+\\-@\t\r\n\uff1d]", cell), (path, cell)
    return [[plain(c) for c in row] for row in rows]


def records(path):
    with open(path, encoding="utf-8", newline="\n") as f:
        return [json.loads(line) for line in f.read().split("\n") if line]


def instances():
    """The names that perp gives to the files: bytes that are not UTF-8 and what looks like them have
    marks, long names end in a hash."""
    def name(b):
        b = re.sub(rb"\\(?=x[0-9a-fA-F]{2})", rb"\\x5c", b)
        text = b.decode(errors="surrogateescape")
        text = "".join("\\x%02x" % (ord(c) - 0xdc00) if 0xdc80 <= ord(c) <= 0xdcff else c for c in text)
        if len(text.encode()) < 128:
            return text
        code = 0xcbf29ce484222325
        for byte in text.encode():
            code = (code ^ byte) * 0x100000001b3 % 2**64
        return text[:110] + "~%016x" % code
    return [name(b) for b in file_names()]


def runs(path):
    found = records(path + "/runs.jsonl")
    assert all(r["status"] == "ok" and r["solved"] for r in found), [r["message"] for r in found]
    names = [r["instance"] for r in found if r["set"].startswith("f'")]
    assert sorted(names) == sorted(instances()), set(names) ^ set(instances())
    assert sorted(r["label"] for r in found if r["set"] == "=labels") == sorted(labels())
    assert {r["set"] for r in found} == {SET, "=labels"}
    assert len({r["file"] for r in found}) == len(file_names())


def commands(perp, path):
    """The command in a record repeats the run in a shell."""
    for r in records(path + "/runs.jsonl"):
        if r["set"] == SET and re.search(r"line|esc|\\x|'", r["instance"]):
            assert not UNSHOWN.search(r["command"]) and "\n" not in r["command"], r["command"]
            done = subprocess.run(["bash", "-c", perp + r["command"][4:] + " --json"], capture_output=True)
            assert done.returncode == 0 and json.loads(done.stdout)["instance"] == r["instance"], done.stderr


def tables(path):
    rows = table(path + "/tables/runs.csv")
    at = {name: k for k, name in enumerate(rows[0])}
    assert sorted(r[at["instance"]] for r in rows[1:] if r[0] == SET) == sorted(instances())
    assert {r[at["solver"]] for r in rows[1:] if r[0] == "=labels"} == set(labels())
    table(path + "/tables/summary.csv")
    for folder, _, files in os.walk(path + "/figures"):
        for name in files:
            if name.endswith(".csv"):
                table(os.path.join(folder, name))


def blocks(page):
    """The data of a page, by the id of their block."""
    found = re.findall(r'<script[^>]*id="([a-z0-9-]+)"[^>]*>([A-Za-z0-9+/=\s]+)</script>', page)
    return {name: zlib.decompress(base64.b64decode(data), -15) for name, data in found}


def report(path):
    with open(path, encoding="utf-8") as f:
        page = f.read()
    assert "<script>alert" not in page and not UNSHOWN.search(page.replace("\t", ""))
    data = json.loads(blocks(page)["report"])
    assert {s["label"] for s in data["solvers"]} == set(labels()) | {"pgs"}
    assert {i["name"] for i in data["instances"]} == set(instances())


def run(folder):
    header = table(folder + "/metrics.csv")[0]
    drift = [h[6:-4] for h in header if h.startswith("drift ") and h.endswith(" [m]")]
    assert drift == TEXTS[1:], set(drift) ^ set(TEXTS[1:])


def view(path):
    with open(path, encoding="utf-8") as f:
        page = f.read()
    assert "<script>alert" not in page
    heads = [json.loads(b) for b in blocks(page).values() if b[:1] == b"{"]
    names = [b["name"] for h in heads for b in h.get("bodies", [])]
    joints = [j["name"] for h in heads for j in h.get("joints", [])]
    assert names == ["ground"] + TEXTS and joints == TEXTS[1:], (names, joints)


def gltf(path):
    with open(path, "rb") as f:
        data = f.read()
    nodes = json.loads(data[20:20 + int.from_bytes(data[12:16], "little")])["nodes"]
    assert set(TEXTS) <= {n.get("name") for n in nodes}


def read_scene(path):
    with open(path, encoding="utf-8") as f:
        made = json.load(f)
    assert [b["name"] for b in made["bodies"]] == ["ground"] + TEXTS
    assert [j["name"] for j in made["joints"]] == TEXTS[1:]


def info(path):
    with open(path, encoding="utf-8") as f:
        assert [b["name"] for b in json.load(f)["bodies"]] == ["ground"] + TEXTS


def xml(*files):
    """Files are XML; those of VTK up to the bytes that are appended."""
    for name in files:
        with open(name, "rb") as f:
            text, appended, _ = f.read().partition(b"<AppendedData")
        ElementTree.fromstring(text + (b"</VTKFile>" if appended else b""))


def collection(folder):
    rows = table(folder + "/index.csv")
    files = [r[1] for r in rows[1:]]
    assert len(files) == len(file_names()) == len({f.lower() for f in files})
    assert set(os.listdir(folder)) == set(files) | {"index.csv", "README.md"}
    shown(folder + "/README.md")
    for name in files:
        with open(os.path.join(folder, name), encoding="utf-8") as f:
            assert json.load(f)["id"]


def comments(path, mark):
    """All lines with the hostile text begin as comments do."""
    with open(path, encoding="utf-8", newline="") as f:
        text = f.read()
    assert "INJECTED" in text or path.endswith(".nl")
    assert not re.search("[\r\v\f\x1b]", text)
    for line in text.split("\n"):
        assert "INJECTED" not in line or line.startswith(mark), line


def texts(path, other):
    """Texts of a problem that were converted."""
    with open(path, encoding="utf-8") as f, open(other, encoding="utf-8") as g:
        a, b = json.load(f), json.load(g)
    for key in ("id", "note", "description", "origin", "labels"):
        if key == "labels":
            assert [x["name"] for x in a[key]] == [x["name"] for x in b[key]]
        elif key == "origin":
            assert a[key]["source"] == b[key]["source"]
        else:
            assert a[key] == b[key], key


def terminal(perp, *words):
    """The same on a terminal: only colours, returns and erased ends of lines."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm"
        os.environ.pop("NO_COLOR", None)
        os.execv(perp, [perp, *words])
    said = b""
    while True:
        try:
            part = os.read(fd, 65536)
        except OSError:
            break
        if not part:
            break
        said += part
    _, status = os.waitpid(pid, 0)
    text = re.sub(r"\x1b\[[0-9;]*[mK]|\r", "", said.decode())
    assert status == 0, said
    found = UNSHOWN.search(text)
    assert not found, text[max(0, found.start() - 60):found.end() + 20]


def saved(path):
    """What the pages save as CSV is what the report has written: one rule in C and in JavaScript."""
    with open(path, encoding="utf-8", newline="") as f:
        js = list(csv.reader(f))
    rows = table(path)
    assert [r[0] for r in rows] == TEXTS, rows
    formulas = [t for t in TEXTS if re.match("'*[=+\\-@\t\r\n\uff1d]", t) and t != "-2"]
    assert [r[0] for r in js if plain(r[0]) != r[0]] == ["'" + t for t in formulas]


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
