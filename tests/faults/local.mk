# SPDX-License-Identifier: Apache-2.0
# Programs that are stopped, or whose system calls fail, at a chosen call.

# Runs a command under ptrace; the tests of this folder need it.
EXTRA_PROGRAMS += %D%/trace
%C%_trace_SOURCES = %D%/trace.c %D%/trace.h %D%/trace_calls.c %D%/trace_machine.c
%C%_trace_LDADD =
CLEANFILES += %D%/trace$(EXEEXT)

dist_check_SCRIPTS += %D%/trace.sh
%D%/trace.log: %D%/trace$(EXEEXT)

# Kills at some of the system calls that write; at all of them, half an hour: make resume-check.
dist_check_SCRIPTS += %D%/resume.sh
dist_noinst_DATA += %D%/resume.py
%D%/resume.log: %D%/trace$(EXEEXT) %D%/shim.so
resume-check: perp$(EXEEXT) %D%/trace$(EXEEXT) %D%/shim.so
	PERP_BUILD=$(abs_top_builddir) PERP_SOURCE=$(abs_top_srcdir) PERP_RESUME=--all \
	    $(SHELL) $(srcdir)/%D%/resume.sh

# Results on standard output, folders of figures of several processes, and who holds a folder.
dist_check_SCRIPTS += %D%/streams.sh %D%/beside.sh
%D%/beside.log: %D%/trace$(EXEEXT)

# Kills and failures while --force replaces a folder.
dist_check_SCRIPTS += %D%/force.sh
%D%/force.log: %D%/trace$(EXEEXT)

# A shared object for LD_PRELOAD, compiled in one line: libtool makes none with --disable-shared.
faults_shim = %D%/shim.c %D%/calls.c %D%/tree.c %D%/drive.c
check_DATA = %D%/shim.so
CLEANFILES += %D%/shim.so
dist_noinst_DATA += $(faults_shim) %D%/shim.h %D%/tree.h
%D%/shim.so: $(faults_shim) %D%/shim.h %D%/tree.h
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) -std=gnu11 -O1 -g -Wall -Wextra -shared -fPIC -o $@ \
	    $(addprefix $(srcdir)/,$(faults_shim)) -ldl

# Every verb while each call of it fails once, two hours; the test takes some of the calls.
# FAULTS is a pattern of names of cases.
dist_check_SCRIPTS += %D%/verbs.sh
%D%/verbs.log: %D%/shim.so perp$(EXEEXT)
FAULTS = *
faults: %D%/shim.so perp$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) PERP_FAULT_STRIDE=0 PERP_FAULT_CASES='$(FAULTS)' $(SHELL) $(srcdir)/%D%/verbs.sh

# Faults in the processes that perp starts; at each of their calls, an hour: make children.
dist_check_SCRIPTS += %D%/children.sh
dist_noinst_DATA += %D%/children.py
%D%/children.log: %D%/shim.so %D%/trace$(EXEEXT) perp$(EXEEXT)
children: %D%/shim.so %D%/trace$(EXEEXT) perp$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) PERP_CHILDREN=--all $(SHELL) $(srcdir)/%D%/children.sh

# Every verb on full devices and disks, and under limits of addresses and sizes; at many more of them,
# minutes: make limits. FAULTS is a pattern of names of cases here, too.
dist_check_SCRIPTS += %D%/limits.sh
%D%/limits.log: perp$(EXEEXT)
limits: perp$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) PERP_LIMITS_ALL=yes PERP_LIMITS_CASES='$(FAULTS)' $(SHELL) $(srcdir)/%D%/limits.sh

if FLINT
test_programs += %D%/fence
%C%_fence_SOURCES = %D%/fence.c
%C%_fence_LDADD = command/libcommand.la libsolvers/libperp-solvers.la libsolvers/base/libbase.la \
    $(FLINT_LIBS) -lm
endif
