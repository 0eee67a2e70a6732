#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh SOURCE SECONDS: every fuzzer in turn, from its seeds; stops at the first find.
set -eu
for program in tests/fuzz/fuzz_*; do
    [ -x "$program" ] && [ ! -d "$program" ] || continue
    case $program in *.*) continue ;; esac
    name=${program##*/fuzz_}
    mkdir -p "corpus/$name" "finds/$name"
    echo "== $name: $2 seconds"
    "$program" -max_total_time="$2" -rss_limit_mb=2048 -timeout=20 -print_final_stats=1 \
        -artifact_prefix="finds/$name/" -verbosity=0 -close_fd_mask=1 \
        "corpus/$name" "$1/tests/fuzz/seeds/$name"
done
echo "no finds"
