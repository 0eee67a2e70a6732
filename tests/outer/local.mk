# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += tests/outer/ds
tests_outer_ds_SOURCES = tests/outer/ds.c
tests_outer_ds_CPPFLAGS = $(tests_cppflags)
tests_outer_ds_LDFLAGS = $(tests_ldflags)
tests_outer_ds_LDADD = $(tests_ldadd)

check_PROGRAMS += tests/outer/prox
tests_outer_prox_SOURCES = tests/outer/prox.c
tests_outer_prox_CPPFLAGS = $(tests_cppflags)
tests_outer_prox_LDFLAGS = $(tests_ldflags)
tests_outer_prox_LDADD = $(tests_ldadd)
