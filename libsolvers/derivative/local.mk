# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    %D%/derivative.h \
    %D%/sensitivity.c \
    %D%/modes.c \
    %D%/piece.c \
    %D%/tied.c
