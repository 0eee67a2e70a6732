# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/euler.c \
    %D%/gyro.c \
    %D%/implicit.c \
    %D%/implicit_bodies.c \
    %D%/integrate.c \
    %D%/integrate.h \
    %D%/runge_kutta.c \
    %D%/trees.c \
    %D%/verlet.c
