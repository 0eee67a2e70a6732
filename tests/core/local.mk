# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/arrays.c \
    %D%/auto.c \
    %D%/blas.c \
    %D%/canonical.c \
    %D%/certificate.c \
    %D%/conformance.c \
    %D%/context.c \
    %D%/definite.c \
    %D%/factored.c \
    %D%/files.c \
    %D%/golden.c \
    %D%/islands.c \
    %D%/judge_threads.c \
    %D%/lcp.c \
    %D%/matrices.c \
    %D%/memory.c \
    %D%/missing.c \
    %D%/operator.c \
    %D%/options.c \
    %D%/pairs.c \
    %D%/pairs_solve.c \
    %D%/problem.c \
    %D%/registry.c \
    %D%/residual.c \
    %D%/residual_axioms.c \
    %D%/robustness.c \
    %D%/sequence.c \
    %D%/set.c \
    %D%/solve.c \
    %D%/threads.c \
    %D%/triplets.c \
    %D%/turned.c \
    %D%/warm.c \
    %D%/watch.c \
    %D%/words.c

dist_check_SCRIPTS += \
    %D%/checklist.sh \
    %D%/docs.sh \
    %D%/example.sh \
    %D%/examples.sh \
    %D%/exports.sh \
    %D%/headers.sh \
    %D%/masks.sh \
    %D%/prose.sh \
    %D%/references.sh \
    %D%/rooms.sh
