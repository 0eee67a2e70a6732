# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/joint.c \
    %D%/tangent.c \
    %D%/tangent.h
