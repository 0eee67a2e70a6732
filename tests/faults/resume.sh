#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs that are killed at system calls that write and are resumed have the bits of runs that were not:
# see resume.py. PERP_RESUME=--all tries every call (make resume-check). Speaks TAP.
set -u
source=$(cd "${PERP_SOURCE:-.}" && pwd)
build=$(cd "${PERP_BUILD:-.}" && pwd)
skip() {
    echo "1..0 # SKIP $1"
    exit 0
}
command -v h5dump >/dev/null 2>&1 || skip "h5dump is not there to read trajectories with"
[ -z "${PERP_TEST_BRIEF:-}" ] || skip "too slow here"
"$build/tests/faults/trace" -- true 2>/dev/null
[ $? -ne 77 ] || skip "no process can be traced here"
[ -e "$build/tests/faults/shim.so" ] || skip "no shared object that stands before the C library"
work=$build/tests/scratch/resume.$$
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
PERP_DATA_DIR=${PERP_DATA_DIR:-$source}
export PERP_DATA_DIR
. "$source/tests/support/program.sh"
python3 "$source/tests/faults/resume.py" "$perp" "$build/tests/faults/trace" \
    "$build/tests/faults/shim.so" "$work" ${PERP_RESUME:-}
