# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += %D%/ipm %D%/ipm_coulomb %D%/ipm_coulomb_piles %D%/ipm_socp %D%/slacks
