# SPDX-License-Identifier: Apache-2.0
formats_common = tests/formats/files.c tests/formats/files.h

check_PROGRAMS += tests/formats/golden
tests_formats_golden_SOURCES = tests/formats/golden.c $(formats_common)
tests_formats_golden_CPPFLAGS = $(tests_cppflags)
tests_formats_golden_LDFLAGS = $(tests_ldflags)
tests_formats_golden_LDADD = $(tests_ldadd)
