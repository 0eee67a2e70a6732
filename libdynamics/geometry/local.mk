# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/bounds.c \
    %D%/faces.c \
    %D%/parts.c \
    %D%/parts.h \
    %D%/polygon.c \
    %D%/polytope.c \
    %D%/qhull.c \
    %D%/surface.c \
    %D%/surface.h
