# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/capture.c \
    %D%/compliance.c \
    %D%/contacts.c \
    %D%/formulate.c \
    %D%/friction.c \
    %D%/friction_frame.c \
    %D%/growth.c \
    %D%/implicit.c \
    %D%/implicit_matrix.c \
    %D%/impulses.c \
    %D%/rows_threads.c \
    %D%/soft.c \
    %D%/unified.c \
    %D%/velocity.c
test_helpers += \
    %D%/implicit.h
