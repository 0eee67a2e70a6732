# SPDX-License-Identifier: Apache-2.0
# FCLIB and sequences against h5py and h5dump.
dist_check_SCRIPTS += %D%/fclib.sh
EXTRA_DIST += %D%/fclib.py
