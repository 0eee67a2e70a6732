# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += %D%/ds.c
libsolvers_libperp_solvers_la_SOURCES += %D%/prox.c
libsolvers_libperp_solvers_la_SOURCES += %D%/rounds.c %D%/rounds.h
