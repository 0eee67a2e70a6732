/* SPDX-License-Identifier: Apache-2.0
 * base/hdf5.h: read and write small HDF5 trees, each error one clear line. Private.
 *
 * Paths inside the file are absolute. Every handle is closed before a call returns; the
 * file's own by h5_close. While a file is open HDF5 prints nothing. */
#ifndef PERP_BASE_HDF5_H
#define PERP_BASE_HDF5_H

#include <hdf5.h>

#include <perp/base.h>

enum { PERP_H5_PATH = 160 };

typedef struct perp_h5_file {
    hid_t id;
    const char *path; /* of the file, for messages */
    hsize_t bytes;    /* of the file: no extent beyond it is believed */
    H5E_auto2_t print;
    void *print_data; /* what HDF5 did with errors before */
    perp_error *err;
} perp_h5_file;

/** Open for reading, or create in place of an empty file. h5_close is owed even on failure
 *  (and harmless on a zeroed f). */
perp_status perp_h5_open(perp_h5_file *f, const char *path, perp_error *err);
perp_status perp_h5_create(perp_h5_file *f, const char *path, perp_error *err);
/** Close and give HDF5 its way of printing errors back. */
perp_status perp_h5_close(perp_h5_file *f);

/** "file:/inside: …". */
perp_status perp_h5_fail(const perp_h5_file *f, perp_status status, const char *inside,
                         const char *format, ...) PERP_PRINTF(4, 5);
/** "/a/b" and "c" -> "/a/b/c" in a buffer of PERP_H5_PATH; returns it. */
const char *perp_h5_join(char *buffer, const char *group, const char *name);

/** Any extent will do. */
#define PERP_H5_ANY SIZE_MAX

bool perp_h5_exists(const perp_h5_file *f, const char *inside);
/** How many numbers a dataset holds. */
perp_status perp_h5_extent(const perp_h5_file *f, const char *inside, size_t *count);
/** One integer. */
perp_status perp_h5_integer(const perp_h5_file *f, const char *inside, int64_t *value);
/** `expected` (or any number of) integers or reals, on the heap; *count may be NULL. */
perp_status perp_h5_integers(const perp_h5_file *f, const char *inside, size_t expected,
                             size_t *count, int64_t **values);
perp_status perp_h5_reals(const perp_h5_file *f, const char *inside, size_t expected,
                          size_t *count, double **values);
/** The same for whole numbers of 64 bits without sign. */
perp_status perp_h5_words(const perp_h5_file *f, const char *inside, size_t expected,
                          size_t *count, uint64_t **values);
/** PERP_ERR_DATA at the first number that is not finite. */
perp_status perp_h5_check_finite(const perp_h5_file *f, const char *inside,
                                 const double *x, size_t n);
/** A string of fixed or variable length as valid UTF-8; NULL when there is none. */
perp_status perp_h5_text(const perp_h5_file *f, const char *inside, char **text);
/** An integer attribute, of any width, scalar or of extent 1; false when there is none. */
bool perp_h5_attribute(const perp_h5_file *f, const char *inside, const char *name,
                       int64_t *value);
/** The same for a real, and for a text of fixed or variable length: at most `length` bytes
 *  with the end, valid UTF-8. */
bool perp_h5_attribute_real(const perp_h5_file *f, const char *inside, const char *name,
                            double *value);
bool perp_h5_attribute_text(const perp_h5_file *f, const char *inside, const char *name,
                            char *text, size_t length);

/* Writing: contiguous, no filters, no times, so that the same data give the same bytes. */

perp_status perp_h5_put_group(const perp_h5_file *f, const char *inside);
perp_status perp_h5_put_integers(const perp_h5_file *f, const char *inside, size_t n,
                                 const int32_t *values);
perp_status perp_h5_put_integer(const perp_h5_file *f, const char *inside, size_t value);
perp_status perp_h5_put_reals(const perp_h5_file *f, const char *inside, size_t n,
                              const double *values);
/** In 64 bits: without sign, with it. */
perp_status perp_h5_put_words(const perp_h5_file *f, const char *inside, size_t n,
                              const uint64_t *values);
perp_status perp_h5_put_wide(const perp_h5_file *f, const char *inside, size_t n,
                             const int64_t *values);
/** Attributes of a group: an integer of 64 bits, a real, a text. */
perp_status perp_h5_put_attribute(const perp_h5_file *f, const char *inside,
                                  const char *name, size_t value);
perp_status perp_h5_put_attribute_real(const perp_h5_file *f, const char *inside,
                                       const char *name, double value);
perp_status perp_h5_put_attribute_text(const perp_h5_file *f, const char *inside,
                                       const char *name, const char *text);
/** Nothing is written when text is NULL. */
perp_status perp_h5_put_text(const perp_h5_file *f, const char *inside, const char *text);

#endif
