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
