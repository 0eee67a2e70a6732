# SPDX-License-Identifier: Apache-2.0
# Programs that are stopped, or whose system calls fail, at a chosen call.

# Runs a command under ptrace; the tests of this folder need it.
EXTRA_PROGRAMS += %D%/trace
%C%_trace_SOURCES = %D%/trace.c %D%/trace.h %D%/trace_calls.c %D%/trace_machine.c
%C%_trace_LDADD =
CLEANFILES += %D%/trace$(EXEEXT)

full_scripts += %D%/traced.sh
%D%/traced.log: %D%/trace$(EXEEXT)

# Kill runs at some of the system calls that write; make resume-check, half an hour: at all of them.
full_scripts += %D%/resume.sh
dist_noinst_DATA += %D%/resume.py
%D%/resume.log: %D%/trace$(EXEEXT) %D%/shim.so
resume-check: perp$(EXEEXT) %D%/trace$(EXEEXT) %D%/shim.so
	PERP_BUILD=$(abs_top_builddir) PERP_SOURCE=$(abs_top_srcdir) PERP_RESUME=--all \
	    $(SHELL) $(srcdir)/%D%/resume.sh

# Results on standard output, figure folders of several processes, locks of folders.
full_scripts += %D%/streams.sh %D%/beside.sh
%D%/beside.log: %D%/trace$(EXEEXT)

# Kills and failures while --force replaces a folder.
full_scripts += %D%/force.sh
%D%/force.log: %D%/trace$(EXEEXT)

# A shared object for LD_PRELOAD, compiled directly: libtool builds none with --disable-shared.
faults_shim = %D%/shim.c %D%/calls.c %D%/tree.c %D%/drive.c
check_DATA = %D%/shim.so
CLEANFILES += %D%/shim.so
dist_noinst_DATA += $(faults_shim) %D%/shim.h %D%/tree.h
%D%/shim.so: $(faults_shim) %D%/shim.h %D%/tree.h
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) -std=gnu11 -O1 -g -Wall -Wextra -shared -fPIC -o $@ \
	    $(addprefix $(srcdir)/,$(faults_shim)) -ldl

# Run every verb while each of its calls fails once: two hours. The test uses some of the calls.
# FAULTS is a pattern of names of cases.
full_scripts += %D%/verbs.sh
%D%/verbs.log: %D%/shim.so perp$(EXEEXT)
FAULTS = *
faults: %D%/shim.so perp$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) PERP_FAULT_STRIDE=0 PERP_FAULT_CASES='$(FAULTS)' $(SHELL) $(srcdir)/%D%/verbs.sh

# Faults in the processes that perp starts; make children, an hour: at each of their calls.
full_scripts += %D%/children.sh
dist_noinst_DATA += %D%/children.py
%D%/children.log: %D%/shim.so %D%/trace$(EXEEXT) perp$(EXEEXT)
children: %D%/shim.so %D%/trace$(EXEEXT) perp$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) PERP_CHILDREN=--all $(SHELL) $(srcdir)/%D%/children.sh

# Run every verb on full devices and disks, and under limits of addresses and sizes; make limits,
# minutes: many more of them. FAULTS is a pattern of names of cases here, too.
full_scripts += %D%/limits.sh
%D%/limits.log: perp$(EXEEXT)
limits: perp$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) PERP_LIMITS_ALL=yes PERP_LIMITS_CASES='$(FAULTS)' $(SHELL) $(srcdir)/%D%/limits.sh

if FLINT
test_programs += %D%/fence
%C%_fence_SOURCES = %D%/fence.c
%C%_fence_LDADD = command/libcommand.la libsolvers/libperp-solvers.la libsolvers/base/libbase.la \
    $(FLINT_LIBS) -lm
endif
