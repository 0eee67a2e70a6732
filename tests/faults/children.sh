#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Calls that fail in the processes that perp starts: workers, other codes, gnuplot; see children.py.
# PERP_CHILDREN=--all tries every call, and ffmpeg (make children). Speaks TAP.
set -u
source=$(cd "${PERP_SOURCE:-.}" && pwd)
build=$(cd "${PERP_BUILD:-.}" && pwd)
skip() {
    echo "1..0 # SKIP $1"
    exit 0
}
"$build/tests/faults/trace" -- true 2>/dev/null
[ $? -ne 77 ] || skip "no process can be traced here"
. "$source/tests/support/program.sh"
LD_PRELOAD=$build/tests/faults/shim.so PERP_FAULT_KIND=memory PERP_FAULT_AT=0 "$perp" --version \
    >/dev/null 2>&1 || skip "no shared object that stands before the C library"
work=$build/tests/scratch/children.$$
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
PERP_CODES=${PERP_CODES:-$build/interop/codes}
PERP_SOURCE=$source
export PERP_CODES PERP_SOURCE
python3 "$source/tests/faults/children.py" "$perp" "$build/tests/faults/trace" "$build/tests/faults/shim.so" \
    "$work" ${PERP_CHILDREN:-}
