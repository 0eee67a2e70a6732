# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    %D%/local_associated.c \
    %D%/local_cone.c \
    %D%/local_cone.h \
    %D%/local_curve.c \
    %D%/local_curve.h \
    %D%/nsgs.c \
    %D%/pgs.c \
    %D%/sweep.c \
    %D%/sweep.h
