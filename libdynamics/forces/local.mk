# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/constant.c \
    %D%/damper.c \
    %D%/drag.c \
    %D%/forces.c \
    %D%/forces.h \
    %D%/spring.c \
    %D%/torsion_spring.c \
    %D%/user.c
