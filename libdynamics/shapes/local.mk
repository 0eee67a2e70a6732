# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/add.c \
    %D%/box.c \
    %D%/capsule.c \
    %D%/collide.c \
    %D%/collide.h \
    %D%/cylinder.c \
    %D%/ellipsoid.c \
    %D%/facets.c \
    %D%/hull.c \
    %D%/place.c \
    %D%/plane.c \
    %D%/planes.c \
    %D%/round.c \
    %D%/shapes.c \
    %D%/shapes.h \
    %D%/sphere.c
