# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += tests/core/problem
tests_core_problem_SOURCES = tests/core/problem.c
tests_core_problem_CPPFLAGS = $(tests_cppflags)
tests_core_problem_LDFLAGS = $(tests_ldflags)
tests_core_problem_LDADD = $(tests_ldadd)

check_PROGRAMS += tests/core/operator
tests_core_operator_SOURCES = tests/core/operator.c
tests_core_operator_CPPFLAGS = $(tests_cppflags)
tests_core_operator_LDFLAGS = $(tests_ldflags)
tests_core_operator_LDADD = $(tests_ldadd)
