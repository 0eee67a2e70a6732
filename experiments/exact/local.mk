# SPDX-License-Identifier: Apache-2.0
# Proofs in exact arithmetic; part of the command.
experiments_libexperiments_la_SOURCES += %D%/exact.c %D%/exact.h
if FLINT
experiments_libexperiments_la_SOURCES += \
    %D%/rational.c %D%/integers.c %D%/integers.h %D%/point.c %D%/certain.c \
    %D%/infeasible.c %D%/infeasible.h %D%/infeasible_blocks.c %D%/krawczyk.c %D%/flint.h
else
experiments_libexperiments_la_SOURCES += %D%/without.c
endif
