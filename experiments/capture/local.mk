# SPDX-License-Identifier: Apache-2.0
# Shims that capture the problems of other engines, one shared object each, for LD_PRELOAD. Built
# where shared objects are built and the engine was found; the rest of perp does not need them.

capture_common = %D%/capture.c %D%/capture.h %D%/capture_contacts.c %D%/capture_contacts.h
capture_cppflags = $(AM_CPPFLAGS) -I$(top_builddir)
capture_ldflags = -module -avoid-version -shared -no-undefined
capture_libadd = libsolvers/libperp-solvers.la -ldl -lm

pkglib_LTLIBRARIES =
if SHARED
if ODE
pkglib_LTLIBRARIES += %D%/capture-ode.la
%C%_capture_ode_la_SOURCES = %D%/ode.c $(capture_common)
%C%_capture_ode_la_CPPFLAGS = $(capture_cppflags) $(ODE_CFLAGS)
%C%_capture_ode_la_LDFLAGS = $(capture_ldflags)
%C%_capture_ode_la_LIBADD = $(capture_libadd)
endif
endif
