# SPDX-License-Identifier: Apache-2.0
# Tables, figures and the page; part of the command and of its tests.
noinst_LTLIBRARIES += %D%/libreport.la
%C%_libreport_la_SOURCES = \
    experiments/figures/draw.h \
    experiments/figures/figure.c experiments/figures/figure.h \
    experiments/figures/style.h \
    %D%/against.c %D%/against.h %D%/against_report.c \
    %D%/bootstrap.c %D%/bootstrap.h \
    %D%/claims.c %D%/claims.h \
    %D%/coordinates.c %D%/coordinates.h %D%/coordinates_figure.c \
    %D%/data_files.c %D%/data_files.h \
    %D%/definition.h \
    %D%/fields.c %D%/fields.h \
    %D%/figures.c %D%/figures.h %D%/figures_interim.c \
    %D%/files.c %D%/files.h \
    %D%/gnuplot.c %D%/gnuplot.h \
    %D%/kinds/kind.h %D%/kinds/kinds.c \
    %D%/noise.c %D%/noise.h \
    %D%/orders.h \
    %D%/page.c %D%/page.h \
    %D%/peers.c %D%/peers.h \
    %D%/profiles.c %D%/profiles.h \
    %D%/race.c %D%/race.h \
    %D%/rank.c %D%/rank.h \
    %D%/report.c %D%/report.h \
    %D%/run_tables.c %D%/runs.c %D%/runs.h \
    %D%/section.c %D%/section.h \
    %D%/statistics.c %D%/statistics.h \
    %D%/summary.c %D%/summary.h \
    %D%/table.c %D%/table.h %D%/table_escape.c \
    %D%/table_tex.c %D%/table_tex.h \
    %D%/tex_layout.c %D%/tex_layout.h \
    %D%/warm.c %D%/warm.h
%C%_libreport_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) $(JANSSON_CFLAGS) $(GSL_CFLAGS)
