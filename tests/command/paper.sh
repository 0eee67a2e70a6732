#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# paper.sh: a new paper from its skeleton to its check; mistakes in paper.json; no number of perp's
# own paper is typed by hand. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
source=$(cd "${PERP_SOURCE:-.}" && pwd)
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/paper-$$
suite=paper
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

has() { grep -qF -- "$1" "$work/${2:-out}"; }

# --- The skeleton.

run paper --new mine
[ "$status" -eq 0 ] && [ -f mine/Makefile ] && [ -f mine/paper.tex ] && has 'make -C mine results'
ok $? "perp paper --new makes the folder of a paper"
echo kept >mine/README.md
run paper --new mine
[ "$status" -eq 2 ] && has 'expected a folder that is new' err && grep -qx kept mine/README.md
ok $? "a folder that is there is refused and keeps its files"

make -C mine results PERP="$perp" >make.log 2>&1 && [ -s mine/results/lock.json ] &&
    grep -q '^problems,5,' mine/results/numbers.csv &&
    [ "$(ls mine/results/study/*.pdf | wc -l)" -ge 2 ] &&
    [ "$(ls mine/results/study/*.csv | wc -l)" -eq "$(ls mine/results/study/*.pdf | wc -l)" ]
ok $? "make results writes numbers, a lock, figures and their points"
python3 -c '
import json
lock = json.load(open("mine/results/lock.json"))
study = lock["studies"]["study"]
assert lock["schema"] == "perp-lock/1" and study["runs"] == 15 and len(study["instances"]) == 5
assert study["seeds"] == [1] and lock["machines"][0]["cpu"] and "load" not in lock["machines"][0]' 2>err
ok $? "the lock has every problem, the seeds and the machine"

make -C mine check PERP="$perp" >make.log 2>&1 && grep -q ' 0 differ$' make.log
ok $? "make check finds no difference from the lock"
if command -v latexmk >/dev/null && kpsewhich siunitx.sty >/dev/null; then
    make -C mine PERP="$perp" >make.log 2>&1 && [ -s mine/paper.pdf ]
    ok $? "make builds the PDF"
else
    ok 0 "make builds the PDF # SKIP latexmk or siunitx is missing"
fi

# --- What the check finds.

sed -i 's/^problems,5,/problems,6,/' mine/results/numbers.csv
run paper mine/paper.json --from mine/runs --check
[ "$status" -eq 1 ] && has 'number problems: 5, locked 6: differs by 0.17' && has ' 1 differ'
ok $? "a number that differs is named, by how much, with exit status 1"
sed -i 's/^problems,6,/problems,5,/; s/^auto-milliseconds,[^,]*,/auto-milliseconds,1e-9,/' mine/results/numbers.csv
run paper mine/paper.json --from mine/runs --check
[ "$status" -eq 1 ] && has 'number auto-milliseconds:' && has 'a factor of'
ok $? "a time may differ by a factor, and not by more"
run paper mine/paper.json --from mine/runs
python3 -c '
import json
path = "mine/results/lock.json"
lock = json.load(open(path))
problems = lock["studies"]["study"]["instances"]
problems[sorted(problems)[0]] = "0000000000000000"
json.dump(lock, open(path, "w"))'
run paper mine/paper.json --from mine/runs --check
[ "$status" -eq 1 ] && has 'study study: 1 problem changed, 0 only on one side'
ok $? "a problem with another hash is named"
run paper mine/paper.json --from mine/runs
curve=$(ls mine/results/study/*.csv | head -n 1)
sed -i '1s/$/ other/' "$curve"
run paper mine/paper.json --from mine/runs --check
[ "$status" -eq 1 ] && has "$(basename "$curve"): its axes are not the locked ones"
ok $? "a figure with other axes is named"

# --- Mistakes.

# wrong SENTENCE MESSAGE CODE: what perp paper says to paper.json changed by the Python code.
wrong() {
    python3 -c '
import json, sys
p = json.load(open("mine/paper.json"))
n = p["numbers"][0]
exec(sys.argv[1])
json.dump(p, open("wrong.json", "w"))' "$3"
    run paper wrong.json --from mine/runs
    [ "$status" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && has "$2" err && [ ! -e results ]
    ok $? "$1"
}
wrong "a study that is not there" 'numbers[0].study: expected the name of a study' 'n["study"] = "other"'
wrong "a statistic that is not there" 'numbers[0].statistic' 'n["statistic"] = "modus"'
wrong "a field that no run has" 'number problems: the median of colour over 5 runs' \
    'n["value"] = "colour"; n["statistic"] = "median"'
wrong "a filter that no run passes" 'over 0 runs of study with solver=none' 'n["where"] = "solver=none"'
wrong "a key that is not there" 'unknown key "stat"' 'n["stat"] = 1'
wrong "a name twice" 'is the name of numbers[0] as well' 'p["numbers"][1]["name"] = n["name"]'
wrong "a quotient over a later number" 'numbers[0].over' 'n["over"] = "auto-solved"'
wrong "a name that LaTeX would not survive" 'letters, digits' 'n["name"] = "a_b"'
run paper mine/paper.json --from nowhere
[ "$status" -eq 2 ] && has 'nowhere/study/runs.jsonl' err
ok $? "studies without runs"

# --- perp's own paper.

# What is left of LaTeX without comments, formulas, references, names of files and numbers of the
# results has no digit, except in words such as 3D.
python3 - "$source/paper" >typed 2>err <<'PY'
import glob, os, re, sys
paper = sys.argv[1]
for path in [paper + "/perp.tex"] + sorted(glob.glob(paper + "/sections/*.tex")):
    text = open(path).read()
    text = text.split(r"\begin{document}")[-1]
    text = re.sub(r"(?<!\\)%.*", "", text)
    text = re.sub(r"\\(perpnum|cite|ref|eqref|label|code|input|includegraphics|bibliography)"
                  r"(\[[^]]*\])?\{[^}]*\}", " ", text)
    text = re.sub(r"\\result\{[^}]*\}\{[^}]*\}\{[^}]*\}", " ", text)
    if os.path.basename(path) != "studies.tex":  # there, formulas hold no number either
        text = re.sub(r"\\begin\{(equation|align)\*?\}.*?\\end\{\1\*?\}", " ", text, flags=re.S)
        text = re.sub(r"\$[^$]*\$", " ", text)
        text = re.sub(r"\\\[.*?\\\]", " ", text, flags=re.S)
    for line in text.splitlines():
        if re.search(r"\d", re.sub(r"\b[23]D\b", " ", line)):
            print(os.path.basename(path) + ": " + line.strip())
PY
[ ! -s typed ] && [ ! -s err ]
ok $? "no number of the paper is typed by hand"
[ -s typed ] && sed 's/^/# /' typed

# Each number and figure that the text uses is there, and each number that is there is used.
python3 - "$source/paper" >missing 2>err <<'PY'
import csv, glob, os, re, sys
paper = sys.argv[1]
text = "".join(open(p).read() for p in [paper + "/perp.tex"] + glob.glob(paper + "/sections/*.tex"))
used = set(re.findall(r"\\perpnum\{([^}]*)\}", text))
there = {row["name"] for row in csv.DictReader(open(paper + "/results/numbers.csv"))}
for name in sorted(used ^ there):
    print("number " + name + (" is missing" if name in used else " is not used"))
for study, figure, _ in re.findall(r"^\\result\{([^}#]*)\}\{([^}]*)\}\{([^}]*)\}", text, flags=re.M):
    for end in (".pdf", ".csv"):
        if not os.path.exists(f"{paper}/results/{study}/{figure}{end}"):
            print(f"figure {study}/{figure}{end} is missing")
PY
[ ! -s missing ] && [ ! -s err ]
ok $? "the numbers and figures that the paper uses are those of its results"
[ -s missing ] && sed 's/^/# /' missing

echo "1..$count"
