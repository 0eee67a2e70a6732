# SPDX-License-Identifier: Apache-2.0
# Every program here is made with files.c, the helpers for files that come and go.
formats_common = tests/formats/files.c tests/formats/files.h

check_PROGRAMS += \
    %D%/golden \
    %D%/matrix_market \
    %D%/npz \
    %D%/registry
tests_formats_golden_SOURCES = %D%/golden.c $(formats_common)
tests_formats_matrix_market_SOURCES = %D%/matrix_market.c $(formats_common)
tests_formats_npz_SOURCES = %D%/npz.c $(formats_common)
tests_formats_registry_SOURCES = %D%/registry.c $(formats_common)
