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
    %D%/implicit.c \
    %D%/implicit_bodies.c \
    %D%/integrate.c \
    %D%/integrate.h \
    %D%/ledger.c \
    %D%/metric_contacts.c \
    %D%/metric_energy.c \
    %D%/metric_ledger.c \
    %D%/metric_momentum.c \
    %D%/metric_solver.c \
    %D%/metrics.c \
    %D%/metrics.h \
    %D%/poisson.c \
    %D%/positions.c \
    %D%/reserve.c \
    %D%/runge_kutta.c \
    %D%/save.c \
    %D%/solve.c \
    %D%/stabilize.c \
    %D%/stabilize_baumgarte.c \
    %D%/stabilize_none.c \
    %D%/stabilize_project.c \
    %D%/stabilize_split.c \
    %D%/stepper.c \
    %D%/stepper.h \
    %D%/trees.c \
    %D%/verlet.c \
    %D%/warm.c
