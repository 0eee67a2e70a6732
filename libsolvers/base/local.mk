# SPDX-License-Identifier: Apache-2.0
# Convenience libraries that both libraries and the command link. The part that needs HDF5 is a
# library of its own, because libperp-dynamics does not need it.
noinst_LTLIBRARIES += %D%/libbase.la %D%/libbasehdf5.la
%C%_libbase_la_SOURCES = \
    %D%/base.c \
    %D%/base.h \
    %D%/expression.c \
    %D%/file.c \
    %D%/file.h \
    %D%/folder.c \
    %D%/index.c \
    %D%/index.h \
    %D%/json.c \
    %D%/json.h \
    %D%/memory.c \
    %D%/memory.h \
    %D%/unread.c \
    %D%/unread.h \
    %D%/number.c \
    %D%/number.h \
    %D%/process.c \
    %D%/process.h \
    %D%/quantity.c \
    %D%/quantity.h \
    %D%/setting.c \
    %D%/setting.h \
    %D%/source.c \
    %D%/system.c \
    %D%/system.h \
    %D%/text.c \
    %D%/text.h \
    %D%/threads.c \
    %D%/threads.h \
    %D%/units.c
%C%_libbase_la_CPPFLAGS = $(library_cppflags) $(JANSSON_CFLAGS)
%C%_libbase_la_CFLAGS = $(library_cflags)
# Not the -static of the tests: the shared libraries need its position-independent objects.
%C%_libbase_la_LDFLAGS =
%C%_libbasehdf5_la_SOURCES = \
    %D%/hdf5.c \
    %D%/hdf5.h \
    %D%/hdf5_read.c \
    %D%/hdf5_write.c
%C%_libbasehdf5_la_CPPFLAGS = $(library_cppflags) $(HDF5_CFLAGS)
%C%_libbasehdf5_la_CFLAGS = $(library_cflags)
%C%_libbasehdf5_la_LDFLAGS =
