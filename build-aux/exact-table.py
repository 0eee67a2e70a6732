#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""exact-table.py PERP DATASETS PAGE [FOLDER…]: the table of PAGE between the two marks: for each instance
of DATASETS/index.tsv, or of those FOLDERs, an answer of perp, and what perp verify --exact says of it."""

import csv
import decimal
import json
import os
import subprocess
import sys
import tempfile
import time

BEGIN, END = "<!-- made by make exact-table -->\n", "<!-- end -->\n"
SOLVERS = ["auto", "lemke", "nsgs+newton", "ipm"]
LIMIT = "60"  # seconds for a proof
ANSWER = "20"  # seconds for an answer


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    return done.stdout, done.stderr


def answer_of(perp, path, target):
    """The first solver whose answer is solved, the tight tolerance first, or None, and what
    the first one prints."""
    said = None
    for tolerance in ("1e-12", "1e-8"):
        for solver in SOLVERS:
            out, err = run([perp, "solve", path, "--solver", solver, "--tolerance", tolerance,
                            "--time-limit", ANSWER, "-o", target])
            said = said or err.strip() or next((s for s in out.splitlines() if s.startswith("outcome")), "")
            try:
                with open(target, encoding="utf-8") as file:
                    if json.load(file)["outcome"] == "solved":
                        return solver, said
            except (OSError, ValueError, KeyError):
                pass
            if os.path.exists(target):
                os.remove(target)
    return None, said


def above(delta):
    """Two digits, rounded up: the bound holds as it is printed."""
    context = decimal.Context(prec=2, rounding=decimal.ROUND_UP)
    return "0" if delta == 0 else "%.1e" % context.create_decimal(decimal.Decimal(delta))


def cell(text):
    return text.replace("|", "\\|")


def row_of(perp, folder, name):
    path = os.path.join(folder, name)
    short = os.path.splitext(os.path.basename(name))[0]
    with tempfile.TemporaryDirectory() as work:
        target = os.path.join(work, "answer.json")
        solver, said = answer_of(perp, path, target)
        if not solver:
            return None, "| %s | – | no answer | | | | %s |" % (short, cell(said.split("datasets/")[-1]))
        start = time.monotonic()
        out, err = run([perp, "verify", path, target, "--exact", "--time-limit", LIMIT, "--json"])
        seconds = time.monotonic() - start
        with open(target, encoding="utf-8") as file:
            rows = len(json.load(file)["z"])
    try:
        exact = json.loads(out)["exact"]
    except ValueError:
        return None, "| %s | %d | no verdict | | | | %s |" % (short, rows, cell(err.strip()))
    if not exact:
        return None, "| %s | %d | no verdict | | | | |" % (short, rows)
    proved = exact["verdict"] == "proved"
    return exact["verdict"], "| %s | %d | %s | %s | %s | %.1f | %s |" % (
        short, rows, exact["verdict"],
        above(exact["delta"]) if proved else "",
        "yes" if exact["unique"] else "",
        seconds, "`%s`" % solver + ("" if proved else ": " + cell(exact["says"])))


def table(perp, folder, only):
    lines = ["| instance | rows | verdict | δ | unique | seconds | answer of |",
             "| --- | --- | --- | --- | --- | --- | --- |"]
    count = {}
    with open(os.path.join(folder, "index.tsv"), newline="", encoding="utf-8") as file:
        names = [row["file"] for row in csv.DictReader(file, delimiter="\t")
                 if not only or row["file"].split("/")[0] in only]
    for name in names:
        verdict, line = row_of(perp, folder, name)
        count[verdict] = count.get(verdict, 0) + 1
        lines.append(line)
        print(line, flush=True)
    total = "Of %d instances %d are proved, %d refuted, %d open; %d have no verdict." % (
        len(names), count.get("proved", 0), count.get("refuted", 0), count.get("open", 0), count.get(None, 0))
    return total + "\n\n" + "\n".join(lines) + "\n"


def main():
    perp, folder, page = sys.argv[1:4]
    with open(page, encoding="utf-8") as file:
        text = file.read()
    head, rest = text.split(BEGIN, 1)
    tail = rest.split(END, 1)[1]
    text = head + BEGIN + table(perp, folder, sys.argv[4:]) + END + tail
    with open(page + ".tmp", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(page + ".tmp", page)


if __name__ == "__main__":
    main()
