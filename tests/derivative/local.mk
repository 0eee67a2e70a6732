# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += %D%/gradient %D%/ties

differences_sources = %D%/differences.c %D%/differences.h

%C%_gradient_SOURCES = %D%/gradient.c $(differences_sources) $(scarce_sources)
%C%_gradient_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_ties_SOURCES = %D%/ties.c $(differences_sources)
