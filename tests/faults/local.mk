# SPDX-License-Identifier: Apache-2.0
# Programs that are stopped, or whose calls fail, at a chosen call.

# A shared object for LD_PRELOAD, compiled in one line: libtool makes none with --disable-shared.
faults_shim = %D%/shim.c %D%/calls.c %D%/tree.c %D%/drive.c
check_DATA = %D%/shim.so
CLEANFILES += %D%/shim.so
EXTRA_DIST += $(faults_shim) %D%/shim.h %D%/tree.h
%D%/shim.so: $(faults_shim) %D%/shim.h %D%/tree.h
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) -std=gnu11 -O1 -g -Wall -Wextra -shared -fPIC -o $@ \
	    $(addprefix $(srcdir)/,$(faults_shim)) -ldl

# Every verb while each call of it fails once, a few minutes; the test takes some of the calls.
# FAULTS is a pattern of names of cases.
dist_check_SCRIPTS += %D%/verbs.sh
%D%/verbs.log: %D%/shim.so perp$(EXEEXT)
FAULTS = *
.PHONY: faults
faults: %D%/shim.so perp$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) PERP_FAULT_STRIDE=0 PERP_FAULT_CASES='$(FAULTS)' $(SHELL) $(srcdir)/%D%/verbs.sh

if FLINT
check_PROGRAMS += %D%/fence
%C%_fence_SOURCES = %D%/fence.c
%C%_fence_LDADD = experiments/libexperiments.la libsolvers/libperp-solvers.la libsolvers/base/libbase.la \
    $(FLINT_LIBS) -lm
endif
