# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    %D%/certificate.c \
    %D%/certificate_cycle.c \
    %D%/certificate_definite.c \
    %D%/certificate_direction.c \
    %D%/certificate_dominant.c \
    %D%/certificate_infeasible.c \
    %D%/certificate_pairs.c \
    %D%/pair.c %D%/pair.h \
    %D%/certificate_private.h \
    %D%/equilibrate.c \
    %D%/judge.h \
    %D%/judge_private.h \
    %D%/measures.c \
    %D%/natural_map.c \
    %D%/residual.c \
    %D%/residual_share.c \
    %D%/rounding.c \
    %D%/scales.c %D%/scales.h
