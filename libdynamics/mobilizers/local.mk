# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/ball.c \
    %D%/ball_euler.c \
    %D%/cylindrical.c \
    %D%/fixed.c \
    %D%/free.c \
    %D%/mobilizers.c \
    %D%/mobilizers.h \
    %D%/planar.c \
    %D%/prismatic.c \
    %D%/revolute.c \
    %D%/translational.c \
    %D%/turns.c \
    %D%/universal.c
