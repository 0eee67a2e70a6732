# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/aba.c \
    %D%/articulated.h \
    %D%/build.c \
    %D%/check.c \
    %D%/copy.c \
    %D%/crba.c \
    %D%/energy.c \
    %D%/factor.c \
    %D%/inertia.c \
    %D%/innovations.c \
    %D%/jacobian.c \
    %D%/kinematics.c \
    %D%/ltdl.c \
    %D%/mobilizer_cylindrical.c \
    %D%/mobilizer_fixed.c \
    %D%/mobilizer_free.c \
    %D%/mobilizer_planar.c \
    %D%/mobilizer_prismatic.c \
    %D%/mobilizer_revolute.c \
    %D%/mobilizer_spherical.c \
    %D%/mobilizer_spherical_euler.c \
    %D%/mobilizer_translational.c \
    %D%/mobilizer_turns.c \
    %D%/mobilizer_universal.c \
    %D%/mobilizers.c \
    %D%/mobilizers.h \
    %D%/quasi.c \
    %D%/rnea.c
