/* SPDX-License-Identifier: Apache-2.0
 * perp/formats.h: instance files, one reader and writer per format behind two calls.
 *
 * Reading never symmetrises, never trusts declared sizes before the extents, refuses NaN and
 * infinity, and keeps the storage of the file where perp has it. Writing is atomic (beside,
 * fsync, rename), full precision, and the same bytes for the same problem. */
#ifndef PERP_FORMATS_H
#define PERP_FORMATS_H

#include <perp/problem.h>

PERP_BEGIN_DECLS

/** How to read; zero it for the defaults. */
typedef struct perp_read_options {
    const char *format;   /**< "fclib", "siconos", "matrix-market", "perp-golden", "npz";
                              NULL: detected */
    const char *kind;     /**< "lcp", "mlcp", "relay", "fc2d", "fc3d", "gfc2d", "gfc3d",
                              "rolling", "gmp"; NULL: detected */
    bool symmetric_upper; /**< global files that store the upper triangle of M alone */
    size_t item;          /**< batches: which case, from 0 */
} perp_read_options;

/** What was noticed while reading: one line each, "M is upper triangular: …". */
typedef struct perp_notes {
    size_t count;
    char line[8][256];
} perp_notes;

/** A way to store problems. */
typedef struct perp_format {
    const char *name;      /**< "fclib" */
    const char *summary;   /**< one line, for `perp list` */
    const char *extension; /**< ".hdf5"; a folder format: "" */
    bool writes;
    /** How sure the format is of a path that exists: 0 no, 1 perhaps, 2 certainly. Reads
     *  at most the first few kilobytes. */
    int (*detect)(const char *path);
    perp_status (*read)(const char *path, const perp_read_options *opt, perp_problem **p,
                        perp_notes *notes, perp_error *err);
    /** PERP_ERR_UNSUITABLE when the format cannot hold p. */
    perp_status (*write)(const char *path, const perp_problem *p, const char *kind,
                         perp_error *err);
} perp_format;

const perp_format *const *perp_formats(size_t *count);
const perp_format *perp_format_find(const char *name);

/** Read a problem; opt and notes may be NULL. A global file is read as given (p->global);
 *  condense it with perp_reform_condense. */
perp_status perp_problem_read(perp_problem **p, const char *path,
                              const perp_read_options *opt, perp_notes *notes,
                              perp_error *err);
/** Write a problem. `format` NULL: from the extension of the path. `kind` NULL: from the
 *  sets. */
perp_status perp_problem_write(const perp_problem *p, const char *path,
                               const char *format, const char *kind, perp_error *err);

/** Read a vector of any length from one Matrix Market file, n x 1 or 1 x n: *x on the heap,
 *  *n numbers, all finite. NULL and 0 on failure. */
perp_status perp_vector_read(double **x, size_t *n, const char *path, perp_error *err);

/** Number of cases in a batch file, 1 for others. */
perp_status perp_batch_count(const char *path, const perp_read_options *opt,
                             size_t *count, perp_error *err);

PERP_END_DECLS

#endif
