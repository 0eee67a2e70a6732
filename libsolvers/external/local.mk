# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    %D%/bullet.c \
    %D%/codes.c \
    %D%/dart.c \
    %D%/distributed.h \
    %D%/engine.h \
    %D%/exec.c \
    %D%/external.h \
    %D%/folder.c \
    %D%/glpk.c \
    %D%/mumps.c \
    %D%/octave.c \
    %D%/ode.c \
    %D%/petsc.c \
    %D%/run.c \
    %D%/siconos.c \
    %D%/solution.c
