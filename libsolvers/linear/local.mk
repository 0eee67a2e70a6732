# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    %D%/active_set.c \
    %D%/active_set.h \
    %D%/factor.c \
    %D%/factor.h \
    %D%/factor_klu.c \
    %D%/factor_ldl.c \
    %D%/factor_sparse.h \
    %D%/ldlt.c \
    %D%/ldlt.h \
    %D%/system.c \
    %D%/tableau.c \
    %D%/tableau.h
