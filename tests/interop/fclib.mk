# SPDX-License-Identifier: Apache-2.0
# FCLIB and sequences against h5py and h5dump.
dist_check_SCRIPTS += %D%/fclib.sh
dist_noinst_DATA += %D%/fclib.py
