#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# vtk.sh: what is written for ParaView is read by VTK itself. Speaks TAP.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${PERP_BUILD:-.}" && pwd)
work=$build/tests/scratch/vtk-$$
suite=vtk
. "${PERP_SOURCE:-.}/tests/support/tap.sh"

. "${PERP_SOURCE:-.}/tests/interop/tools.sh"
find_python vtk
if [ -z "$python" ]; then
    echo "1..0 # SKIP python3 with vtk is not installed"
    exit 0
fi
PERP_MOTIONS=$work "$build/tests/perp-tests" tests/view/formats.c each >"$work/out" 2>&1
"$python" -B "$here/read_vtk.py" "$work" >>"$work/out" 2>&1
ok $? "VTK reads bodies, contacts and joints as they were"

echo "1..$count"
