# SPDX-License-Identifier: Apache-2.0
libsolvers_libperp_solvers_la_SOURCES += %D%/faces.c %D%/faces.h %D%/inface.c %D%/inface.h %D%/mpgp.c
