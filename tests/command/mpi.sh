#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# mpi.sh: perp compare on three ranks of mpiexec on this machine: the same results as without, one journal,
# ranks that die, signals, a resume. Skipped without MPI. Speaks TAP.
set -u
build=$(cd "${PERP_BUILD:-.}" && pwd)
perp=$build/perp
data=$(cd "${PERP_DATASETS:-datasets}" && pwd)
work=$build/tests/scratch/mpi-$$
suite=mpi
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1
if [ ! -x "$build/interop/codes/perp-ranks" ] || ! command -v mpiexec >/dev/null; then
    echo "1..0 # SKIP perp was built without MPI"
    exit 0
fi
# Open MPI does not free all it has at its end, which a leak checker reports.
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS
# More ranks than cores, perhaps as root in a container, no other network than this machine.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe

has() { grep -qF -- "$1" "${2:-out}"; }
lines() { wc -l <"$1/runs.jsonl" | tr -d ' '; }
ranks() { # ranks WORDS…: perp compare on three of them
    mpiexec --oversubscribe -n 3 "$perp" compare "$@" --no-report >out 2>err
    status=$?
}
# The processes of a campaign into the folder $1, without mpiexec; the parent of a process.
processes() {
    for at in /proc/[0-9]*; do
        tr '\0' ' ' <"$at/cmdline" 2>/dev/null | grep -q "^[^ ]*perp compare .*-o $1 " && echo "${at#/proc/}"
    done
}
parent() { sed -n 's/^PPid:[[:blank:]]*//p' "/proc/$1/status"; }

cat >suite.json <<JSON
{"name": "test", "limits": {"seconds": 5, "megabytes": 1e8}, "repeats": 1, "sets": [{"name": "lcp",
  "instances": ["$data/siconos-lcp/lcp_mmc.dat", "$data/siconos-lcp/lcp_exp_murty.dat",
                "generate:spd:n=40", "generate:spd:n=60"],
  "solvers": ["lemke", "pgs", "mpgp"]}]}
JSON
cat >same.py <<'PY'
# Two folders hold the same records, but for times, and the memory and processors of processes.
import json, sys
def timeless(x):
    if isinstance(x, dict):
        return {k: timeless(v) for k, v in x.items()
                if "seconds" not in k and k not in ("pinned", "time", "date", "machine")}
    if isinstance(x, list):
        return [timeless(v) for v in x]
    return x
def runs(folder):
    records = [json.loads(line) for line in open(folder + "/runs.jsonl")]
    assert len({r["key"] for r in records}) == len(records), "a run was recorded twice"
    return {r["key"]: timeless(r) for r in records}
a, b = runs(sys.argv[1]), runs(sys.argv[2])
assert a.keys() == b.keys()
for key in a:
    for name in a[key]:
        assert name == "history" or a[key][name] == b[key][name], (key, name)
PY

run compare suite.json --no-report -o alone
ranks suite.json -o three
[ "$status" -eq 0 ] && has '3 ranks' && has '12 of 12 runs done' && [ "$(lines three)" -eq 12 ] &&
    python3 same.py alone three 2>>err
ok $? "three ranks make the same results as one process"
ranks suite.json -o three --resume
[ "$status" -eq 0 ] && has '12 of them made before' && [ "$(lines three)" -eq 12 ] && ! has 'cannot reach' err
ok $? "a resume repeats nothing"
ranks suite.json -o three
[ "$status" -ne 0 ] && [ "$(grep -c -- --resume err)" -eq 1 ] && [ "$(lines three)" -eq 12 ]
ok $? "one rank refuses to overwrite results"
ranks nosuch.json -o none
[ "$status" -ne 0 ] && [ "$(grep -c 'nosuch.json' err)" -eq 1 ] && [ ! -e none ]
ok $? "one rank reports a suite that is not there"
ranks suite.json -o none -j 2
[ "$status" -ne 0 ] && has 'leave out -j' err && [ ! -e none ]
ok $? "ranks are the jobs"
PERP_CODES=$work mpiexec --oversubscribe -n 2 "$perp" compare suite.json -o none --no-report >out 2>err
[ $? -ne 0 ] && has 'built without MPI' err && [ ! -s none/runs.jsonl ]
ok $? "says that it was built without MPI"
rm -rf none

# Runs wait for a file, so that signals find them in flight.
printf '#!/bin/sh\necho >>%s/started\nwhile [ ! -e %s/go ]; do sleep 0.1; done\nexec %s "$@"\n' \
    "$work" "$work" "$perp" >slow
chmod +x slow
PERP_EXECUTABLE=$work/slow
export PERP_EXECUTABLE
begin() { # begin FOLDER: a campaign in the background, with three runs in flight
    rm -f started go
    folder=$1
    mpiexec --oversubscribe -n 3 "$perp" compare suite.json -o "$folder" --no-report >out 2>err &
    mpi=$!
    tries=0
    while [ "$(wc -l <started 2>/dev/null || echo 0)" -lt 3 ] && [ $tries -lt 600 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    zero='' own='' others=''
    for pid in $(processes "$folder"); do
        [ "$(parent "$pid")" = "$mpi" ] && zero=$pid
    done
    for pid in $(processes "$folder"); do
        if [ "$(parent "$pid")" = "$zero" ]; then
            own=$pid # the worker of rank 0
        elif [ "$pid" != "$zero" ]; then
            others="$others $pid"
        fi
    done
}

begin killed
# shellcheck disable=SC2086 # a list
set -- $others
[ $# -eq 2 ] && kill -KILL "$1" "$own"
touch go
wait "$mpi"
[ $? -eq 0 ] && grep -q '^rank [12] on .* ended unexpectedly; its run lcp' out &&
    grep -q '^worker 1 ended unexpectedly; its run lcp' out && [ "$(lines killed)" -eq 12 ] &&
    python3 same.py alone killed 2>>err
ok $? "a rank that is killed loses only its run, and so does rank 0's worker"
begin zero
kill -KILL "$zero"
wait "$mpi"
[ $? -ne 0 ] && [ -e zero/runs.jsonl ]
ok $? "mpiexec reports the death of rank 0"
gone() { # gone FOLDER: the processes of a campaign end within seconds
    tries=0
    while [ -n "$(processes "$1")" ] && [ $tries -lt 50 ]; do
        sleep 0.2
        tries=$((tries + 1))
    done
    [ $tries -lt 50 ]
}
gone zero
ok $? "no worker outlives rank 0"
begin term
kill -TERM "$mpi"
wait "$mpi"
[ $? -ne 0 ] && [ "$(lines term)" -eq 0 ] && gone term
ok $? "SIGTERM to mpiexec ends at once"
begin usr
kill -USR1 "$mpi"
tries=0
while ! has 'no further run is started' && [ $tries -lt 600 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
touch go
wait "$mpi"
[ $? -eq 130 ] && [ "$(lines usr)" -eq 3 ]
ok $? "SIGUSR1 to mpiexec ends after the runs in flight"
unset PERP_EXECUTABLE
ranks suite.json -o usr --resume
[ "$status" -eq 0 ] && [ "$(lines usr)" -eq 12 ] && python3 same.py alone usr 2>>err
ok $? "a resume makes what is missing, and no run twice"

echo "1..$count"
