# SPDX-License-Identifier: Apache-2.0
# Generated instances: a library of its own, for the command, the tests and the benchmarks.
noinst_LTLIBRARIES += experiments/families/libfamilies.la
experiments_families_libfamilies_la_SOURCES = \
    experiments/families/arch.c \
    experiments/families/boundary.c \
    experiments/families/build.c \
    experiments/families/build.h \
    experiments/families/classical.c \
    experiments/families/drawn.c \
    experiments/families/families.c \
    experiments/families/families.h \
    experiments/families/frictional.c \
    experiments/families/markets.c \
    experiments/families/mixed.c \
    experiments/families/parametric.c \
    experiments/families/scene.c \
    experiments/families/scene.h \
    experiments/families/scenes.c \
    experiments/families/small.c \
    experiments/families/torture.c \
    experiments/families/torture.h \
    experiments/families/torture_cones.c \
    experiments/families/torture_rows.c \
    experiments/families/torture_units.c \
    experiments/families/wall.c
experiments_families_libfamilies_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/experiments/families
