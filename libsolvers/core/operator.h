/* SPDX-License-Identifier: Apache-2.0
 * core/operator.h: the parts of a matrix, and its functions for the rooms of the library.
 * Private. */
#ifndef PERP_CORE_OPERATOR_H
#define PERP_CORE_OPERATOR_H

#include <perp/problem.h>
#include <perp/result.h>
#include <perp/workspace.h>

/** A storage. */
typedef struct perp_operator_type {
    perp_storage storage;
    const char *name; /**< "dense", "csr", "bsr", "factored", "pairs" */
    const struct perp_operator_methods *methods;
} perp_operator_type;

/** All storages. */
extern const perp_operator_type perp_operator_dense;
extern const perp_operator_type perp_operator_csr;
extern const perp_operator_type perp_operator_bsr;
extern const perp_operator_type perp_operator_factored;
extern const perp_operator_type perp_operator_pairs;

/** A rows x cols matrix. */
struct perp_operator {
    const perp_operator_type *type;
    size_t rows, cols;
    /** Dense: leading dimension >= rows. */
    size_t ld;
    /** BSR: rows of a block (2, 3, 5); CSR, dense: 1. */
    size_t block_size;
    /** Entries stored: dense rows*cols, CSR nonzeros, BSR blocks. */
    size_t count;
    /** CSR, BSR: rows/block_size + 1 starts of (block) rows. */
    size_t *ptr;
    /** CSR, BSR: (block) column of each entry, ascending in a row. */
    int32_t *col;
    /** Dense: x[i + j*ld]; CSR: one number per entry; BSR: block_size^2 numbers per block,
     *  column-major. */
    double *x;
    /** FACTORED: its parts; else NULL. */
    struct perp_factored *factored;
    /** PAIRS: its parts; else NULL. */
    struct perp_pair_rows *pairs;
    /** ptr, col and x belong to another object and are not freed. */
    bool borrows;
    /** What is known of the entries. */
    perp_entries entries;
};

/* Constructors. On success *A is the caller's; on failure it is NULL. */

/** CSR from `count` triplets in any order, duplicates summed in the order they come,
 *  explicit zeros kept. Fails with PERP_ERR_DATA on an index out of range. Copies.
 *  <perp/triplets.h> collects triplets one by one. */
perp_status perp_operator_new_from_triplets(perp_operator **A, size_t rows, size_t cols,
                                            size_t count, const int32_t *i,
                                            const int32_t *j, const double *x,
                                            perp_error *err);
/** FACTORED from J (rows x nv, dense or sparse), M^-1 (nv x nv, block diagonal: its CSR
 *  pattern, explicit zeros dropped, falls into blocks) and the diagonal of C (rows, or NULL
 *  for 0). Copies. */
perp_status perp_operator_new_factored(perp_operator **A, const perp_operator *J,
                                       const perp_operator *Minv, const double *C,
                                       perp_error *err);
/** The same matrix with scratch of its own, for another thread. Borrows all numbers of A,
 *  which must outlive it and stay as they are. */
perp_status perp_operator_new_view(perp_operator **out, const perp_operator *A,
                                   perp_error *err);
/** (A + A^T)/2 in the same storage (pattern of the union); of PAIRS that were scaled
 *  differently from both sides in storage FACTORED. */
perp_status perp_operator_symmetric_part(perp_operator **out, const perp_operator *A,
                                         perp_error *err);
/** The transpose, in the same storage. */
perp_status perp_operator_transpose(perp_operator **out, const perp_operator *A,
                                    perp_error *err);

/* Products, entries and changes. */

/** y := A^T x. */
void perp_operator_apply_transposed(const perp_operator *A, const double *x, double *y);
/** y[0..dim-1] := rows first..first+dim-1 of A z. */
void perp_operator_rows_dot(const perp_operator *A, size_t first, size_t dim,
                            const double *z, double *y);
/** D[i + j*dim] := A[first+i, first+j]: a diagonal block, column-major. */
void perp_operator_diagonal_block(const perp_operator *A, size_t first, size_t dim,
                                  double *D);
/** max |A_ij|. */
double perp_operator_max(const perp_operator *A);
/** Estimate from above of the spectral radius of a symmetric A: 12 power iterations from a
 *  fixed start, times 1.05. `work` has 2*rows doubles. */
double perp_operator_norm_estimate(const perp_operator *A, double *work);
/** A_ij := left[i] A_ij right[j] in place. */
void perp_operator_scale(perp_operator *A, const double *left, const double *right);
/** A += d I, in place. Every diagonal entry must be stored (perp_operator_with_diagonal makes
 *  such a matrix; conversions and reformulations keep it so). */
void perp_operator_add_diagonal(perp_operator *A, double d);
/** A copy in which every diagonal entry is stored. */
perp_status perp_operator_with_diagonal(perp_operator **out, const perp_operator *A,
                                        perp_error *err);
/** The first (row, column) whose entry is NaN or infinite; false when all are finite. */
bool perp_operator_find_nonfinite(const perp_operator *A, size_t *i, size_t *j);
/** Same storage, dimensions, pattern and bits (-0 and 0 differ). */
bool perp_operator_same(const perp_operator *A, const perp_operator *B);

/** nv, the number of velocities of FACTORED and PAIRS; 0 for other storages. */
size_t perp_operator_velocities(const perp_operator *A);

/* Of FACTORED and PAIRS alone: what a sweep needs. */

/** v := G^T z, the velocities that z gives the bodies; v has nv entries. */
void perp_factored_velocity(const perp_operator *A, const double *z, double *v);
/** y[0..dim-1] := J_i v of rows first.. (without C). */
void perp_factored_rows_dot(const perp_operator *A, size_t first, size_t dim,
                            const double *v, double *y);
/** v += G_i^T dz of rows first... */
void perp_factored_rows_add(const perp_operator *A, size_t first, size_t dim,
                            const double *dz, double *v);

/** One pass over a dense or CSR square matrix; entries of another, and of one with numbers that
 *  are not finite, are not known. */
perp_entries perp_operator_measure(const perp_operator *A);
/** *A := the same matrix in the storage that follows from its entries and from the blocks of e rows
 *  that its problem has (matrix/canonical.c); e = 0: CSR. Matrices in factors stay as they are.
 *  PERP_ERR_MEMORY: *A is valid, with the same entries. */
perp_status perp_operator_canonical(perp_operator **A, size_t e, perp_error *err);

/** Whether A is in factors with twice as many rows as velocities, nearly: those of boxes that rest
 *  on four points. Impulses are then far from unique. */
static inline bool perp_operator_is_redundant(const perp_operator *A)
{
    return perp_operator_in_factors(A) &&
           (double)A->rows > 1.9 * (double)perp_operator_velocities(A);
}

/** The most rows of A, in factors, whose impulses change one velocity: formed, they all act on one
 *  another. 0 for other storages, and without memory. */
size_t perp_operator_largest_degree(const perp_operator *A);

/** A row of A times x, and the sum of the magnitudes of its terms, which bounds its
 *  rounding. */
typedef struct perp_row_sum {
    const double *x;
    double sum, size;
} perp_row_sum;

perp_row_sum perp_operator_row_sum(const perp_operator *A, size_t i, const double *x);

/** perp_operator_asymmetry() up to which A counts as symmetric: rounding of
 *  W = H^T M^-1 H leaves about 1e-16 of the largest entry. */
#define PERP_SYMMETRIC_MOST 1e-14

/** |A| estimated with memory of the workspace, which is released again; counts its products in
 *  r. False when there is no memory. */
bool perp_norm_estimate(const perp_operator *A, perp_workspace *ws, double *norm,
                        perp_result *r);

/** PERP_OK, or the first failure: PERP_ERR_DATA (an index out of range, an extent beyond int)
 *  or PERP_ERR_MEMORY. */
perp_status perp_triplets_status(const perp_triplets *t, perp_error *err);

#endif
