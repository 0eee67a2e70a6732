# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/block_factor.c \
    %D%/block_kernel.c \
    %D%/block_large.c \
    %D%/block_shift.c \
    %D%/block_update.c \
    %D%/bytes.c \
    %D%/determinant.c \
    %D%/factor.c \
    %D%/factor_failures.c \
    %D%/shifted.c \
    %D%/velocity.c
test_helpers += \
    %D%/blocks.c \
    %D%/blocks.h \
    %D%/pair.c \
    %D%/pair.h
