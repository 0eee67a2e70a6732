#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# export.sh: data sets of scenes, stored runs, suites and files: their files, index and page;
# what is refused. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
data=$(cd "${PERP_DATASETS:-${PERP_SOURCE:-.}/datasets}" && pwd)
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/export-$$
suite=export
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

has() { grep -qF -- "$1" "$work/${2:-out}"; }

# index DIR CODE: run CODE over its rows, each a dict.
index() {
    python3 -c '
import csv, json, os, subprocess, sys
folder, perp = sys.argv[1], sys.argv[2]
rows = list(csv.DictReader(open(folder + "/index.csv", newline="")))
def info(row):
    return json.loads(subprocess.run([perp, "info", os.path.join(folder, row["file"]), "--json"],
                                     capture_output=True, check=True).stdout)
exec(sys.argv[3])' "$1" "$perp" "$2" 2>err
}

run convert box-pyramid --set levels=3 --steps 9 --when 'step%4==0' --to npz --licence CC0-1.0 -o steps
[ "$status" -eq 0 ] && index steps '
assert [r["name"] for r in rows] == ["box-pyramid-00004", "box-pyramid-00008"], rows
for r in rows:
    assert r["file"] == r["name"] + ".npz" and r["kind"] == "fc3d" and r["form"] == "local"
    assert int(r["n"]) == 3 * int(r["contacts"]) and 0 < int(r["rank"]) < int(r["n"])
    assert float(r["condition"]) > 1 and r["licence"] == "CC0-1.0" and r["remark"] == ""
    assert "scene box-pyramid, step" in r["source"]
    assert info(r)["hash"] == r["hash"]
assert sorted(os.listdir(folder)) == ["README.md"] + sorted(r["file"] for r in rows) + ["index.csv"]'
ok $? "each step of a scene where the condition holds is a file with its row in the index"
has 'perp convert box-pyramid' steps/README.md && has '| fc3d | 2 |' steps/README.md
ok $? "the page counts the kinds and shows the command"

run convert box-pyramid --set levels=3 --steps 9 --when 'step%4==0' --to npz --licence CC0-1.0 -o again
[ "$status" -eq 0 ] && sed 's/-o=[a-z]*//; s/output=[a-z]*//' steps/README.md >a &&
    sed 's/-o=[a-z]*//; s/output=[a-z]*//' again/README.md >b && cmp -s a b && rm -f steps/README.md again/README.md &&
    diff -r steps again >err
ok $? "the same command gives the same bytes"

run simulate box-pyramid --set levels=3 --steps 9 --solver nsgs --tolerance 1e-6 --cold --dt 0.01 -q -o stored
run convert stored --when 3 --global -o global
[ "$status" -eq 0 ] && index global '
assert [r["name"] for r in rows] == ["box-pyramid-0000%d" % k for k in (3, 6, 9)], rows
assert all(r["form"] == "global" and r["file"].endswith(".hdf5") for r in rows)
assert "t = 0.03 s" in rows[0]["source"]'
ok $? "a stored run is made again under its own settings, also in the global form"

run simulate box-pyramid --set levels=3 --steps 9 --solver nsgs --tolerance 1e-6 --cold --dt 0.01 -q -o captured --capture 3
run convert captured/capture --to npz -o sequence
run convert stored --when 3 --to npz -o local
[ "$status" -eq 0 ] && index sequence '
def facts(folder):
    names = "kind form n contacts nonzeros rank condition".split()
    return [[r[k] for k in names] for r in csv.DictReader(open(folder + "/index.csv", newline=""))]
assert len(rows) == 3 and facts("sequence") == facts("local")'
ok $? "a captured sequence gives problems with the facts of the run made again"

cat >mixed.json <<JSON
{"name": "mixed", "sets": [
  {"name": "a", "instances": ["$data/siconos-lcp/lcp_*.dat", "generate:spd:n=[7],seed=2"], "solvers": ["lemke"]},
  {"name": "b", "instances": ["$data/siconos-lcp/lcp_CPS_1.dat", "$data/contactbench/sliding_cube.npz"],
   "friction": "coulomb", "solvers": ["auto"]},
  {"name": "c", "scenes": ["box-pyramid:levels=2"], "steps": 2, "solvers": ["nsgs"]}]}
JSON
sed -i 's/n=\[7\]/n=7/' mixed.json
run convert mixed.json --to npz --spectrum 10 -o mixed
[ "$status" -eq 0 ] && index mixed '
by = {r["name"]: r for r in rows}
assert len(by) == len(rows) and sum(r["name"].startswith("lcp_CPS_1") for r in rows) == 1
assert by["lcp_CPS_1"]["licence"] == "Apache-2.0" and "github.com/siconos" in by["lcp_CPS_1"]["source"]
assert by["sliding_cube"]["licence"] == "BSD-2-Clause" and by["sliding_cube"]["rank"] == ""
assert by["spd-n=7,seed=2"]["rank"] == "7" and by["spd-n=7,seed=2"]["licence"] == ""
assert sum(r["name"].startswith("box-pyramid") for r in rows) == 2
assert all(info(r)["hash"] == r["hash"] for r in rows)'
ok $? "a suite: files with their licence, calls and scenes; each problem once; no rank beyond the limit"

cat >pair.json <<'JSON'
{"name": "pair", "sets": [{"name": "a", "instances": ["generate:friction-cloud:contacts=4", "generate:spd:n=5"],
  "solvers": ["auto"]}]}
JSON
run convert pair.json --to siconos -o pair
[ "$status" -eq 1 ] && has 'cannot hold 1 of 2 problems' err && index pair '
assert [bool(r["file"]) for r in rows] == [False, True] and "Siconos" in rows[0]["remark"]
assert sorted(os.listdir(folder)) == ["README.md", "index.csv", rows[1]["file"]]'
ok $? "a problem that the format cannot hold has a row with the reason, and the exit status is 1"

run convert "$data/fclib/local_problem_test.hdf5" --friction pyramid:4 --to matrix-market -o one
[ "$status" -eq 0 ] && index one '
assert len(rows) == 1 and rows[0]["kind"] == "lcp" and os.path.isdir(folder + "/" + rows[0]["file"])
assert info(rows[0])["hash"] == rows[0]["hash"]'
ok $? "one file, in another formulation, in a format that is a folder"

refused() { # TEXT ARGUMENTS: status 2, this text, and nothing new in the folder
    text=$1
    shift
    ls | grep -vx "out\|err\|before\|after" >before
    run convert "$@"
    ls | grep -vx "out\|err\|before\|after" >after
    [ "$status" -eq 2 ] && has "$text" err && cmp -s before after
    ok $? "refused: $text"
}
refused '-o DIR is missing' stack
refused 'it is not empty; choose another folder' stack -o steps
refused 'format is "nzp", expected one of: ' stack --to nzp -o new
if "$perp" info formats | grep -q '^ *mat '; then
    : # with matio
else
    refused 'mat: perp was built without matio' stack --to mat -o new
    run convert "$data/fclib/local_problem_test.hdf5" new --to mat
    [ "$status" -eq 2 ] && has 'mat: perp was built without matio' err && [ ! -e new ]
    ok $? "convert to a format that this build leaves out says so"
fi
refused 'unknown name "residul"' stack --when 'residul>1' -o new
refused 'holds in no step' stack --steps 2 --when 'step>5' -o new
refused '--when is for steps of a scene' "$data/fclib/local_problem_test.hdf5" --when 5 -o new
refused 'nothing.dat' nothing.dat -o new

printf '\0' | dd of=stored/trajectory.h5 bs=1 seek=200 conv=notrunc 2>/dev/null
run convert stored -o new
[ "$status" -ne 0 ] || index new 'assert rows' ; [ -d new ] || [ "$status" -eq 2 ]
ok $? "a damaged run is refused in one line or repeats what it stores"
echo "1..$count"
