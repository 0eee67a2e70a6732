# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/chain_growth.c \
    %D%/reduced.c \
    %D%/reduced_dynamics.c \
    %D%/reduced_export.c \
    %D%/reduced_forest.c \
    %D%/reduced_step.c \
    %D%/reduced_still.c \
    %D%/reduced_system.c
if COMMAND
test_files += \
    %D%/coordinates.c \
    %D%/reduced_steps.c
endif
