# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/ampl_nl.c \
    %D%/arrays.c \
    %D%/arrays_refused.c \
    %D%/bytes.c \
    %D%/contactbench.c \
    %D%/datasets.c \
    %D%/fclib.c \
    %D%/fclib_faults.c \
    %D%/fclib_reader.c \
    %D%/fclib_write.c \
    %D%/golden.c \
    %D%/labels.c \
    %D%/matrix_market.c \
    %D%/memory.c \
    %D%/models.c \
    %D%/number.c \
    %D%/registry.c \
    %D%/sequence.c \
    %D%/siconos.c \
    %D%/siconos_kinds.c
if MATIO
test_files += \
    %D%/mat.c
endif
test_helpers += \
    %D%/fclib_made.c \
    %D%/fclib_made.h \
    %D%/files.c \
    %D%/files.h
EXTRA_DIST += %D%/soclcp.dat
