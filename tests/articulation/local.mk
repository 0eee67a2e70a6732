# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/articulated.c \
    %D%/articulated_balance.c \
    %D%/articulated_factors.c \
    %D%/articulated_golden.c \
    %D%/articulated_mass.c \
    %D%/articulated_rates.c \
    %D%/bad_trees.c \
    %D%/loops.c \
    %D%/tangent.c
