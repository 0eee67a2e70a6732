# SPDX-License-Identifier: Apache-2.0
# Arrays between perp and NumPy, SciPy, jsonschema, Octave and jq; each where it is installed.
dist_check_SCRIPTS += %D%/arrays.sh %D%/arrays_page.sh
dist_noinst_DATA += %D%/arrays.py %D%/tools.sh
