# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    %D%/certificate.c \
    %D%/check.c \
    %D%/check.h \
    %D%/check_cycle.c \
    %D%/growth.c \
    %D%/growth.h \
    %D%/infeasible.c \
    %D%/judge.h \
    %D%/judge_private.h \
    %D%/measures.c \
    %D%/residual.c
