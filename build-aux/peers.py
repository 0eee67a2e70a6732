#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""peers.py RESULTS DOCS: the tables of docs/peers.md and its two figures, from the stored results
of the suite peers. What stands between the two marks of the page is replaced."""

import csv
import math
import os
import subprocess
import sys

BEGIN, END = "<!-- made by make peers -->\n", "<!-- end -->\n"
CODES = ["perp", "siconos", "ode", "bullet", "dart", "petsc", "mumps", "glpk", "octave"]
# The look of command/figures.
STYLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "figures.gp")


def rows_of(folder):
    """Rows of the codes that accept some problem of the set; "problems" counts those that they accept."""
    with open(os.path.join(folder, "tables", "peers.csv"), newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["problems"] = str(int(row["problems"]) - int(row["not_applicable"]))
    return [row for row in rows if row["problems"] != "0"]


def number(text):
    return float(text) if text else math.nan


def table(rows, tolerance):
    lines = ["| family | code | problems | solved | perp alone | code alone | perp ahead | time, code/perp | best solver"
             " of the code | it solves | false claims |",
             "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    for row in rows:
        if number(row["tolerance"]) != tolerance:
            continue
        own = row["code"] == "perp"
        ratio = number(row["ratio"])
        lines.append("| %s | %s | %s | %s | %s | %s | %s | %s | `%s` | %s | %s |" % (
            row["set"] if own else "", row["code"], row["problems"], row["solved"],
            "" if own else row["perp_alone"], "" if own else row["code_alone"],
            "" if own else row["ahead"] + "/" + row["both"],
            "" if own or math.isnan(ratio) else "%.3g" % ratio,
            row["best"].split(" ")[0], row["best_solved"], "" if own else row["false_claims"]))
    return "\n".join(lines) + "\n"


def totals(rows, tolerance):
    lines = ["| code | problems | solved | perp alone | code alone | perp ahead | false claims |",
             "| --- | --- | --- | --- | --- | --- | --- |"]
    for code in CODES:
        own = [r for r in rows if r["code"] == code and number(r["tolerance"]) == tolerance]
        if own:
            def total(key):
                return sum(int(r[key]) for r in own)
            lines.append("| %s | %d | %d | %s | %s | %s | %s |" % (
                code, total("problems"), total("solved"),
                "" if code == "perp" else total("perp_alone"), "" if code == "perp" else total("code_alone"),
                "" if code == "perp" else "%d/%d" % (total("ahead"), total("both")),
                "" if code == "perp" else total("false_claims")))
    return "\n".join(lines) + "\n"


def families(rows):
    names = []
    for row in rows:
        if row["set"] not in names:
            names.append(row["set"])
    return names


def draw(rows, tolerance, out, value, options, present):
    """One symbol per code and family; symbols of a family are next to each other."""
    names = families(rows)
    tics = ", ".join('"%s" %d' % (n, i) for i, n in enumerate(names))
    script = ["set encoding utf8", "load '%s'" % STYLE,
              "set terminal svg enhanced size 760,380 font 'Helvetica,13.33' background rgb 'white'",
              "set output '%s'" % out, "set xrange [-0.6:%g]" % (len(names) - 0.4),
              "set xtics (%s) rotate by -25 scale 0" % tics, "set key outside right top samplen 1",
              "set grid noxtics"] + options
    data, plots = [], []
    for k, code in enumerate(CODES):
        points = []
        for row in rows:
            if row["code"] == code and number(row["tolerance"]) == tolerance and not math.isnan(value(row)):
                points.append("%g %.6g" % (names.index(row["set"]) + 0.08 * (k - 4), value(row)))
        if points and present(code):
            data.append("$data%d << EOD\n%s\nEOD" % (k, "\n".join(points)))
            plots.append("$data%d using 1:2 with points pt int(word(markers,%d)) ps 0.7 lc rgb word(colours,%d) title '%s'"
                         % (k, k + 1, k + 1, code))
    text = "\n".join(data + script + ["plot " + ", \\\n     ".join(plots)]) + "\n"
    subprocess.run(["gnuplot"], input=text, text=True, check=True)


def share(row):
    return int(row["solved"]) / int(row["problems"])


def ratio(row):
    return math.nan if row["code"] == "perp" else number(row["ratio"])


def main():
    folder, docs = sys.argv[1:3]
    rows = rows_of(folder)
    page = os.path.join(docs, "peers.md")
    with open(page) as file:
        text = file.read()
    head, rest = text.split(BEGIN)
    tail = rest.split(END)[1]
    made = ""
    for tolerance in (1e-8, 1e-6):
        made += "\n### Residual at most %g\n\n" % tolerance + totals(rows, tolerance) + "\n" + table(rows, tolerance)
    with open(page, "w") as file:
        file.write(head + BEGIN + made + "\n" + END + tail)
    draw(rows, 1e-8, os.path.join(docs, "peers_time.svg"), ratio,
         ["set logscale y", "set yrange [0.5:*]", "set format y '10^{%T}'", "set ylabel 'least time of the code / of perp'",
          "set arrow from graph 0,first 1 to graph 1,first 1 nohead back lc rgb '#8c8c8c' dt (2,1.4)"], lambda code: code != "perp")
    draw(rows, 1e-8, os.path.join(docs, "peers_solved.svg"), share,
         ["set yrange [-0.03:1.03]", "set ylabel 'share of problems solved'"], lambda code: True)


if __name__ == "__main__":
    main()
