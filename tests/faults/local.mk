# SPDX-License-Identifier: Apache-2.0
# Programs that are stopped, or whose system calls fail, at a chosen call.

# Runs a command under ptrace; the tests of this folder need it.
EXTRA_PROGRAMS += %D%/trace
%C%_trace_SOURCES = %D%/trace.c %D%/trace.h %D%/trace_calls.c %D%/trace_machine.c
%C%_trace_LDADD =
CLEANFILES += %D%/trace$(EXEEXT)

dist_check_SCRIPTS += %D%/trace.sh
%D%/trace.log: %D%/trace$(EXEEXT)

# Kills at some of the system calls that write; at all of them, an hour: make resume-check.
dist_check_SCRIPTS += %D%/resume.sh
EXTRA_DIST += %D%/resume.py
%D%/resume.log: %D%/trace$(EXEEXT)
.PHONY: resume-check
resume-check: perp$(EXEEXT) %D%/trace$(EXEEXT)
	PERP_BUILD=$(abs_top_builddir) PERP_SOURCE=$(abs_top_srcdir) PERP_RESUME=--all \
	    $(SHELL) $(srcdir)/%D%/resume.sh

# Results on standard output, folders of figures of several processes, and who holds a folder.
dist_check_SCRIPTS += %D%/streams.sh %D%/beside.sh
