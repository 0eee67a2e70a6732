# SPDX-License-Identifier: Apache-2.0
# Proofs in exact arithmetic; part of the command.
command_libcommand_la_SOURCES += %D%/exact.c %D%/exact.h %D%/fence.h
if FLINT
command_libcommand_la_SOURCES += \
    %D%/certain.c %D%/fence.c %D%/flint.h %D%/guess.c %D%/infeasible.c %D%/infeasible.h %D%/infeasible_blocks.c \
    %D%/integers.c %D%/integers.h %D%/krawczyk.c %D%/krawczyk.h %D%/krawczyk_disk.c \
    %D%/krawczyk_enclose.c %D%/krawczyk_factors.c %D%/krawczyk_map.c %D%/krawczyk_newton.c \
    %D%/krawczyk_part.c %D%/krawczyk_relax.c %D%/krawczyk_setup.c %D%/point.c %D%/rational.c
else
command_libcommand_la_SOURCES += %D%/without.c
endif
