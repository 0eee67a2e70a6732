#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# page.sh: the data of report.html from outside: its numbers are those of the tables, names of any
# letters survive, and the line of a run repeats it. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/page-$$
support=$(cd "${PERP_SOURCE:-.}" && pwd)/tests/support
suite=page
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1
page() { python3 "$support/page.py" "$1/report.html" 2>err; }

cat >suite.json <<'JSON'
{"name": "page", "title": "a page", "limits": {"seconds": 20}, "tolerances": [1e-4, 1e-8], "sets": [
 {"name": "lcp", "title": "small ones", "instances": [{"generate": "spd", "n": [5, 10, 15]}, "generate:degenerate:n=20"],
  "solvers": ["lemke", "dantzig", {"solver": "pgs", "label": "it's \"slow\" [*?]/$(x)", "options": {"max-iterations": 20}}]},
 {"name": "contacts", "instances": ["generate:stack:n=2", "scene:stack:step=2"],
  "solvers": [{"solver": "nsgs", "options": {"stall": 5000}}, "lemke"]},
 {"name": "boxed", "friction": "box", "instances": ["generate:stack:n=2"], "solvers": ["dantzig"]},
 {"name": "sequence", "sequences": ["generate:american-put:n=10,steps=3"], "solvers": ["lemke"]},
 {"name": "scenes", "scenes": ["double-pendulum"], "steps": 3, "solvers": ["auto"]}
]}
JSON
run compare suite.json -o a -j 2 --quiet
[ "$status" -eq 0 ] && [ -s a/report.html ]
ok $? "makes the page of a small suite"

# -- numbers ------------------------------------------------------------------------------
page a <<'PY'
import csv, math
columns = {"problems": "problems", "taken": "taken", "solved": "solved", "refused": "not_applicable",
           "approximate": "approximation_solved", "fastest": "fastest", "mean": "mean_seconds",
           "mean_low": "mean_low", "mean_high": "mean_high", "ratio": "ratio", "ratio_low": "ratio_low",
           "ratio_high": "ratio_high", "p": "p_value", "iterations": "median_iterations",
           "worst_residual": "worst_residual", "common": "common", "shift": "shift_seconds"}
digits = lambda x: "" if x is None else "%.9g" % x
rows = {(r["set"], float(r["tolerance"]), r["solver"]): r for r in csv.DictReader(open("a/tables/summary.csv"))}
count = 0
for block in report["ranking"]:
    for row in block["rows"]:
        want = rows[block["set"], block["tolerance"], row["solver"]]
        assert row["verdict"] == want["verdict"], (row, want)
        for member, column in columns.items():
            assert digits(row[member]) == want[column], (member, row, want)
        count += 1
assert count == len(rows) > 10, (count, len(rows))
PY
ok $? "ranks by the numbers of tables/summary.csv, to the digit"
page a <<'PY'
import csv
pairs = {(r["set"], float(r["tolerance"]), r["solver"], r["against"]): r for r in csv.DictReader(open("a/tables/pairs.csv"))}
near = lambda x, text: (x is None and text == "") or abs(x - float(text)) <= 1e-3 * abs(float(text)) # four digits
seen = 0
assert report["against"] is None
for entry in report["ranking"]:
    labels = [row["solver"] for row in entry["rows"]]
    assert len(entry["against"]) == len(labels)
    for a, b, common, solved, others, both, ratio, low, high, p in entry["pairs"]:
        r = pairs[entry["set"], entry["tolerance"], labels[a], labels[b]]
        assert [common, solved, others, both] == [int(r[k]) for k in ("problems", "solved", "against_solved", "both")], r
        assert near(ratio, r["ratio"]) and near(low, r["ratio_low"]) and near(high, r["ratio_high"]) and near(p, r["p_value"]), r
        seen += 1
    best = [row["verdict"] for row in entry["rows"]]
    if "best" in best: # the reference of the data is one of those to choose
        k = best.index("best")
        for row, (ratio, low, high, p, verdict, common) in zip(entry["rows"], entry["against"][k]):
            assert near(ratio, "" if row["ratio"] is None else str(row["ratio"])) and common == row["common"], (row, ratio)
            assert verdict == ("reference" if row["verdict"] == "best" else row["verdict"]), (row, verdict)
assert seen == len(pairs) > 0, (seen, len(pairs))
PY
ok $? "holds every pair, and the ratios to every solver"
page a <<'PY'
import csv
runs = report["runs"]
digits = lambda x: "" if x is None else "%.9g" % x
rows = list(csv.DictReader(open("a/tables/runs.csv")))
assert len(rows) == len(details) == len(runs["set"])
for i, row in enumerate(rows):
    assert report["sets"][runs["set"][i]]["name"] == row["set"]
    assert report["instances"][runs["instance"][i]]["name"] == row["instance"]
    assert report["solvers"][runs["solver"][i]]["label"] == row["solver"]
    assert report["endings"][runs["ending"][i]]["name"] == row["ending"]
    assert digits(report["tolerances"][runs["tolerance"][i]]) == row["tolerance"]
    for member in ("residual", "residual_given", "seconds", "iterations"):
        assert digits(runs[member][i]) == row[member], (member, i)
assert {m["key"] for m in report["measures"]} <= set(runs) and report["measures"][0]["key"] == "residual"
assert all(m["help"] and m["label"] for m in report["measures"])
assert not {"set", "instance", "solver", "tolerance", "ending", "folder", "values"} & {m["key"] for m in report["measures"]}
PY
ok $? "holds the runs of tables/runs.csv"
page a <<'PY'
import re, subprocess
assert report["title"] == "a page" and report["sets"][0] == {"name": "lcp", "title": "small ones"}
assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", report["date"]), report["date"]
for i, d in enumerate(details):
    c = d["contacts"]
    assert (c is None) == (report["runs"]["residual_given"][i] is None or
                           report["sets"][report["runs"]["set"][i]]["name"] in ("sequence", "scenes")), (i, c)
    if c:
        worst = [w["residual"] for w in c["worst"]]
        assert worst == sorted(worst, reverse=True) and c["quantiles"] == sorted(c["quantiles"])
        assert not worst or worst[0] == c["quantiles"][4]
names = {n["name"] for d in details if d["contacts"] for n in d["contacts"]["worst"]}
assert any(n.startswith("contact") for n in names) and any(re.fullmatch(r"block \d+, row \d+", n) for n in names), names
PY
ok $? "shows the date, and the residual contact by contact"

# -- instances ----------------------------------------------------------------------------
page a <<'PY'
known = [i for i in report["instances"] if i["spectrum"]]
assert len(known) == 7, len(known)
for i in known:
    s, p = i["spectrum"], i["pattern"]
    assert len(s) == min(i["n"], 64) and s == sorted(s, reverse=True) and 0 < i["rank"] <= i["n"]
    assert p["size"] == min(i["n"], 32) and len(p["cells"]) == p["size"] ** 2
    assert sum(p["cells"]) <= i["nonzeros"] and i["note"] == ""
assert all(i["note"] for i in report["instances"] if not i["spectrum"])
PY
ok $? "describes each instance: rank, spectrum, pattern, or why not"
cp a/instances.jsonl before && head -n 3 a/runs.jsonl >few && mkdir b && cp a/suite.json a/instances.jsonl b && cp few b/runs.jsonl
tail -n 2 b/instances.jsonl >torn && printf '{"hash": "0' >>b/instances.jsonl
run compare suite.json -o b --resume --no-report --quiet
[ "$status" -eq 0 ] && cmp -s b/instances.jsonl before
ok $? "does not describe an instance twice, and cuts off a torn line"
run compare suite.json -o p1 --part 1/2 --no-report --quiet && run compare suite.json -o p2 --part 2/2 --no-report --quiet &&
    run compare --merge p1 p2 p1 -o joined
[ "$status" -eq 0 ] && [ "$(wc -l <joined/instances.jsonl)" -eq "$(wc -l <a/instances.jsonl)" ] &&
    [ "$(grep -o '"hash":"[0-9a-f]*"' joined/instances.jsonl | sort -u | wc -l)" -eq "$(wc -l <a/instances.jsonl)" ]
ok $? "joins the descriptions of parts"

# -- commands -----------------------------------------------------------------------------
# Each line is read by a shell; "perp" is a function there.
page a >lines <<'PY'
for i, d in enumerate(details):
    r = report["runs"]
    name = report["sets"][r["set"][i]]["name"]
    if r["residual_given"][i] is not None and name not in ("sequence", "scenes") and d["options"]["tolerance"] == 1e-8:
        print("%.9g" % r["residual"][i], d["command"] + " --json", sep="\t")
PY
good=0 bad=0
while IFS='	' read -r residual line; do
    (perp() { "$perp" "$@"; } && eval "$line") >answer.json 2>err </dev/null
    again=$(python3 -c 'import json; print("%.9g" % json.load(open("answer.json"))["residual"])')
    if [ "$again" = "$residual" ]; then good=$((good + 1)); else bad=$((bad + 1)) && echo "# $line: $residual, again $again"; fi
done <lines
[ "$good" -ge 8 ] && [ "$bad" -eq 0 ]
ok $? "the line of an instance run gives the same residual"
page a >lines <<'PY'
for i, d in enumerate(details):
    if report["sets"][report["runs"]["set"][i]]["name"] in ("sequence", "scenes") and report["runs"]["tolerance"][i] == 1:
        print(d["key"], d["command"], sep="\t")
PY
good=0 bad=0
while IFS='	' read -r key line; do
    rm -rf again
    (perp() { "$perp" "$@"; } && eval "$line --no-report --quiet") >out 2>err </dev/null
    python3 - "$key" <<'PY' && good=$((good + 1)) || bad=$((bad + 1))
import json, sys
find = lambda dir: {r["key"]: r for r in map(json.loads, open(dir + "/runs.jsonl"))}
first, again = find("a"), find("again")
assert first[sys.argv[1]]["residual"] == again[sys.argv[1]]["residual"], (sys.argv, list(again))
assert len(again) <= 4 # policies and tolerances
PY
done <lines
[ "$good" -ge 2 ] && [ "$bad" -eq 0 ]
ok $? "the line of a sequence and of a scene makes that run again"

# -- hostile names ------------------------------------------------------------------------
mkdir hostile && python3 - <<'PY'
import json
names = ["</script><script>alert(1)</script>", "<!--<script>", "]]>", "\"quoted\"", "it's", "a&amp;b&lt;c", "one\ntwo",
         "\u202egnp.exe", "=1+1", "@SUM(A1)", "-2+3", "+cmd|' /C calc'!A0", "\t tab", "back\\slash", "${x}`y`", "%3Cimg%3E",
         "<img src=x onerror=alert(1)>", "\u2028line\u2029", "e\u0301\U0001f600", "\u0001\u007f", "constructor", "__proto__"]
json.dump(names, open("names.json", "w"))
first = json.loads(open("a/runs.jsonl").readline())
with open("hostile/runs.jsonl", "w") as out:
    for k, name in enumerate(names):
        first.update(set=name, instance=name, label=name, file=name, reason=name, message=name, problem=name, path=[name],
                     command=name, key=str(k), place=k, hash=None, tolerance=1e-4, tolerances=[1e-4], vary={name: name},
                     vary_units={name: name}, kind=name, law=name, suite=name,
                     certificate={"kind": name, "verified": True, "says": name})
        first["machine"]["cpu"] = name
        first["blocks"] = {"quantiles": [0, 0, 0, 0, 1], "worst": [{"block": 0, "row": 0, "name": name, "residual": 1}]}
        out.write(json.dumps(first) + "\n")
json.dump({"name": names[0], "title": names[0] + names[16], "sets": [{"name": n, "title": n} for n in names]},
          open("hostile/suite.json", "w"))
PY
run plot hostile
page hostile <<'PY'
import json, re
names = json.load(open("names.json"))
assert [s["name"] for s in report["sets"]] == [s["title"] for s in report["sets"]] == names
assert [i["name"] for i in report["instances"]] == [s["label"] for s in report["solvers"]] == names
assert [i["kind"] for i in report["instances"]] == [p["name"] for p in report["parameters"]] == names
assert all(report["runs"]["values"][n][k] == n for k, n in enumerate(names))
for k, name in enumerate(names):
    d = details[k]
    assert d["reason"] == d["message"] == d["path"][0] == d["command"] == d["certificate"]["says"] == name
    assert d["contacts"]["worst"][0]["name"] == name
assert report["title"] == names[0] + names[16]
# The page is the parts, the blocks and a title: what is left of the names there is escaped.
for name in names:
    if "<" in name:
        assert name not in page, name
assert "&lt;/script&gt;&lt;script&gt;alert(1)" in re.search("<title>(.*)</title>", page, re.S)[1]
PY
ok $? "keeps names that would be markup, formulas or controls, and escapes them"
name=$(printf 'a\377b<i>.json') && "$perp" generate spd:n=4 -o plain.json >out 2>err && cp plain.json "$name" &&
    python3 - <<'PY'
open(b"bytes.json", "wb").write(b'{"name": "bytes", "sets": [{"name": "s", "instances": ["a*b<i>.json"], "solvers": ["lemke"]}]}')
PY
run compare bytes.json -o bytes --quiet
[ "$status" -eq 0 ] && page bytes <<'PY'
assert report["endings"][0]["name"] == "solved", (report["endings"], details)
assert report["instances"][0]["name"] == "a\\xffb<i>", report["instances"]
PY
ok $? "takes a name of an instance that is no text"
mkdir -p bad && sed 's/"lemke"/"\xff"/' a/runs.jsonl >bad/runs.jsonl
run plot bad
[ "$status" -eq 2 ] && grep -q 'bad/runs.jsonl:1: found no run' err
ok $? "refuses a record that is no text"
echo "1..$count"
