#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# campaign.sh: perp compare with several processes: processors, parts, the script for SLURM, workers that
# die, one writer per folder, lines in columns and the bar on a terminal. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
data=$(cd "${PERP_DATASETS:-datasets}" && pwd)
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/campaign-$$
suite=campaign
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

has() { grep -qF -- "$1" "${2:-out}"; }
lines() { wc -l <"$1/runs.jsonl" | tr -d ' '; }
keys() { cat "$@" | sed 's/.*"key":"\([0-9a-f]*\)".*/\1/' | sort; }
skip() {
    count=$((count + 1))
    echo "ok $count - $suite: $1 # SKIP $2"
}

cat >suite.json <<JSON
{"name": "test", "limits": {"seconds": 5, "megabytes": 1e8}, "sets": [{"name": "lcp",
  "instances": ["$data/siconos-lcp/lcp_mmc.dat", "generate:spd:n=20", "generate:spd:n=30,seed=12345"],
  "solvers": ["lemke", {"solver": "pgs", "label": "a label that is longer than 26 characters"}]}]}
JSON
compare() { run compare suite.json --no-report "$@"; }

# -- processors ---------------------------------------------------------------------------
compare -o one
python3 - one <<'PY' 2>err
import json, os, sys
runs = [json.loads(line) for line in open(sys.argv[1] + "/runs.jsonl")]
text = open("out").read()
assert len(runs) == 6
for r in runs:
    if "not pinned" in text:  # another campaign has all processors
        assert r["pinned"] is None
    else:
        assert len(r["pinned"]) == 1 and r["pinned"][0] in os.sched_getaffinity(0)
assert len({str(r["pinned"]) for r in runs}) == 1
PY
ok $? "records the processor to which a run was pinned"
compare -o free --no-pin
[ "$status" -eq 0 ] && has 'not pinned' && [ ! -s err ] && [ "$(grep -c '"pinned":null' free/runs.jsonl)" -eq 6 ]
ok $? "pins no run with --no-pin"
compare -o many -j 256
[ "$status" -eq 0 ] && has 'not pinned' && has 'not comparable' err &&
    [ "$(grep -c '"pinned":null' many/runs.jsonl)" -eq 6 ]
ok $? "pins no run when there are more jobs than processors, and says so"
PERP_BLAS_THREADS=5000 run compare suite.json --no-report -o threads
[ "$status" -eq 0 ] && has 'need 5000 processors' err
ok $? "counts the threads of a run"
# The run itself sees one processor.
printf '#!/bin/sh\ngrep Cpus_allowed_list /proc/self/status >>%s/allowed\nexec %s "$@"\n' "$work" "$perp" >fake
chmod +x fake
PERP_EXECUTABLE=$work/fake run compare suite.json --no-report -o seen
if has 'not pinned'; then
    skip "binds the processes of runs" "another campaign has the processors"
else
    [ "$(sort -u allowed | wc -l)" -eq 1 ] && grep -qx 'Cpus_allowed_list:[[:blank:]]*[0-9]*' allowed
    ok $? "binds the processes of runs"
fi

# -- lines --------------------------------------------------------------------------------
[ "$(grep -E '^ *[0-9]+/6 ' out | awk '{print index($0, ": ")}' | sort -u | wc -l)" -eq 2 ] &&
    [ "$(grep -E '^[0-9]/6 ' out | awk '{print match($0, /(solved|not solved), /)}' | sort -u | wc -l)" -eq 1 ]
ok $? "aligns its lines, long labels too"
cat >terminal.py <<'PY'
import os, pty, sys
out = []
def read(fd):
    data = os.read(fd, 4096)
    out.append(data)
    return data
sys.stdout = open(os.devnull, "w")
os.dup2(os.open(os.devnull, os.O_RDWR), 0)
status = pty.spawn(sys.argv[1:], read)
open("terminal", "wb").write(b"".join(out))
sys.exit(os.waitstatus_to_exitcode(status))
PY
printf '#!/bin/sh\nsleep 1.3\nexec %s "$@"\n' "$perp" >slow
chmod +x slow
COLUMNS=200 PERP_EXECUTABLE=$work/slow python3 terminal.py "$perp" compare suite.json --no-report -o bar -j 3 \
    --no-pin >out 2>err
[ $? -eq 0 ] && grep -aqE '\] [3-5]/6  [0-9]+:[0-9]+ left  [0-9] solved  0 failed' terminal &&
    grep -aqE 'failed  [1-9][0-9]* s: lcp' terminal
ok $? "shows what is done, the time left and the slowest run on a terminal"

# -- one writer ---------------------------------------------------------------------------
printf '#!/bin/sh\ntouch %s/started\nsleep 1000\n' "$work" >hang
chmod +x hang
PERP_EXECUTABLE=$work/hang "$perp" compare suite.json --no-report -o held >held.out 2>&1 &
first=$!
while [ ! -e started ]; do sleep 0.05; done
compare -o held --resume
[ "$status" -eq 2 ] && grep -q "held/runs.jsonl: process $first (.*/perp compare suite.json --no-report -o held) is writing to it" err
ok $? "refuses a second process in the same folder"
kill -KILL "$first"
wait "$first" 2>/dev/null
compare -o held --resume
[ "$status" -eq 0 ] && [ "$(lines held)" -eq 6 ]
ok $? "goes on after the first was killed"

# -- workers that die ---------------------------------------------------------------------
# The parent of the process of a run is the worker. It dies once, then always for one run.
printf '#!/bin/sh\n[ -e %s/marker ] || { touch %s/marker; kill -KILL $PPID; sleep 5; }\nexec %s "$@"\n' \
    "$work" "$work" "$perp" >fake
PERP_EXECUTABLE=$work/fake run compare suite.json --no-report -o died -j 2
[ "$status" -eq 0 ] && [ "$(lines died)" -eq 6 ] && has 'ended unexpectedly; its run lcp' &&
    [ "$(keys died/runs.jsonl)" = "$(keys one/runs.jsonl)" ] && ! grep -q '"status":"error"' died/runs.jsonl
ok $? "repeats the run of a worker that died"
printf '#!/bin/sh\ncase "$*" in *lemke*mmc*) kill -KILL $PPID; sleep 5 ;; esac\nexec %s "$@"\n' "$perp" >fake
PERP_EXECUTABLE=$work/fake run compare suite.json --no-report -o dies -j 2
[ "$status" -eq 0 ] && [ "$(lines dies)" -eq 6 ] && [ "$(grep -c '"status":"error"' dies/runs.jsonl)" -eq 1 ] &&
    grep -q 'workers ended unexpectedly during this run' dies/runs.jsonl
ok $? "records a run as failed that ends its worker again"

# -- parts --------------------------------------------------------------------------------
compare -o part-1 --part 1/2 && compare -o part-2 --part 2/2
[ "$(lines part-1)" -eq 4 ] && [ "$(lines part-2)" -eq 2 ] &&
    [ "$(keys part-1/runs.jsonl part-2/runs.jsonl)" = "$(keys one/runs.jsonl)" ]
ok $? "makes a campaign in parts"
for part in 0/2 3/2 2 1/2x -1/2 /; do
    refuse "refuses part $part" "--part is \"$part\", expected K/N" compare suite.json -o new "--part=$part"
done
run compare suite.json -o "it's a job" --print-slurm -j 2 --quiet --no-pin
cp out job.sh
[ "$status" -eq 0 ] && has '#SBATCH --array=1-2' && has 'suite.json --no-pin --quiet -o' && [ ! -e "it's a job-1" ] && {
    ! command -v shellcheck >/dev/null || shellcheck job.sh >found
}
ok $? "prints a script for SLURM and runs nothing"
# The script names the program itself; before an installation its libraries are in the build folder.
LD_LIBRARY_PATH=${perp%/perp}/libsolvers/.libs:${perp%/perp}/libdynamics/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
for task in 1 2; do
    SLURM_ARRAY_TASK_ID=$task sh job.sh >out 2>err || break
done
[ "$(keys "it's a job-1/runs.jsonl" "it's a job-2/runs.jsonl")" = "$(keys one/runs.jsonl)" ] &&
    has "merge 'it'\\''s a job'-* -o" job.sh
ok $? "the tasks of the script make the whole campaign"

echo "1..$count"
