# SPDX-License-Identifier: Apache-2.0
# The package perp of Python, from the build folder: one TAP line per test function.
dist_check_SCRIPTS += %D%/python.sh
EXTRA_DIST += %D%/tap.py %D%/support.py %D%/test_compare.py %D%/test_docs.py \
    %D%/test_layout.py %D%/test_package.py %D%/test_problem.py %D%/test_solve.py %D%/test_world.py
