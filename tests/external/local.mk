# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/calls.c \
    %D%/codes.c \
    %D%/engines.c \
    %D%/failures.c \
    %D%/names.c \
    %D%/petsc.c \
    %D%/programs.c
test_helpers += \
    %D%/here.h \
    %D%/runs.h

# Scripts that run the command.
if COMMAND
dist_check_SCRIPTS += %D%/exec.sh
endif

# A million rows on two processes: about 20 s of CPU time, a minute on a busy machine.
EXTRA_PROGRAMS += %D%/distributed
.PHONY: distributed
distributed: %D%/distributed$(EXEEXT) perp$(EXEEXT) $(pkglibexec_PROGRAMS)
	PERP_CODES=$(abs_top_builddir)/interop/codes %D%/distributed
