# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/damp.c \
    %D%/euler.c \
    %D%/expansion.c \
    %D%/expansion.h \
    %D%/fingerprint.c \
    %D%/forces.c \
    %D%/formulate.c \
    %D%/gyro.c \
    %D%/impact.c \
    %D%/implicit.c \
    %D%/implicit_bodies.c \
    %D%/integrate.c \
    %D%/integrate.h \
    %D%/ledger.c \
    %D%/ledger.h \
    %D%/metrics.c \
    %D%/middle.c \
    %D%/poisson.c \
    %D%/positions.c \
    %D%/positions.h \
    %D%/reach.c \
    %D%/refine.c \
    %D%/reserve.c \
    %D%/runge_kutta.c \
    %D%/save.c \
    %D%/solve.c \
    %D%/solve.h \
    %D%/stability.c \
    %D%/stabilize.c \
    %D%/stepper.c \
    %D%/stepper.h \
    %D%/trees.c \
    %D%/verlet.c \
    %D%/warm.c \
    %D%/warm.h
