# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    %D%/borrow.c \
    %D%/bsr.c \
    %D%/canonical.c \
    %D%/convert.c \
    %D%/csr.c \
    %D%/dense.c \
    %D%/factored.c \
    %D%/factored_make.c \
    %D%/make.c \
    %D%/measure.c \
    %D%/norm.c \
    %D%/operator.c \
    %D%/pairs.c \
    %D%/pairs_entries.c \
    %D%/pairs_frame.c \
    %D%/pairs_make.c \
    %D%/pairs_multiply.c \
    %D%/pairs_share.c \
    %D%/parts.c \
    %D%/storages.h \
    %D%/triplets.c
