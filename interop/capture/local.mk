# SPDX-License-Identifier: Apache-2.0
# Shims that capture the problems of other engines, one shared object each, for LD_PRELOAD. Built
# where shared objects are built and the engine was found; perp itself does not need them. Each is
# linked with its engine, because child processes of a captured program inherit LD_PRELOAD.

capture_common = %D%/capture.c %D%/capture.h %D%/capture_contacts.c %D%/capture_contacts.h \
    %D%/capture_labels.c %D%/capture_labels.h
capture_cppflags = $(AM_CPPFLAGS) -I$(top_builddir)
capture_ldflags = -module -avoid-version -shared -no-undefined
capture_libadd = libsolvers/libperp-solvers.la -ldl -lm

# C++ is compiled where an engine needs it, and only then.
capture_cxx = $(AM_V_GEN)$(LIBTOOL) $(AM_V_lt) --tag=CC --mode=compile $(CXX) $(DEFS) \
    $(capture_cppflags) $(CPPFLAGS) -Wall -Wextra -Wno-unused-parameter \
    $(WERROR_CFLAGS) -O2

pkglib_LTLIBRARIES =
if SHARED
if ODE
pkglib_LTLIBRARIES += %D%/capture-ode.la
%C%_capture_ode_la_SOURCES = %D%/ode.c %D%/ode.h %D%/ode_quick.c $(capture_common)
%C%_capture_ode_la_CPPFLAGS = $(capture_cppflags) $(ODE_CFLAGS)
%C%_capture_ode_la_LDFLAGS = $(capture_ldflags)
%C%_capture_ode_la_LIBADD = $(capture_libadd) $(ODE_LIBS)
endif
if MUJOCO
pkglib_LTLIBRARIES += %D%/capture-mujoco.la
%C%_capture_mujoco_la_SOURCES = %D%/mujoco.c $(capture_common)
%C%_capture_mujoco_la_CPPFLAGS = $(capture_cppflags)
%C%_capture_mujoco_la_LDFLAGS = $(capture_ldflags)
%C%_capture_mujoco_la_LIBADD = $(capture_libadd) -lmujoco
endif
if BULLET
pkglib_LTLIBRARIES += %D%/capture-bullet.la
%C%_capture_bullet_la_SOURCES = $(capture_common)
%C%_capture_bullet_la_CPPFLAGS = $(capture_cppflags)
%C%_capture_bullet_la_LDFLAGS = $(capture_ldflags)
%C%_capture_bullet_la_LIBADD = %D%/bullet.lo $(capture_libadd) $(BULLET_LIBS) -lstdc++
%C%_capture_bullet_la_DEPENDENCIES = %D%/bullet.lo libsolvers/libperp-solvers.la
%D%/bullet.lo: $(srcdir)/%D%/bullet.cc $(srcdir)/%D%/capture.h
	$(capture_cxx) $(BULLET_CFLAGS) -c -o $@ $(srcdir)/%D%/bullet.cc
endif
if DART
pkglib_LTLIBRARIES += %D%/capture-dart.la
%C%_capture_dart_la_SOURCES = $(capture_common)
%C%_capture_dart_la_CPPFLAGS = $(capture_cppflags)
%C%_capture_dart_la_LDFLAGS = $(capture_ldflags)
%C%_capture_dart_la_LIBADD = %D%/dart.lo $(capture_libadd) -ldart -lstdc++
%C%_capture_dart_la_DEPENDENCIES = %D%/dart.lo libsolvers/libperp-solvers.la
%D%/dart.lo: $(srcdir)/%D%/dart.cc $(srcdir)/%D%/capture.h
	$(capture_cxx) $(DART_CFLAGS) -std=c++17 -c -o $@ $(srcdir)/%D%/dart.cc
endif
endif
dist_noinst_DATA += %D%/bullet.cc %D%/dart.cc
# The installation links them again, with the installed library.
capture_install = install-pkglibLTLIBRARIES
$(capture_install): install-libLTLIBRARIES
