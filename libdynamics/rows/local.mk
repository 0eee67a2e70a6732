# SPDX-License-Identifier: Apache-2.0
libdynamics_libperp_dynamics_la_SOURCES += \
    %D%/contacts.c \
    %D%/joints.c \
    %D%/names.c \
    %D%/rows.c \
    %D%/writer.h
