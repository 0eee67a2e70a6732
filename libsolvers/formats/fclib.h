/* SPDX-License-Identifier: Apache-2.0
 * formats/fclib.h: the parts of the FCLIB format. Private. */
#ifndef PERP_FORMATS_FCLIB_H
#define PERP_FORMATS_FCLIB_H

#include "base/hdf5.h"
#include "formats.h"

/** The three groups a problem may be in. */
typedef enum fclib_form {
    FCLIB_LOCAL,
    FCLIB_GLOBAL,
    FCLIB_ROLLING, /* global, with rolling friction */
    FCLIB_FORMS,
} fclib_form;

static const char *const fclib_roots[FCLIB_FORMS] = {
    "/fclib_local",
    "/fclib_global",
    "/fclib_global_rolling",
};

/** Which part of a matrix the file has. */
typedef enum fclib_triangle {
    FCLIB_AS_STORED, /* but an attribute symmetric_packed = 1 is honoured */
    FCLIB_UPPER,     /* the upper triangle of a symmetric matrix: mirror it */
} fclib_triangle;

/** Read the rows x cols matrix in a group, as CSR: explicit zeros stay, repeated triplets
 *  are summed. */
perp_status perp_fclib_read_matrix(const perp_h5_file *f, const char *group, size_t rows,
                                   size_t cols, fclib_triangle triangle,
                                   perp_operator **A, perp_notes *notes);
/** Write rows `row`.. and columns `col`.. of A, rows x cols of them, as triplets. */
void perp_fclib_write_matrix(perp_h5_file *f, const char *group, const perp_operator *A,
                             size_t row, size_t col, size_t rows, size_t cols);

/** A file being read. */
typedef struct fclib_reading {
    perp_h5_file f;
    fclib_form form;
    const char *root;
    size_t dim, contacts;
    size_t m, p, n_v; /* rows of cones, free rows, velocities */
    perp_problem *problem;
    perp_notes *notes;
} fclib_reading;

/** The points in the file, /solution and /guesses, once the sizes of the problem are known. */
perp_status perp_fclib_read_points(fclib_reading *r);

/** *full := point with the velocities that it lacks, computed from z; what point has is borrowed.
 *  Call perp_fclib_complete_free even after a failure. */
perp_status perp_fclib_complete(perp_point *full, const perp_problem *p,
                                const perp_point *point, bool local, perp_error *err);
void perp_fclib_complete_free(perp_point *full, const perp_point *point);

perp_status perp_fclib_read(perp_source *from, const perp_read_options *opt,
                            perp_problem **p, perp_notes *notes, perp_error *err);
perp_status perp_fclib_write(perp_file_out *out, const perp_problem *p, const char *kind,
                             perp_error *err);

#endif
