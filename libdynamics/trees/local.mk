# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/aba.c \
    %D%/articulated.h \
    %D%/build.c \
    %D%/check.c \
    %D%/coordinates.c \
    %D%/copy.c \
    %D%/crba.c \
    %D%/energy.c \
    %D%/factor.c \
    %D%/forest.c \
    %D%/inertia.c \
    %D%/innovations.c \
    %D%/jacobian.c \
    %D%/kinematics.c \
    %D%/links.c \
    %D%/ltdl.c \
    %D%/quasi.c \
    %D%/reduce.c \
    %D%/reduced.h \
    %D%/rnea.c \
    %D%/rotors.c \
    %D%/state.c
