#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# merge.sh SOURCE [NAME…]: the seeds of every fuzzer, or of those named, become the smallest inputs
# that reach what the seeds and the corpus of earlier runs reach. Seeds with a name of their own stay.
set -eu
source=$1
shift
OPENBLAS_NUM_THREADS=1
export OPENBLAS_NUM_THREADS
# shellcheck disable=SC2046 # names of our own, without spaces
[ $# -gt 0 ] || set -- $(cd corpus && ls)
count() { find "$1" -type f | wc -l; }

for name; do
    seeds=$source/tests/fuzz/seeds/$name
    rm -rf "merged/$name"
    mkdir -p "merged/$name"
    "tests/fuzz/fuzz_$name" -set_cover_merge=1 -rss_limit_mb=2048 -timeout=20 \
        "merged/$name" "$seeds" "corpus/$name" >"logs/$name.merge" 2>&1 ||
        { tail -n 20 "logs/$name.merge"; exit 1; }
    before=$(count "$seeds")
    for file in "$seeds"/*; do
        case ${file##*/} in
        ????????????????*) rm "$file" ;; # the name is a hash
        esac
    done
    for file in "merged/$name"/*; do
        hash=${file##*/}
        cp "$file" "$seeds/$(printf '%.16s' "$hash")"
    done
    printf '%-14s %5d seeds, before %5d\n' "$name" "$(count "$seeds")" "$before"
done
