# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES +=

libsolvers_libperp_solvers_la_SOURCES += libsolvers/pivoting/lemke.c \
    libsolvers/pivoting/lemke.h \
    libsolvers/pivoting/lemke_attempts.c \
    libsolvers/pivoting/lemke_exchange.c \
    libsolvers/pivoting/lemke_howson.c \
    libsolvers/pivoting/lemke_kernel.c \
    libsolvers/pivoting/lemke_kernel.h \
    libsolvers/pivoting/lemke_path.c \
    libsolvers/pivoting/lemke_refine.c \
    libsolvers/pivoting/lemke_tableau.c
libsolvers_libperp_solvers_la_SOURCES += %D%/dantzig.c %D%/dantzig_pivot.c \
    %D%/dantzig.h
libsolvers_libperp_solvers_la_SOURCES += %D%/friction_path.c %D%/friction_path.h \
    %D%/friction_path_kernel.c
libsolvers_libperp_solvers_la_SOURCES += %D%/bard.c %D%/bpp.c %D%/murty.c
libsolvers_libperp_solvers_la_SOURCES += %D%/contact_modes.c %D%/contact_modes.h \
    %D%/echelon.h %D%/enumerate.c %D%/solutions.c %D%/solutions_contacts.c \
    %D%/solutions.h %D%/keller.c %D%/keller.h \
    %D%/keller_dictionary.c
