#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Readers of the model formats that perp only writes, from the rules of these formats alone.

    models.py compare FOLDER        A, b and bounds of each model there, NAME.mod and so on, are
                                    those of NAME.json, bit by bit; prints the number of models
    models.py z MODEL SOLUTION      z from the answer of glpsol to a mixed-integer form

NAME.json is as perp writes it. Needs the standard library alone. A problem is a
dictionary: n, A {(i, j): a}, b, lo, hi, and friction {i: (mu, normal)}; rows from 0, zeros of A
left out.
"""
import glob
import json
import math
import re
import sys

INF = math.inf


def problem(n):
    return {"n": n, "A": {}, "b": [0.0] * n, "lo": [-INF] * n, "hi": [INF] * n, "friction": {}}


def need(condition, what):
    if not condition:
        raise ValueError(what)


# -- json ----------------------------------------------------------------------------------------


def read_json(text):
    d = json.loads(text)
    A, p = d["A"], problem(d["n"])
    if isinstance(A, dict):
        entries = zip(A["row"], A["col"], A["data"])
    else:
        entries = ((i, j, a) for i, row in enumerate(A) for j, a in enumerate(row))
    p["A"] = {(i, j): float(a) for i, j, a in entries if a != 0}
    p["b"] = [float(x) for x in d["b"]]
    kinds = [s["kind"] for s in d["sets"] for _ in range(s.get("count", 1))]
    mu = iter(d.get("mu", []))
    for i, kind in enumerate(kinds):
        need(kind in ("free", "nonneg", "box", "friction"), "set " + kind)
        if kind == "nonneg":
            p["lo"][i] = 0.0
        elif kind == "box":
            p["lo"][i], p["hi"][i] = float(d["lo"][i]), float(d["hi"][i])
        elif kind == "friction":
            p["friction"][i] = (float(next(mu)), d["findex"][i])
    return p


# -- AMPL --------------------------------------------------------------------------------------

AMPL_F = r"b\[i\] \+ sum \{\(i,j\) in NZ\} A\[i,j\]\*z\[j\]"
# What complements what: a law of the bounds of z[i], and the sense of F that AMPL demands with it.
AMPL_LAWS = {
    ("z[i]", "= 0"): "free",
    ("0 <= z[i]", ">= 0"): "nonneg",
    ("lo[i] <= z[i]", ">= 0"): "lower",
    ("z[i] <= hi[i]", "<= 0"): "upper",
    ("lo[i] <= z[i] <= hi[i]", ""): "both",
    ("z[i]", "+ s[i] - t[i] = 0"): "friction",
}
AMPL_MULTIPLIERS = {
    "0 <= s[i] complements mu[i]*z[normal[i]] - z[i] >= 0",
    "0 <= t[i] complements mu[i]*z[normal[i]] + z[i] >= 0",
}


def ampl_data(text):
    sets, params = {}, {}
    for statement in text.split(";"):
        words = statement.split()
        if not words or words == ["end"]:
            continue
        at = words.index(":=")
        head, body = words[:at], words[at + 1 :]
        if head[0] == "set":
            sets[head[1]] = [int(x) for x in body]
        elif head == ["param", ":", "NZ", ":", "A"]:
            params["A"] = {
                (int(body[k]), int(body[k + 1])): float(body[k + 2]) for k in range(0, len(body), 3)
            }
        elif head == ["param", "n"]:
            params["n"] = int(body[0])
        else:
            params[head[1]] = {int(body[k]): float(body[k + 1]) for k in range(0, len(body), 2)}
    return sets, params


def ampl_laws(model):
    """{set: sort} of the rows; the multipliers of friction are there exactly when it is."""
    laws, multipliers = {}, set()
    for over, law in re.findall(r"subject to \w+ \{i in (\w+)\}:\s*([^;]*);", model):
        law = " ".join(law.split())
        if law in AMPL_MULTIPLIERS:
            need(over == "FRICTION", "multipliers over " + over)
            multipliers.add(law)
            continue
        left, right = law.split(" complements ")
        sense = re.fullmatch(AMPL_F + "(.*)", right)
        need(sense, "F in " + law)
        laws[over] = AMPL_LAWS[left, sense.group(1).strip()]
    need(multipliers == (AMPL_MULTIPLIERS if "friction" in laws.values() else set()), "multipliers")
    return laws


def read_ampl(text):
    text = "\n".join(line.split("#")[0] for line in text.split("\n"))
    model, data = text.split("\ndata;\n")
    sets, params = ampl_data(data)
    p = problem(params["n"])
    sort = {}
    for name, law in ampl_laws(model).items():
        for i in sets[name]:
            need(i not in sort, "row %d has two laws" % i)
            sort[i] = law
    need(sorted(sort) == list(range(1, p["n"] + 1)), "a law for each row")
    for i, law in sort.items():
        if law == "nonneg":
            p["lo"][i - 1] = 0.0
        if law in ("lower", "both"):
            p["lo"][i - 1] = params["lo"][i]
        if law in ("upper", "both"):
            p["hi"][i - 1] = params["hi"][i]
        if law == "friction":
            p["friction"][i - 1] = (params["mu"][i], int(params["normal"][i]) - 1)
    p["A"] = {(i - 1, j - 1): a for (i, j), a in params["A"].items()}
    p["b"] = [params["b"][i] for i in range(1, p["n"] + 1)]
    return p


# -- .nl ---------------------------------------------------------------------------------------


def nl_lines(text):
    lines = [line.split("#")[0].split() for line in text.splitlines()]
    need(lines[0][0] == "g3", "text form")
    header = [[int(x) for x in line] for line in lines[1:10]]
    return header, lines[10:]


def nl_segments(lines, p):
    pairs, entries, columns = {}, 0, []
    at = 0
    while at < len(lines):
        key, words = lines[at][0][0], lines[at]
        at += 1
        if key == "C":
            p["b"][int(words[0][1:])] = float(lines[at][0][1:])
            at += 1
        elif key in "rb":
            for i in range(p["n"]):
                x = lines[at]
                at += 1
                if key == "r":
                    need(x[0] == "5" and int(x[2]) == i + 1, "row %d complements z" % i)
                    pairs[i] = int(x[1])
                elif x[0] in "02":
                    p["lo"][i] = float(x[1])
                if key == "b" and x[0] in "01":
                    p["hi"][i] = float(x[-1])
        elif key == "k":
            need(int(words[0][1:]) == p["n"] - 1, "columns counted")
            columns = [int(x[0]) for x in lines[at : at + p["n"] - 1]]
            at += p["n"] - 1
        elif key == "J":
            for _ in range(int(words[1])):
                p["A"][int(words[0][1:]), int(lines[at][0])] = float(lines[at][1])
                at += 1
                entries += 1
        else:
            raise ValueError("segment " + words[0])
    return pairs, entries, columns


def nl_check(p, header, pairs, entries, columns):
    n = p["n"]
    need(header[1][2] == n and header[1][:2] == [0, 0] and header[1][3] == 0, "n linear pairs")
    need(header[6] == [entries, 0] and entries == len(p["A"]), "nonzeros")
    for i in range(n):
        need(pairs[i] == (p["lo"][i] > -INF) + 2 * (p["hi"][i] < INF), "pair of row %d" % i)
    need(header[1][4] == sum(k == 3 for k in pairs.values()), "two-sided pairs")
    need(header[1][5] == sum(x not in (0.0, -INF) for x in p["lo"]), "nonzero lower bounds")
    count = [0] * n
    for _, j in p["A"]:
        count[j] += 1
    need(columns == [sum(count[: j + 1]) for j in range(n - 1)], "column counts")


def nl_friction(p, n):
    """Replace the rows n.. of multipliers by friction of the rows that they bound."""
    A, lo, hi, b = p["A"], p["lo"], p["hi"], p["b"]
    owner = {}
    for (i, j), a in A.items():
        if i < n <= j:
            owner.setdefault(i, {})[j] = a
    for i, multipliers in owner.items():
        s, t = sorted(multipliers)
        need(multipliers == {s: 1.0, t: -1.0} and lo[i] == -INF and hi[i] == INF, "w + s - t")
        rows = [{j: a for (k, j), a in A.items() if k == m} for m in (s, t)]
        need(rows[0].pop(i) == -1.0 and rows[1].pop(i) == 1.0 and rows[0] == rows[1], "gaps")
        need(lo[s] == lo[t] == 0.0 == b[s] == b[t] and hi[s] == hi[t] == INF, "s, t >= 0")
        p["friction"][i] = rows[0]
    p["A"] = {(i, j): a for (i, j), a in A.items() if i < n and j < n}
    p["lo"], p["hi"], p["b"], p["n"] = lo[:n], hi[:n], b[:n], n
    return p


def read_nl(text, n):
    header, lines = nl_lines(text)
    p = problem(header[0][0])
    need(header[0] == [p["n"], p["n"], 0, 0, 0], "square")
    nl_check(p, header, *nl_segments(lines, p))
    return nl_friction(p, n)


# -- GAMS --------------------------------------------------------------------------------------

GAMS_MODEL = """variable z(i);
z.lo(i) = lo(i);
z.up(i) = hi(i);
equation F(i);
F(i).. sum(j, A(i,j)*z(j)) + b(i) =n= 0;
model p / F.z /;
solve p using mcp;
display z.l;"""
GAMS_FRICTION = """variable z(i);
positive variables s(i), t(i);
z.lo(i) = lo(i);
z.up(i) = hi(i);
equation F(i);
F(i).. sum(j, A(i,j)*z(j)) + b(i) + (s(i) - t(i))$fr(i) =n= 0;
equations U(i), L(i);
U(fr).. sum(j$normal(fr,j), mu(fr)*z(j)) - z(fr) =g= 0;
L(fr).. sum(j$normal(fr,j), mu(fr)*z(j)) + z(fr) =g= 0;
model p / F.z, U.s, L.t /;
solve p using mcp;
display z.l;"""
GAMS_SPECIAL = {"eps": 0.0, "+inf": INF, "-inf": -INF}


def gams_labels(label):
    return tuple(int(x[1:]) - 1 for x in label.split("."))


def read_gams(text):
    need(all(len(line) < 80000 for line in text.splitlines()), "lines below 80000 characters")
    text = "\n".join(x for x in text.splitlines() if not x.startswith("*"))
    need("$offDigit" in text, "17 digits")
    need("alias(i,j);" in text, "alias")
    p = problem(int(re.search(r"set i /i1\*i(\d+)/;", text).group(1)))
    data = {}
    pattern = r"(?:set|parameter) (\w+)\([ij,]+\) /\n(.*?)/;\n"
    for name, body in re.findall(pattern, text, re.S):
        rows = [line.split() for line in body.splitlines()]
        data[name] = {
            gams_labels(r[0]): GAMS_SPECIAL.get(r[1]) if r[1:] and r[1] in GAMS_SPECIAL
            else float(r[1]) if r[1:] else None
            for r in rows
        }
    need(all((i, i) in data["A"] for i in range(p["n"])), "each z(i) occurs in its F(i)")
    p["A"] = {k: a for k, a in data["A"].items() if a != 0.0}
    for key in ("b", "lo", "hi"):
        p[key] = [data[key][(i,)] for i in range(p["n"])]
    model = text[text.index("variable z(i);") :].strip()
    need(model == (GAMS_FRICTION if "fr" in data else GAMS_MODEL), "the equations")
    for i, normal in data.get("normal", {}):
        need((i,) in data["fr"], "friction row")
        p["friction"][i] = (data["mu"][(i,)], normal)
    return p


# -- the mixed-integer form --------------------------------------------------------------------


def read_mps(text):
    """rows {name: (sense, {column: a}, rhs)}, bounds {column: kind}, the objective to minimise."""
    rows, senses, rhs, bounds, section = {}, {}, {}, {}, None
    for line in text.splitlines():
        words = line.split()
        if line.startswith("*"):
            continue
        if not line.startswith(" "):
            section = words[0]
        elif section == "ROWS":
            senses[words[1]] = words[0]
            rows[words[1]] = {}
        elif section == "COLUMNS":
            need(words[0] not in rows[words[1]], "one entry per place")
            rows[words[1]][words[0]] = float(words[2])
            bounds.setdefault(words[0], ">= 0")
        elif section == "RHS":
            rhs[words[1]] = float(words[2])
        elif section == "BOUNDS":
            need(words[3:] == {"UP": ["1"], "LO": ["-1"]}.get(words[0], []), "-1 <= alpha <= 1")
            bounds[words[2]] = words[0]
    objective = {c: a for c, a in rows.pop("obj").items() if a != 0.0}
    need(senses.pop("obj") == "N" and objective == {"alpha": -1.0}, "maximise alpha")
    return {r: (senses[r], rows[r], rhs.get(r, 0.0)) for r in rows}, bounds


def read_lp(text):
    text = "\n".join(x for x in text.splitlines() if not x.startswith("\\"))
    parts = re.split(r"^(Maximize|Subject To|Bounds|Binary|End)\n?", text, flags=re.M)
    part = dict(zip(parts[1::2], parts[2::2]))
    need(part["Maximize"].split() == ["obj:", "alpha"], "maximise alpha")
    rows, bounds, columns = {}, {}, set()
    for body in re.split(r"\n (?=\w+\(\d+\):)", "\n" + part["Subject To"])[1:]:
        words = body.split()
        terms, (sense, rhs) = words[1:-2], words[-2:]
        row = {c: float(s + a) for s, a, c in zip(terms[::3], terms[1::3], terms[2::3])}
        need(3 * len(row) == len(terms), "one entry per place")
        columns |= set(row)
        row = {c: a for c, a in row.items() if a != 0.0}
        rows[words[0][:-1]] = ({"=": "E", "<=": "L", ">=": "G"}[sense], row, float(rhs))
    for words in map(str.split, part["Bounds"].splitlines()):
        need(words[1:] == ["free"] or words == ["-1", "<=", "alpha", "<=", "1"], "bound")
        bounds[words[0] if words[1] == "free" else words[2]] = "FR" if words[1] == "free" else "UP"
    for c in part["Binary"].split():
        bounds[c] = "BV"
    for c in columns:
        bounds.setdefault(c, ">= 0")
    return rows, bounds


def milp_index(name):
    return int(name[2:-1]) - 1


def milp_side(p, rows, bounds, i, above, like):
    """Bound `above` of row i from its rows; False when there is none."""
    lo, sign, w, x = ("hi", -1.0, "m", "u") if above else ("lo", 1.0, "p", "l")
    at = "(%d)" % (i + 1)
    if lo + at not in rows:
        return False
    sense, gap, rhs = rows.pop(lo + at)
    need((sense, rhs, gap["y" + at]) == ("G", 0.0, sign), "gap >= 0")
    if "gap_" + lo + at not in rows:  # no solution reaches it, nor a nearer one in its place
        key = "hi" if above else "lo"
        need(abs(gap.get("alpha", 0.0)) <= abs(like[key][i]), "a nearer bound")
        p[key][i] = like[key][i]
        return False
    sense, capped, rhs = rows.pop("gap_" + lo + at)
    sigma = -capped.pop(x + at)
    need((sense, rhs, capped) == ("L", 0.0, gap) and sigma > 0.0, "gap <= sigma x")
    sense, switch, rhs = rows.pop("w_" + lo + at)
    need((sense, switch) == ("L", {w + at: 1.0, x + at: rhs}) and rhs > 0.0, "p <= tau (1 - x)")
    need(bounds[x + at] == "BV" and bounds[w + at] == ">= 0", "sorts of columns")
    normal = [milp_index(c) for c in gap if c[0] == "y" and c != "y" + at]
    if normal:
        p["friction"].setdefault(i, []).append((gap["y(%d)" % (normal[0] + 1)], normal[0]))
    else:
        p["hi" if above else "lo"][i] = -sign * gap.get("alpha", 0.0)
    return True


def from_milp(rows, bounds, like):
    """The problem, where `like` says which rows without a gap to the normal are friction."""
    p = problem(sum(name.startswith("w(") for name in rows))
    need(bounds["alpha"] == "UP", "-1 <= alpha <= 1")
    for i in range(p["n"]):
        at = "(%d)" % (i + 1)
        sense, row, rhs = rows.pop("w" + at)
        need((sense, rhs) == ("E", 0.0) and bounds.get("y" + at, "FR") == "FR", "w")
        p["b"][i] = row.pop("alpha", 0.0)
        need(row.pop("p" + at, 0.0) == -milp_side(p, rows, bounds, i, False, like), "p")
        need(row.pop("m" + at, 0.0) == +milp_side(p, rows, bounds, i, True, like), "m")
        p["A"].update({(i, milp_index(c)): a for c, a in row.items()})
    need(not rows, "no more rows")
    for i, sides in p["friction"].items():
        need(len(sides) == 2 and sides[0] == sides[1], "two equal sides")
        p["friction"][i] = sides[0]
    for i, (mu, normal) in like["friction"].items():
        if mu == 0.0 and p["lo"][i] == p["hi"][i] == 0.0:
            p["friction"][i] = (mu, normal)
            p["lo"][i], p["hi"][i] = -INF, INF
    return p


# -- QPS ---------------------------------------------------------------------------------------


def read_qps(text):
    b, lo, hi, Q, section = {}, {}, {}, {}, None
    for line in text.splitlines():
        words = line.split()
        if line.startswith("*"):
            continue
        if not line.startswith(" "):
            section = words[0]
        elif section == "ROWS":
            need(words == ["N", "obj"], "no rows")
        elif section == "COLUMNS":
            need(words[1] == "obj", "the objective alone")
            b[words[0]] = float(words[2])
            lo[words[0]], hi[words[0]] = 0.0, INF
        elif section == "BOUNDS":
            sort, c = words[0], words[2]
            x = float(words[3]) if len(words) > 3 else None
            lo[c] = {"LO": x, "MI": -INF, "FR": -INF}.get(sort, lo[c])
            hi[c] = x if sort == "UP" else hi[c]
        elif section == "QUADOBJ":
            i, j = milp_index(words[1]), milp_index(words[0])
            need(i >= j and (i, j) not in Q, "the lower triangle")
            Q[i, j] = Q[j, i] = float(words[2])
    p = problem(len(b))
    names = ["z[%d]" % (i + 1) for i in range(p["n"])]
    need(list(b) == names, "columns in order")
    p["A"] = Q
    p["b"], p["lo"], p["hi"] = ([x[c] for c in names] for x in (b, lo, hi))
    return p


# -- comparison --------------------------------------------------------------------------------


def read_model(path, like):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    kind = path.rsplit(".", 1)[1]
    if kind == "nl":
        p = read_nl(text, like["n"])
        for i, row in p["friction"].items():
            mu = like["friction"][i][0]
            need(row == ({like["friction"][i][1]: mu} if mu != 0.0 else {}), "friction")
            p["friction"][i] = like["friction"][i]
        return p
    if kind in ("mps", "lp"):
        return from_milp(*(read_mps if kind == "mps" else read_lp)(text), like)
    return {"mod": read_ampl, "gms": read_gams, "qps": read_qps}[kind](text)


def compare(folder):
    models = 0
    for path in sorted(glob.glob(folder + "/*.json")):
        with open(path, encoding="utf-8") as f:
            p = read_json(f.read())
        for kind in ("mod", "nl", "gms", "mps", "lp", "qps"):
            for model in glob.glob(glob.escape(path[:-5]) + "." + kind):
                q = read_model(model, p)
                for key in p:
                    need(p[key] == q[key], "%s: %s differs" % (model, key))
                models += 1
    print(models)


def solution(model, report):
    """z = y/alpha, or nothing where alpha is 0; `report` is that of glpsol --write, which has the
    columns in the order in which the model names them."""
    with open(model, encoding="utf-8") as f:
        text = "".join(x for x in f if x[0] not in "*\\")
    names = list(dict.fromkeys(re.findall(r"\balpha\b|\b[yplmu]\(\d+\)", text)))
    with open(report, encoding="utf-8") as f:
        lines = [line.split() for line in f]
    need(any(x[:2] == ["s", "mip"] and x[4] == "o" for x in lines), report + ": no optimum")
    value = {names[int(x[1]) - 1]: float(x[2]) for x in lines if x[0] == "j"}
    need(len(value) == len(names), "columns")
    if value["alpha"] > 1e-6:
        for i in range(sum(name[0] == "y" for name in names)):
            print("%.17g" % (value["y(%d)" % (i + 1)] / value["alpha"]))


if __name__ == "__main__":
    if sys.argv[1] == "compare":
        compare(sys.argv[2])
    else:
        solution(sys.argv[2], sys.argv[3])
