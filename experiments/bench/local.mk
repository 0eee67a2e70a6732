# SPDX-License-Identifier: Apache-2.0
EXTRA_PROGRAMS += %D%/bench %D%/threads
%C%_bench_SOURCES = \
    %D%/articulated.c \
    %D%/bench.c \
    %D%/broad.c \
    %D%/contacts.c \
    %D%/direct.c \
    %D%/exact.c \
    %D%/factor.c \
    %D%/gradient.c \
    %D%/humanoid.c \
    %D%/measure.c \
    %D%/measure.h \
    %D%/narrow_hulls.c \
    %D%/narrow_pairs.c \
    %D%/packing.c \
    %D%/packing.h \
    %D%/rigid.c \
    %D%/rows.c \
    %D%/scene.c
%C%_bench_LDADD = experiments/families/libfamilies.la libdynamics/libperp-dynamics.la \
    libsolvers/libperp-solvers.la libsolvers/base/libbase.la $(JANSSON_LIBS) \
    $(LAPACKE_LIBS) $(OPENBLAS_LIBS) -lm
%C%_threads_SOURCES = %D%/threads.c %D%/measure.c %D%/measure.h
%C%_threads_LDADD = $(%C%_bench_LDADD)

.PHONY: bench
bench: %D%/bench$(EXEEXT) %D%/threads$(EXEEXT) perp$(EXEEXT)
	OPENBLAS_NUM_THREADS=1 %D%/bench $(abs_top_srcdir)/datasets
	OPENBLAS_NUM_THREADS=1 %D%/threads
	OPENBLAS_NUM_THREADS=1 $(SHELL) $(srcdir)/%D%/overhead.sh $(abs_builddir)/perp

EXTRA_DIST += %D%/overhead.sh
