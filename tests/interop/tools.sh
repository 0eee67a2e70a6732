# SPDX-License-Identifier: Apache-2.0
# Read by tests with other programs, after command.sh.

skip() { # skip WHAT TOOL
    count=$((count + 1))
    echo "ok $count - $suite: $1 # SKIP $2 is not installed"
}

# A python3 with these modules in $python, which need not be the first one; else empty.
find_python() { # find_python 'numpy, scipy.io'
    python=
    for each in "${PYTHON3:-python3}" /usr/bin/python3; do
        "$each" -c "import $1" 2>/dev/null && python=$each && return
    done
}
