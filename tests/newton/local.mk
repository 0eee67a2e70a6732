# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/ac \
    %D%/factors \
    %D%/fb \
    %D%/krylov \
    %D%/map \
    %D%/memory \
    %D%/minmap \
    %D%/nsgs_newton \
    %D%/prox_factors \
    %D%/prox_newton \
    %D%/prox_velocity
%C%_memory_SOURCES = %D%/memory.c $(scarce_sources)
%C%_memory_LDFLAGS = $(tests_ldflags) $(tests_scarce)
