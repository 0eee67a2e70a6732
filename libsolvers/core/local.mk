# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    %D%/base.c \
    %D%/blas.c \
    %D%/labels.c \
    %D%/message.c \
    %D%/operator.h \
    %D%/options.c \
    %D%/problem.c \
    %D%/problem_canonical.c \
    %D%/problem_check.c \
    %D%/result.c \
    %D%/sequence.c \
    %D%/sequence_type.h \
    %D%/set.c \
    %D%/solver_list.h %D%/solver_used.h \
    %D%/solvers.h \
    %D%/workspace.c
