/* SPDX-License-Identifier: Apache-2.0
 * formats/mtx.h: one matrix or vector in one Matrix Market file. Private. */
#ifndef PERP_FORMATS_MTX_H
#define PERP_FORMATS_MTX_H

#include "arrays.h"

/** A rows x cols matrix: array -> dense, coordinate -> CSR. `cols` PERP_ARRAY_ANY: as many as
 *  the file says, at most `most`. */
perp_status perp_mtx_matrix(perp_operator **A, const char *file, size_t rows, size_t cols,
                            size_t most, perp_notes *notes, perp_error *err);

/** A vector: n x 1 or 1 x n. *n is PERP_ARRAY_ANY or the length it must have. */
perp_status perp_mtx_vector(double **x, size_t *n, const char *file, bool infinite,
                            perp_notes *notes, perp_error *err);

/** Dense -> array, CSR and BSR -> coordinate; digits that read back; one line of comment. */
perp_status perp_mtx_write_matrix(const char *file, const perp_operator *A,
                                  const char *comment, perp_error *err);
perp_status perp_mtx_write_vector(const char *file, const double *x, size_t n,
                                  const char *comment, perp_error *err);

#endif
