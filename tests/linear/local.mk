# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/block_factor \
    %D%/block_kernel \
    %D%/bytes \
    %D%/factor \
    %D%/shifted

%C%_block_factor_SOURCES = %D%/block_factor.c $(scarce_sources)
%C%_block_factor_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_factor_SOURCES = %D%/factor.c $(scarce_sources)
%C%_factor_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_shifted_SOURCES = %D%/shifted.c $(scarce_sources)
%C%_shifted_LDFLAGS = $(tests_ldflags) $(tests_scarce)
