# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += tests/gradient/mpgp
tests_gradient_mpgp_SOURCES = tests/gradient/mpgp.c
tests_gradient_mpgp_CPPFLAGS = $(tests_cppflags)
tests_gradient_mpgp_LDFLAGS = $(tests_ldflags)
tests_gradient_mpgp_LDADD = $(tests_ldadd)
