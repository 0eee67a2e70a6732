# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/anderson.c \
    %D%/bodies.c \
    %D%/colors.c \
    %D%/factored.c \
    %D%/instances.c \
    %D%/local_blocks.c \
    %D%/local_cone.c \
    %D%/locality.c \
    %D%/nsgs.c \
    %D%/patches.c \
    %D%/pgs.c \
    %D%/variants.c
test_helpers += \
    %D%/pile.c \
    %D%/pile.h
