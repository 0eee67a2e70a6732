# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/bounds \
    %D%/directions \
    %D%/factored \
    %D%/free \
    %D%/global \
    %D%/labels \
    %D%/path \
    %D%/scale

%C%_factored_SOURCES = %D%/factored.c $(scarce_sources)
%C%_factored_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_labels_SOURCES = %D%/labels.c $(scarce_sources)
%C%_labels_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_path_SOURCES = %D%/path.c $(scarce_sources)
%C%_path_LDFLAGS = $(tests_ldflags) $(tests_scarce)

EXTRA_DIST += %D%/helpers.h
