# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += %D%/steps
%C%_steps_SOURCES = %D%/steps.c %D%/made.c %D%/steps.h
%C%_steps_CPPFLAGS = $(tests_cppflags) -I$(top_srcdir)/command/generate
%C%_steps_LDADD = tests/support/libsupport.la command/generate/libgenerate.la $(tests_ldadd)

EXTRA_DIST += %D%/steps.tsv
