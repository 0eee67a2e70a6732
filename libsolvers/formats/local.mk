# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    libsolvers/formats/file.c \
    libsolvers/formats/formats.c \
    libsolvers/formats/formats.h \
    libsolvers/formats/golden.c \
    libsolvers/formats/golden.h \
    libsolvers/formats/golden_data.c \
    libsolvers/formats/golden_write.c \
    libsolvers/formats/json.c \
    libsolvers/formats/json.h \
    libsolvers/formats/sets.c

libsolvers_libperp_solvers_la_SOURCES += \
    libsolvers/formats/fclib.c \
    libsolvers/formats/fclib.h \
    libsolvers/formats/fclib_matrix.c \
    libsolvers/formats/fclib_points.c \
    libsolvers/formats/fclib_read.c \
    libsolvers/formats/fclib_write.c \
    libsolvers/formats/hdf5_put.c \
    libsolvers/formats/hdf5_util.c \
    libsolvers/formats/hdf5_util.h \
    libsolvers/formats/siconos.c \
    libsolvers/formats/siconos.h \
    libsolvers/formats/siconos_matrix.c \
    libsolvers/formats/siconos_matrix_write.c \
    libsolvers/formats/siconos_mixed.c \
    libsolvers/formats/siconos_read.c \
    libsolvers/formats/siconos_scan.c \
    libsolvers/formats/siconos_scan.h \
    libsolvers/formats/siconos_sparse.c \
    libsolvers/formats/siconos_write.c
