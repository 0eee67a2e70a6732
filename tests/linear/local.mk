# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/block_factor \
    %D%/block_kernel \
    %D%/block_large \
    %D%/block_shift \
    %D%/block_update \
    %D%/bytes \
    %D%/determinant \
    %D%/factor \
    %D%/factor_failures \
    %D%/shifted \
    %D%/velocity

tests_pair = %D%/pair.c %D%/pair.h
tests_blocks = %D%/blocks.c %D%/blocks.h $(scarce_sources)

%C%_block_factor_SOURCES = %D%/block_factor.c $(tests_blocks)
%C%_block_factor_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_block_large_SOURCES = %D%/block_large.c $(tests_blocks)
%C%_block_large_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_block_update_SOURCES = %D%/block_update.c $(tests_blocks)
%C%_block_update_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_block_shift_SOURCES = %D%/block_shift.c $(tests_pair)
%C%_determinant_SOURCES = %D%/determinant.c $(tests_pair) $(tests_blocks)
%C%_determinant_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_factor_SOURCES = %D%/factor.c $(tests_pair) $(scarce_sources)
%C%_factor_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_factor_failures_SOURCES = %D%/factor_failures.c $(tests_pair)
%C%_shifted_SOURCES = %D%/shifted.c $(scarce_sources)
%C%_shifted_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_velocity_SOURCES = %D%/velocity.c $(scarce_sources)
%C%_velocity_LDFLAGS = $(tests_ldflags) $(tests_scarce)
