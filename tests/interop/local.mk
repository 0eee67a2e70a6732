# SPDX-License-Identifier: Apache-2.0
# What perp writes is read and solved by the codes it is written for. Each test skips visibly
# where its code is not installed.
dist_check_SCRIPTS += %D%/models.sh %D%/glpsol.sh %D%/qps.sh
EXTRA_DIST += %D%/models.py
