# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/contacts.c \
    %D%/effective.c \
    %D%/effective.h \
    %D%/export.c \
    %D%/gears.c \
    %D%/global.c \
    %D%/impulses.c \
    %D%/joints.c \
    %D%/labels.c \
    %D%/matrix.c \
    %D%/names.c \
    %D%/parts.h \
    %D%/reduced.c \
    %D%/rows.c \
    %D%/scheme.c \
    %D%/scheme_members.c \
    %D%/system.c \
    %D%/writer.h
