# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += tests/splitting/local_cone
tests_splitting_local_cone_SOURCES = tests/splitting/local_cone.c
tests_splitting_local_cone_CPPFLAGS = $(tests_cppflags)
tests_splitting_local_cone_LDFLAGS = $(tests_ldflags)
tests_splitting_local_cone_LDADD = $(tests_ldadd)

check_PROGRAMS += tests/splitting/pgs
tests_splitting_pgs_SOURCES = tests/splitting/pgs.c
tests_splitting_pgs_CPPFLAGS = $(tests_cppflags)
tests_splitting_pgs_LDFLAGS = $(tests_ldflags)
tests_splitting_pgs_LDADD = $(tests_ldadd)

check_PROGRAMS += tests/splitting/nsgs
tests_splitting_nsgs_SOURCES = tests/splitting/nsgs.c
tests_splitting_nsgs_CPPFLAGS = $(tests_cppflags)
tests_splitting_nsgs_LDFLAGS = $(tests_ldflags)
tests_splitting_nsgs_LDADD = $(tests_ldadd)
