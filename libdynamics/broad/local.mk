# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/nodes.h \
    %D%/pairs.c \
    %D%/pairs.h \
    %D%/tree.c \
    %D%/tree_build.c \
    %D%/tree_numbers.c \
    %D%/tree_query.c
