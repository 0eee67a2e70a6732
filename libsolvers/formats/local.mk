# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    libsolvers/formats/file.c \
    libsolvers/formats/formats.c \
    libsolvers/formats/formats.h
