# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/broad.c \
    %D%/brute.c \
    %D%/bvh.c \
    %D%/cells.c \
    %D%/cells.h \
    %D%/nodes.h \
    %D%/pairs.c \
    %D%/pairs.h \
    %D%/sap.c \
    %D%/skin.c \
    %D%/skin.h \
    %D%/tree.c \
    %D%/tree_build.c \
    %D%/tree_numbers.c \
    %D%/tree_query.c \
    %D%/types.h
