# SPDX-License-Identifier: Apache-2.0
# The runs of perp simulate: part of the library of the command.
experiments_libexperiments_la_SOURCES += \
    %D%/condition.c %D%/condition.h \
    %D%/trajectory.c %D%/trajectory.h \
    %D%/trajectory_columns.c %D%/trajectory_columns.h \
    %D%/trajectory_read.c
