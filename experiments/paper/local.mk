# SPDX-License-Identifier: Apache-2.0
# The numbers and figures of a paper; part of the command.
experiments_libexperiments_la_SOURCES += \
    %D%/check.c %D%/lock.c %D%/numbers.c %D%/paper.c %D%/paper.h \
    experiments/verbs/new_paper.c experiments/verbs/paper.c

# What perp new-paper copies.
newpaperdir = $(pkgdatadir)/experiments/paper/new
dist_newpaper_DATA = %D%/new/Makefile %D%/new/README.md %D%/new/paper.json %D%/new/paper.tex \
    %D%/new/references.bib %D%/new/suite.json
