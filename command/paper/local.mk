# SPDX-License-Identifier: Apache-2.0
# The numbers and figures of a paper; part of the command.
command_libcommand_la_SOURCES += \
    %D%/check.c %D%/lock.c %D%/numbers.c %D%/paper.c %D%/paper.h \
    command/verbs/paper_new.c command/verbs/paper.c

# What perp paper --new copies.
newpaperdir = $(pkgdatadir)/experiments/paper/template
dist_newpaper_DATA = experiments/paper/template/Makefile experiments/paper/template/README.md \
    experiments/paper/template/paper.json experiments/paper/template/paper.tex \
    experiments/paper/template/references.bib experiments/paper/template/suite.json
