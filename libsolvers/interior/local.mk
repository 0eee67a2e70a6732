# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += \
    %D%/arc.c %D%/arc.h \
    %D%/bilinear.c %D%/bilinear.h \
    %D%/crossover.c %D%/crossover.h \
    %D%/handover.c %D%/handover.h \
    %D%/ipm.c \
    %D%/ipm_coulomb.c \
    %D%/ipm_socp.c \
    %D%/kkt.c %D%/kkt.h %D%/kkt_velocity.c %D%/kkt_velocity.h \
    %D%/path.c %D%/path.h \
    %D%/ray.c %D%/ray.h \
    %D%/slacks.c %D%/slacks.h %D%/slacks_set.c %D%/slacks_weight.c
