# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/arrays \
    %D%/auto \
    %D%/blas \
    %D%/canonical \
    %D%/certificate \
    %D%/conformance \
    %D%/context \
    %D%/definite \
    %D%/factored \
    %D%/golden \
    %D%/islands \
    %D%/judge_threads \
    %D%/lcp \
    %D%/matrices \
    %D%/memory \
    %D%/operator \
    %D%/options \
    %D%/pairs \
    %D%/pairs_solve \
    %D%/problem \
    %D%/registry \
    %D%/residual \
    %D%/residual_axioms \
    %D%/robustness \
    %D%/sequence \
    %D%/set \
    %D%/solve \
    %D%/warm \
    %D%/threads \
    %D%/triplets \
    %D%/watch \
    %D%/turned \
    %D%/words \
    %D%/files \
    %D%/missing

%C%_context_SOURCES = %D%/context.c $(scarce_sources)
%C%_context_LDFLAGS = $(tests_ldflags) $(tests_scarce)

%C%_factored_SOURCES = %D%/factored.c $(scarce_sources)
%C%_factored_LDFLAGS = $(tests_ldflags) $(tests_scarce)

%C%_islands_SOURCES = %D%/islands.c $(scarce_sources)
%C%_islands_LDFLAGS = $(tests_ldflags) $(tests_scarce)

%C%_judge_threads_SOURCES = %D%/judge_threads.c $(scarce_sources)
%C%_judge_threads_LDFLAGS = $(tests_ldflags) $(tests_scarce)

%C%_threads_CFLAGS = $(AM_CFLAGS) -pthread
%C%_blas_CFLAGS = $(AM_CFLAGS) -pthread

%C%_triplets_SOURCES = %D%/triplets.c $(scarce_sources)
%C%_triplets_LDFLAGS = $(tests_ldflags) $(tests_scarce)

%C%_turned_SOURCES = %D%/turned.c $(scarce_sources)
%C%_turned_LDFLAGS = $(tests_ldflags) $(tests_scarce)

%C%_pairs_SOURCES = %D%/pairs.c $(scarce_sources)
%C%_pairs_LDFLAGS = $(tests_ldflags) $(tests_scarce)

%C%_memory_SOURCES = %D%/memory.c $(scarce_sources)
%C%_memory_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_lcp_SOURCES = %D%/lcp.c $(scarce_sources)
%C%_lcp_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_registry_SOURCES = %D%/registry.c $(scarce_sources)
%C%_registry_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_sequence_SOURCES = %D%/sequence.c $(scarce_sources)
%C%_sequence_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_set_SOURCES = %D%/set.c $(scarce_sources)
%C%_set_LDFLAGS = $(tests_ldflags) $(tests_scarce)

# Draw instances from the families.
%C%_warm_LDADD = tests/support/libsupport.la command/generate/libgenerate.la $(tests_ldadd)
%C%_residual_axioms_CPPFLAGS = $(tests_cppflags) -I$(top_srcdir)/command/generate
%C%_residual_axioms_LDADD = tests/support/libsupport.la command/generate/libgenerate.la \
    $(tests_ldadd)

dist_check_SCRIPTS += \
    %D%/checklist.sh \
    %D%/docs.sh \
    %D%/example.sh \
    %D%/exports.sh \
    %D%/headers.sh \
    %D%/masks.sh \
    %D%/prose.sh \
    %D%/references.sh \
    %D%/rooms.sh
