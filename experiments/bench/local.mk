# SPDX-License-Identifier: Apache-2.0
EXTRA_PROGRAMS += %D%/bench %D%/engines %D%/threads
%C%_bench_SOURCES = \
    %D%/articulated.c \
    %D%/bench.c \
    %D%/broad.c \
    %D%/contacts.c \
    %D%/direct.c \
    %D%/exact.c \
    %D%/factor.c \
    %D%/formats.c \
    %D%/gradient.c \
    %D%/humanoid.c \
    %D%/judging.c \
    %D%/measure.c \
    %D%/measure.h \
    %D%/narrow_hulls.c \
    %D%/narrow_pairs.c \
    %D%/packing.c \
    %D%/packing.h \
    %D%/rigid.c \
    %D%/rows.c \
    %D%/scene.c \
    %D%/worlds.c \
    %D%/worlds.h
%C%_bench_LDADD = command/generate/libgenerate.la libdynamics/libperp-dynamics.la \
    libsolvers/libperp-solvers.la libsolvers/base/libbase.la $(JANSSON_LIBS) \
    $(LAPACKE_LIBS) $(OPENBLAS_LIBS) -lm
%C%_threads_SOURCES = %D%/threads.c %D%/threads.h %D%/threads_spheres.c %D%/measure.c \
    %D%/measure.h
%C%_threads_LDADD = $(%C%_bench_LDADD)

# Steps next to those of Bullet and ODE. C++ is compiled where Bullet was found, and only then.
%C%_engines_SOURCES = %D%/engines.c %D%/engines.h %D%/measure.c %D%/measure.h %D%/worlds.c \
    %D%/worlds.h
%C%_engines_CPPFLAGS = $(AM_CPPFLAGS)
%C%_engines_LDADD = $(%C%_bench_LDADD)
%C%_engines_DEPENDENCIES = command/generate/libgenerate.la \
    libdynamics/libperp-dynamics.la libsolvers/libperp-solvers.la libsolvers/base/libbase.la
if BULLET
%C%_engines_CPPFLAGS += -DHAVE_BULLET
%C%_engines_LDADD += %D%/engine_bullet.o $(BULLET_LIBS) -lstdc++
%C%_engines_DEPENDENCIES += %D%/engine_bullet.o
%D%/engine_bullet.o: $(srcdir)/%D%/engine_bullet.cc $(srcdir)/%D%/engines.h
	$(AM_V_GEN)$(CXX) $(DEFS) $(AM_CPPFLAGS) $(CPPFLAGS) $(BULLET_CFLAGS) -O2 -c -o $@ \
	    $(srcdir)/%D%/engine_bullet.cc
endif
if ODE
%C%_engines_SOURCES += %D%/engine_ode.c
%C%_engines_CPPFLAGS += -DHAVE_ODE $(ODE_CFLAGS)
%C%_engines_LDADD += $(ODE_LIBS)
endif
if ENGINES
ENGINES_RUN = %D%/engines$(EXEEXT)
endif

bench: %D%/bench$(EXEEXT) %D%/threads$(EXEEXT) $(ENGINES_RUN) perp$(EXEEXT)
	OPENBLAS_NUM_THREADS=1 %D%/bench $(abs_top_srcdir)/datasets
	OPENBLAS_NUM_THREADS=1 %D%/threads $(abs_top_srcdir)/datasets
	test -z "$(ENGINES_RUN)" || OPENBLAS_NUM_THREADS=1 $(ENGINES_RUN)
	OPENBLAS_NUM_THREADS=1 $(SHELL) $(srcdir)/%D%/overhead.sh $(abs_builddir)/perp

dist_noinst_DATA += %D%/engine_bullet.cc %D%/overhead.sh
