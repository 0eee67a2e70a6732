# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/boxes.c \
    %D%/cast.c \
    %D%/collider.c \
    %D%/collider.h \
    %D%/contacts.c \
    %D%/filter.c \
    %D%/ray.c \
    %D%/team.c
