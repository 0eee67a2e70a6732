# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    libsolvers/formats/contacts.c \
    libsolvers/formats/file.c \
    libsolvers/formats/formats.c \
    libsolvers/formats/formats.h \
    libsolvers/formats/golden.c \
    libsolvers/formats/golden.h \
    libsolvers/formats/golden_data.c \
    libsolvers/formats/golden_write.c \
    libsolvers/formats/json.c \
    libsolvers/formats/json.h \
    libsolvers/formats/matrix_market.c \
    libsolvers/formats/matrix_market.h \
    libsolvers/formats/matrix_market_set.c \
    libsolvers/formats/matrix_market_write.c \
    libsolvers/formats/mtx.c \
    libsolvers/formats/mtx.h \
    libsolvers/formats/npz.c \
    libsolvers/formats/sets.c \
    libsolvers/formats/zip.c \
    libsolvers/formats/zip.h
