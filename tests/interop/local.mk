# SPDX-License-Identifier: Apache-2.0
# What perp writes is read and solved by the codes it is written for, and the reverse. A script
# skips visibly where its code is not installed; a program is built where configure found its.
dist_check_SCRIPTS += %D%/models.sh %D%/glpsol.sh %D%/qps.sh
EXTRA_DIST += %D%/models.py

if SICONOS
check_PROGRAMS += %D%/siconos
%C%_siconos_SOURCES = %D%/siconos.c tests/formats/files.c tests/formats/files.h
%C%_siconos_CPPFLAGS = $(tests_cppflags) -I$(top_srcdir)/tests/formats $(SICONOS_CFLAGS)
%C%_siconos_LDADD = $(tests_ldadd) $(SICONOS_LIBS)
endif

include tests/interop/fclib.mk
include tests/interop/capture.mk
