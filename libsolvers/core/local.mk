# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    %D%/base.c \
    %D%/auto.c \
    %D%/certificate.c \
    %D%/chain.c \
    %D%/evidence.c \
    %D%/factor.c \
    %D%/factor.h \
    %D%/factor_klu.c \
    %D%/factor_ldl.c \
    %D%/factor_sparse.h \
    %D%/factored_make.c \
    %D%/growth.c \
    %D%/growth.h \
    %D%/judge.h \
    %D%/measures.c \
    %D%/operator_pairs.c \
    %D%/options.c \
    %D%/pairs_make.c \
    %D%/pairs_multiply.c \
    %D%/plan.c \
    %D%/plan.h \
    %D%/problem.c \
    %D%/proof.c \
    %D%/proof.h \
    %D%/proof_cycle.c \
    %D%/registry.c \
    %D%/residual.c \
    %D%/result.c \
    %D%/run.c \
    %D%/sequence.c \
    %D%/sequence.h \
    %D%/set.c \
    %D%/solve.c \
    %D%/solvers.h \
    %D%/system.c \
    %D%/words.c \
    %D%/workspace.c

libsolvers_libperp_solvers_la_SOURCES += libsolvers/core/operator.c \
    libsolvers/core/operator_bsr.c \
    libsolvers/core/operator_convert.c \
    libsolvers/core/operator_csr.c \
    libsolvers/core/operator_dense.c \
    libsolvers/core/operator_factored.c \
    libsolvers/core/operator_make.c \
    libsolvers/core/operators.h
