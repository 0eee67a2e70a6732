# SPDX-License-Identifier: Apache-2.0
# The runs of perp simulate: part of the library of the command.
command_libcommand_la_SOURCES += \
    %D%/capture.c %D%/capture.h \
    %D%/catalogue.c %D%/catalogue.h \
    %D%/condition.c %D%/condition.h \
    %D%/folder.c %D%/folder.h \
    %D%/frames.c %D%/frames.h \
    %D%/march.c %D%/march.h \
    %D%/measures.c %D%/measures.h \
    %D%/metrics_csv.c %D%/metrics_csv.h \
    %D%/momentum.c %D%/momentum.h \
    %D%/names.c %D%/names.h \
    %D%/recipe.c %D%/recipe.h \
    %D%/run.c %D%/run.h \
    %D%/series.c %D%/series.h \
    %D%/settings.c %D%/settings.h \
    %D%/summary.c %D%/summary.h \
    %D%/surprises.c %D%/surprises.h \
    %D%/trajectory.c %D%/trajectory.h \
    %D%/trajectory_columns.c %D%/trajectory_columns.h \
    %D%/touch.c %D%/touch.h \
    %D%/trajectory_meta.c \
    %D%/trajectory_model.c \
    %D%/trajectory_read.c \
    %D%/trend.c %D%/trend.h \
    %D%/unresolved.c %D%/unresolved.h \
    %D%/words.c %D%/words.h
