# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/contact_threads.c \
    %D%/contacts.c \
    %D%/first_order.c \
    %D%/mpgp.c \
    %D%/project.c \
    %D%/spg_inline.c
test_helpers += \
    %D%/helpers.h
