# SPDX-License-Identifier: Apache-2.0
# libperp-solvers: each room adds its sources.

lib_LTLIBRARIES += %D%/libperp-solvers.la

solvers_includedir = $(includedir)/perp
solvers_include_HEADERS = \
    %D%/perp/base.h \
    %D%/perp/blas.h \
    %D%/perp/certificate.h \
    %D%/perp/determined.h \
    %D%/perp/extend.h \
    %D%/perp/external.h \
    %D%/perp/formats.h \
    %D%/perp/judge.h \
    %D%/perp/labels.h \
    %D%/perp/operator.h \
    %D%/perp/options.h \
    %D%/perp/perp.h \
    %D%/perp/plugin.h \
    %D%/perp/problem.h \
    %D%/perp/quantity.h \
    %D%/perp/random.h \
    %D%/perp/reform.h \
    %D%/perp/residual.h \
    %D%/perp/result.h \
    %D%/perp/sensitivity.h \
    %D%/perp/sequence.h \
    %D%/perp/solutions.h \
    %D%/perp/set.h \
    %D%/perp/solver.h \
    %D%/perp/solver_type.h \
    %D%/perp/triplets.h \
    %D%/perp/workspace.h

%C%_libperp_solvers_la_SOURCES =
%C%_libperp_solvers_la_CFLAGS = $(library_cflags)
%C%_libperp_solvers_la_CPPFLAGS = $(library_cppflags) $(OPENBLAS_CFLAGS) $(LAPACKE_CFLAGS) \
    $(METIS_CFLAGS) $(HDF5_CFLAGS) $(JANSSON_CFLAGS) $(LIBZIP_CFLAGS) $(ZLIB_CFLAGS) \
    -DPERP_CODES_DIR='"$(pkglibexecdir)"'
%C%_libperp_solvers_la_LIBADD = libsolvers/base/libbase.la libsolvers/base/libbasehdf5.la \
    $(LAPACKE_LIBS) $(OPENBLAS_LIBS) $(SUITESPARSE_LIBS) $(METIS_LIBS) \
    $(HDF5_LIBS) $(JANSSON_LIBS) $(LIBZIP_LIBS) $(MATIO_LIBS) $(ZLIB_LIBS) -lm
%C%_libperp_solvers_la_LDFLAGS = -version-info $(PERP_SOLVERS_VERSION) \
    -export-symbols $(srcdir)/%D%/exports.txt -no-undefined
# The symbols that the public headers declare; a test compares the two.
EXTRA_%C%_libperp_solvers_la_DEPENDENCIES = %D%/exports.txt
EXTRA_DIST += %D%/exports.txt

include libsolvers/base/local.mk
include libsolvers/core/local.mk
include libsolvers/matrix/local.mk
include libsolvers/linear/local.mk
include libsolvers/judge/local.mk
include libsolvers/solve/local.mk
include libsolvers/reform/local.mk
include libsolvers/pivoting/local.mk
include libsolvers/splitting/local.mk
include libsolvers/gradient/local.mk
include libsolvers/interior/local.mk
include libsolvers/newton/local.mk
include libsolvers/admm/local.mk
include libsolvers/outer/local.mk
include libsolvers/derivative/local.mk
include libsolvers/determined/local.mk
include libsolvers/external/local.mk
include libsolvers/formats/local.mk

pkgconfig_DATA += %D%/perp-solvers.pc

# find_package(perp-solvers) of CMake.
cmakesolversdir = $(libdir)/cmake/perp-solvers
cmakesolvers_DATA = %D%/perp-solvers-config.cmake %D%/perp-solvers-config-version.cmake
