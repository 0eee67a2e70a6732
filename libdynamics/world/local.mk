# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/force_constant.c \
    %D%/force_damper.c \
    %D%/force_drag.c \
    %D%/force_spring.c \
    %D%/force_torsion_spring.c \
    %D%/force_user.c \
    %D%/forces.c \
    %D%/forces.h \
    %D%/motion.c \
    %D%/names.c \
    %D%/remove.c \
    %D%/shape_add.c \
    %D%/shape_check.c \
    %D%/shape_table.c \
    %D%/shapes.h \
    %D%/state.c \
    %D%/trees.c \
    %D%/trees.h \
    %D%/world.c \
    %D%/world.h
