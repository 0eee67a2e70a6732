# SPDX-License-Identifier: Apache-2.0

check_PROGRAMS += tests/experiments/families
tests_experiments_families_SOURCES = tests/experiments/families.c
tests_experiments_families_CPPFLAGS = $(tests_cppflags) -I$(top_srcdir)
tests_experiments_families_LDFLAGS = $(tests_ldflags)
tests_experiments_families_LDADD = experiments/families/libfamilies.la $(tests_ldadd)
