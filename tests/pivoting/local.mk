# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/active_set.c \
    %D%/bpp.c \
    %D%/dantzig.c \
    %D%/enumerate.c \
    %D%/friction_path.c \
    %D%/keller.c \
    %D%/ldlt.c \
    %D%/lemke.c \
    %D%/lemke_forms.c \
    %D%/murty.c \
    %D%/piles.c \
    %D%/tableau.c
