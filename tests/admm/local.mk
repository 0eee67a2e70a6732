# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/admm.c \
    %D%/admm_ncp.c
test_helpers += \
    %D%/problems.h
