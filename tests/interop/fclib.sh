#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fclib.sh: FCLIB files and sequences, read and written by h5py and printed by h5dump: the same
# numbers, bit by bit. Speaks TAP.
set -u
perp=$(cd "${PERP_BUILD:-.}" && pwd)/perp
data=${PERP_DATASETS:-datasets}/fclib
script=$(cd "${PERP_SOURCE:-.}/tests/interop" && pwd)/fclib.py
work=$(cd "${PERP_BUILD:-.}" && pwd)/tests/scratch/interop-fclib-$$
suite=fclib
. "${PERP_SOURCE:-.}/tests/support/command.sh"

python=
for name in python3 /usr/bin/python3; do
    [ -z "$python" ] && "$name" -c 'import h5py, numpy' 2>/dev/null && python=$name
done
dump=$(command -v h5dump)

# skip TOOL SENTENCE
skip() {
    count=$((count + 1))
    echo "ok $count - $suite: $2 # SKIP $1 is not installed"
}
# h5py SENTENCE FUNCTION: the checks of a function, where h5py is there
h5py() {
    if [ -z "$python" ]; then
        skip h5py "$1"
    else
        $2 >"$work/out" 2>"$work/err"
        ok $? "$1"
    fi
}
convert() { "$perp" convert -q "$@"; }
check() { "$python" "$script" "$@"; }

is_read_by_h5py() {
    for file in "$data"/*.hdf5; do
        convert "$file" "$work/a.hdf5" && convert "$file" "$work/a.npz" &&
            check read "$work/a.hdf5" "$work/a.npz" || return 1
    done
}
h5py "h5py reads each data set as perp writes it" is_read_by_h5py

is_read_by_perp() {
    mkdir -p "$work/made" && check write "$work/made" || return 1
    for file in "$work"/made/*.hdf5; do
        convert "$file" "$work/b.hdf5" && convert "$file" "$work/b.npz" &&
            check read "$work/b.hdf5" "$work/b.npz" || return 1
    done
    # the three storages hold one matrix
    for name in local2 mixed global joints rolling; do
        for storage in triplet csc csr; do
            convert "$work/made/$name-$storage.hdf5" "$work/$storage.hdf5" || return 1
        done
        cmp "$work/triplet.hdf5" "$work/csc.hdf5" && cmp "$work/csc.hdf5" "$work/csr.hdf5" ||
            return 1
    done
}
h5py "perp reads what h5py writes: triplets, columns, rows; local, global, rolling" is_read_by_perp

half_is_mirrored() {
    convert "$work/made/global-csc.hdf5" "$work/whole.hdf5" &&
        check half "$work/whole.hdf5" "$work/half.hdf5" || return 1
    "$perp" info "$work/half.hdf5" >"$work/found" 2>&1
    grep -q 'upper triangular and not diagonal.*--symmetric-upper mirrors it' "$work/found" &&
        "$perp" convert "$work/half.hdf5" "$work/read.hdf5" | grep -q 'note.*triangular' &&
        ! convert "$work/whole.hdf5" "$work/x.hdf5" --symmetric-upper &&
        convert "$work/half.hdf5" "$work/mirrored.hdf5" --symmetric-upper &&
        cmp "$work/mirrored.hdf5" "$work/whole.hdf5"
}
h5py "half of M is noted, and mirrored by --symmetric-upper alone" half_is_mirrored

# Contacts of boxes on each other: 8 of 4 steps.
"$perp" simulate box-pyramid --set levels=2 --steps 4 --capture 1 -o "$work/run" \
    >"$work/out" 2>"$work/err" && convert "$work/run/capture" "$work/s.hdf5" &&
    convert "$work/s.hdf5" "$work/folder/" && convert "$work/folder" "$work/again.hdf5" &&
    cmp "$work/s.hdf5" "$work/again.hdf5"
ok $? "a sequence has the same bytes after it was a folder of files"
is_sequence() { check sequence "$work/s.hdf5" "$work/folder"; }
h5py "h5py reads a sequence, its folder and index, labels and origin of each step" is_sequence

convert scene:box-pyramid:levels=2 "$work/l.hdf5" >"$work/out" 2>"$work/err"
has_labels() { check labels "$work/l.hdf5" 16; }
h5py "h5py reads the labels and the origin of an FCLIB file" has_labels

# Twice, in different seconds.
convert "$work/folder" "$work/first.hdf5" && convert "$work/l.hdf5" "$work/third.hdf5" &&
    sleep 1.1 && convert "$work/folder" "$work/second.hdf5" &&
    convert "$work/l.hdf5" "$work/fourth.hdf5" && cmp "$work/first.hdf5" "$work/second.hdf5" &&
    cmp "$work/third.hdf5" "$work/fourth.hdf5"
ok $? "files that are written in different seconds have the same bytes"

if [ -z "$dump" ]; then
    skip h5dump "h5dump prints an FCLIB file: contiguous, no filters, plain types"
else
    "$dump" -p -H "$work/l.hdf5" >"$work/found" 2>"$work/err" &&
        grep -q 'GROUP "fclib_local"' "$work/found" && grep -q 'CONTIGUOUS' "$work/found" &&
        ! grep -qE 'CHUNKED|DEFLATE' "$work/found" &&
        [ "$(grep -oE 'DATATYPE +H5T_[A-Z0-9]+_[A-Z0-9]+' "$work/found" | sort -u | wc -l)" -eq 2 ] &&
        "$dump" -d /fclib_local/spacedim "$work/l.hdf5" | grep -q '(0): 3'
    ok $? "h5dump prints an FCLIB file: contiguous, no filters, plain types"
fi
echo "1..$count"
