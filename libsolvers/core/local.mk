# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    %D%/base.c \
    %D%/blas.c \
    %D%/labels.c \
    %D%/message.c %D%/message.h \
    %D%/operator.h \
    %D%/options.c %D%/options.h \
    %D%/problem.c %D%/problem.h \
    %D%/problem_canonical.c \
    %D%/problem_check.c \
    %D%/result.c %D%/result.h \
    %D%/run.c %D%/run.h \
    %D%/sequence.c \
    %D%/sequence_type.h \
    %D%/set.c %D%/set.h \
    %D%/solver_list.h %D%/solver_used.h \
    %D%/solvers.h \
    %D%/takes.c \
    %D%/vectors.h \
    %D%/workspace.c %D%/workspace.h
