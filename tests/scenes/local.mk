# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/scenes_arch.c \
    %D%/scenes_coordinates.c \
    %D%/scenes_granular.c \
    %D%/scenes_large.c \
    %D%/scenes_machines.c \
    %D%/scenes_masonry.c \
    %D%/scenes_motion.c \
    %D%/scenes_motors.c \
    %D%/scenes_pages.c \
    %D%/scenes_pushes.c \
    %D%/scenes_same.c \
    %D%/scenes_solvers.c \
    %D%/scenes_stacks.c \
    %D%/scenes_walkers.c
if COMMAND
test_files += \
    %D%/scenes_chains.c \
    %D%/scenes_joints.c \
    %D%/scenes_spin.c \
    %D%/scenes_trees.c
endif
