# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/calls \
    %D%/codes \
    %D%/engines \
    %D%/failures \
    %D%/names \
    %D%/petsc \
    %D%/programs
%C%_calls_SOURCES = %D%/calls.c %D%/runs.h
%C%_failures_SOURCES = %D%/failures.c %D%/runs.h
%C%_programs_SOURCES = %D%/programs.c %D%/runs.h $(scarce_sources)
%C%_programs_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_programs_CFLAGS = $(AM_CFLAGS) -pthread

# The command itself, from outside.
if COMMAND
dist_check_SCRIPTS += %D%/exec.sh
endif

%C%_engines_SOURCES = %D%/engines.c %D%/here.h
%C%_petsc_SOURCES = %D%/petsc.c %D%/here.h
%C%_petsc_CPPFLAGS = $(tests_cppflags) -I$(top_srcdir)/command/generate
%C%_petsc_LDADD = tests/support/libsupport.la command/generate/libgenerate.la \
    $(tests_ldadd)

# A million rows on two processes: about 20 s of CPU time, a minute on a busy machine.
EXTRA_PROGRAMS += %D%/distributed
%C%_distributed_SOURCES = %D%/distributed.c %D%/here.h
%C%_distributed_CPPFLAGS = $(%C%_petsc_CPPFLAGS)
%C%_distributed_LDADD = $(%C%_petsc_LDADD)
.PHONY: distributed
distributed: %D%/distributed$(EXEEXT) perp$(EXEEXT) $(pkglibexec_PROGRAMS)
	PERP_CODES=$(abs_top_builddir)/interop/codes %D%/distributed
