#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draw the figures of the pages in docs/studies again, from stored runs.

    studies.py PERP RUNS PAGES

RUNS/NAME holds the runs of the study NAME, as perp compare leaves them. The picture lines of a page,
![NAME](figures/STUDY/NAME.svg), say which figures it shows; the figure, its points as CSV and the caption
below the line are replaced.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PICTURE = re.compile(r"!\[([^]]*)\]\((figures/([^/]+)/([^/)]+)\.(svg|png))\)\n\n\*[^\n]*\*\n")
DOUBLE = {"accuracy", "friction", "mass-ratio"}  # studies with many solvers: a page of 174 mm


def draw(perp, runs, study, ending, folder):
    subprocess.run(
        [perp, "plot", str(runs / study), "--style", "double" if study in DOUBLE else "column",
         "--terminal", ending, "--data", "-o", str(folder)],
        check=True, stdout=subprocess.DEVNULL)


def refresh(perp, runs, page):
    text = page.read_text()
    for found in PICTURE.finditer(text):
        _, path, study, name, ending = found.groups()
        with tempfile.TemporaryDirectory() as scratch:
            draw(perp, runs, study, ending, scratch)
            made = pathlib.Path(scratch) / "figures" / name
            target = page.parent / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(f"{made}.{ending}", target)
            shutil.copy(f"{made}.csv", target.with_suffix(".csv"))
            caption = pathlib.Path(f"{made}.txt").read_text().strip()
        caption = caption.split(" The residual is the scaled")[0]
        text = text.replace(found.group(0), f"![{name}]({path})\n\n*{caption}*\n")
    page.write_text(text)


def main():
    perp, runs, pages = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    for page in sorted(pages.glob("*.md")):
        refresh(perp, runs, page)


main()
