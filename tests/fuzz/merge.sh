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
    archive=$source/tests/fuzz/seeds/$name.zip
    rm -rf "merged/$name" "seeds/$name"
    mkdir -p "merged/$name" "seeds/$name"
    python3 -m zipfile -e "$archive" "seeds/$name"
    "tests/fuzz/fuzz-$name" -set_cover_merge=1 -rss_limit_mb=2048 -timeout=20 \
        "merged/$name" "seeds/$name" "corpus/$name" >"logs/$name.merge" 2>&1 ||
        { tail -n 20 "logs/$name.merge"; exit 1; }
    before=$(count "seeds/$name")
    for file in "seeds/$name"/*; do
        case ${file##*/} in
        ????????????????*) rm "$file" ;; # the name is a hash
        esac
    done
    for file in "merged/$name"/*; do
        hash=${file##*/}
        cp "$file" "seeds/$name/$(printf '%.16s' "$hash")"
    done
    # Sorted and with a fixed date: the same seeds are the same archive.
    python3 - "$archive" "seeds/$name" <<'EOF'
import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for name in sorted(os.listdir(sys.argv[2])):
        member = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        member.compress_type = zipfile.ZIP_DEFLATED
        member.external_attr = 0o644 << 16
        with open(os.path.join(sys.argv[2], name), "rb") as file:
            archive.writestr(member, file.read())
EOF
    printf '%-14s %5d seeds, before %5d\n' "$name" "$(count "seeds/$name")" "$before"
done
