# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/analytic.c \
    %D%/axes.c \
    %D%/balls.c \
    %D%/boxes.c \
    %D%/boxes.h \
    %D%/boxes_clip.c \
    %D%/closest.c \
    %D%/difference.c \
    %D%/difference.h \
    %D%/epa.c \
    %D%/epa_plane.c \
    %D%/epa_start.c \
    %D%/facets.c \
    %D%/gjk.c \
    %D%/gjk_simplex.c \
    %D%/manifold.c \
    %D%/meeting.c \
    %D%/meeting.h \
    %D%/mesh.c \
    %D%/mpr.c \
    %D%/narrow.c \
    %D%/planes.c \
    %D%/reduce.c \
    %D%/round.c \
    %D%/sat.c \
    %D%/sat.h \
    %D%/solid.c \
    %D%/solid.h \
    %D%/triangle.c \
    %D%/triangle.h
