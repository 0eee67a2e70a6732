# SPDX-License-Identifier: Apache-2.0
# CUnit programs that speak TAP, run in parallel by `make check`.

TEST_EXTENSIONS = .sh
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
AM_TESTS_ENVIRONMENT = OPENBLAS_NUM_THREADS=1; export OPENBLAS_NUM_THREADS; \
    PERP_TEST_DATA="$${PERP_TEST_DATA:-$(abs_top_srcdir)/tests/golden}"; export PERP_TEST_DATA; \
    PERP_DATASETS="$(abs_top_srcdir)/datasets"; export PERP_DATASETS; \
    PERP_SOURCE="$(abs_top_srcdir)"; export PERP_SOURCE; \
    PERP_BUILD="$(abs_top_builddir)"; export PERP_BUILD; \
    PERP_CODES="$(abs_top_builddir)/interop/codes"; export PERP_CODES; \
    CC="$(CC)"; export CC; EXAMPLE_CFLAGS="$(CFLAGS)"; export EXAMPLE_CFLAGS;

# Tests link the static library, so that they may reach what it does not export and can put
# themselves between it and malloc.
tests_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/support $(CUNIT_CFLAGS) $(JANSSON_CFLAGS) \
    $(OPENBLAS_CFLAGS) $(LAPACKE_CFLAGS) $(HDF5_CFLAGS) $(LIBZIP_CFLAGS) $(GSL_CFLAGS)
tests_ldadd = tests/support/libsupport.la libdynamics/libperp-dynamics.la \
    libsolvers/libperp-solvers.la libsolvers/base/libbase.la \
    libsolvers/base/libbasehdf5.la $(CUNIT_LIBS) \
    $(JANSSON_LIBS) $(LAPACKE_LIBS) $(OPENBLAS_LIBS) $(GSL_LIBS) -lm
tests_ldflags = -static
# Puts tests/support/scarce.c between the library and its memory.
tests_scarce = -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc -Wl,--wrap=aligned_alloc
scarce_sources = tests/support/scarce.c tests/support/scarce.h

# What a test program is made of unless it says otherwise: a test is one line in its room.
LDADD = $(tests_ldadd)
AM_LDFLAGS = $(tests_ldflags)

check_LTLIBRARIES += tests/support/libsupport.la
tests_support_libsupport_la_SOURCES = tests/support/support.c tests/support/support.h \
    tests/support/arena.c tests/support/arena.h tests/support/arena_dynamics.h \
    tests/support/instances.c tests/support/instances.h \
    tests/support/answers.c tests/support/answers.h \
    tests/support/stepped.c tests/support/stepped.h \
    tests/support/dynamics.c tests/support/dynamics.h \
    tests/support/couples.c tests/support/couples.h
tests_support_libsupport_la_CPPFLAGS = $(tests_cppflags)

include tests/reference/local.mk

# What test scripts share.
EXTRA_DIST += tests/support/command.sh tests/support/page.py tests/support/program.sh \
    tests/support/tap.sh tests/support/terminal.py

include tests/core/local.mk
include tests/linear/local.mk
include tests/reform/local.mk
include tests/pivoting/local.mk
include tests/splitting/local.mk
include tests/gradient/local.mk
include tests/newton/local.mk
include tests/interior/local.mk
include tests/admm/local.mk
include tests/outer/local.mk
include tests/derivative/local.mk
include tests/steps/local.mk
include tests/formats/local.mk
include tests/dynamics/local.mk
include tests/external/local.mk
include tests/fuzz/local.mk
include tests/golden/local.mk
include tests/mutation/local.mk
include tests/python/local.mk
include tests/refusals/local.mk
include tests/torture/local.mk
# What runs the command or links its parts.
if COMMAND
include tests/command/local.mk
include tests/faults/local.mk
include tests/growth/local.mk
include tests/interop/local.mk
include tests/view/exports.mk
include tests/web/local.mk
endif

TESTS += $(check_PROGRAMS) $(dist_check_SCRIPTS)

# What tests and make docs write.
clean-local:
	rm -rf docs/api/html
	rm -rf tests/scratch
	rm -rf web-check

# A test whose name another one has, with another suffix, shares its log and never runs.
check-local:
	@! echo $(basename $(TESTS)) | tr ' ' '\n' | sort | uniq -d | sed 's/$$/: two tests have this name/' | grep .
