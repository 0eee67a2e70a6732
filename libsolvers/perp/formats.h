/* SPDX-License-Identifier: Apache-2.0
 * perp/formats.h: instance files, one reader and writer per format behind two calls.
 *
 * Reading never symmetrises, never trusts declared sizes before the extents, refuses NaN and
 * infinity, and keeps the storage of the file where perp has it. Writing gives the whole file
 * or none (a temporary file, fsync, rename), full precision, and the same bytes for the same
 * problem.
 *
 * Threads: two calls may run at once, except those that read or write HDF5 (fclib and
 * sequences) when the HDF5 library was not built thread-safe. */
#ifndef PERP_FORMATS_H
#define PERP_FORMATS_H

#include <perp/problem.h>

PERP_BEGIN_DECLS

/** How to read; zero it for the defaults. */
typedef struct perp_read_options {
    const char *format;   /**< "fclib", "siconos", "matrix-market", "json", "npz",
                              "perp-sequence", ...: perp_formats; NULL: detected */
    const char *kind;     /**< "lcp", "mlcp", "relay", "fc2d", "fc3d", "gfc2d", "gfc3d",
                              "rolling", "gmp", "soclcp"; NULL: detected */
    bool symmetric_upper; /**< global files that store the upper triangle of M alone */
    size_t item;          /**< batches: which case, from 0 */
} perp_read_options;

/** Remarks of a reader, one line each: "M is upper triangular: …". */
typedef struct perp_notes {
    size_t count;
    char line[8][256];
} perp_notes;

/** A way to store problems. */
typedef struct perp_format {
    const char *name;      /**< "fclib" */
    const char *summary;   /**< one line, for `perp info` */
    const char *extension; /**< ".hdf5"; "" for a folder of files */
    bool reads;
    bool writes;
    bool
        memory; /**< bytes in memory are read and written as files are, where the format reads
                      and writes */
} perp_format;

/** All formats, ended by NULL. */
const perp_format *const *perp_formats(size_t *count);
/** The same with the reason in err: PERP_ERR_OPTION where there is no such format,
 *  PERP_ERR_UNSUITABLE where this build leaves it out. */
perp_status perp_format_named(const perp_format **format, const char *name,
                              perp_error *err);

/** Read a problem; opt and notes may be NULL. A global file is read as given (p->global);
 *  condense it with perp_reform_condense. */
perp_status perp_problem_read(perp_problem **p, const char *path,
                              const perp_read_options *opt, perp_notes *notes,
                              perp_error *err);
/** The same for the bytes of a file; messages call it "memory". PERP_ERR_UNSUITABLE for a
 *  format that is a folder. */
perp_status perp_problem_read_memory(perp_problem **p, const void *bytes, size_t size,
                                     const perp_read_options *opt, perp_notes *notes,
                                     perp_error *err);
/** Write a problem. `format` NULL: from the extension of the path. `kind` NULL: from the
 *  sets. A matrix in factors is written multiplied out (a sequence keeps the factors).
 *  PERP_ERR_UNSUITABLE when the format cannot hold the problem. */
perp_status perp_problem_write(const perp_problem *p, const char *path,
                               const char *format, const char *kind, perp_error *err);
/** Append a note of what perp_problem_write leaves out, since the format has no place for it:
 *  starting points, the answer, texts. No note when it writes all of p. */
void perp_problem_left_out(const perp_problem *p, const char *path, const char *format,
                           perp_notes *notes);
/** The same bytes in memory, to be freed by free(); `format` is required. */
perp_status perp_problem_write_memory(const perp_problem *p, const char *format,
                                      const char *kind, char **bytes, size_t *size,
                                      perp_error *err);

/** Read a vector from a Matrix Market file, or from plain text: numbers separated by blanks or
 *  commas, with comments from % or # to the end of the line. *x is on the heap,
 *  *n numbers, all finite. */
perp_status perp_vector_read(double **x, size_t *n, const char *path, perp_error *err);

PERP_END_DECLS

#endif
