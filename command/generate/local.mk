# SPDX-License-Identifier: Apache-2.0
# Generated instances: a library of its own, for the command, the tests and the benchmarks.
noinst_LTLIBRARIES += command/generate/libgenerate.la
command_generate_libgenerate_la_SOURCES = \
    command/cli/take.c \
    command/cli/take.h \
    command/generate/arch.c \
    command/generate/boundary.c \
    command/generate/build.c \
    command/generate/build.h \
    command/generate/classical.c \
    command/generate/drawn.c \
    command/generate/families.c \
    command/generate/families.h \
    command/generate/frictional.c \
    command/generate/markets.c \
    command/generate/mixed.c \
    command/generate/parametric.c \
    command/generate/scene.c \
    command/generate/scene.h \
    command/generate/scenes.c \
    command/generate/small.c \
    command/generate/torture.c \
    command/generate/torture.h \
    command/generate/torture_cones.c \
    command/generate/torture_rows.c \
    command/generate/torture_units.c \
    command/generate/wall.c
command_generate_libgenerate_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) -I$(top_srcdir)/command/generate $(JANSSON_CFLAGS)
