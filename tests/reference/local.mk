# SPDX-License-Identifier: Apache-2.0
# Textbook formulas and algorithms, with which tests compare the library.
tests_support_libsupport_la_SOURCES += \
    %D%/around.c \
    %D%/bounds.c \
    %D%/kkt.c \
    %D%/loops.c \
    %D%/ltdl.c \
    %D%/minkowski.c \
    %D%/reference.h \
    %D%/tree.c \
    %D%/twist.c \
    %D%/world.c
