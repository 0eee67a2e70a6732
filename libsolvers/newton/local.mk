# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES +=
libsolvers_libperp_solvers_la_SOURCES += %D%/ac.c
libsolvers_libperp_solvers_la_SOURCES += %D%/fb.c
libsolvers_libperp_solvers_la_SOURCES += %D%/fischer.c %D%/fischer.h
libsolvers_libperp_solvers_la_SOURCES += %D%/growth.c %D%/growth.h
libsolvers_libperp_solvers_la_SOURCES += %D%/krylov.c %D%/krylov.h
libsolvers_libperp_solvers_la_SOURCES += %D%/map.c %D%/map.h
libsolvers_libperp_solvers_la_SOURCES += %D%/modes.c %D%/modes.h
libsolvers_libperp_solvers_la_SOURCES += %D%/nsgs_newton.c
libsolvers_libperp_solvers_la_SOURCES += %D%/prox_matrix.c
libsolvers_libperp_solvers_la_SOURCES += %D%/prox_newton.c %D%/prox_newton.h
libsolvers_libperp_solvers_la_SOURCES += %D%/prox_round.c %D%/prox_round.h
libsolvers_libperp_solvers_la_SOURCES += %D%/prox_velocity.c
libsolvers_libperp_solvers_la_SOURCES += %D%/step.c %D%/step.h
libsolvers_libperp_solvers_la_SOURCES += %D%/minmap.c
