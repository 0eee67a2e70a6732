# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/math.h \
    %D%/memory.c \
    %D%/rotation.c \
    %D%/team.c \
    %D%/team.h \
    %D%/twist.c \
    %D%/vec3.h
