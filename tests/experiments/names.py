#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hostile names for names.sh: `names.py make` writes files, a suite and a scene that bear them into
the present folder; `names.py CHECK FILE...` compares what perp made of them."""
import csv
import json
import os
import re
import subprocess
import sys
import unicodedata

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
    labels = [t for t in TEXTS if t not in ("..",)]
    suite = {
        "name": "x\n$(touch pwned)'\u202e", "title": TEXTS[3] + "\n{_^" + TEXTS[19] + "\x1b[2J<b>",
        "description": "|".join(TEXTS), "limits": {"seconds": 5, "megabytes": 1e8},
        "sets": [
            {"name": "f'{_^\u202e\x1b[2J", "instances": ["in/*.json", "in/.leading.json", "in/...json"],
             "solvers": ["lemke", {"solver": "pgs", "label": TEXTS[3]}]},
            {"name": "=labels", "instances": ["in/case.json"], "solvers":
             [{"solver": "pgs", "label": label, "options": {"relaxation": 1 + k / 256}}
              for k, label in enumerate(labels)]},
        ]}
    with open("suite.json", "w", encoding="utf-8") as f:
        json.dump(suite, f)
    os.makedirs("scenes", exist_ok=True)
    for name in ("it's\n\u202e{_^", "plain"):
        with open("scenes/" + name + ".json", "w", encoding="utf-8") as f:
            json.dump(scene(TEXTS), f, ensure_ascii=False)


if __name__ == "__main__":
    {"make": make}[sys.argv[1]](*sys.argv[2:])
