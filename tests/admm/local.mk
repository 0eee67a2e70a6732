# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/admm \
    %D%/admm_ncp

EXTRA_DIST += %D%/problems.h
