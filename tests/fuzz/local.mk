# SPDX-License-Identifier: Apache-2.0
# libFuzzer targets, one a reader; `make fuzz` builds and runs them in a folder of its own.
fuzz_programs = \
    tests/fuzz/fuzz_fclib \
    tests/fuzz/fuzz_golden \
    tests/fuzz/fuzz_matrix_market \
    tests/fuzz/fuzz_npz \
    tests/fuzz/fuzz_siconos
EXTRA_PROGRAMS += $(fuzz_programs)
fuzzers: $(fuzz_programs)
.PHONY: fuzzers

fuzz_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/libsolvers/formats $(JANSSON_CFLAGS) $(HDF5_CFLAGS)
fuzz_ldflags = -static -fsanitize=fuzzer
fuzz_ldadd = libsolvers/libperp-solvers.la

tests_fuzz_fuzz_fclib_SOURCES = tests/fuzz/fuzz_fclib.c tests/fuzz/fuzz_files.h
tests_fuzz_fuzz_fclib_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_fclib_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_fclib_LDADD = $(fuzz_ldadd)

tests_fuzz_fuzz_golden_SOURCES = tests/fuzz/fuzz_golden.c tests/fuzz/fuzz_files.h
tests_fuzz_fuzz_golden_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_golden_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_golden_LDADD = $(fuzz_ldadd)

tests_fuzz_fuzz_matrix_market_SOURCES = tests/fuzz/fuzz_matrix_market.c tests/fuzz/fuzz_files.h
tests_fuzz_fuzz_matrix_market_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_matrix_market_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_matrix_market_LDADD = $(fuzz_ldadd)

tests_fuzz_fuzz_npz_SOURCES = tests/fuzz/fuzz_npz.c tests/fuzz/fuzz_files.h
tests_fuzz_fuzz_npz_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_npz_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_npz_LDADD = $(fuzz_ldadd)

tests_fuzz_fuzz_siconos_SOURCES = tests/fuzz/fuzz_siconos.c tests/fuzz/fuzz_files.h
tests_fuzz_fuzz_siconos_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_siconos_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_siconos_LDADD = $(fuzz_ldadd)

EXTRA_DIST += tests/fuzz/run.sh \
    tests/fuzz/seeds/fclib/global \
    tests/fuzz/seeds/fclib/local \
    tests/fuzz/seeds/fclib/mixed \
    tests/fuzz/seeds/fclib/rolling \
    tests/fuzz/seeds/golden/boxed_int_0.json \
    tests/fuzz/seeds/golden/kostreva_3.json \
    tests/fuzz/seeds/golden/painleve_rod_55.json \
    tests/fuzz/seeds/golden/sets.json \
    tests/fuzz/seeds/golden/stack_4_ratio_10.json \
    tests/fuzz/seeds/matrix_market/boxes \
    tests/fuzz/seeds/matrix_market/contact \
    tests/fuzz/seeds/matrix_market/global \
    tests/fuzz/seeds/matrix_market/lcp \
    tests/fuzz/seeds/npz/arrays \
    tests/fuzz/seeds/npz/sliding_cube.npz \
    tests/fuzz/seeds/siconos/blocks \
    tests/fuzz/seeds/siconos/compressed \
    tests/fuzz/seeds/siconos/generic \
    tests/fuzz/seeds/siconos/global \
    tests/fuzz/seeds/siconos/lcp \
    tests/fuzz/seeds/siconos/mlcp \
    tests/fuzz/seeds/siconos/relay \
    tests/fuzz/seeds/siconos/rolling
