# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/draft.c \
    %D%/draft.h \
    %D%/faces.c \
    %D%/inertia.c \
    %D%/inertia_hull.c \
    %D%/mesh.c \
    %D%/mesh_read.c \
    %D%/nodes.h \
    %D%/obj.c \
    %D%/parts.c \
    %D%/parts.h \
    %D%/points.c \
    %D%/polygon.c \
    %D%/polytope.c \
    %D%/qhull.c \
    %D%/scan.c \
    %D%/scan.h \
    %D%/shells.c \
    %D%/shells.h \
    %D%/stl.c \
    %D%/surface.c \
    %D%/surface.h \
    %D%/tree_build.c \
    %D%/tree_query.c
