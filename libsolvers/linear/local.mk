# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    %D%/block_shift.c \
    %D%/block_shift.h \
    %D%/factor.c \
    %D%/factor.h \
    %D%/factor_klu.c \
    %D%/factor_ldl.c \
    %D%/factor_sparse.h \
    %D%/klu.c \
    %D%/klu.h \
    %D%/shifted.c \
    %D%/shifted.h \
    %D%/spectrum.c \
    %D%/spectrum.h \
    %D%/velocity.c \
    %D%/velocity.h
