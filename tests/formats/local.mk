# SPDX-License-Identifier: Apache-2.0
formats_common = tests/formats/files.c tests/formats/files.h

check_PROGRAMS += tests/formats/golden
tests_formats_golden_SOURCES = tests/formats/golden.c $(formats_common)
tests_formats_golden_CPPFLAGS = $(tests_cppflags)
tests_formats_golden_LDFLAGS = $(tests_ldflags)
tests_formats_golden_LDADD = $(tests_ldadd)

check_PROGRAMS += tests/formats/matrix_market
tests_formats_matrix_market_SOURCES = tests/formats/matrix_market.c $(formats_common)
tests_formats_matrix_market_CPPFLAGS = $(tests_cppflags)
tests_formats_matrix_market_LDFLAGS = $(tests_ldflags)
tests_formats_matrix_market_LDADD = $(tests_ldadd)

check_PROGRAMS += tests/formats/npz
tests_formats_npz_SOURCES = tests/formats/npz.c $(formats_common)
tests_formats_npz_CPPFLAGS = $(tests_cppflags)
tests_formats_npz_LDFLAGS = $(tests_ldflags)
tests_formats_npz_LDADD = $(tests_ldadd)

check_PROGRAMS += tests/formats/registry
tests_formats_registry_SOURCES = tests/formats/registry.c $(formats_common)
tests_formats_registry_CPPFLAGS = $(tests_cppflags)
tests_formats_registry_LDFLAGS = $(tests_ldflags)
tests_formats_registry_LDADD = $(tests_ldadd)
