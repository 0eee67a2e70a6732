# SPDX-License-Identifier: Apache-2.0
# Every solver on TORTURE small hard problems drawn from SEED: none may lie or crash. As a test
# it runs without arguments, on a few hundred.
check_PROGRAMS += %D%/torture
%C%_torture_SOURCES = %D%/torture.c %D%/draw.c %D%/draw.h
%C%_torture_CPPFLAGS = $(AM_CPPFLAGS)
%C%_torture_LDADD = libsolvers/libperp-solvers.la $(LAPACKE_LIBS) $(OPENBLAS_LIBS) -lm
%C%_torture_LDFLAGS = -static

TORTURE = 10000
SEED = 1
.PHONY: torture
torture: %D%/torture$(EXEEXT)
	OPENBLAS_NUM_THREADS=1 %D%/torture$(EXEEXT) $(TORTURE) $(SEED) $(SOLVERS)

# Contacts of COLLISIONS small hard worlds drawn from SEED, or of its case number CASE.
check_PROGRAMS += %D%/collisions
%C%_collisions_SOURCES = %D%/collisions.c %D%/contacts.c %D%/contacts.h \
    %D%/worlds.c %D%/worlds.h
%C%_collisions_CPPFLAGS = $(AM_CPPFLAGS)
%C%_collisions_LDADD = libdynamics/libperp-dynamics.la libsolvers/libperp-solvers.la \
    $(JANSSON_LIBS) $(LAPACKE_LIBS) $(OPENBLAS_LIBS) -lm
%C%_collisions_LDFLAGS = -static

COLLISIONS = 10000
.PHONY: torture-collisions
torture-collisions: %D%/collisions$(EXEEXT)
	OPENBLAS_NUM_THREADS=1 %D%/collisions$(EXEEXT) $(COLLISIONS) $(SEED) $(CASE)
