# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    %D%/crossover.c %D%/crossover.h \
    %D%/ipm.c \
    %D%/ipm_socp.c \
    %D%/kernel.c %D%/kernel.h \
    %D%/pairs.c %D%/pairs.h \
    %D%/path.c %D%/path.h \
    %D%/ray.c %D%/ray.h \
    %D%/velocity.c %D%/velocity.h
