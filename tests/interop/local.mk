# SPDX-License-Identifier: Apache-2.0
# The codes read and solve the files that perp writes for them, and the reverse; their solvers run. A script skips visibly where its code is not installed; a program that links a
# code is built where configure found it.
dist_check_SCRIPTS += %D%/models.sh %D%/glpsol.sh %D%/qps.sh
dist_noinst_DATA += %D%/models.py

# Programs that link another code.
if SICONOS
test_programs += %D%/siconos
%C%_siconos_SOURCES = %D%/siconos.c tests/formats/files.c tests/formats/files.h %D%/drawn.c %D%/drawn.h
%C%_siconos_CPPFLAGS = $(tests_cppflags) -I$(top_srcdir)/tests/formats $(SICONOS_CFLAGS)
%C%_siconos_LDADD = $(tests_ldadd) $(SICONOS_LIBS)
endif

test_files += \
    %D%/siconos_solvers.c
test_helpers += \
    %D%/drawn.c \
    %D%/drawn.h

include tests/interop/fclib.mk
include tests/interop/capture.mk
include tests/interop/arrays.mk
include tests/interop/mjcf.mk
