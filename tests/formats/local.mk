# SPDX-License-Identifier: Apache-2.0
# Every program here is made with files.c, the helpers for files that come and go.
formats_common = tests/formats/files.c tests/formats/files.h
# Those of FCLIB also with files made by HDF5 itself.
formats_made = $(formats_common) tests/formats/fclib_made.c tests/formats/fclib_made.h

check_PROGRAMS += \
    %D%/ampl_nl \
    %D%/bytes \
    %D%/datasets \
    %D%/fclib \
    %D%/fclib_faults \
    %D%/fclib_reader \
    %D%/fclib_write \
    %D%/golden \
    %D%/labels \
    %D%/matrix_market \
    %D%/memory \
    %D%/models \
    %D%/arrays \
    %D%/arrays_refused \
    %D%/contactbench \
    %D%/number \
    %D%/registry \
    %D%/sequence \
    %D%/siconos \
    %D%/siconos_kinds
tests_formats_ampl_nl_SOURCES = %D%/ampl_nl.c $(formats_common)
tests_formats_bytes_SOURCES = %D%/bytes.c $(formats_common) $(scarce_sources)
tests_formats_bytes_LDFLAGS = $(tests_ldflags) $(tests_scarce)
tests_formats_datasets_SOURCES = %D%/datasets.c $(formats_common)
tests_formats_fclib_SOURCES = %D%/fclib.c $(formats_made)
tests_formats_fclib_LDADD = $(tests_ldadd) $(HDF5_LIBS)
tests_formats_fclib_faults_SOURCES = %D%/fclib_faults.c $(formats_made)
tests_formats_fclib_faults_LDADD = $(tests_ldadd) $(HDF5_LIBS)
tests_formats_fclib_reader_SOURCES = %D%/fclib_reader.c $(formats_common)
tests_formats_fclib_reader_LDADD = $(tests_ldadd) $(HDF5_LIBS)
tests_formats_fclib_write_SOURCES = %D%/fclib_write.c $(formats_made)
tests_formats_fclib_write_LDADD = $(tests_ldadd) $(HDF5_LIBS)
tests_formats_golden_SOURCES = %D%/golden.c $(formats_common)
tests_formats_labels_SOURCES = %D%/labels.c $(formats_common) $(scarce_sources)
tests_formats_labels_LDFLAGS = $(tests_ldflags) $(tests_scarce)
tests_formats_matrix_market_SOURCES = %D%/matrix_market.c $(formats_common)
tests_formats_memory_SOURCES = %D%/memory.c $(formats_common) $(scarce_sources)
tests_formats_memory_LDFLAGS = $(tests_ldflags) $(tests_scarce)
tests_formats_models_SOURCES = %D%/models.c $(formats_common) $(scarce_sources)
tests_formats_models_LDFLAGS = $(tests_ldflags) $(tests_scarce)
tests_formats_arrays_SOURCES = %D%/arrays.c $(formats_common) $(scarce_sources)
tests_formats_arrays_LDFLAGS = $(tests_ldflags) $(tests_scarce)
tests_formats_arrays_refused_SOURCES = %D%/arrays_refused.c $(formats_common)
tests_formats_contactbench_SOURCES = %D%/contactbench.c $(formats_common)
tests_formats_contactbench_LDADD = $(tests_ldadd) $(LIBZIP_LIBS)
tests_formats_registry_SOURCES = %D%/registry.c $(formats_common)
tests_formats_sequence_SOURCES = %D%/sequence.c $(formats_common) $(scarce_sources)
tests_formats_sequence_LDFLAGS = $(tests_ldflags) $(tests_scarce)
tests_formats_sequence_LDADD = $(tests_ldadd) $(HDF5_LIBS)
tests_formats_siconos_SOURCES = %D%/siconos.c $(formats_common)
tests_formats_siconos_kinds_SOURCES = %D%/siconos_kinds.c $(formats_common)
if MATIO
check_PROGRAMS += %D%/mat
tests_formats_mat_SOURCES = %D%/mat.c $(formats_common)
tests_formats_mat_LDADD = $(tests_ldadd) $(MATIO_LIBS)
endif
