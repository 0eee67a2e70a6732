# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    %D%/access.c \
    %D%/access.h \
    %D%/anderson.c \
    %D%/blocks.c \
    %D%/bodies.c \
    %D%/bodies.h \
    %D%/bodies_record.h \
    %D%/bodies_setup.c \
    %D%/blocks.h \
    %D%/colors.c \
    %D%/colors.h \
    %D%/patches.c \
    %D%/patches.h \
    %D%/jacobi.c \
    %D%/layout.c \
    %D%/layout.h \
    %D%/locality.c \
    %D%/locality.h \
    %D%/local_associated.c \
    %D%/local_cone.c \
    %D%/local_cone.h \
    %D%/local_curve.c \
    %D%/local_curve.h \
    %D%/local_disk.c \
    %D%/local_disk.h \
    %D%/local_newton.c \
    %D%/local_newton.h \
    %D%/local_rolling.c \
    %D%/local_rolling.h \
    %D%/nncg.c \
    %D%/nsgs.c \
    %D%/pgs.c \
    %D%/psor.c \
    %D%/spgs.c \
    %D%/sweep.c \
    %D%/sweep.h
