#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# python.sh: the package perp of Python, from the build folder; one TAP line per test function.
set -u
source=$(cd "${PERP_SOURCE:-.}" && pwd)
build=$(cd "${PERP_BUILD:-.}" && pwd)

skip() {
    echo "1..0 # SKIP $1"
    exit 0
}

[ -e "$build/libdynamics/.libs/libperp-dynamics.so.0" ] || skip "the shared libraries are not built"
for python in ${PYTHON-} python3 /usr/bin/python3; do
    "$python" -c 'import numpy' 2>/dev/null && break
    python=
done
[ "$python" ] || skip "NumPy is not installed (Debian: apt-get install python3-numpy)"

PERP_LIBRARY_PATH=$build/libsolvers/.libs:$build/libdynamics/.libs
PYTHONPATH=$source/python
PYTHONDONTWRITEBYTECODE=1
PERP_SOURCE=$source
PERP_BUILD=$build
export PERP_LIBRARY_PATH PYTHONPATH PYTHONDONTWRITEBYTECODE PERP_SOURCE PERP_BUILD
exec "$python" "$source/tests/python/tap.py" "$@"
