# SPDX-License-Identifier: Apache-2.0
# Proofs in exact arithmetic; part of the command.
experiments_libexperiments_la_SOURCES += %D%/exact.c %D%/exact.h
if FLINT
experiments_libexperiments_la_SOURCES += \
    %D%/fence.c %D%/fence.h %D%/rational.c %D%/infeasible.c %D%/krawczyk.c
else
experiments_libexperiments_la_SOURCES += %D%/without.c
endif
