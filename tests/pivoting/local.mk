# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/active_set \
    %D%/bpp \
    %D%/dantzig \
    %D%/enumerate \
    %D%/friction_path \
    %D%/keller \
    %D%/ldlt \
    %D%/lemke \
    %D%/lemke_forms \
    %D%/murty \
    %D%/piles \
    %D%/tableau

# Those that draw instances from the families.
pivoting_families_cppflags = $(tests_cppflags) -I$(top_srcdir)/command/generate
pivoting_families_ldadd = tests/support/libsupport.la command/generate/libgenerate.la \
    $(tests_ldadd)
%C%_enumerate_CPPFLAGS = $(pivoting_families_cppflags)
%C%_enumerate_LDADD = $(pivoting_families_ldadd)
%C%_keller_CPPFLAGS = $(pivoting_families_cppflags)
%C%_keller_LDADD = $(pivoting_families_ldadd)
%C%_piles_CPPFLAGS = $(pivoting_families_cppflags)
%C%_piles_LDADD = $(pivoting_families_ldadd)

%C%_active_set_SOURCES = %D%/active_set.c $(scarce_sources)
%C%_active_set_LDFLAGS = $(tests_ldflags) $(tests_scarce)
