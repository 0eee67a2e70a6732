#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh SOURCE SECONDS JOBS [NAME…]: every fuzzer, or those named, JOBS at a time, until each has
# had SECONDS of processor time. The time of earlier runs counts: tests/fuzz/time.tsv has it. A
# fuzzer starts from its seeds and from the corpus of earlier runs (corpus/), with the words of its
# reader (readers.txt) as dictionary. Prints one line each. A find ends its fuzzer and is in finds/.
set -u
source=$1
seconds=$2
jobs=$3
shift 3
ledger=$source/tests/fuzz/time.tsv
OPENBLAS_NUM_THREADS=1
LSAN_OPTIONS=print_suppressions=0
export OPENBLAS_NUM_THREADS LSAN_OPTIONS

# A run is made in pieces, so that an interrupt loses little of the time that counts.
piece=300

# spent NAME: its seconds so far.
spent() { awk -F '\t' -v name="$1" '$1 == name { print $2; found = 1 } END { if (!found) print 0 }' "$ledger"; }

# spend NAME SECONDS EXECUTIONS: add them to the line of NAME in time.tsv.
spend() {
    (
        flock 9
        awk -F '\t' -v OFS='\t' -v name="$1" -v seconds="$2" -v runs="$3" '
            $1 == name { $2 += seconds; $3 += runs; found = 1 }
            { print }
            END { if (!found) print name, seconds, runs }
        ' "$ledger" >"$ledger.new" && mv "$ledger.new" "$ledger"
    ) 9>ledger.lock
}

# dictionary NAME: the words of its reader as libFuzzer reads them.
dictionary() {
    (
        cd "$source" || exit 1
        # shellcheck disable=SC2046 # patterns of files, which are meant to be expanded
        cat $(awk -v name="$1" '$1 == name { $1 = ""; print }' tests/fuzz/readers.txt)
    ) | grep -v '^#include' | grep -oE '"[A-Za-z_][A-Za-z0-9_./^-]*"' | sort -u
}

# run_piece NAME SECONDS: one run; the processor time that it took is the second line of times/NAME.
run_piece() (
    # Past 2 GB or 20 s a reader has believed a size that the file does not hold.
    "tests/fuzz/fuzz-$1" -max_total_time="$2" -rss_limit_mb=2048 -timeout=20 \
        -print_final_stats=1 -artifact_prefix="finds/$1/" -dict="words/$1" \
        "corpus/$1" "seeds/$1" >"logs/$1" 2>&1
    status=$?
    times >"times/$1"
    exit "$status"
)

# fuzz NAME: in pieces, until its time is over.
fuzz() {
    mkdir -p "corpus/$1" "finds/$1" "seeds/$1"
    python3 -m zipfile -e "$source/tests/fuzz/seeds/$1.zip" "seeds/$1"
    dictionary "$1" >"words/$1"
    while left=$((seconds - $(spent "$1"))) && [ "$left" -gt 0 ]; do
        [ "$left" -le "$piece" ] || left=$piece
        run_piece "$1" "$left"
        status=$?
        taken=$(awk -F '[ms ]+' 'NR == 2 { printf "%d", 60 * ($1 + $3) + $2 + $4 + 0.5 }' "times/$1")
        runs=$(awk '/number_of_executed_units/ { print $2 }' "logs/$1")
        spend "$1" "${taken:-0}" "${runs:-0}"
        if [ "$status" -ne 0 ]; then
            tail -n 40 "logs/$1"
            echo "$1: a find, kept in $(pwd)/finds/$1; the log is logs/$1"
            return 1
        fi
    done
    awk -F '\t' -v name="$1" '
        $1 == name { printf "%-14s %6d seconds  %10d executions  no find\n", $1, $2, $3 }' "$ledger"
}

if [ "${FUZZ_LANE-}" ]; then
    fuzz "$1"
    exit
fi
# shellcheck disable=SC2046,SC2012 # names of our own, without spaces
[ $# -gt 0 ] || set -- $(cd "$source/tests/fuzz/seeds" && ls *.zip | sed 's/\.zip$//')
mkdir -p logs times words
printf '%s\n' "$@" |
    FUZZ_LANE=1 xargs -P "$jobs" -n 1 "${SHELL:-/bin/sh}" "$0" "$source" "$seconds" "$jobs"
