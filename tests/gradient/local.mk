# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/contact_threads \
    %D%/contacts \
    %D%/first_order \
    %D%/mpgp \
    %D%/project \
    %D%/spg_inline

%C%_contact_threads_SOURCES = %D%/contact_threads.c $(scarce_sources)
%C%_contact_threads_LDFLAGS = $(tests_ldflags) $(tests_scarce)

EXTRA_DIST += %D%/helpers.h
