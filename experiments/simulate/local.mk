# SPDX-License-Identifier: Apache-2.0
# The runs of perp simulate: part of the library of the command.
experiments_libexperiments_la_SOURCES += \
    %D%/condition.c %D%/condition.h
