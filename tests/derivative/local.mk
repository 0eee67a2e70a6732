# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/sensitivity.c \
    %D%/ties.c
test_helpers += \
    %D%/differences.c \
    %D%/differences.h
