# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    %D%/active_set.c \
    %D%/active_set.h \
    %D%/block_factor.c \
    %D%/block_factor.h \
    %D%/block_kernel.c \
    %D%/block_kernel.h \
    %D%/block_kernel_body.h \
    %D%/block_order.c \
    %D%/block_order.h \
    %D%/block_panel.c \
    %D%/block_pivot.c \
    %D%/block_pivot.h \
    %D%/block_super.c \
    %D%/block_super.h \
    %D%/block_shift.c \
    %D%/block_shift.h \
    %D%/factor.c \
    %D%/factor.h \
    %D%/factor_klu.c \
    %D%/factor_ldl.c \
    %D%/factor_sparse.h \
    %D%/klu.c \
    %D%/klu.h \
    %D%/ldlt.c \
    %D%/ldlt.h \
    %D%/shifted.c \
    %D%/shifted.h \
    %D%/spectrum.c \
    %D%/spectrum.h \
    %D%/tableau.c \
    %D%/tableau.h \
    %D%/velocity.c \
    %D%/velocity.h \
    %D%/velocity_mass.c \
    %D%/velocity_private.h \
    %D%/velocity_setup.c
