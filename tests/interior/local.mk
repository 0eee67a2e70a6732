# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/ipm.c \
    %D%/ipm_coulomb.c \
    %D%/ipm_coulomb_piles.c \
    %D%/ipm_socp.c \
    %D%/slacks.c
