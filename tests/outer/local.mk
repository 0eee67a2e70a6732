# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/ds \
    %D%/frozen \
    %D%/prox

%C%_frozen_SOURCES = %D%/frozen.c $(scarce_sources)
%C%_frozen_LDFLAGS = $(tests_ldflags) $(tests_scarce)
