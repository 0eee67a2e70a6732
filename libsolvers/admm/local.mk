# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    %D%/admm.c \
    %D%/admm_ncp.c \
    %D%/penalty.c \
    %D%/penalty.h
