# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/steps.c
test_helpers += \
    %D%/made.c \
    %D%/steps.h
EXTRA_DIST += %D%/steps.tsv
