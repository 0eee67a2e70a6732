# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/build.c \
    %D%/document.c \
    %D%/joints.c \
    %D%/links.c \
    %D%/meshes.c \
    %D%/pose.c \
    %D%/rules.c \
    %D%/scene.c \
    %D%/tree.c \
    %D%/urdf.c \
    %D%/urdf.h \
    %D%/values.c
