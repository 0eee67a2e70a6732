# SPDX-License-Identifier: Apache-2.0
# A convenience library: both libraries and the command link it and include base/... openly.
noinst_LTLIBRARIES += %D%/libbase.la
%C%_libbase_la_SOURCES = \
    %D%/base.c \
    %D%/base.h \
    %D%/file.c \
    %D%/file.h \
    %D%/folder.c \
    %D%/hdf5.c \
    %D%/hdf5.h \
    %D%/hdf5_read.c \
    %D%/hdf5_write.c \
    %D%/json.c \
    %D%/json.h
%C%_libbase_la_CPPFLAGS = $(AM_CPPFLAGS) $(HDF5_CFLAGS) $(JANSSON_CFLAGS)
