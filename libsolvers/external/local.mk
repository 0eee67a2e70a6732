# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    %D%/codes.c \
    %D%/exec.c \
    %D%/external.h \
    %D%/folder.c \
    %D%/glpk.c \
    %D%/octave.c \
    %D%/run.c \
    %D%/solution.c
