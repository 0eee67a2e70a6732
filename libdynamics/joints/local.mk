# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/add.c \
    %D%/angle.c \
    %D%/attach.c \
    %D%/cone.c \
    %D%/cylindrical.c \
    %D%/fixed.c \
    %D%/frame.c \
    %D%/gear.c \
    %D%/joints.c \
    %D%/joints.h \
    %D%/kinetic.c \
    %D%/mobilize.c \
    %D%/planar.c \
    %D%/prismatic.c \
    %D%/revolute.c \
    %D%/rope.c \
    %D%/softness.h \
    %D%/spherical.c \
    %D%/start.c \
    %D%/state.c \
    %D%/universal.c \
    %D%/user.c \
    %D%/wheel.c
