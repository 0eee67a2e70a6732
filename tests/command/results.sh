#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# results.sh: stored results from outside: LaTeX tables that compile, two results compared, drawn
# together and joined. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/results-$$
suite=results
support=$(cd "${PERP_SOURCE:-.}" && pwd)/tests/support
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

lines() { wc -l <"$1" | tr -d ' '; }
# vary OLD NEW SCRIPT: the runs of OLD as NEW, each run r changed by a line of python3.
vary() {
    mkdir -p "$2" && cp "$1/suite.json" "$2" && python3 - "$1" "$2" "$3" <<'PY'
import json, sys
with open(sys.argv[2] + "/runs.jsonl", "w") as out:
    for r in map(json.loads, open(sys.argv[1] + "/runs.jsonl")):
        exec(sys.argv[3])
        out.write(json.dumps(r) + "\n")
PY
}

# changed DIR: the changes that the page of DIR shows, one per line: folders, word, endings.
changed() {
    python3 "$support/page.py" "$1/report.html" <<'PY'
c = report["changes"]
for r in c["rows"]:
    print(c["before"], c["after"], r["set"], r["word"], *(r[k]["ending"] if r[k] else "-" for k in ("after", "before")))
PY
}

# Names that LaTeX reads as commands, a label that is long, a solver that does not suit.
cat >suite.json <<'JSON'
{"name": "results", "limits": {"seconds": 20}, "tolerances": [1e-4, 1e-8], "sets": [
 {"name": "a_b^c~%&#{}", "instances": [{"generate": "spd", "n": [5, 10, 15, 20, 25, 30]}],
  "solvers": ["lemke", {"solver": "pgs", "label": "$p_1$ \\input{x} <[*]> |--''`` μ ≤ 10⁻⁸"},
              {"solver": "bpp", "label": "aLabelOfOneWordThatIsLongerThanAColumnOfTheTableAndHasNoPlaceToBreakIt"}]},
 {"name": "contacts", "instances": ["generate:stack:n=2", "generate:wall:nx=1,nz=2"],
  "solvers": ["nsgs", "auto", "dantzig"]},
 {"name": "sequence", "sequences": ["generate:american-put:n=10,steps=3"], "solvers": ["lemke", "ipm"]},
 {"name": "scenes", "scenes": ["double-pendulum"], "steps": 3, "coordinates": ["maximal", "reduced"],
  "integrators": ["semi-implicit", "velocity-verlet"], "solvers": ["auto"]}
]}
JSON
run compare suite.json -o old -j 2 --no-report --quiet
[ "$status" -eq 0 ]
ok $? "runs a small suite"

# -- tables -------------------------------------------------------------------------------
run plot old
[ ! -e old/tables/summary.tex ] && [ -s old/tables/summary.csv ] &&
    [ "$(find old/tables -name '*.tex' | wc -l)" -eq 0 ]
ok $? "writes no LaTeX unless asked"
run plot old --tables
[ "$(find old/tables -name '*.tex' | wc -l)" -ge 9 ] &&
    [ "$(cat old/tables/*.tex | grep -c '\\label{')" -eq "$(cat old/tables/*.tex | grep '\\label{' | sort -u | wc -l)" ]
ok $? "writes LaTeX tables, each with a label of its own"
# "6/6" stands in one column, however long the label before it, and ends where "solved" does.
python3 - <<'PY' 2>err
import re
text = open("old/summary.txt", encoding="utf-8").read()
block = text[text.index("a_b^c~%&#{}: 6 problems"):].split("\n\n")[0].split("\n")
ends = {re.search(r" (solved|\d/\d)( |$)", line).end(1) for line in block[1:]}
assert len(block) == 5 and len(ends) == 1, (block, ends)
PY
ok $? "aligns the columns of the summary behind long labels"
{
    printf '%s\n' '\documentclass[twocolumn]{article}' '\usepackage[T1]{fontenc}\usepackage{lmodern}' \
        '\usepackage[a4paper,textwidth=469pt,columnsep=10pt,textheight=250mm]{geometry}' \
        '\usepackage{array,booktabs,siunitx,threeparttable}' '\begin{document}'
    for t in old/tables/*.tex; do printf '%s\n' "\\input{\"$t\"}\\clearpage"; done
    printf '%s\n' '\end{document}'
} >all.tex
compiled="compiles every table within the columns of article"
if kpsewhich siunitx.sty threeparttable.sty booktabs.sty lmodern.sty >found 2>/dev/null &&
    [ "$(lines found)" -eq 4 ] && command -v pdflatex >/dev/null; then
    pdflatex -interaction=nonstopmode -halt-on-error all.tex >out 2>err
    status=$?
    grep -E '^(!|Overfull)|too large|multiply' all.log >found
    [ "$status" -eq 0 ] && [ -s all.pdf ] && [ ! -s found ]
    ok $? "$compiled"
else
    count=$((count + 1))
    echo "ok $count - $suite: $compiled # SKIP no pdflatex with siunitx, threeparttable, booktabs, lmodern"
fi

# -- a reference of one's choice ------------------------------------------------------------
run plot old --set contacts --against nsgs --tables
[ "$status" -eq 0 ] && grep -q "^contacts: 2 problems, .*, against nsgs$" old/summary.txt &&
    grep -q "^  nsgs .* reference " old/summary.txt &&
    grep -Eq "^  auto solved 2 of 2, nsgs [0-2]; on the [12t]" old/summary.txt &&
    grep -Eq "^  time of / to +nsgs +auto" old/summary.txt &&
    grep -q "are against nsgs, with a mean of" old/tables/contacts_1e-08.tex
ok $? "compares with a solver of one's choice: table, sentences, matrix, LaTeX"
python3 - <<'PY' 2>err
import csv
rows = {(r["solver"], r["against"]): r for r in csv.DictReader(open("old/tables/pairs.csv"))}
assert len(rows) == 3 and ("nsgs", "auto") in rows, rows.keys()
r = rows["nsgs", "auto"]
assert r["problems"] == "2" and int(r["both"]) <= int(r["solved"]) <= 2, r
PY
ok $? "lists every pair of solvers"
refuse "names the nearest solver" 'no run has the solver "nsg", the nearest is "nsgs"' plot old --set contacts --against nsg
refuse "refuses a folder as solver" "expected a solver; perp compare DIR --against old compares" plot old --against old
refuse "has no solver for an instance" "against is of results of perp compare" plot generate:spd:n=5 --against nsgs
run plot old

# -- size ---------------------------------------------------------------------------------
# As many runs as the suite quick makes, each a copy of one from above. Histories, which are most
# of what it stores, are not counted here: 3 MB of its 8 MB are left for the other files.
suites=$(cd "${PERP_SOURCE:-.}" && pwd)/experiments/suites
mkdir -p quick && cp "$suites/quick.json" quick/suite.json
python3 - "$suites" <<'PY' 2>err
import copy, glob, json, sys
runs = [json.loads(line) for line in open("old/runs.jsonl")]
solve = next(r for r in runs if r["label"] == "lemke" and r["set"][0] == "a")
steps = {r["policy"]: r for r in runs if r.get("policy") and r["solver_label"] == "ipm"}
with open("quick/runs.jsonl", "w") as out:
    place = 0
    def write(r, name, instance, label, **more):
        global place
        r = copy.deepcopy(r)
        r.update(more, set=name, instance=instance, label=label, tolerance=1e-8, key=str(place), place=place)
        r["seconds"] = 1e-4 * (1 + place % 7)
        out.write(json.dumps(r) + "\n")
        place += 1
    for s in json.load(open("quick/suite.json"))["sets"]:
        labels = [x if isinstance(x, str) else x.get("label", x["solver"]) for x in s["solvers"]]
        names = []
        for i in s.get("instances", []):
            many = [f"{i['generate']}:{k}" for k in range(5)] if isinstance(i, dict) else glob.glob(sys.argv[1] + "/" + i)
            names += [str(m).split("/")[-1] for m in many] or [i]
        for k, instance in enumerate(names):
            for label in labels:
                write(solve, s["name"], instance, label, n=10 * (k + 1))
        for instance in s.get("sequences", []):
            for label in labels:
                for policy, r in steps.items():
                    write(r, s["name"], instance, f"{label} {policy}", solver_label=label)
assert place > 700, place
PY
[ $? -eq 0 ] && run plot quick && [ "$status" -eq 0 ] && [ "$(find quick -type f | wc -l)" -le 60 ] &&
    [ "$(find quick -type f ! -name runs.jsonl -exec cat {} + | wc -c)" -le 3000000 ]
ok $? "results of the suite quick are at most 60 files, and small"


# -- changes ------------------------------------------------------------------------------
# Five repeats of each run, twice as long, or half as long, in some; one broke, one healed.
vary old base '
if "seconds" in r and r["seconds"]:
    r["seconds"] = 0.01
    r["seconds_all"] = [0.01, 0.0101, 0.0102, 0.0103, 0.0104] * 2
r["machine"].update({"cpu": "one", "host": "here"})'
run compare base --against old --no-report
[ "$status" -eq 0 ] && grep -q 'times of different machines are not compared' out
ok $? "does not compare times of different machines"
vary base same 'r["suite"] = "other"'
run compare same --against base --no-report
both=$(sed -n 's/^against base: \([0-9]*\) runs in both: \1 same$/\1/p' out)
[ "$status" -eq 0 ] && [ "${both:-0}" -ge "$(lines base/runs.jsonl)" ] &&
    [ "$(lines same/against.csv)" -eq $((both + 1)) ]
ok $? "finds no change where there is none"
vary base slow '
if r["label"] == "lemke" and r["set"][0] == "a":
    r["seconds"] *= 2; r["seconds_all"] = [2 * x for x in r["seconds_all"]]
if r["label"] == "nsgs":
    r["seconds"] *= 1.02; r["seconds_all"] = [1.02 * x for x in r["seconds_all"]]'
run compare slow --against base --no-report
[ "$status" -eq 1 ] && grep -q ': 12 slower, ' out && grep -q '; 2 solvers slower$' out &&
    grep -qE '^  slower  a_b.* lemke ' out && ! grep -qE 'slower.* nsgs' out &&
    [ "$(grep -c '^slower,' slow/against.csv)" -eq 12 ]
ok $? "a run or a solver beyond noise is slower: exit status 1; two per cent are not"
vary base fast '
if r["label"] == "lemke" and r["set"][0] == "a":
    r["seconds"] /= 2; r["seconds_all"] = [x / 2 for x in r["seconds_all"]]'
run compare fast --against base --no-report
[ "$status" -eq 0 ] && grep -q ': 12 faster, ' out
ok $? "faster is no regression"
vary base few 'r["seconds_all"] = (r.get("seconds_all") or [])[:2]'
vary few fewer '
if r["label"] == "nsgs": r["seconds"] *= 2; r["seconds_all"] = [2 * x for x in r["seconds_all"]]'
run compare fewer --against few --no-report
[ "$status" -eq 0 ] && ! grep -q ' slower' out
ok $? "two repeats of four runs say nothing"
vary base broken '
if r["label"] == "auto" and r["set"] == "contacts" and r["instance"].startswith("stack"):
    r["solved"] = False; r["outcome"] = "stalled"
if r["label"] == "dantzig": r["status"] = "ok"; r["outcome"] = "solved"; r["solved"] = True
if r["label"] == "nsgs" and r["tolerance"] == 1e-4: r["label"] = "renamed"'
run compare broken --against base
[ "$status" -eq 1 ] && grep -qE ': 2 broke, 4 healed, .* 2 new, 2 gone$' out &&
    grep -qE '^  broke .*stalled +solved' out &&
    changed broken | grep -q '^base broken .*broke stalled solved'
ok $? "tells what broke and healed, also in the report"
vary base late '
r["machine"]["cpu"] = "another"
if r["label"] == "auto": r["solved"] = False; r["status"] = "time limit"'
run compare late --against base --no-report
[ "$status" -eq 0 ] && grep -q 'cpu "another", before "one"' out && run compare late --against base --no-report --times &&
    [ "$status" -eq 1 ]
ok $? "a time limit on another machine is no regression unless times are compared"
run compare suite.json -o third --against old -j 2 --quiet
[ "$status" -le 1 ] && grep -q '^against old: ' out && [ -s third/against.csv ] && [ -s third/report.html ]
ok $? "runs a suite and compares it with an earlier result"
refuse "refuses --against without results" "no results of perp compare are there" compare suite.json -o new --against nowhere
refuse "refuses results against themselves" "these are the same results" compare old --against ./old
refuse "refuses results without --against" "expected --against OLD" compare old
refuse "refuses an option that stored results have no use for" "--jobs is of no use" compare old --against base -j 2
refuse "refuses --times alone" "of no use without --against" compare suite.json -o new --times
sed 's/"set":"/"set":"other /' old/runs.jsonl >line && mkdir -p alien && mv line alien/runs.jsonl
refuse "refuses results that have nothing in common" "no run in common" compare alien --against old --no-report

# -- several results ----------------------------------------------------------------------
run plot base slow
[ "$status" -eq 0 ] && grep -q 'base-and-slow/report.html' out && grep -q '^  lemke (base) ' base-and-slow/summary.txt &&
    grep -q '^  lemke (slow) ' base-and-slow/summary.txt && changed base-and-slow | grep -q '^base slow .*slower'
ok $? "draws two results together, with the folder after the name of a solver"
run plot base broken -o two --set contacts
[ "$status" -eq 0 ] && grep -q '^  renamed  ' two/summary.txt && grep -q '^  auto (broken)' two/summary.txt &&
    ! grep -q sequence two/summary.txt
ok $? "leaves a label alone that one result has, and takes one set"
mkdir -p x && cp -r base x/base
run plot base x/base -o same-name
[ "$status" -eq 0 ] && grep -q '^  nsgs (x/base)' same-name/summary.txt
ok $? "tells folders of one name apart by their paths"
refuse "refuses a set that no run has" 'expected one of: a_b^c~%&#{}, contacts' plot base slow -o out2 --set nothing
refuse "refuses to draw over other results" "holds results of its own" plot base slow -o old
refuse "refuses a folder without results" "no results of perp compare" plot base x -o new
refuse "refuses what is not there" "nowhere: No such file or directory, expected results" plot nowhere
refuse "refuses a folder that holds nothing to plot" "expected results of perp compare" plot x

# Beside a running comparison.
cat >long.json <<'JSON'
{"name": "long", "sets": [{"name": "s", "instances": [{"generate": "spd", "n": [20, 30, 40], "seed": [1, 2, 3]}],
  "solvers": ["lemke", "pgs", "bpp", "ipm"]}]}
JSON
"$perp" compare long.json -o long --quiet >out 2>err &
pid=$!
while [ ! -s long/runs.jsonl ] && kill -0 $pid 2>/dev/null; do sleep 0.1; done
good=0
for k in 1 2 3; do
    "$perp" plot long >drawn 2>found || good=1
done
wait $pid || good=1
[ "$good" -eq 0 ] && [ "$(lines long/runs.jsonl)" -eq 36 ] && grep -q '^36 runs' long/summary.txt
ok $? "plots beside a running comparison"

pids=
for k in 1 2 3 4; do
    "$perp" plot long >drawn 2>>found &
    pids="$pids $!"
done
good=0
for pid in $pids; do
    wait "$pid" || good=1
done
ok $good "plots of one folder wait for each other"

# -- merge --------------------------------------------------------------------------------
head -n 10 old/runs.jsonl >head && tail -n +9 old/runs.jsonl >tail
mkdir -p part1/captures part2/captures && mv head part1/runs.jsonl && mv tail part2/runs.jsonl
cp old/suite.json part1 && cp old/suite.json part2 && echo one >part1/captures/1.json && echo two >part2/captures/2.json
printf '{"torn' >>part2/runs.jsonl
run compare --merge part1 part2 -o whole
[ "$status" -eq 0 ] && [ "$(lines whole/runs.jsonl)" -eq "$(lines old/runs.jsonl)" ] && cmp -s whole/suite.json old/suite.json &&
    [ -s whole/captures/1.json ] && [ -s whole/captures/2.json ] && grep -q 'torn last line' err &&
    grep -q '2 more answer the same question' out && python3 - <<'PY'
import json
load = lambda d: [json.loads(l) for l in open(d + "/runs.jsonl")]
assert load("whole") == load("old")
PY
ok $? "joins the parts of a result: each run once, suite and captures"
sed 's/results/more/' old/suite.json >suite2.json
vary base other 'r["key"] = "x" + r["key"]; r["set"] = "other " + r["set"]' && mv suite2.json other/suite.json
mkdir empty
run compare --merge old other -o empty
[ "$status" -eq 0 ] && grep -q 'other/suite.json is a different suite' err && python3 - <<'PY'
import json
runs = [json.loads(l) for l in open("empty/runs.jsonl")]
places = [r["place"] for r in runs]
assert sorted(places) == list(range(len(runs))), places
PY
ok $? "runs of another suite stand behind those of the first"
mkdir -m 2770 vacant
ln -s vacant linked
mkdir faulty && echo '{"a": 1}' >faulty/runs.jsonl
run compare --merge old faulty -o vacant
[ "$status" -eq 2 ] && [ -d vacant ] && [ "$(stat -c %a vacant)" = 2770 ] && [ -L linked ]
ok $? "an empty folder stays when an input cannot be read"
run compare --merge old other -o linked
[ "$status" -eq 0 ] && [ -L linked ] && [ "$(stat -c %a vacant)" = 2770 ] && [ -f vacant/runs.jsonl ] &&
    [ "$(stat -c %g vacant/runs.jsonl)" = "$(stat -c %g vacant)" ]
ok $? "merge goes into an empty folder behind a link, which keeps its mode"
run compare --merge old other -o slashed//
[ "$status" -eq 0 ] && [ -f slashed/runs.jsonl ]
ok $? "slashes at the end of the name of a new folder do not matter"
refuse "merge wants a new folder" "expected a new or empty folder" compare --merge old base -o whole
refuse "merge refuses what holds no results" "no results of perp compare" compare --merge old x -o new
refuse "merge wants -o" "-o DIR is missing" compare --merge old base
printf '{"a": 1}\n{"b": 2}\n' >alien/runs.jsonl
refuse "merge names the line that is no run" "alien/runs.jsonl:1: found no run record" compare --merge old alien -o new
[ -z "$(find . -name '*.merge-*')" ] && [ ! -e new ]
ok $? "a merge that failed leaves nothing behind"
echo "1..$count"
