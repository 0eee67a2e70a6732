#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draw the pictures of the documentation: pictures.py PERP SOURCE [NAME ...]

A still of each scene in docs/scenes/pictures, as docs/scenes/pictures.json says, and the line that
shows it in the page of the scene; with the name "results", the table of the quick suite in
docs/results.md. Needs chromium and ffmpeg, which reduces a picture to 256 colours. Without names all of
them are made."""

import csv
import json
import os
import re
import subprocess
import sys
import tempfile


def run(*words):
    """Run a program; its output is shown only when it fails."""
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(words)}\n{done.stdout}")
    return done.stdout


def replace(path, pattern, text):
    """Replace the one match of a pattern in a file."""
    with open(path, encoding="utf-8") as f:
        old = f.read()
    new, count = re.subn(pattern, lambda match: text, old, flags=re.S)
    if count != 1:
        sys.exit(f"{path}: {count} places match {pattern}")
    if new != old:
        with open(path, "w", encoding="utf-8") as f:
            f.write(new)


def still(perp, source, name, how, work):
    """Run a scene and draw it at the end, or at its time "at"."""
    folder = os.path.join(work, name)
    words = [perp, "simulate", name, "-o", folder, "--quiet", "--time", str(how["time"])]
    for pair in how.get("set", []):
        words += ["--set", pair]
    run(*words, *how.get("run", []))
    picture = os.path.join(work, name + ".png")
    run(perp, "view", folder, "--png", "-o", picture, "--quiet", "--size", how["size"],
        "--at", str(how.get("at", how["time"])), "--camera", how["camera"], "--colour", how["colour"],
        *(["--show", how["show"]] if "show" in how else []))
    to = os.path.join(source, "docs/scenes/pictures", name + ".png")
    run("ffmpeg", "-loglevel", "error", "-y", "-i", picture, "-vf",
        "split[a][b];[a]palettegen=max_colors=256:stats_mode=full[p];[b][p]paletteuse=dither=bayer:bayer_scale=4",
        to)


def page(source, name):
    """Show the still below the title of the page of its scene."""
    path = os.path.join(source, "docs/scenes", name + ".md")
    with open(path, encoding="utf-8") as f:
        text = f.read()
    title = text.split("\n", 1)[0].lstrip("# ")
    line = f"![{title}](pictures/{name}.png)\n\n"
    if line not in text:
        replace(path, r"\A(# [^\n]*\n\n)(?:!\[[^\n]*\n\n)?", text.split("\n", 1)[0] + "\n\n" + line)


def results(perp, source, work):
    """The quick suite as a table: per set, the solvers that solve most and the fastest of them."""
    folder = os.path.join(work, "quick")
    run(perp, "compare", os.path.join(source, "experiments/suites/quick.json"), "-o", folder, "--quiet")
    with open(os.path.join(folder, "tables/summary.csv"), encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    with open(os.path.join(folder, "suite.json"), encoding="utf-8") as f:
        titles = {s["name"]: s.get("title", "") for s in json.load(f)["sets"]}
    lines = ["| set | problems | most solved | fastest of these | `auto` |", "| --- | --- | --- | --- | --- |"]
    for name in dict.fromkeys(row["set"] for row in rows):
        of = [row for row in rows if row["set"] == name]
        most = max(int(row["solved"]) for row in of)
        best = [row for row in of if int(row["solved"]) == most]
        fastest = min(best, key=lambda row: float(row["mean_seconds"] or "inf"))
        auto = [row["solved"] for row in of if row["solver"] == "auto"]
        count = int(of[0]["problems"])
        names = ", ".join(f"`{row['solver']}`" for row in best)
        lines.append(f"| {name}: {titles.get(name, '')} | {count} | {most}: {names} | `{fastest['solver']}` | "
                     f"{auto[0] if auto else '–'} |")
    replace(os.path.join(source, "docs/results.md"),
            r"<!-- results -->\n.*?<!-- end of results -->",
            "<!-- results -->\n" + "\n".join(lines) + "\n<!-- end of results -->")


def main():
    perp, source, names = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]
    with open(os.path.join(source, "docs/scenes/pictures.json"), encoding="utf-8") as f:
        table = json.load(f)
    scenes = {name: {**table["default"], **how} for name, how in table["scenes"].items()}
    os.makedirs(os.path.join(source, "docs/scenes/pictures"), exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        for name in names or [*scenes, "results"]:
            if name == "results":
                results(perp, source, work)
            elif name in scenes:
                still(perp, source, name, scenes[name], work)
                page(source, name)
            else:
                sys.exit(f"{name}: not in docs/scenes/pictures.json")
            print(name, flush=True)


main()
