# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/bounds.c \
    %D%/directions.c \
    %D%/factored.c \
    %D%/free.c \
    %D%/global.c \
    %D%/labels.c \
    %D%/path.c \
    %D%/scale.c
test_helpers += \
    %D%/helpers.h
