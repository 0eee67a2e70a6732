# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/bounds.c \
    %D%/box.c \
    %D%/capsule.c \
    %D%/compound.c \
    %D%/cone.c \
    %D%/cylinder.c \
    %D%/ellipsoid.c \
    %D%/face.c \
    %D%/hull.c \
    %D%/hull_support.c \
    %D%/mesh.c \
    %D%/plane.c \
    %D%/ray.c \
    %D%/shapes.c \
    %D%/shapes.h \
    %D%/sphere.c \
    %D%/weigh.c
