# SPDX-License-Identifier: Apache-2.0
# Programs that run other codes, one per code, each where configure found the code. perp starts
# them as child processes (docs/exec.md); it never links them.

codes_cppflags = $(AM_CPPFLAGS)
codes_ldadd = libsolvers/libperp-solvers.la libsolvers/base/libbase.la $(JANSSON_LIBS) -lm
codes_libraries = libsolvers/libperp-solvers.la libsolvers/base/libbase.la
codes_sources = %D%/code.c %D%/code.h

if GLPK
pkglibexec_PROGRAMS += %D%/perp-glpk
endif
%C%_perp_glpk_SOURCES = %D%/glpk.c $(codes_sources)
%C%_perp_glpk_LDADD = $(codes_ldadd) $(GLPK_LIBS)

if OCTAVE
pkglibexec_PROGRAMS += %D%/perp-octave
endif
%C%_perp_octave_SOURCES = %D%/octave.c $(codes_sources)
%C%_perp_octave_CPPFLAGS = $(codes_cppflags) -DOCTAVE='"$(OCTAVE)"'
%C%_perp_octave_LDADD = $(codes_ldadd)

# Physics engines: scalar rows, dense. Compiled as C++ where the engine was found.
codes_boxed = %D%/boxed.c %D%/boxed.h $(codes_sources)
codes_cxx = $(CXX) $(DEFS) $(AM_CPPFLAGS) $(CPPFLAGS)
dist_noinst_DATA += %D%/bullet.cc %D%/dart.cc %D%/ode.cc

if ODE_LCP
pkglibexec_PROGRAMS += %D%/perp-ode
%D%/ode.o: $(srcdir)/%D%/ode.cc $(srcdir)/%D%/boxed.h $(srcdir)/%D%/code.h
	$(AM_V_GEN)$(codes_cxx) $(ODE_CFLAGS) -O2 -c -o $@ $(srcdir)/%D%/ode.cc
endif
%C%_perp_ode_SOURCES = $(codes_boxed)
%C%_perp_ode_LDADD = %D%/ode.o $(codes_ldadd) $(ODE_LIBS) -lstdc++
%C%_perp_ode_DEPENDENCIES = %D%/ode.o $(codes_libraries)

if BULLET
pkglibexec_PROGRAMS += %D%/perp-bullet
%D%/bullet.o: $(srcdir)/%D%/bullet.cc $(srcdir)/%D%/boxed.h $(srcdir)/%D%/code.h
	$(AM_V_GEN)$(codes_cxx) $(BULLET_CFLAGS) -O2 -c -o $@ $(srcdir)/%D%/bullet.cc
endif
%C%_perp_bullet_SOURCES = $(codes_boxed)
%C%_perp_bullet_LDADD = %D%/bullet.o $(codes_ldadd) $(BULLET_LIBS) -lstdc++
%C%_perp_bullet_DEPENDENCIES = %D%/bullet.o $(codes_libraries)

if DART
pkglibexec_PROGRAMS += %D%/perp-dart
%D%/dart.o: $(srcdir)/%D%/dart.cc $(srcdir)/%D%/boxed.h $(srcdir)/%D%/code.h
	$(AM_V_GEN)$(codes_cxx) $(DART_CFLAGS) -std=c++17 -O2 -c -o $@ $(srcdir)/%D%/dart.cc
endif
%C%_perp_dart_SOURCES = $(codes_boxed)
%C%_perp_dart_LDADD = %D%/dart.o $(codes_ldadd) $(DART_LIBS) -lstdc++
%C%_perp_dart_DEPENDENCIES = %D%/dart.o $(codes_libraries)

# Distributed: perp-petsc and perp-mumps start perp-petsc-ranks by mpiexec.
if PETSC
pkglibexec_PROGRAMS += %D%/perp-petsc %D%/perp-petsc-ranks
endif
if MUMPS
pkglibexec_PROGRAMS += %D%/perp-mumps
endif
codes_petsc_cflags = $(patsubst -I%,-isystem%,$(PETSC_CFLAGS))
codes_petsc = %D%/petsc.c %D%/petsc.h %D%/petsc_run.c $(codes_sources)
%C%_perp_petsc_SOURCES = $(codes_petsc)
%C%_perp_petsc_CPPFLAGS = $(codes_cppflags) $(codes_petsc_cflags)
%C%_perp_petsc_LDADD = $(codes_ldadd) $(PETSC_LIBS)
%C%_perp_mumps_SOURCES = $(codes_petsc)
%C%_perp_mumps_CPPFLAGS = $(codes_cppflags) $(codes_petsc_cflags) -DCODE_MUMPS
%C%_perp_mumps_LDADD = $(codes_ldadd) $(PETSC_LIBS)
%C%_perp_petsc_ranks_SOURCES = %D%/petsc.h %D%/petsc_ranks.c %D%/petsc_run.c
%C%_perp_petsc_ranks_CPPFLAGS = $(codes_cppflags) $(codes_petsc_cflags)
%C%_perp_petsc_ranks_LDADD = $(PETSC_LIBS) -lm

if SICONOS
pkglibexec_PROGRAMS += %D%/perp-siconos
endif
%C%_perp_siconos_SOURCES = %D%/siconos.c %D%/siconos.h %D%/siconos_problems.c $(codes_sources)
%C%_perp_siconos_CPPFLAGS = $(codes_cppflags) $(SICONOS_CFLAGS)
%C%_perp_siconos_LDADD = $(codes_ldadd) $(SICONOS_LIBS)

# Messages between the ranks of `mpiexec perp compare`.
if MPI
pkglibexec_PROGRAMS += %D%/perp-ranks
endif
%C%_perp_ranks_SOURCES = %D%/ranks.c command/cores/cores.c command/cores/cores.h
%C%_perp_ranks_CPPFLAGS = $(codes_cppflags) $(patsubst -I%,-isystem%,$(MPI_CFLAGS))
%C%_perp_ranks_LDADD = libsolvers/base/libbase.la $(MPI_LIBS)
