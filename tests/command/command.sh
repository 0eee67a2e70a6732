#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# command.sh: perp from outside: exit statuses, messages, and campaigns that meet a crash, a
# hang, a memory hog, a torn line, a signal and a full disk. Speaks TAP.
set -u
perp=${PERP_BUILD:-.}/perp
data=${PERP_DATASETS:-datasets}
work=${PERP_BUILD:-.}/tests/scratch/command-$$
suite=command
. "${PERP_SOURCE:-.}/tests/support/command.sh"

has() { grep -qF -- "$1" "$work/${2:-out}"; }
lines() { wc -l <"$work/$1/runs.jsonl" | tr -d ' '; }

# -- usage --------------------------------------------------------------------------------
run --version
[ "$status" -eq 0 ] && has 'perp '
ok $? "prints its version"
run --help
[ "$status" -eq 0 ] && has compare && has verify && has generate
ok $? "lists its verbs"
good=0
for verb in solve verify compare plot simulate view convert generate info paper; do
    run "$verb" --help
    [ "$status" -eq 0 ] && has "usage: perp $verb " || good=1
done
ok $good "has help for each verb"
for pair in 'export convert' 'list info' 'merge compare --merge' 'new-paper paper --new' 'gradient simulate --gradient'; do
    refuse "answers an old verb with the new one: $pair" "perp: \"${pair%% *}\" is now \"${pair#* }\": perp ${pair#* } ..." "${pair%% *}"
done
run solve --solver pgs --help all
has '--relaxation' && has '--tolerance'
ok $? "shows the options of a solver from its table"
refuse "names the nearest verb" 'the nearest is "solve"' slove
refuse "names the nearest option" 'the nearest is --tolerance' verify a b --tolerence 1
run info solvers --json
python3 - "$work/out" <<'PY' 2>"$work/err"
import json, sys
solvers = json.load(open(sys.argv[1]))
assert isinstance(solvers, list) and solvers
for s in solvers:
    assert s["name"] and s["sets"] and s["operators"], s
PY
ok $? "lists the solvers as JSON objects"
good=0
for what in solvers options sets formats families suites metrics scenes joints mobilizers \
    shapes forces integrators broad narrow figures; do
    run info $what && [ "$status" -eq 0 ] && [ -s "$work/out" ] || good=1
done
ok $good "lists everything there is"
run info
[ "$status" -eq 0 ] && has 'solvers ' && has 'mobilizers ' && has 'narrow '
ok $? "lists its lists"
refuse "names the nearest of all names" 'there is no such file or name; did you mean "lemke"?' info lemkee
mkdir -p "$work/alone" && printf '%%%%MatrixMarket matrix array real general\n1 1\n2\n' >"$work/alone/A.mtx"
refuse "names what is missing beside a matrix" 'one matrix alone, expected a folder that holds it as A.mtx, with b.mtx' \
    solve "$work/alone/A.mtx" --solver lemke
refuse "names the option of perp simulate" 'step 1: lemke takes no cone rows; set friction to pyramid:8 or box' \
    simulate stack --solver lemke -o new
refuse "says what it looked for" 'xyzzy: there is no such file or name; `perp info` prints all names' info xyzzy
run info residual
[ "$status" -eq 0 ] && grep -q 'docs/measures.md' "$work/out"
ok $? "describes a measure"
run info spd
[ "$status" -eq 0 ] && grep -q '^spd (families)' "$work/out"
ok $? "describes a family"
refuse "names the nearest list" 'did you mean "metrics"?' info metricss
run info solvers
[ "$status" -eq 0 ] && grep -qE '^nsgs +free, nonneg, box, friction, cone, rolling, disk +coulomb, associated +positive-diagonal +infeasible, singular$' "$work/out"
ok $? "lists what solvers accept in words"
run info metrics
[ "$status" -eq 0 ] && grep -qE '^penetration +solve +percentiles +m/s +max\(-w_N, 0\)$' "$work/out" &&
    ! grep -qE ' (-|) +-$' "$work/out"
ok $? "lists each metric with its unit and meaning"
"$perp" info solvers >/dev/full 2>"$work/err"
[ $? -eq 2 ] && has 'No space left on device' err
ok $? "says that standard output is full"

# -- solve, verify ------------------------------------------------------------------------
lcp=$data/siconos-lcp/lcp_mmc.dat
run solve "$lcp" --solver lemke --json -o "$work/answer.json"
[ "$status" -eq 0 ] && python3 - "$work/out" "$work/answer.json" <<'PY' 2>"$work/err"
import json, sys
a = json.load(open(sys.argv[1]))
for key in "solver outcome residual iterations seconds path z w".split():
    assert key in a, key
assert a["outcome"] == "solved" and a["residual"] <= 1e-8 and isinstance(a["path"], list)
assert json.load(open(sys.argv[2]))["z"] == a["z"]
PY
ok $? "solves an instance and prints one object"
run verify "$lcp" "$work/answer.json"
[ "$status" -eq 0 ] && has 'solved: residual'
ok $? "verifies its own answer"
python3 -c 'import json,sys; print("\n".join("%.17g" % x for x in json.load(open(sys.argv[1]))["z"]))' \
    "$work/answer.json" >"$work/answer.txt"
run verify "$lcp" "$work/answer.txt" --json
[ "$status" -eq 0 ] && has '"solved": true'
ok $? "verifies an answer in plain text"
sed 's/^./9/' "$work/answer.txt" >"$work/wrong.txt"
run verify "$lcp" "$work/wrong.txt"
[ "$status" -eq 1 ] && has 'not solved: residual'
ok $? "reports a wrong answer with status 1"
echo 1 2 3 >"$work/short.txt"
refuse "counts the numbers of an answer" 'holds 3 numbers, expected' \
    verify "$lcp" "$work/short.txt"
run solve "$lcp" --json && grep -q '"solver": "auto"' "$work/out"
ok $? "without a name the solver is auto"
run solve "$lcp" --solver pgs --max-iterations 1
[ "$status" -eq 1 ] && has 'iteration limit'
ok $? "reports an unsolved instance with status 1"
run solve scene:box-pyramid:levels=2 --solver nsgs --max-iterations 1
[ "$status" -eq 1 ] && has 'worst       block' && has ': contact box-'
ok $? "names the block with the largest residual"
run solve "$lcp" --solver pgs --start "$work/answer.json"
[ "$status" -eq 0 ] && has 'iterations  0'
ok $? "starts from a stored answer"
printf '0\n0\n' >"$work/empty.dat"
echo '{"M": [], "q": []}' >"$work/empty.json"
run solve "$work/empty.json" --solver lemke
[ "$status" -eq 0 ] && has solved
ok $? "solves an empty problem"

# -- bad input ----------------------------------------------------------------------------
new=$work/new
refuse "names a missing file" 'nowhere.dat' \
    solve nowhere.dat --solver lemke -o "$new"
printf 'not a problem\n' >"$work/text.hdf5"
refuse "names a file that is no HDF5" 'text.hdf5' \
    solve "$work/text.hdf5" --solver lemke -o "$new"
head -c 5000 "$data/fclib/local_problem_test.hdf5" >"$work/torn.hdf5"
refuse "names a truncated HDF5 file" 'torn.hdf5' \
    solve "$work/torn.hdf5" --solver nsgs -o "$new"
cat >"$work/nan.json" <<'JSON'
{"A": [[1]], "b": [-1], "lo": [2], "hi": [1]}
JSON
refuse "names bounds that cross" 'nan.json' solve "$work/nan.json" --solver pgs -o "$new"
sed 's/\[\[1\]\]/[[1, 1]]/' "$work/nan.json" >"$work/extents.json"
refuse "names wrong extents" 'extents.json' solve "$work/extents.json" --solver pgs -o "$new"
refuse "names the nearest solver" 'the nearest is "lemke"' \
    solve "$lcp" --solver lemkee -o "$new"
refuse "names the nearest option of a solver" 'the nearest is --relaxation' \
    solve "$lcp" --solver pgs --relaxaton 1 -o "$new"
refuse "names the range of an option" 'relaxation' \
    solve "$lcp" --solver pgs --relaxation 3 -o "$new"
refuse "refuses what a solver cannot take" 'symmetric' \
    solve "$data/siconos-lcp/lcp_exp_murty.dat" --solver mpgp -o "$new"
refuse "names an unknown formulation" 'pyramd' \
    solve "$data/siconos-fc3d/Rover4396.dat" --solver lemke --friction pyramd:8 -o "$new"
refuse "names a folder that takes no file" '/proc/no-such' \
    solve "$lcp" --solver lemke -o /proc/no-such/answer.json
(ulimit -f 0 && trap '' XFSZ && run solve "$lcp" --solver lemke -o "$new") 2>/dev/null
[ ! -e "$new" ] && [ -z "$(find "$work" -name 'new*')" ]
ok $? "leaves nothing behind on a full disk"

# A membrane of 65536 points takes pgs minutes. A shell starts what is in the background with
# SIGINT ignored; perp listens all the same.
"$perp" solve generate:obstacle-2d:m=256 --solver pgs --max-iterations 1000000000 \
    >"$work/out" 2>"$work/err" &
background=$!
until grep -qs '^SigCgt:.*[2367abef]$' /proc/$background/status || ! kill -0 $background; do sleep 0.05; done
kill -INT $background
wait $background
[ $? -eq 130 ] && has 'outcome     interrupted'
ok $? "stops on SIGINT with the best point so far"

# -- convert, info ------------------------------------------------------------------------
run convert "$data/siconos-fc3d/Rover4396.dat" "$work/rover.hdf5"
[ "$status" -eq 0 ] && run info "$work/rover.hdf5" --json && cp "$work/out" "$work/one" &&
    run info "$data/siconos-fc3d/Rover4396.dat" --json &&
    [ "$(grep '"hash"' "$work/one")" = "$(grep '"hash"' "$work/out")" ]
ok $? "converts an instance without changing it"
run convert "$data/siconos-fc3d/Rover4396.dat" "$work/rover.dat" --friction pyramid:4
[ "$status" -eq 0 ] && run info "$work/rover.dat" && has 'lcp, 12 rows'
ok $? "converts to a formulation"
printf '{"A": [[2]], "b": [-1], "note": "one row", "guesses": 1, "guess_1": [1], "z": [0.5]}\n' >"$work/kept.json"
run convert "$work/kept.json" "$work/kept.dat"
[ "$status" -eq 0 ] && [ "$(wc -l <"$work/err")" -eq 1 ] &&
    has 'kept.dat: left out, since siconos has no place for it: 1 starting point, the answer, title' err &&
    run convert "$work/kept.json" "$work/kept.npz" && [ ! -s "$work/err" ]
ok $? "names what a format has no place for"
refuse "takes --set for scenes alone" 'option --set is for scenes, and spd is not one' info spd --set n=3
# The page of auto lists the rows of its table, with the solvers that a solve then runs.
run info auto
[ "$status" -eq 0 ] && has 'an LCP of at most 14 rows:' && has 'lemke, fb, keller, bpp, ipm, enumerate' &&
    has 'frictional contact, at most 50 contacts:' && has 'admm-ncp, nsgs+newton, nsgs, ipm-socp' &&
    run solve "$data/siconos-fc3d/NESpheres_10_1.dat" --solver auto &&
    has 'auto: frictional contact, at most 50 contacts'
ok $? "the page of auto is its table"
run solve "$data/siconos-fc3d/NESpheres_10_1.dat" --solver 'nsgs relaxation=0.9,tolerance=1e-6' \
    --json
[ "$status" -eq 0 ] && has '"relaxation": 0.9' && has '"tolerance": 9.99999999999999'
ok $? "a solver's name may carry settings"
run info --solver pgs
[ "$status" -eq 0 ] && has 'reference' && has '--relaxation'
ok $? "prints the page of a solver"

# -- sequences ----------------------------------------------------------------------------
run generate wall --steps 6 --sequence -o "$work/wall.hdf5"
[ "$status" -eq 0 ] && has 'a sequence of 6 steps, t = 0.01 .. 0.06, fc3d' &&
    run convert "$work/wall.hdf5" "$work/wall.h5" && [ "$status" -eq 0 ] &&
    run info "$work/wall.h5" && has 'a sequence of 6 steps' &&
    run convert "$work/wall.h5" --step 5 "$work/step.json" && [ "$status" -eq 0 ] &&
    run info "$work/step.json" && has 'fc3d'
ok $? "makes, describes and converts a sequence, and extracts a step"
run solve --sequence "$work/wall.h5" --solver nsgs --warm-start warm --json
[ "$status" -eq 0 ] && python3 - "$work/out" <<'PY' 2>"$work/err"
import json, sys
a = json.load(open(sys.argv[1]))
assert a["policy"] == "warm" and a["solved"] == a["count"] == len(a["steps"]) == 6
assert a["iterations"] == sum(s["iterations"] for s in a["steps"]) > 0
assert a["steps"][0]["matched"] == 0 < a["steps"][1]["matched"] <= a["steps"][1]["blocks"]
PY
ok $? "solves every step of a sequence and reports each"
run solve --sequence "$work/wall.h5" --solver nsgs --max-iterations 1
[ "$status" -eq 1 ] && has '0 of 6 steps solved' && has 'first failure: iteration limit: step 0'
ok $? "ends with status 1 when a step is not solved"
refuse "names the nearest warm-start policy" 'the nearest is "warm"' solve --sequence \
    "$work/wall.h5" --solver nsgs --warm-start worm
refuse "refuses a step beyond the last" 'step 6 of 6, counted from 0' \
    convert "$work/wall.h5" --step 6 "$work/new"
run convert "$work/wall.h5" "$work/wall/" && [ "$status" -eq 0 ] &&
    run info "$work/wall" && has 'a sequence of 6 steps' && [ -s "$work/wall/index.csv" ]
ok $? "writes a sequence to a folder"
refuse "writes no sequence to other files" 'is one problem: expected --step K' \
    convert "$work/wall.h5" "$work/new.npz"
run convert scene:stack:n=2 "$work/stack.hdf5" --quiet
run convert "$work/stack.hdf5" "$work/stack.json" --friction pyramid:4 --quiet
[ "$status" -eq 0 ] && python3 - "$work/stack.json" <<'PY' 2>"$work/err"
import json, sys
labels = json.load(open(sys.argv[1]))["labels"]
assert len(labels) == 8 * 6, len(labels)
assert labels[1]["name"] == labels[0]["name"] + ", direction 1" and labels[1]["bodies"] == labels[0]["bodies"], labels[:2]
assert [l["kind"] for l in labels[:6]] == 5 * ["contact"] + ["auxiliary"], labels[:6]
PY
ok $? "the rows of a pyramid have the labels of their contacts"
run simulate stack --set n=2 --steps 1 --capture 1 -o "$work/one.perp" --quiet
run convert "$work/one.perp/capture/step_00001.hdf5" "$work/one.npz"
[ "$status" -eq 0 ] && has 'fc3d, 24 rows' && run info "$work/one.npz" && has 'labels      8: 8 contact'
ok $? "a captured step converts to a format of instances, with its labels"
refuse "refuses a file that is not a sequence" 'not an HDF5 file' solve --solver nsgs \
    --sequence "$data/siconos-lcp/lcp_mmc.dat"
# A limit of address space that holds a perp with the address sanitizer too.
cat >"$work/warm.json" <<'JSON'
{"name": "w", "limits": {"seconds": 60, "megabytes": 1e8}, "sets": [{"name": "s", "solvers": ["nsgs"],
 "sequences": ["wall.hdf5"], "policies": ["cold", "warm", "oracle", "perturbed"]}]}
JSON
run compare "$work/warm.json" -o "$work/policies" -j 2 --no-report
[ "$status" -eq 0 ] && [ "$(lines policies)" -eq 4 ] &&
    run compare "$work/warm.json" -o "$work/policies" --resume --quiet && [ "$(lines policies)" -eq 4 ] &&
    python3 - "$work/policies/runs.jsonl" <<'PY' 2>"$work/err"
import json, sys
runs = {r["policy"]: r for r in map(json.loads, open(sys.argv[1]))}
assert set(runs) == {"cold", "warm", "oracle", "perturbed"}, runs.keys()
for r in runs.values():
    assert r["solved"] and all(r["steps"]["solved"]) and r["count"] == 6, r
    assert sum(r["steps"]["iterations"]) == r["iterations"]
    assert max(r["steps"]["residual"]) == r["residual"] <= 1e-8
assert runs["oracle"]["iterations"] == 0 < runs["cold"]["iterations"]
assert runs["warm"]["label"] == "nsgs warm" and runs["cold"]["label"] == "nsgs"
PY
ok $? "runs a sequence with four warm-start policies, judges each point, and resumes"

# -- campaigns ----------------------------------------------------------------------------
cat >"$work/suite.json" <<JSON
{"name": "test", "limits": {"seconds": 5, "megabytes": 1e8}, "sets": [{"name": "lcp",
  "instances": ["$data/siconos-lcp/lcp_mmc.dat", "$data/siconos-lcp/lcp_exp_murty.dat"],
  "solvers": ["lemke", "pgs", "mpgp"]}]}
JSON
compare() { run compare "$work/suite.json" --no-report "$@"; }

refuse "wants a folder" '-o : expected a folder' compare "$work/suite.json" -o ''
printf '{"name": "x",\n "sets": [,]}\n' >"$work/bad.json"
refuse "reports a syntax error by line and column" 'bad.json:2:11: ' \
    compare "$work/bad.json" -o "$new"
sed 's/"solvers"/"solver"/' "$work/suite.json" >"$work/bad.json"
refuse "names the nearest key of a suite" \
    'sets[0]: unknown key "solver", the nearest is "solvers"' \
    compare "$work/bad.json" -o "$new"
refuse "names a suite that is not there" 'no suite "nosuch"' compare nosuch -o "$new"
refuse "names a folder that cannot be made" '/proc/no-such' \
    compare "$work/suite.json" -o /proc/no-such/dir

compare -o "$work/a" -j 2
[ "$status" -eq 0 ] && [ "$(lines a)" -eq 6 ] && [ "$(grep -c : "$work/out")" -ge 6 ] &&
    cmp -s "$work/suite.json" "$work/a/suite.json"
ok $? "runs a suite, one line per run"
python3 - "$work/a/runs.jsonl" <<'PY' 2>"$work/err"
import json, sys
runs = [json.loads(line) for line in open(sys.argv[1])]
for r in runs:
    assert r["schema"] == "perp-run/1" and len(r["key"]) == 16
    for key in "version commit compiler flags cpu blas threads".split():
        assert key in r["machine"], key
    for key in """suite set instance file hash kind n contacts nonzeros solver label options
        formulation law tolerance seed start status message outcome reason solved residual
        residual_given measures iterations work seconds seconds_all
        prepare_seconds setup_seconds judge_seconds wall_seconds bytes path certificate
        history limits""".split():
        assert key in r, key
by = {(r["instance"], r["label"]): r for r in runs}
assert by["lcp_mmc", "lemke"]["solved"] and by["lcp_mmc", "lemke"]["residual"] <= 1e-8
assert by["lcp_exp_murty", "mpgp"]["status"] == "unsuitable"
assert "symmetric" in by["lcp_exp_murty", "mpgp"]["message"]
assert by["lcp_exp_murty", "mpgp"]["residual"] is None
PY
ok $? "records all that is needed to repeat a run"
compare -o "$work/a"
[ "$status" -eq 2 ] && has '--resume' err && [ "$(lines a)" -eq 6 ]
ok $? "does not touch results that are there"
cp "$work/a/runs.jsonl" "$work/before"
compare -o "$work/a" --resume
[ "$status" -eq 0 ] && cmp -s "$work/before" "$work/a/runs.jsonl"
ok $? "repeats nothing on a resume"
head -c -20 "$work/before" >"$work/a/runs.jsonl"
compare -o "$work/a" --resume
[ "$status" -eq 0 ] && [ "$(lines a)" -eq 6 ] && has 'torn last line' err &&
    [ "$(head -5 "$work/before")" = "$(head -5 "$work/a/runs.jsonl")" ]
ok $? "redoes a torn last line and no other"

# A program in the place of perp solve; a campaign with it into the folder $1.
with() {
    printf '#!/bin/sh\n%s\n' "$2" >"$work/fake"
    chmod +x "$work/fake"
    sed "s/\"seconds\": 5, \"megabytes\": 1e8/\"seconds\": ${3:-5}, \"megabytes\": ${4:-1e8}/" \
        "$work/suite.json" >"$work/fake.json"
    PERP_EXECUTABLE=$work/fake
    export PERP_EXECUTABLE
    run compare "$work/fake.json" --no-report -o "$work/$1" -j 2
    unset PERP_EXECUTABLE
}
statuses() { grep -c "\"status\":\"$1\"" "$work/$2/runs.jsonl"; }

with crash 'kill -SEGV $$'
[ "$status" -eq 0 ] && [ "$(statuses 'crash: signal 11' crash)" -eq 6 ]
ok $? "records a crash"
with hang 'sleep 1000' 0.1
[ "$status" -eq 0 ] && [ "$(statuses 'time limit' hang)" -eq 6 ]
ok $? "records a hang"
with hog 'tail /dev/zero' 20 200
[ "$status" -eq 0 ] && [ "$(statuses 'memory limit' hog)" -eq 6 ]
ok $? "records a memory hog"
with lie 'echo "{\"status\": \"ok\", \"outcome\": \"solved\", \"residual\": 0, \"z\": [0, 0, 0]}"'
[ "$status" -eq 0 ] && ! grep -q '"solved":true' "$work/lie/runs.jsonl"
ok $? "believes no residual but its own"
with mumble 'echo what; echo "no such luck" >&2; exit 3'
[ "$status" -eq 0 ] && [ "$(statuses error mumble)" -eq 6 ] &&
    grep -q 'exit status 3 without an answer: no such luck' "$work/mumble/runs.jsonl"
ok $? "records an answer that is none"
# One of six crashes: the others are as without it.
with mixed "case \"\$*\" in *pgs*mmc*) kill -SEGV \$\$ ;; *) exec '$perp' \"\$@\" ;; esac"
[ "$status" -eq 0 ] && [ "$(lines mixed)" -eq 6 ] &&
    [ "$(statuses 'crash: signal 11' mixed)" -eq 1 ] && [ "$(statuses ok mixed)" -ge 4 ]
ok $? "loses one run to a crash, not the campaign"

# Signals. A run that takes a second, or for ever, in the place of perp solve; python gives a
# background job SIGINT back, which a shell ignores there.
signals() { # signals FOLDER PROGRAM SIGNAL…: the exit status of a campaign that is sent them
    printf '#!/bin/sh\n%s\n' "$2" >"$work/fake"
    PERP_EXECUTABLE=$work/fake python3 - "$perp" "$work" "$@" <<'PY'
import os, signal, subprocess, sys, time
perp, work, folder, _ = sys.argv[1:5]
usual = lambda: signal.signal(signal.SIGINT, signal.default_int_handler)
p = subprocess.Popen([perp, "compare", work + "/suite.json", "--no-report", "-o", work + "/" + folder],
                     stdout=open(work + "/out", "w"), stderr=open(work + "/err", "w"), preexec_fn=usual)
while not os.path.exists(work + "/" + folder + "/started"):
    time.sleep(0.01)
for name in sys.argv[5:]:
    p.send_signal(getattr(signal, name))
    time.sleep(0.5)
sys.exit(p.wait())
PY
}
slow="touch $work/int/started; sleep 2; exec '$perp' \"\$@\""
for name in SIGINT SIGUSR1; do
    rm -rf "$work/int"
    signals int "$slow" $name
    [ $? -eq 130 ] && has 'no further run is started' && has 'interrupted: 1 of 6 runs done' &&
        [ "$(lines int)" -eq 1 ]
    ok $? "ends after the runs in flight on $name, and records them"
done
for name in 'SIGINT SIGINT' SIGTERM; do
    rm -rf "$work/int"
    signals int "touch $work/int/started; sleep 1000" $name
    [ $? -eq 130 ] && has 'interrupted: 0 of 6 runs done' && [ "$(lines int)" -eq 0 ]
    ok $? "ends at once on $name, and records no run in flight"
done
compare -o "$work/int" --resume
[ "$status" -eq 0 ] && [ "$(lines int)" -eq 6 ]
ok $? "resumes after SIGINT"

# A full disk: files of at most 16 blocks of 512 or 1024 bytes; a record has some 4500 bytes.
(
    ulimit -f 16
    "$perp" compare "$work/suite.json" --no-report -o "$work/full" >"$work/out" 2>"$work/err"
    exit $?
)
[ $? -eq 2 ] && has 'runs.jsonl: ' err && [ "$(tail -c 1 "$work/full/runs.jsonl" | wc -l)" -eq 1 ]
ok $? "ends with whole lines on a full disk"
compare -o "$work/full" --resume
[ "$status" -eq 0 ] && [ "$(lines full)" -eq 6 ]
ok $? "resumes after a full disk"

# -- defaults -----------------------------------------------------------------------------
cd "$work" || exit 99
"$perp" generate spd --n 3 -q -o three.npz && "$perp" solve three.npz -o three.json >/dev/null
"$perp" solve - <three.npz >out 2>err && grep -q '^solver *auto' out && grep -q '^instance *stdin: lcp, 3 rows' out &&
    [ "$(grep -cE '^[0-2] +nonneg +[-0-9.e]+ +[-0-9.e]+$' out)" -eq 3 ]
ok $? "solve takes auto, reads standard input, and prints z and w of a small problem"
"$perp" solve scene:incline-slip:step=3 >out 2>err && [ "$(grep -c 'slides$' out)" -eq 4 ] &&
    "$perp" solve scene:stack:n=1,step=3 >out 2>err && [ "$(grep -c 'sticks$' out)" -eq 4 ]
ok $? "contacts are a table that says which ones slide and which ones stick"
mkfifo pipe
(cat three.npz >pipe) &
"$perp" verify pipe three.json >out 2>err && wait && [ -p pipe ]
ok $? "a pipe is read as a file is"
"$perp" convert stack plain.json -q && "$perp" info - <plain.json >out 2>err && has 'A stack of 20 boxes'
ok $? "a scene comes from standard input, too"
refuse "standard input is read once" 'standard input can be read once only' verify - - </dev/null
printf '{"a": ' | "$perp" solve - >out 2>err
[ $? -eq 2 ] && grep -q '^stdin.json:1:' err
ok $? "a message names standard input"
mkdir named && cd named && cp ../suite.json short.json
"$perp" compare short.json >../out 2>../err && "$perp" compare short.json -q >../out2 2>>../err &&
    [ -e short.results/runs.jsonl ] && [ -e short-2.results/runs.jsonl ] && [ ! -s ../out2 ] &&
    grep -q 'short.results/report.html' ../out && grep -qE 'best$' ../out
ok $? "compare names its folder, and ends with the ranking and the place of the page"
"$perp" compare short.json --resume >../out 2>../err && grep -q 'short-2.results/report.html' ../out && [ "$(ls | wc -l)" -eq 3 ]
ok $? "compare --resume continues in the last folder"
echo "1..$count"
