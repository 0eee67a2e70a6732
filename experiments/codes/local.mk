# SPDX-License-Identifier: Apache-2.0
# Programs that run other codes, one per code, each where configure found the code. perp starts
# them as child processes (docs/exec.md); it never links them.

codes_cppflags = $(AM_CPPFLAGS)
codes_ldadd = libsolvers/libperp-solvers.la libsolvers/base/libbase.la $(JANSSON_LIBS) -lm
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
