#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draw the figures of the studies again, from stored runs.

    studies.py PERP RUNS EXPERIMENTS

RUNS/STUDY holds the runs of a study, as perp compare leaves them. The picture lines of EXPERIMENTS/STUDY/README.md,
![NAME](figures/NAME.svg), say which figures it shows; the figure, its points in data/ and the caption below the
line are replaced.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PICTURE = re.compile(r"!\[([^]]*)\]\((figures/([^/)]+)\.(svg|png))\)\n\n\*[^\n]*\*\n")
DOUBLE = {"accuracy", "friction", "mass-ratio"}  # studies with many solvers: a page of 174 mm


def draw(perp, runs, study, ending, folder):
    subprocess.run(
        [perp, "plot", str(runs / study), "--style", "double" if study in DOUBLE else "column",
         "--terminal", ending, "--data", "-o", str(folder)],
        check=True, stdout=subprocess.DEVNULL)


def refresh(perp, runs, page):
    text, study = page.read_text(), page.parent.name
    for found in PICTURE.finditer(text):
        _, path, name, ending = found.groups()
        with tempfile.TemporaryDirectory() as scratch:
            draw(perp, runs, study, ending, scratch)
            made = pathlib.Path(scratch) / "figures" / name
            target = page.parent / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(f"{made}.{ending}", target)
            data = page.parent / "data"
            data.mkdir(exist_ok=True)
            shutil.copy(f"{made}.csv", data / f"{name}.csv")
            caption = pathlib.Path(f"{made}.txt").read_text().strip()
        caption = caption.split(" The residual is the scaled")[0]
        text = text.replace(found.group(0), f"![{name}]({path})\n\n*{caption}*\n")
    page.write_text(text)


def main():
    perp, runs, pages = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    for page in sorted(pages.glob("*/README.md")):
        if not (page.parent / "suite.json").exists():
            continue
        refresh(perp, runs, page)


main()
