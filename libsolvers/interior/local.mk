# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    %D%/crossover.c %D%/crossover.h \
    %D%/ipm.c \
    %D%/ipm_socp.c \
    %D%/kkt.c %D%/kkt.h \
    %D%/path.c %D%/path.h \
    %D%/ray.c %D%/ray.h \
    %D%/slacks.c %D%/slacks.h
