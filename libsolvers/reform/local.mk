# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    %D%/box.c \
    %D%/condense.c \
    %D%/dictionary.c \
    %D%/dictionary.h \
    %D%/directions.c \
    %D%/factored.c \
    %D%/free.c \
    %D%/global.c \
    %D%/islands.c \
    %D%/islands.h \
    %D%/named.c \
    %D%/open.c \
    %D%/path.c \
    %D%/reform.c \
    %D%/reforms.h \
    %D%/scale.c \
    %D%/store.c \
    %D%/substitution.c
