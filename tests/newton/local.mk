# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/ac.c \
    %D%/factors.c \
    %D%/fb.c \
    %D%/krylov.c \
    %D%/map.c \
    %D%/memory.c \
    %D%/minmap.c \
    %D%/nsgs_newton.c \
    %D%/prox_factors.c \
    %D%/prox_newton.c \
    %D%/prox_velocity.c
