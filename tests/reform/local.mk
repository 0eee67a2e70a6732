# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += tests/reform/bounds
tests_reform_bounds_SOURCES = tests/reform/bounds.c tests/reform/helpers.h
tests_reform_bounds_CPPFLAGS = $(tests_cppflags)
tests_reform_bounds_LDFLAGS = $(tests_ldflags)
tests_reform_bounds_LDADD = $(tests_ldadd)

check_PROGRAMS += tests/reform/directions
tests_reform_directions_SOURCES = tests/reform/directions.c tests/reform/helpers.h
tests_reform_directions_CPPFLAGS = $(tests_cppflags)
tests_reform_directions_LDFLAGS = $(tests_ldflags)
tests_reform_directions_LDADD = $(tests_ldadd)

check_PROGRAMS += tests/reform/free
tests_reform_free_SOURCES = tests/reform/free.c tests/reform/helpers.h
tests_reform_free_CPPFLAGS = $(tests_cppflags)
tests_reform_free_LDFLAGS = $(tests_ldflags)
tests_reform_free_LDADD = $(tests_ldadd)

check_PROGRAMS += tests/reform/global
tests_reform_global_SOURCES = tests/reform/global.c tests/reform/helpers.h
tests_reform_global_CPPFLAGS = $(tests_cppflags)
tests_reform_global_LDFLAGS = $(tests_ldflags)
tests_reform_global_LDADD = $(tests_ldadd)

check_PROGRAMS += tests/reform/scale
tests_reform_scale_SOURCES = tests/reform/scale.c tests/reform/helpers.h
tests_reform_scale_CPPFLAGS = $(tests_cppflags)
tests_reform_scale_LDFLAGS = $(tests_ldflags)
tests_reform_scale_LDADD = $(tests_ldadd)
