# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/along.c \
    %D%/joint.c \
    %D%/rows.c \
    %D%/step.c \
    %D%/step.h \
    %D%/tangent.c \
    %D%/tangent.h
