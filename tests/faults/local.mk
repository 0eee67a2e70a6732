# SPDX-License-Identifier: Apache-2.0
# Programs that are stopped, or whose system calls fail, at a chosen call.

# Runs a command under ptrace; the tests of this folder need it.
EXTRA_PROGRAMS += %D%/trace
%C%_trace_SOURCES = %D%/trace.c %D%/trace.h %D%/trace_calls.c %D%/trace_machine.c
%C%_trace_LDADD =
CLEANFILES += %D%/trace$(EXEEXT)

dist_check_SCRIPTS += %D%/trace.sh
%D%/trace.log: %D%/trace$(EXEEXT)
