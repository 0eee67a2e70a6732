# SPDX-License-Identifier: Apache-2.0
# libperp-dynamics: each room adds its sources.

lib_LTLIBRARIES += %D%/libperp-dynamics.la

dynamics_includedir = $(includedir)/perp/dynamics
dynamics_include_HEADERS = \
    %D%/perp/dynamics/algorithms.h \
    %D%/perp/dynamics/articulation.h \
    %D%/perp/dynamics/broad.h \
    %D%/perp/dynamics/collide.h \
    %D%/perp/dynamics/dynamics.h \
    %D%/perp/dynamics/force.h \
    %D%/perp/dynamics/geometry.h \
    %D%/perp/dynamics/inertia.h \
    %D%/perp/dynamics/gradient.h \
    %D%/perp/dynamics/integrate.h \
    %D%/perp/dynamics/joint.h \
    %D%/perp/dynamics/mobilizer.h \
    %D%/perp/dynamics/narrow.h \
    %D%/perp/dynamics/reduce.h \
    %D%/perp/dynamics/remove.h \
    %D%/perp/dynamics/rotation.h \
    %D%/perp/dynamics/rows.h \
    %D%/perp/dynamics/scene.h \
    %D%/perp/dynamics/scheme.h \
    %D%/perp/dynamics/shape.h \
    %D%/perp/dynamics/state.h \
    %D%/perp/dynamics/step.h \
    %D%/perp/dynamics/system.h \
    %D%/perp/dynamics/tree.h \
    %D%/perp/dynamics/twist.h \
    %D%/perp/dynamics/urdf.h \
    %D%/perp/dynamics/world.h

%C%_libperp_dynamics_la_SOURCES =
%C%_libperp_dynamics_la_CFLAGS = $(library_cflags)
%C%_libperp_dynamics_la_CPPFLAGS = $(library_cppflags) $(XML2_CFLAGS)
%C%_libperp_dynamics_la_LIBADD = libsolvers/libperp-solvers.la \
    libsolvers/base/libbase.la $(LAPACKE_LIBS) \
    $(OPENBLAS_LIBS) $(JANSSON_LIBS) $(QHULL_LIBS) $(CCD_LIBS) \
    $(XML2_LIBS) -lm
%C%_libperp_dynamics_la_LDFLAGS = -version-info $(PERP_DYNAMICS_VERSION) \
    -export-symbols $(srcdir)/%D%/exports.txt -no-undefined
# The symbols that the public headers declare; a test compares the two. The solvers' library must
# exist, but a change of it does not link this library again.
%C%_libperp_dynamics_la_DEPENDENCIES = libsolvers/base/libbase.la
dynamics_library = libdynamics/libperp-dynamics.la
$(dynamics_library): | libsolvers/libperp-solvers.la
EXTRA_%C%_libperp_dynamics_la_DEPENDENCIES = %D%/exports.txt
EXTRA_DIST += %D%/exports.txt

include libdynamics/math/local.mk
include libdynamics/geometry/local.mk
include libdynamics/shapes/local.mk
include libdynamics/articulation/local.mk
include libdynamics/world/local.mk
include libdynamics/joints/local.mk
include libdynamics/reduced/local.mk
include libdynamics/collision/local.mk
include libdynamics/problem/local.mk
include libdynamics/step/local.mk
include libdynamics/derivative/local.mk
include libdynamics/read/local.mk

pkgconfig_DATA += %D%/perp-dynamics.pc

# find_package(perp-dynamics) of CMake.
cmakedynamicsdir = $(libdir)/cmake/perp-dynamics
cmakedynamics_DATA = %D%/perp-dynamics-config.cmake %D%/perp-dynamics-config-version.cmake
