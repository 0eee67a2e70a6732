/* SPDX-License-Identifier: Apache-2.0
 * perp/triplets.h: a sparse matrix that is collected entry by entry.
 *
 *     perp_triplets t;
 *     perp_triplets_init(&t, rows, cols, capacity);
 *     perp_triplets_add(&t, i, j, a);                  any number of times
 *     status = perp_triplets_finish(&A, &t, err);      a CSR matrix
 *     perp_triplets_free(&t);
 *
 * Memory grows as entries are added. The first failure, an index out of range or a lack of
 * memory, is kept: later entries are ignored, and perp_triplets_finish reports it. */
#ifndef PERP_TRIPLETS_H
#define PERP_TRIPLETS_H

#include <perp/operator.h>

PERP_BEGIN_DECLS

/** Entries of a rows x cols matrix. A zeroed struct is an empty 0 x 0 matrix. */
typedef struct perp_triplets {
    size_t rows, cols;
    size_t count;     /**< entries collected */
    size_t capacity;  /**< entries that fit before memory grows */
    int32_t *i, *j;   /**< count: row and column of each entry, from 0 */
    double *x;        /**< count: the values */
    perp_error fault; /**< the first failure; its status is PERP_OK when there was none */
} perp_triplets;

/** An empty matrix with memory for `capacity` entries. The caller frees it with
 *  perp_triplets_free, also after a failure. */
void perp_triplets_init(perp_triplets *t, size_t rows, size_t cols, size_t capacity);
/** Add a to the entry (i, j). Entries come in any order; equal places are summed in the order
 *  in which they were added; explicit zeros are kept. */
void perp_triplets_add(perp_triplets *t, size_t i, size_t j, double a);
/** A new CSR matrix of the entries; the triplets stay as they are. */
perp_status perp_triplets_finish(perp_operator **A, const perp_triplets *t,
                                 perp_error *err);
void perp_triplets_free(perp_triplets *t); /* NULL and a zeroed struct are allowed */

PERP_END_DECLS

#endif
