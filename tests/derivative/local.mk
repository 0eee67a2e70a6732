# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += %D%/sensitivity %D%/ties

differences_sources = %D%/differences.c %D%/differences.h

%C%_sensitivity_SOURCES = %D%/sensitivity.c $(differences_sources) $(scarce_sources)
%C%_sensitivity_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_ties_SOURCES = %D%/ties.c $(differences_sources)
