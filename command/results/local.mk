# SPDX-License-Identifier: Apache-2.0
# Figures as data and how they are drawn; statistics, tables, the page and the kinds of figures.
command_libcommand_la_SOURCES += \
    command/figures/axis.c command/figures/axis.h command/figures/draw.c \
    command/figures/draw.h command/figures/ends.c command/figures/figure.c \
    command/figures/figure.h command/figures/fills.c command/figures/finish.c \
    command/figures/finish.h command/figures/gnuplot.c \
    command/figures/gnuplot.h command/figures/key.c command/figures/layout.c \
    command/figures/layout.h command/figures/pages.c command/figures/pages.h \
    command/figures/panels.c command/figures/script.c command/figures/script.h \
    command/figures/series.c command/figures/shapes.c command/figures/shapes.h \
    command/figures/style.c command/figures/style.h command/figures/text.c \
    command/figures/text.h %D%/against.c %D%/against.h %D%/against_report.c \
    %D%/bootstrap.c %D%/bootstrap.h %D%/claims.c %D%/claims.h %D%/collect.c %D%/collect.h \
    %D%/contradictions.c %D%/contradictions.h \
    %D%/coordinates.c %D%/coordinates.h %D%/definition.h %D%/fields.c %D%/fields.h \
    %D%/figures.c %D%/figures.h %D%/endings.c %D%/files.c %D%/files.h %D%/noise.c %D%/noise.h \
    %D%/orders.c %D%/orders.h %D%/page.c %D%/page.h %D%/page_data.c \
    %D%/page_data.h %D%/page_data_changes.c %D%/page_data_details.c \
    %D%/page_data_instances.c %D%/page_data_measures.c %D%/page_data_names.c %D%/page_data_parts.c \
    %D%/page_data_parts.h %D%/page_data_ranking.c %D%/record_metrics.c \
    %D%/record_metrics.h %D%/pairs.c %D%/pairs.h %D%/peers.c %D%/peers.h %D%/profiles.c \
    %D%/profiles.h %D%/race.c %D%/race.h %D%/rank.c %D%/rank.h %D%/remarks.c %D%/remarks.h %D%/report.c %D%/report.h \
    %D%/run_tables.c %D%/runs.c %D%/runs.h %D%/runs_tolerances.c %D%/section.c \
    %D%/section.h %D%/statistics.c %D%/statistics.h %D%/summary.c %D%/summary.h \
    %D%/table.c %D%/table.h %D%/table_escape.c %D%/table_tex.c %D%/table_tex.h \
    %D%/looks.c %D%/looks.h %D%/shared.c %D%/shared.h %D%/tex_layout.c %D%/tex_layout.h %D%/warm.c %D%/warm.h %D%/kinds/accuracy_profile.c \
    %D%/kinds/box.c %D%/kinds/convergence.c %D%/kinds/coordinates.c \
    %D%/kinds/data_profile.c %D%/kinds/drift.c %D%/kinds/energy.c %D%/kinds/heat.c \
    %D%/kinds/joints.c %D%/kinds/kind.h %D%/kinds/kinds.c %D%/kinds/medians.c %D%/kinds/medians.h %D%/kinds/metric.c \
    %D%/kinds/metric.h %D%/kinds/metric_figure.c %D%/kinds/order.c \
    %D%/kinds/pair_profile.c %D%/kinds/pareto.c %D%/kinds/pattern.c %D%/kinds/pick.c \
    %D%/kinds/pick.h %D%/kinds/pivots.c %D%/kinds/profile.c %D%/kinds/profiles.c \
    %D%/kinds/profiles.h %D%/kinds/rose.c %D%/kinds/rounding.c %D%/kinds/rounding.h %D%/kinds/run.c %D%/kinds/scaling.c \
    %D%/kinds/selection.c %D%/kinds/selection.h %D%/kinds/share.c %D%/kinds/spectrum.c \
    %D%/kinds/times.c %D%/kinds/trace.c %D%/kinds/trace.h %D%/kinds/warm.c %D%/kinds/warm_steps.c \
    %D%/kinds/work_precision.c
