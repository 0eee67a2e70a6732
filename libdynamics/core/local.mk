# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/core.h \
    %D%/inertia.c \
    %D%/inertia_hull.c \
    %D%/memory.c \
    %D%/motion.c \
    %D%/names.c \
    %D%/rotation.c \
    %D%/scheme.c \
    %D%/scheme_members.c \
    %D%/state.c \
    %D%/team.c \
    %D%/team.h \
    %D%/twist.c \
    %D%/vec3.h \
    %D%/world.c
