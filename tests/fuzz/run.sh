#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh SOURCE SECONDS [NAME…]: every fuzzer in turn, or those named, from its seeds and what
# earlier runs learnt (corpus/). One line each; stops at the first find, which is in finds/.
set -u
source=$1
seconds=$2
shift 2
[ $# -gt 0 ] || set -- $(cd tests/fuzz && ls fuzz_*.o | sed 's/^fuzz_//; s/\.o$//')
OPENBLAS_NUM_THREADS=1
LSAN_OPTIONS=print_suppressions=0
ASAN_OPTIONS=allocator_may_return_null=1
export OPENBLAS_NUM_THREADS LSAN_OPTIONS ASAN_OPTIONS
mkdir -p logs

for name; do
    mkdir -p "corpus/$name" "finds/$name"
    # Past 2 GB or 20 s a reader has believed a size that the file does not hold.
    if "tests/fuzz/fuzz_$name" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=20 \
        -print_final_stats=1 -artifact_prefix="finds/$name/" \
        "corpus/$name" "$source/tests/fuzz/seeds/$name" >"logs/$name" 2>&1; then
        awk -v name="$name" '
            / cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") edges = $(i + 1) }
            /number_of_executed_units/ { runs = $2 }
            END { printf "%-14s %10d executions  %5d edges  no find\n", name, runs, edges }
        ' "logs/$name"
    else
        tail -n 40 "logs/$name"
        echo "$name: a find, kept in $(pwd)/finds/$name; the log is logs/$name"
        exit 1
    fi
done
