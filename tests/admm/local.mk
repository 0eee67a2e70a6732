# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/admm \
    %D%/admm_ncp \
    %D%/shifted

%C%_shifted_SOURCES = %D%/shifted.c $(scarce_sources)
%C%_shifted_LDFLAGS = $(tests_ldflags) $(tests_scarce)

EXTRA_DIST += %D%/stepped.h
