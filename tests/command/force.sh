#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# force.sh: runs that are made twice: numbered folders, --force, and limits of time that keep the
# steps made before. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/force-$$
suite=force
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

has() { grep -qF -- "$1" "${2:-out}"; }
rows() { echo $(($(wc -l <"$1/metrics.csv") - 1)); } # without that of the start

cat >ball.json <<'JSON'
{"time": 0.1, "solver": "nsgs", "scheme": {"dt": 0.01}, "ground": {},
 "bodies": [{"name": "ball", "mass": 1, "position": [0, 0, 1],
             "shapes": [{"type": "sphere", "size": 0.1}]}]}
JSON

# -- numbered folders ---------------------------------------------------------------------
run simulate ball.json && run simulate ball.json --steps 3
[ "$status" -eq 0 ] && has 'ball-2.perp: 4 frames (ball.perp exists)' &&
    [ "$(rows ball.perp)" -eq 11 ] && [ "$(rows ball-2.perp)" -eq 4 ]
ok $? "a second run goes to the next free folder and says so"
run simulate ball.json --steps 5 --resume --json
[ "$status" -eq 2 ] || [ "$(rows ball-2.perp)" -eq 6 ]
ok $? "continues the last of the numbered folders"
run simulate ball.json --capture 'nonsense > 1'
[ "$status" -eq 2 ] && [ ! -e ball-3.perp ]
ok $? "leaves no empty folder after a mistake"
run simulate ball.json -o ball.perp
[ "$status" -eq 2 ] && has '--resume' err && has '--force' err && [ "$(rows ball.perp)" -eq 11 ]
ok $? "leaves a run alone that -o names, and names --resume and --force"

# -- simulate --force ---------------------------------------------------------------------
run simulate ball.json -o ball.perp --force --steps 4 --view -q
[ "$status" -eq 0 ] && [ "$(rows ball.perp)" -eq 5 ] && [ ! -e ball.perp.new ] &&
    has '"folder": "ball.perp"' ball.perp/summary.json && [ -s ball.perp/view.html ] &&
    run simulate ball.json -o ball.perp/ --force --steps 6 --capture 2 -q && [ "$(rows ball.perp)" -eq 7 ] &&
    [ -z "$(ls -d ball.perp.* 2>/dev/null)" ]
ok $? "replaces a run with --force, and leaves nothing else"
run simulate ball.json -o fresh --force --steps 2 -q
[ "$status" -eq 0 ] && [ "$(rows fresh)" -eq 3 ] && [ ! -e fresh.new ]
ok $? "needs no old run for --force"
mkdir -p ball.perp/mine && touch ball.perp/mine/notes.txt
run simulate ball.json -o ball.perp --force --steps 2 -q
[ "$status" -eq 2 ] && has 'ball.perp/mine/notes.txt' err && [ "$(rows ball.perp)" -eq 7 ] && [ ! -e ball.perp.new ]
ok $? "refuses and names a file that it did not write"
rm -r ball.perp/mine
ln -s ball.perp link
run simulate ball.json -o link --force --steps 2 -q
[ "$status" -eq 0 ] && [ -L link ] && [ "$(rows ball.perp)" -eq 3 ]
ok $? "replaces the folder behind a link"
refuse "takes --force and --resume not together" '--force and --resume together' \
    simulate ball.json -o new --force --resume

# -- limits of time -----------------------------------------------------------------------
# Each step has its solver go on for ever: the limit comes within the second or a later step.
cat >slow.json <<'JSON'
{"time": 1, "scheme": {"dt": 0.01}, "ground": {},
 "bodies": [{"name": "ball", "mass": 1, "position": [0, 0, 0.1], "velocity": [0, 0, -0.1],
             "shapes": [{"type": "sphere", "size": 0.1}]},
            {"name": "top", "mass": 1000, "position": [0.001, 0, 0.31],
             "shapes": [{"type": "sphere", "size": 0.1}]}]}
JSON
never="--solver pgs --max-iterations 1000000000 --tolerance 1e-300"
run simulate slow.json -o slow --within '0.5 s' --friction pyramid:4 $never --json
[ "$status" -eq 1 ] && has '"ended": "time limit"' && has 'time limit of 0.5 s' err && [ -s slow/summary.json ]
ok $? "ends a step that is longer than the limit, and keeps the steps before it"
run simulate ball.json -o fresh --force --within 1us -q
[ "$status" -eq 1 ] && has 'fresh is as it was' err && [ "$(rows fresh)" -eq 3 ]
ok $? "replaces nothing when the limit of time came first"

# -- a run at work ------------------------------------------------------------------------
# at_work DIR WORDS...: a run that goes on until it is ended; its process in $writer.
at_work() {
    written=$1
    shift
    "$perp" simulate ball.json -o "$@" --steps 100000000 -q >at_work.out 2>&1 &
    writer=$!
    for _ in $(seq 600); do
        [ -e "$written/trajectory.h5" ] && break
        sleep 0.05
    done
}
ended() {
    kill -9 "$writer"
    wait "$writer" 2>/dev/null
}
at_work work work
run simulate ball.json -o work --force --steps 2 -q
[ "$status" -eq 2 ] && has "work: process $writer (" err && has 'is writing to it' err &&
    [ "$(wc -l <err)" -eq 1 ] && [ -s work/trajectory.h5 ] && [ ! -e work.new ]
ok $? "refuses a run that another process is writing"
ended
rm -rf fresh.new
at_work fresh.new fresh --force
run simulate ball.json -o fresh --force --steps 2 -q
[ "$status" -eq 2 ] && has "fresh.new: process $writer (" err && [ -s fresh.new/trajectory.h5 ] &&
    [ "$(rows fresh)" -eq 3 ]
ok $? "refuses what another process is about to replace"
ended
run simulate ball.json -o fresh --force --steps 5 -q
[ "$status" -eq 0 ] && [ "$(rows fresh)" -eq 6 ] && [ ! -e fresh.new ]
ok $? "replaces it when that process is dead"

cat >limits.json <<JSON
{"name": "limits", "limits": {"seconds": 0.5}, "sets": [{"name": "slow", "steps": 100,
  "scenes": ["$work/slow.json"], "scheme": {"friction": "pyramid:4"},
  "solvers": [{"solver": "pgs", "options": {"max-iterations": 1000000000}}], "tolerances": [1e-300]}]}
JSON
run compare limits.json -o limits --no-report
python3 - <<'PY' 2>>err
import json
r = json.loads(open("limits/runs.jsonl").read())
assert r["status"] == "time limit" and 0 <= r["steps_made"] < r["steps_asked"] == 100, r["status"]
PY
ok $? "records the steps of a run that its limit ended"

# -- compare --force ----------------------------------------------------------------------
cat >suite.json <<'JSON'
{"name": "test", "limits": {"seconds": 5}, "sets": [{"name": "lcp",
  "instances": ["generate:spd:n=5"], "solvers": ["lemke", "pgs"]}]}
JSON
run compare suite.json -o results && cp -r results before && run compare suite.json -o results
[ "$status" -eq 2 ] && has '--force' err && cmp before/runs.jsonl results/runs.jsonl
ok $? "leaves results alone and names --force"
run compare suite.json -o results --force
[ "$status" -eq 0 ] && [ "$(wc -l <results/runs.jsonl)" -eq 2 ] && [ ! -e results.new ] &&
    [ -s results/report.html ] && ! cmp -s before/runs.jsonl results/runs.jsonl
ok $? "replaces results with --force, the report, too"
cp results/runs.jsonl kept.jsonl
echo x >results/thesis.tex
run compare suite.json -o results --force
[ "$status" -eq 2 ] && has 'results/thesis.tex' err && cmp kept.jsonl results/runs.jsonl
ok $? "refuses results next to a file of the user"
rm results/thesis.tex

# -- files of the user in the folders that perp makes ---------------------------------------
# foreign RESULT FILE WORDS...: FILE of the user is named, and neither it nor the results go.
foreign() {
    into=$1 file=$2
    shift 2
    mkdir -p "$(dirname "$into/$file")" && echo mine >"$into/$file" && cp -r "$into" whole
    run "$@" -o "$into" --force
    [ "$status" -eq 2 ] && has "$into/$file: not a file of perp" err && diff -r "$into" whole >found
    ok $? "keeps $file"
    rm -rf whole "$into/$file"
}
for file in figures/notes.txt figures/talk/slides.tex figures/.hidden figures/talk/a.pdf captures/deep/er/thesis.tex \
    captures/own.hdf5 tables/sub/own.csv; do
    foreign results "$file" compare suite.json
done
for file in figures/notes.txt figures/talk/slides.tex capture/step_1/own.hdf5 capture/step_mine.hdf5; do
    foreign ball.perp "$file" simulate ball.json
done
run simulate ball.json -o ball.perp --force -q
run compare suite.json -o results --force
drawn=
for terminal in svg pdfcairo png cairolatex tikz; do
    run plot ball.perp --figure energy --terminal "$terminal" --script --data
    drawn=$drawn$status
    run plot results --figure box --terminal "$terminal" --script --data --tables
    drawn=$drawn$status
done
ls ball.perp/figures/* results/figures/* >found 2>&1
mkdir -p ball.perp/capture results/captures && touch ball.perp/capture/step_00002.hdf5
touch results/captures/box-0123456789abcdef.hdf5 results/tables/runs.csv.tmp-host-1-0
run simulate ball.json -o ball.perp --force --steps 3 -q
[ "$drawn$status" = 00000000000 ] && has energy.txt found && [ "$(rows ball.perp)" -eq 4 ] && [ ! -e ball.perp/figures ]
ok $? "removes figures of a run, of every terminal"
run compare suite.json -o results --force
[ "$status" -eq 0 ] && has box_lcp.dat found && [ ! -e results.new ] && [ ! -e results/figures/tikz ]
ok $? "removes figures of results, of every terminal"

# -- folders that may not be changed ----------------------------------------------------------
# Root may change all folders, unless it gives that up.
bound=
[ "$(id -u)" -ne 0 ] || bound="setpriv --bounding-set -dac_override,-dac_read_search"
if $bound true 2>/dev/null; then
    run simulate ball.json -o ball.perp --force -q
    run plot ball.perp --figure energy
    for folder in ball.perp ball.perp/figures; do
        chmod a-w "$folder"
        $bound "$perp" simulate ball.json -o ball.perp --force --steps 1 -q >out 2>err
        [ $? -eq 2 ] && has "$folder: Permission denied" err && [ "$(wc -l <err)" -eq 1 ] &&
            [ "$(rows ball.perp)" -eq 11 ] && [ ! -e ball.perp.new ]
        ok $? "refuses at once what it could not remove: $folder"
        chmod u+w "$folder"
    done
fi
echo "1..$count"
