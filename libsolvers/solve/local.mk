# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    %D%/auto.c \
    %D%/call.c \
    %D%/chain.c \
    %D%/islands.c \
    %D%/islands.h \
    %D%/lcp.c \
    %D%/loop.c \
    %D%/loop.h \
    %D%/plan.c \
    %D%/plan.h \
    %D%/registry.c %D%/registry.h \
    %D%/solve.c \
    %D%/verdict.c \
    %D%/watch.c \
    %D%/watch.h
