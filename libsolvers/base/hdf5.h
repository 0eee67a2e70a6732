/* SPDX-License-Identifier: Apache-2.0
 * base/hdf5.h: read and write small HDF5 trees, each error one clear line.
 *
 * Paths inside the file are absolute. Every handle is closed before a call returns; that of
 * the file by perp_h5_close. During a call HDF5 itself prints no errors.
 *
 * Threads: HDF5 keeps its errors per thread only when it was built thread-safe, which Debian's
 * serial library is not. Without that, calls from two threads must not overlap. */
#ifndef PERP_BASE_HDF5_H
#define PERP_BASE_HDF5_H

#include <hdf5.h>

#include <perp/base.h>

#include "base/file.h"

enum { PERP_H5_PATH = 160 };

typedef struct perp_h5_file {
    hid_t id;
    const char *path;   /**< of the file, for messages */
    hsize_t bytes;      /**< size of the file: no extent beyond it is believed */
    perp_status status; /**< of the first failure to write */
    perp_file_out *out; /**< a file being written, or NULL */
    perp_error *err;
} perp_h5_file;

/** How HDF5 prints errors; kept while it prints none. */
typedef struct perp_h5_quiet {
    bool started; /**< else HDF5 could not start, and nothing of it may be called */
    H5E_auto2_t print;
    void *data;
} perp_h5_quiet;

/** From now on HDF5 prints no errors; they are collected for the messages of this file. */
perp_h5_quiet perp_h5_silence(void);
void perp_h5_restore(perp_h5_quiet quiet);
/** Fail: HDF5 could not start in this process. */
perp_status perp_h5_unusable(const char *path, perp_error *err);
/** Whether memory was missing since errno was set to 0, as perp_h5_silence does. HDF5 hides some of it: a
 *  flush at the end of a file succeeds, although its buffer could not grow. The C library tells. */
bool perp_h5_lacked(void);

/** How to follow the links of a path: those to other files are refused. Ask before each use. */
hid_t perp_h5_links(void);
/** PERP_ERR_FORMAT where such a link was refused since then. */
perp_status perp_h5_left(const perp_h5_file *f, const char *inside);

/** The signature of HDF5 is at the start, or behind a user block of 512, 1024 or 2048 bytes. */
bool perp_h5_detect(const perp_source *from);
/** Open a file or memory for reading. Call perp_h5_close even after a failure. */
perp_status perp_h5_open(perp_h5_file *f, const perp_source *from, perp_error *err);
/** Create in place of what `out` holds so far, which must be nothing. Call perp_h5_close even
 *  after a failure, then commit or abandon `out`. */
perp_status perp_h5_create(perp_h5_file *f, perp_file_out *out, perp_error *err);
/** Close; of a file that was written, return the first failure. Allowed on a zeroed file. */
perp_status perp_h5_close(perp_h5_file *f);

/** "file:/inside: …"; what HDF5 said of a failure to read or write follows, and where memory was
 *  missing the status is PERP_ERR_MEMORY. */
perp_status perp_h5_fail(const perp_h5_file *f, perp_status status, const char *inside,
                         const char *format, ...) PERP_PRINTF(4, 5);
/** PERP_ERR_MEMORY where memory was missing since perp_h5_silence, else `status`. */
perp_status perp_h5_status(perp_status status);
/** The reason that HDF5 gave for the first failure since perp_h5_silence. */
const char *perp_h5_reason(void);
/** "/a/b" and "c" -> "/a/b/c" in a buffer of PERP_H5_PATH; returns it. */
const char *perp_h5_join(char *buffer, const char *group, const char *name);

/* ---- reading ---- */

/** How an open dataset is stored; PERP_ERR_FORMAT where its data are in another file. */
perp_status perp_h5_layout(const perp_h5_file *f, const char *inside, hid_t set,
                           H5D_layout_t *layout);

/** Any extent is accepted. */
#define PERP_H5_ANY SIZE_MAX

/** Whether something has this path. Where that cannot be read, for lack of memory or because the
 *  file is damaged, the status says so: it is not taken for missing. */
perp_status perp_h5_exists(const perp_h5_file *f, const char *inside, bool *there);
/** The two extents of a dataset of two dimensions. */
perp_status perp_h5_extent(const perp_h5_file *f, const char *inside, size_t extent[2]);
/** One integer. */
perp_status perp_h5_integer(const perp_h5_file *f, const char *inside, int64_t *value);
/** `expected` (or any number of) integers or reals, on the heap; *count may be NULL. */
perp_status perp_h5_integers(const perp_h5_file *f, const char *inside, size_t expected,
                             size_t *count, int64_t **values);
perp_status perp_h5_reals(const perp_h5_file *f, const char *inside, size_t expected,
                          size_t *count, double **values);
/** The same for unsigned integers of 64 bits. */
perp_status perp_h5_words(const perp_h5_file *f, const char *inside, size_t expected,
                          size_t *count, uint64_t **values);
/** PERP_ERR_DATA at the first number that is not finite. */
perp_status perp_h5_check_finite(const perp_h5_file *f, const char *inside,
                                 const double *x, size_t n);
/** A string of fixed or variable length as valid UTF-8; NULL when it is missing. */
perp_status perp_h5_text(const perp_h5_file *f, const char *inside, char **text);
/** An integer attribute of any width, scalar or of extent 1. Not *there when it is missing; one that
 *  cannot be read, or is something else, is a failure. */
perp_status perp_h5_attribute(const perp_h5_file *f, const char *inside, const char *name,
                              int64_t *value, bool *there);
/** The same for a real, and for a text of fixed or variable length: valid UTF-8, at most
 *  `length` bytes with the final 0; "" when it is missing. */
perp_status perp_h5_attribute_real(const perp_h5_file *f, const char *inside,
                                   const char *name, double *value, bool *there);
perp_status perp_h5_attribute_text(const perp_h5_file *f, const char *inside,
                                   const char *name, char *text, size_t length,
                                   bool *there);

/* ---- writing: contiguous, without filters or times: the same data give the same bytes ----
 *
 * The first failure is kept in f->status: later calls write nothing and return it, so that a
 * writer may make all its calls and ask once, at the latest by perp_h5_close. */

perp_status perp_h5_write_group(perp_h5_file *f, const char *inside);
perp_status perp_h5_write_integers(perp_h5_file *f, const char *inside, size_t n,
                                   const int32_t *values);
perp_status perp_h5_write_integer(perp_h5_file *f, const char *inside, size_t value);
perp_status perp_h5_write_reals(perp_h5_file *f, const char *inside, size_t n,
                                const double *values);
/** In 64 bits: unsigned, signed. */
perp_status perp_h5_write_words(perp_h5_file *f, const char *inside, size_t n,
                                const uint64_t *values);
perp_status perp_h5_write_wide(perp_h5_file *f, const char *inside, size_t n,
                               const int64_t *values);
/** A string; nothing is written when text is NULL. */
perp_status perp_h5_write_text(perp_h5_file *f, const char *inside, const char *text);
/** Attributes of a group: an integer of 64 bits, a real, a text. */
perp_status perp_h5_write_attribute(perp_h5_file *f, const char *inside, const char *name,
                                    size_t value);
perp_status perp_h5_write_attribute_real(perp_h5_file *f, const char *inside,
                                         const char *name, double value);
perp_status perp_h5_write_attribute_text(perp_h5_file *f, const char *inside,
                                         const char *name, const char *text);
/** perp_h5_fail of a writer: the failure is kept in f->status. */
perp_status perp_h5_write_fail(perp_h5_file *f, perp_status status, const char *inside,
                               const char *what);

#endif
