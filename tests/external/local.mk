# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/codes \
    %D%/names \
    %D%/programs
%C%_programs_SOURCES = %D%/programs.c $(scarce_sources)
%C%_programs_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_programs_CFLAGS = $(AM_CFLAGS) -pthread

# The command itself, from outside.
dist_check_SCRIPTS += %D%/exec.sh
