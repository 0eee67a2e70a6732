# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    %D%/determined.c \
    %D%/determined.h \
    %D%/equations.c \
    %D%/freedom.c \
    %D%/island.c \
    %D%/program.c \
    %D%/program.h \
    %D%/recession.c \
    %D%/spread.c
