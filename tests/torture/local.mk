# SPDX-License-Identifier: Apache-2.0
# Every solver on TORTURE small hard problems drawn from each of the SEEDS, a quarter of an hour on
# two cores: no false answer, no crash. As a test, drawn.sh runs all programs on a few hundred.
torture_programs =
torture_programs += %D%/torture
%C%_torture_SOURCES = %D%/cases.c %D%/cases.h %D%/draw.c %D%/draw.h %D%/formula.c \
    %D%/formula.h %D%/kinds.c %D%/kinds.h %D%/torture.c
%C%_torture_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/command/generate
%C%_torture_LDADD = command/generate/libgenerate.la libsolvers/libperp-solvers.la $(LAPACKE_LIBS) $(OPENBLAS_LIBS) -lm
%C%_torture_LDFLAGS = -static

TORTURE = 10000
SEEDS = 1 2 3
.PHONY: torture
torture: %D%/torture$(EXEEXT)
	set -e; for seed in $(SEEDS); do \
	    OPENBLAS_NUM_THREADS=1 %D%/torture$(EXEEXT) $(TORTURE) $$seed $(SOLVERS); done

# Contacts of COLLISIONS small hard worlds drawn from SEED, or of its case number CASE; then the
# campaign of tests/collision/pairs.c, with COLLISIONS/50 poses of each pair in each regime.
torture_programs += %D%/collisions
%C%_collisions_SOURCES = %D%/cases.c %D%/cases.h %D%/collisions.c \
    %D%/contacts.c %D%/contacts.h %D%/worlds.c %D%/worlds.h
%C%_collisions_CPPFLAGS = $(AM_CPPFLAGS)
%C%_collisions_LDADD = libdynamics/libperp-dynamics.la libsolvers/libperp-solvers.la \
    $(JANSSON_LIBS) $(LAPACKE_LIBS) $(OPENBLAS_LIBS) -lm
%C%_collisions_LDFLAGS = -static

COLLISIONS = 10000
SEED = 1
.PHONY: torture-collisions
torture-collisions: %D%/collisions$(EXEEXT) tests/perp-tests$(EXEEXT)
	OPENBLAS_NUM_THREADS=1 %D%/collisions$(EXEEXT) $(COLLISIONS) $(SEED) $(CASE)
	test -n "$(CASE)" || PERP_TEST_SEED=$(SEED) PERP_TEST_POSES=`expr $(COLLISIONS) / 50` \
	    tests/perp-tests$(EXEEXT) tests/collision/pairs.c

# IMPACTS small worlds without loads drawn from SEED, or its case CASE: energy and momentum.
torture_programs += %D%/impacts
%C%_impacts_SOURCES = %D%/cases.c %D%/cases.h %D%/impacts.c
%C%_impacts_CPPFLAGS = $(AM_CPPFLAGS)
%C%_impacts_LDADD = libdynamics/libperp-dynamics.la libsolvers/libperp-solvers.la \
    $(JANSSON_LIBS) $(LAPACKE_LIBS) $(OPENBLAS_LIBS) -lm
%C%_impacts_LDFLAGS = -static

IMPACTS = 10000
.PHONY: torture-impacts
torture-impacts: %D%/impacts$(EXEEXT)
	OPENBLAS_NUM_THREADS=1 %D%/impacts$(EXEEXT) $(IMPACTS) $(SEED) $(CASE)

# Trees of TREES random worlds drawn from SEED in both coordinates, or of its case CASE.
torture_programs += %D%/trees
%C%_trees_SOURCES = %D%/cases.c %D%/cases.h %D%/forests.c %D%/forests.h %D%/trees.c \
    %D%/trees.h %D%/trees_algorithms.c %D%/trees_coordinates.c %D%/trees_runs.c
%C%_trees_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/libdynamics
%C%_trees_LDADD = tests/support/libsupport.la libdynamics/libperp-dynamics.la libsolvers/libperp-solvers.la \
    $(JANSSON_LIBS) $(LAPACKE_LIBS) $(OPENBLAS_LIBS) -lm
%C%_trees_LDFLAGS = -static

TREES = 1000
.PHONY: torture-trees
torture-trees: %D%/trees$(EXEEXT)
	OPENBLAS_NUM_THREADS=1 %D%/trees$(EXEEXT) $(TREES) $(SEED) $(CASE)

# tests/reduced/coordinates.c checks such trees, too.
test_helpers += %D%/cases.h %D%/forests.c %D%/forests.h %D%/trees.h %D%/trees_algorithms.c \
    %D%/trees_coordinates.c %D%/trees_runs.c

EXTRA_PROGRAMS += $(torture_programs)
full_scripts += %D%/drawn.sh
%D%/drawn.log: $(torture_programs)
