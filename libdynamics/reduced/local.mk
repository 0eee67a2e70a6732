# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/forest.c \
    %D%/links.c \
    %D%/reduce.c \
    %D%/reduced.h \
    %D%/state.c
