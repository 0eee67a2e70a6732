# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += %D%/ds.c
libsolvers_libperp_solvers_la_SOURCES += %D%/frozen.c %D%/frozen.h %D%/frozen_parts.c %D%/frozen_parts.h
libsolvers_libperp_solvers_la_SOURCES += %D%/panagiotopoulos.c
libsolvers_libperp_solvers_la_SOURCES += %D%/prox.c
libsolvers_libperp_solvers_la_SOURCES += %D%/rounds.c %D%/rounds.h
libsolvers_libperp_solvers_la_SOURCES += %D%/staggered.c
libsolvers_libperp_solvers_la_SOURCES += %D%/tresca.c
