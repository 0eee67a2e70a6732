# SPDX-License-Identifier: Apache-2.0
# Tests that speak TAP, run in parallel by `make check`.

TEST_EXTENSIONS = .sh .c
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
C_LOG_DRIVER = $(LOG_DRIVER)
AM_TESTS_ENVIRONMENT = OPENBLAS_NUM_THREADS=1; export OPENBLAS_NUM_THREADS; \
    PERP_TEST_DATA="$${PERP_TEST_DATA:-$(abs_top_srcdir)/tests/golden}"; export PERP_TEST_DATA; \
    PERP_DATASETS="$(abs_top_srcdir)/datasets"; export PERP_DATASETS; \
    PERP_SOURCE="$(abs_top_srcdir)"; export PERP_SOURCE; \
    PERP_BUILD="$(abs_top_builddir)"; export PERP_BUILD; \
    PERP_CODES="$(abs_top_builddir)/interop/codes"; export PERP_CODES; \
    CC="$(CC)"; export CC; EXAMPLE_CFLAGS="$(CFLAGS)"; export EXAMPLE_CFLAGS;

# Tests link the static libraries, so that they may call what these do not export.
tests_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/support -I$(top_srcdir)/command/generate \
    $(CUNIT_CFLAGS) $(JANSSON_CFLAGS) $(OPENBLAS_CFLAGS) $(LAPACKE_CFLAGS) $(HDF5_CFLAGS) $(LIBZIP_CFLAGS) \
    $(GSL_CFLAGS) $(METIS_CFLAGS) $(XML2_CFLAGS)
tests_ldadd = tests/support/libsupport.la command/generate/libgenerate.la libdynamics/libperp-dynamics.la \
    libsolvers/libperp-solvers.la libsolvers/base/libbase.la \
    libsolvers/base/libbasehdf5.la $(CUNIT_LIBS) \
    $(JANSSON_LIBS) $(LAPACKE_LIBS) $(OPENBLAS_LIBS) $(GSL_LIBS) -lm
tests_ldflags = -static
LDADD = $(tests_ldadd)
AM_LDFLAGS = $(tests_ldflags)

# The tests in C are one program. A test is a source file, which is run in a process of its own:
#     make check TESTS=tests/core/set.c
# The linker puts tests/support/scarce.c between the libraries and their memory.
check_PROGRAMS += %D%/perp-tests $(test_programs)
test_programs =
test_files =
full_files =
test_helpers = tests/support/motion.c tests/support/motion.h tests/support/scarce.c tests/support/scarce.h
tests_perp_tests_SOURCES = $(test_files) $(full_files) $(test_helpers)
tests_perp_tests_CPPFLAGS = $(tests_cppflags)
tests_perp_tests_CFLAGS = $(AM_CFLAGS) -pthread
tests_perp_tests_LDFLAGS = $(tests_ldflags) -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc \
    -Wl,--wrap=aligned_alloc
tests_perp_tests_LDADD = $(tests_ldadd)
if COMMAND
tests_perp_tests_LDADD += tests/support/libsupport.la $(command_ldadd)
endif
tests_perp_tests_LDADD += $(HDF5_LIBS) $(LIBZIP_LIBS) $(MATIO_LIBS) $(XML2_LIBS) $(CCD_LIBS) $(JANSSON_LIBS)
C_LOG_COMPILER = %D%/perp-tests$(EXEEXT)

check_LTLIBRARIES += tests/support/libsupport.la
tests_support_libsupport_la_SOURCES = \
    tests/support/aligned_boxes.c \
    tests/support/aligned_boxes.h \
    tests/support/answers.c \
    tests/support/answers.h \
    tests/support/arena.c \
    tests/support/arena.h \
    tests/support/arena_dynamics.h \
    tests/support/both_coordinates.c \
    tests/support/both_coordinates.h \
    tests/support/climb.c \
    tests/support/contact_queries.h \
    tests/support/contact_scene.c \
    tests/support/contact_scene.h \
    tests/support/convex.c \
    tests/support/convex.h \
    tests/support/couples.c \
    tests/support/couples.h \
    tests/support/course.c \
    tests/support/course.h \
    tests/support/dynamics.c \
    tests/support/dynamics.h \
    tests/support/formulated_world.c \
    tests/support/formulated_world.h \
    tests/support/golden_couple.h \
    tests/support/instances.c \
    tests/support/instances.h \
    tests/support/jointed_pair.c \
    tests/support/jointed_pair.h \
    tests/support/main.c \
    tests/support/marked_texts.c \
    tests/support/marked_texts.h \
    tests/support/nearness.h \
    tests/support/one_contact.c \
    tests/support/one_contact.h \
    tests/support/polyhedra.c \
    tests/support/polyhedra.h \
    tests/support/polyhedra_check.c \
    tests/support/poses.h \
    tests/support/random_forest.c \
    tests/support/random_forest.h \
    tests/support/random_mechanism.c \
    tests/support/random_mechanism.h \
    tests/support/random_mobilizer.c \
    tests/support/random_mobilizer.h \
    tests/support/random_tree.c \
    tests/support/random_tree.h \
    tests/support/robots.h \
    tests/support/same_world.c \
    tests/support/same_world.h \
    tests/support/scene_run.c \
    tests/support/scene_run.h \
    tests/support/scene_text.c \
    tests/support/scene_text.h \
    tests/support/sides.h \
    tests/support/solids.h \
    tests/support/step_differences.c \
    tests/support/step_differences.h \
    tests/support/stepped.c \
    tests/support/stepped.h \
    tests/support/support.c \
    tests/support/support.h \
    tests/support/surfaces.h \
    tests/support/world_run.c \
    tests/support/world_run.h
tests_support_libsupport_la_CPPFLAGS = $(tests_cppflags)

include tests/files.mk

# Textbook formulas and algorithms, with which tests compare the library.
tests_support_libsupport_la_SOURCES += \
    tests/reference/around.c \
    tests/reference/bounds.c \
    tests/reference/kkt.c \
    tests/reference/loops.c \
    tests/reference/ltdl.c \
    tests/reference/minkowski.c \
    tests/reference/reference.h \
    tests/reference/simplex.c \
    tests/reference/simplex.h \
    tests/reference/tree.c \
    tests/reference/twist.c \
    tests/reference/world.c

# Shared by test scripts.
EXTRA_DIST += tests/support/command.sh tests/support/page.py tests/support/program.sh \
    tests/support/tap.sh tests/support/terminal.py

include tests/core/local.mk

EXTRA_DIST += tests/read/accepted tests/steps/steps.tsv tests/formats/soclcp.dat

# Counts the comparisons of names.
test_programs += tests/world/names
tests_world_names_LDFLAGS = $(tests_ldflags) -Wl,--wrap=strcmp -Wl,--wrap=strlen

# Scripts that run the command.
if COMMAND
dist_check_SCRIPTS += tests/external/exec.sh
endif

# A million rows on two processes: about 20 s of CPU time, a minute on a busy machine.
EXTRA_PROGRAMS += tests/external/distributed
.PHONY: distributed
distributed: tests/external/distributed$(EXEEXT) perp$(EXEEXT) $(pkglibexec_PROGRAMS)
	PERP_CODES=$(abs_top_builddir)/interop/codes tests/external/distributed

include tests/fuzz/local.mk
include tests/golden/local.mk

# The share of MUTANTS mutants, drawn from SEED in the sources of ROOMS, that the tests notice:
# about an hour. The results are in the folder MUTATION; the same command continues a run that was
# stopped. Do not change the sources until it ends.
MUTANTS = 400
MUTATION = mutation
MUTATION_JOBS = 1
ROOMS =
.PHONY: mutation
mutation:
	CC='$(CC)' $(srcdir)/tests/mutation/mutation.py $(MUTATION) $(ROOMS) --source $(abs_srcdir) \
	  --mutants $(MUTANTS) --seed $(SEED) --jobs $(MUTATION_JOBS)

full_scripts += tests/mutation/selftest.sh
EXTRA_DIST += tests/mutation/mutation.py tests/mutation/mutants.py

# The package perp of Python, from the build folder: one TAP line per test function.
dist_check_SCRIPTS += tests/python/python.sh
EXTRA_DIST += tests/python/tap.py tests/python/support.py tests/python/test_compare.py tests/python/test_docs.py \
    tests/python/test_layout.py tests/python/test_package.py tests/python/test_problem.py tests/python/test_solve.py tests/python/test_world.py

include tests/refusals/local.mk
include tests/torture/local.mk

# Tests that run the command or link its parts.
if COMMAND
include tests/command/local.mk
include tests/faults/local.mk

# Processor time of the command on files of size n and 10 n, in the folder growth/; GROWTH picks
# cases.
GROWTH =
growth: perp$(EXEEXT)
	/usr/bin/env python3 $(srcdir)/tests/growth/growth.py perp$(EXEEXT) $(GROWTH)
dist_noinst_DATA += tests/growth/growth.py

include tests/interop/local.mk

# Surfaces of shapes and formats of motions.

# Written, then read by VTK.
dist_check_SCRIPTS += tests/view/vtk.sh
dist_noinst_DATA += tests/view/read_vtk.py

# The command.
dist_check_SCRIPTS += tests/view/convert.sh
dist_noinst_DATA += tests/web/gltf_check.mjs

# The pages in a headless Chromium. Not part of make check, because they need packages of the
# npm registry and take minutes. WEB_CHECKS="report" picks them by words of their names.
dist_noinst_DATA += tests/web/browser.mjs tests/web/pages.mjs tests/web/places.mjs tests/web/report_check.mjs tests/web/run.mjs \
    tests/web/tap.mjs tests/web/view_check.mjs tests/web/package.json tests/web/package-lock.json tests/web/.npmrc \
    tests/web/figures_check.mjs tests/web/model_check.mjs tests/web/suite.json tests/web/web.sh tests/web/README.md

web-check: perp$(EXEEXT)
	$(MAKE) check-TESTS TESTS=tests/web/web.sh

endif

# check is the correctness of all that a user meets, in five minutes on two cores. check-full has in
# addition what takes longer: faults, drawn problems, studies, campaigns, installation.
TESTS += $(test_files) $(test_programs) $(dist_check_SCRIPTS)
full_tests = $(full_files) $(full_scripts)
dist_noinst_SCRIPTS = $(full_scripts)
.PHONY: check-full
check-full:
	$(MAKE) check TESTS='$(TESTS) $(full_tests)'

# Output of tests and of make docs.
clean-local:
	rm -rf docs/api/html
	rm -rf tests/scratch
	rm -rf web-check

# Two tests with one name and different suffixes share a log, and one of them does not run.
check-local:
	@! echo $(basename $(TESTS)) | tr ' ' '\n' | sort | uniq -d | sed 's/$$/: two tests have this name/' | grep .
