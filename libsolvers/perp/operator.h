/* SPDX-License-Identifier: Apache-2.0
 * perp/operator.h: the matrix A behind one small interface.
 *
 * Storages: dense column-major, CSR, block CSR (square blocks, column-major inside). An
 * operator may be asymmetric, singular and rectangular; nobody symmetrises it silently.
 * Explicit zeros are kept, columns of a sparse row ascend and never repeat.
 * A storage is one constant perp_operator_type; only its own file looks inside `x`,
 * save the kernels that ask for a storage by name. */
#ifndef PERP_OPERATOR_H
#define PERP_OPERATOR_H

#include <perp/base.h>

PERP_BEGIN_DECLS

/** Storages, as bits so that a solver can list those it takes. */
typedef enum perp_storage {
    PERP_STORAGE_DENSE = 1,
    PERP_STORAGE_CSR = 2,
    PERP_STORAGE_BSR = 4,
    PERP_STORAGE_FACTORED = 8, /* J M^-1 J^T + C, never multiplied out */
} perp_storage;

typedef struct perp_operator_type perp_operator_type;
typedef struct perp_factored perp_factored;

/** A rows x cols matrix. Owned by whoever made it; freed by perp_operator_free. */
typedef struct perp_operator {
    const perp_operator_type *type;
    size_t rows, cols;
    size_t ld;         /**< dense: leading dimension >= rows */
    size_t block_size; /**< BSR: rows of a block (2, 3, 5); CSR, dense: 1 */
    size_t count;      /**< entries stored: dense rows*cols, CSR nonzeros, BSR blocks */
    size_t *ptr;       /**< CSR, BSR: rows/edge + 1 starts of (block) rows */
    int32_t *col;      /**< CSR, BSR: (block) column of each entry, ascending in a row */
    double
        *x; /**< dense: x[i + j*ld]; CSR: one each; BSR: edge*edge each, column-major */
    perp_factored *factored; /**< FACTORED: its parts; else NULL */
} perp_operator;

/** What a storage provides. All matrices here are valid; sizes were checked by the maker. */
struct perp_operator_type {
    perp_storage storage;
    const char *name; /**< "dense", "csr", "bsr" */
    /** y := A x; x has cols, y has rows entries; no overlap. */
    void (*apply)(const perp_operator *A, const double *x, double *y);
    /** y := A^T x. */
    void (*apply_transposed)(const perp_operator *A, const double *x, double *y);
    /** y[0..dim-1] := rows first..first+dim-1 of A z. */
    void (*rows_dot)(const perp_operator *A, size_t first, size_t dim, const double *z,
                     double *y);
    /** Entry (i, j); 0 where nothing is stored. */
    double (*entry)(const perp_operator *A, size_t i, size_t j);
    /** out[j] += scale * A_ij for all j; out has cols entries. */
    void (*row_add)(const perp_operator *A, size_t i, double scale, double *out);
    /** Call visit(context, j, a) for each stored entry of row i, j ascending. */
    void (*row_visit)(const perp_operator *A, size_t i,
                      void (*visit)(void *context, size_t j, double a), void *context);
    /** A_ij := left[i] A_ij right[j] in place. */
    void (*scale)(perp_operator *A, const double *left, const double *right);
};

/* Makers. On success *A is the caller's; arrays are copied. */

/** Zero matrix, ld padded to 8 doubles, 64-byte aligned. */
perp_status perp_operator_new_dense(perp_operator **A, size_t rows, size_t cols,
                                    perp_error *err);
/** From an array, x[i + j*ld]. */
perp_status perp_operator_new_from_dense(perp_operator **A, size_t rows, size_t cols,
                                         const double *x, size_t ld, perp_error *err);
/** CSR from `count` triplets in any order, duplicates summed in the order they come,
 *  explicit zeros kept. Fails with PERP_ERR_DATA on an index out of range. */
perp_status perp_operator_new_from_triplets(perp_operator **A, size_t rows, size_t cols,
                                            size_t count, const int32_t *i,
                                            const int32_t *j, const double *x,
                                            perp_error *err);
/** An uninitialised CSR (edge 1) or BSR (edge > 1) with room for `count` entries; the
 *  caller fills ptr, col, x with ascending columns. */
perp_status perp_operator_new_sparse(perp_operator **A, size_t rows, size_t cols,
                                     size_t edge, size_t count, perp_error *err);
perp_status perp_operator_copy(perp_operator **out, const perp_operator *A,
                               perp_error *err);
/** The same matrix in another storage; edge matters for BSR only, and must divide both
 *  dimensions. Dense to sparse drops exact zeros off the diagonal; blocks are filled. */
perp_status perp_operator_convert(perp_operator **out, const perp_operator *A,
                                  perp_storage storage, size_t edge, perp_error *err);
/** (A + A^T)/2 in the same storage (pattern of the union). */
perp_status perp_operator_symmetric_part(perp_operator **out, const perp_operator *A,
                                         perp_error *err);
/** The transpose, in the same storage. */
perp_status perp_operator_transpose(perp_operator **out, const perp_operator *A,
                                    perp_error *err);
void perp_operator_free(perp_operator *A); /* takes NULL */

/* The verbs every solver uses; thin calls of the type. */

void perp_operator_apply(const perp_operator *A, const double *x, double *y);
void perp_operator_apply_transposed(const perp_operator *A, const double *x, double *y);
/** Row i of A times x. */
double perp_operator_row_dot(const perp_operator *A, size_t i, const double *x);
void perp_operator_rows_dot(const perp_operator *A, size_t first, size_t dim,
                            const double *z, double *y);
double perp_operator_entry(const perp_operator *A, size_t i, size_t j);
double perp_operator_diagonal(const perp_operator *A, size_t i);
/** D[i + j*dim] := A[first+i, first+j]: a diagonal block, column-major. */
void perp_operator_diagonal_block(const perp_operator *A, size_t first, size_t dim,
                                  double *D);
/** max_j |A_ij|. */
double perp_operator_row_max(const perp_operator *A, size_t i);
/** max |A_ij|. */
double perp_operator_max(const perp_operator *A);
/** max |A - A^T| / max |A|; 0 for the zero matrix. */
double perp_operator_asymmetry(const perp_operator *A);
/** max|A - A^T| <= 1e-14 max|A|: symmetric for the solvers that demand it. */
bool perp_operator_is_symmetric(const perp_operator *A);
/** Stored scalars (BSR: edge^2 a block): 2 * this = flops of a product. */
size_t perp_operator_nonzeros(const perp_operator *A);
/** Estimate from above of the spectral radius of a symmetric A: 12 power iterations from a
 *  fixed start, times 1.05. `work` has 2*rows doubles. */
double perp_operator_norm_estimate(const perp_operator *A, double *work);
/** A += d I, in place. Every diagonal entry must be stored (convert and the makers of
 *  problems see to that, perp_operator_with_diagonal makes it so). */
void perp_operator_add_diagonal(perp_operator *A, double d);
/** A copy in which every diagonal entry is stored. */
perp_status perp_operator_with_diagonal(perp_operator **out, const perp_operator *A,
                                        perp_error *err);
/** The first (row, column) whose entry is NaN or infinite; false if there is none. */
bool perp_operator_find_nonfinite(const perp_operator *A, size_t *i, size_t *j);
/** Same storage, dimensions, pattern and bits (-0 and 0 differ). */
bool perp_operator_same(const perp_operator *A, const perp_operator *B);

/* J M^-1 J^T + C kept in factors: what contacts of bodies make. M is block diagonal, so that
 * G = M^-1 J^T is as sparse as J; W itself is never formed. */

/** The parts. Owned by the operator. `v` and what follows is scratch and derived from the
 *  rest: one operator is not for two threads at once. Two layouts: `pairs`, where rows act on
 *  two bodies each (perp_operator_new_pairs); else sparse rows, J and G, which have the same
 *  columns stored in each row, so that rows that touch the same bodies are read together. */
struct perp_factored {
    size_t nv;                    /**< velocities */
    double *C;                    /**< rows: diagonal of C */
    struct perp_pair_rows *pairs; /**< private; where it is not NULL, the next four are */
    perp_operator *J;             /**< rows x nv, CSR */
    perp_operator *G;   /**< rows x nv, CSR: row i is M^-1 J_i^T; blocks of M filled */
    perp_operator *Gt;  /**< nv x rows: the transpose of G, for the entries of a row; NULL
                              while nobody asked for them (perp_factored_ensure_transpose) */
    unsigned char *run; /**< rows: how many rows from here on store the same columns */
    double *v;          /**< nv */
    double *sum;        /**< rows: a row as it is summed */
    int32_t *touched;   /**< rows: its columns */
    unsigned char *mark; /**< rows: whether a column is among them */
    void *block;         /**< private: J, G and all arrays, where they are one */
};

/** From J (rows x nv, any sparse or dense storage), M^-1 (nv x nv, block diagonal: its CSR
 *  pattern, explicit zeros dropped, falls into blocks) and the diagonal of C (rows, or NULL
 *  for 0). Copies. */
perp_status perp_operator_new_factored(perp_operator **A, const perp_operator *J,
                                       const perp_operator *Minv, const double *C,
                                       perp_error *err);
/** The same from both factors, in CSR with the same columns in each row: J, and
 *  G = J M^-T, which nobody checks. For those who have multiplied by M^-1 already.
 *  Copies. PERP_ERR_DATA: patterns that differ or do not ascend; PERP_ERR_MEMORY. */
perp_status perp_operator_new_factors(perp_operator **A, const perp_operator *J,
                                      const perp_operator *G, const double *C,
                                      perp_error *err);
/** Rows that act on two bodies each, as contacts and joints of rigid bodies do, and the inverse
 *  masses of these bodies: what J M^-1 J^T + C is made of when no column index is stored. A
 *  body has six velocities, three of its centre and three of its rotation. */
typedef struct perp_pairs {
    size_t rows;
    const double *J;     /**< 12 a row: columns of the first body, then of the second */
    const int32_t *body; /**< 2 a row: indices below `bodies`, or -1 for what never moves;
                              rows of one block of K name the same two */
    const double *C;     /**< rows: diagonal of C >= 0, or NULL for 0 */
    size_t bodies;
    const double *inverse_mass; /**< bodies [1/kg] */
    const double
        *inverse_inertia; /**< 9 a body, symmetric [1/(kg m^2)]; of each two equal
                                        entries one is read */
} perp_pairs;

/** J M^-1 J^T + C of storage FACTORED from pairs, with 6 x bodies velocities, which are read
 *  as (v, omega) of body 0, then of body 1. The 12 numbers of a row that stand under a body -1
 *  are ignored. Borrows the arrays, C excepted: they must outlive it and stay as they are (a
 *  copy made by perp_operator_copy owns its own). Does no work a row beyond checking that the
 *  numbers of bodies are in range and copying C; nothing else is built until it is asked for:
 *  entries and rows of A the first time need lists of the rows of each body. */
perp_status perp_operator_new_pairs(perp_operator **A, const perp_pairs *pairs,
                                    perp_error *err);
/** The same matrix of the same storage with its rows stored sparse, J and G, as
 *  perp_operator_new_factored makes it: for those who look into the parts. */
perp_status perp_factored_expand(perp_operator **out, const perp_operator *A,
                                 perp_error *err);

/** See to it that Gt is there, of sparse rows; false without memory. */
bool perp_factored_ensure_transpose(const perp_operator *A);
/** v := G^T z, the velocities that z gives the bodies; v has nv entries. */
void perp_factored_velocity(const perp_operator *A, const double *z, double *v);
/** y[0..dim-1] := J_i v of rows first.. (without C). */
void perp_factored_rows_dot(const perp_operator *A, size_t first, size_t dim,
                            const double *v, double *y);
/** v += G_i^T dz of rows first... */
void perp_factored_rows_add(const perp_operator *A, size_t first, size_t dim,
                            const double *dz, double *v);

extern const perp_operator_type perp_operator_dense;
extern const perp_operator_type perp_operator_csr;
extern const perp_operator_type perp_operator_bsr;
extern const perp_operator_type perp_operator_factored;

PERP_END_DECLS

#endif
