# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += %D%/faces.c %D%/faces.h %D%/inface.c %D%/inface.h
libsolvers_libperp_solvers_la_SOURCES += %D%/project.c %D%/project.h %D%/vectors.h
libsolvers_libperp_solvers_la_SOURCES += %D%/contacts.c %D%/contacts.h %D%/descent.c %D%/descent.h
libsolvers_libperp_solvers_la_SOURCES += %D%/apgd.c
libsolvers_libperp_solvers_la_SOURCES += %D%/mpgp.c
libsolvers_libperp_solvers_la_SOURCES += %D%/spg.c
libsolvers_libperp_solvers_la_SOURCES += %D%/spg_inline.c
