# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/effective.c \
    %D%/effective.h \
    %D%/export.c \
    %D%/global.c \
    %D%/impulses.c \
    %D%/kkt.c \
    %D%/matrix.c \
    %D%/parts.h \
    %D%/reduced.c \
    %D%/system.c
