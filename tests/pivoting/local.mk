# SPDX-License-Identifier: Apache-2.0

check_PROGRAMS += tests/pivoting/lemke
tests_pivoting_lemke_SOURCES = tests/pivoting/lemke.c
tests_pivoting_lemke_CPPFLAGS = $(tests_cppflags)
tests_pivoting_lemke_LDFLAGS = $(tests_ldflags)
tests_pivoting_lemke_LDADD = $(tests_ldadd)

check_PROGRAMS += tests/pivoting/lemke_forms
tests_pivoting_lemke_forms_SOURCES = tests/pivoting/lemke_forms.c
tests_pivoting_lemke_forms_CPPFLAGS = $(tests_cppflags)
tests_pivoting_lemke_forms_LDFLAGS = $(tests_ldflags)
tests_pivoting_lemke_forms_LDADD = $(tests_ldadd)

check_PROGRAMS += tests/pivoting/dantzig
tests_pivoting_dantzig_SOURCES = tests/pivoting/dantzig.c
tests_pivoting_dantzig_CPPFLAGS = $(tests_cppflags)
tests_pivoting_dantzig_LDFLAGS = $(tests_ldflags)
tests_pivoting_dantzig_LDADD = $(tests_ldadd)

check_PROGRAMS += tests/pivoting/dantzig_friction
tests_pivoting_dantzig_friction_SOURCES = tests/pivoting/dantzig_friction.c
tests_pivoting_dantzig_friction_CPPFLAGS = $(tests_cppflags)
tests_pivoting_dantzig_friction_LDFLAGS = $(tests_ldflags)
tests_pivoting_dantzig_friction_LDADD = $(tests_ldadd)

check_PROGRAMS += tests/pivoting/ldlt
tests_pivoting_ldlt_SOURCES = tests/pivoting/ldlt.c
tests_pivoting_ldlt_CPPFLAGS = $(tests_cppflags)
tests_pivoting_ldlt_LDFLAGS = $(tests_ldflags)
tests_pivoting_ldlt_LDADD = $(tests_ldadd)
