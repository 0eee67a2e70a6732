/* SPDX-License-Identifier: Apache-2.0
 * perp/operator.h: the matrix A behind one small interface.
 *
 * Storages: dense column-major, CSR, block CSR (square blocks, column-major inside), and
 * J M^-1 J^T + C kept in factors, from sparse rows or from rows that act on two bodies. An
 * operator may be asymmetric, singular and rectangular; no function makes it symmetric
 * silently. Explicit zeros are kept; the columns of a sparse row ascend and never repeat.
 *
 * Ownership: arguments stay the caller's. Constructors copy what they are given, unless they
 * are told PERP_BORROW; perp_operator_new_pairs borrows its arrays.
 *
 * Threads: dense, CSR and BSR operators can be read by several threads at once. An operator in
 * factors has scratch of its own, so that it is for one thread at a time. perp_solve and
 * perp_residual can be called on one problem by several threads at once. */
#ifndef PERP_OPERATOR_H
#define PERP_OPERATOR_H

#include <perp/base.h>

PERP_BEGIN_DECLS

/** Storages, as bits so that a solver can list those it takes. */
typedef enum perp_storage {
    PERP_STORAGE_DENSE = 1,
    PERP_STORAGE_CSR = 2,
    PERP_STORAGE_BSR = 4,
    PERP_STORAGE_FACTORED = 8, /**< J M^-1 J^T + C in factors, J and M^-1 J^T sparse */
    PERP_STORAGE_PAIRS = 16,   /**< the same from rows on two bodies (perp_pairs) */
} perp_storage;

/** "dense", "csr", "bsr", "factored", "pairs"; NULL for an unknown storage. */
const char *perp_storage_name(perp_storage storage);

/** A matrix, freed by perp_operator_free. */
typedef struct perp_operator perp_operator;

/** The shape of a matrix, and the arrays of one that is stored entry by entry. */
typedef struct perp_arrays {
    perp_storage storage;
    size_t rows, cols;
    /** Dense: leading dimension >= rows. */
    size_t ld;
    /** BSR: rows of a block (2, 3, 5); else 1. */
    size_t block_size;
    /** Entries stored: dense rows*cols, CSR nonzeros, BSR blocks. */
    size_t count;
    /** CSR, BSR: rows/block_size + 1 starts of (block) rows; else NULL. */
    size_t *ptr;
    /** CSR, BSR: (block) column of each entry, ascending in a row; else NULL. */
    int32_t *col;
    /** Dense: x[i + j*ld]; CSR: one number per entry; BSR: block_size^2 numbers per block,
     *  column-major; else NULL. */
    double *x;
} perp_arrays;

/** The arrays of A, which live as long as A. A caller who writes entries of a matrix of his own
 *  does so before any other function has read it. */
perp_arrays perp_operator_arrays(const perp_operator *A);
/** The storage and the extents of A. */
static inline perp_storage perp_operator_storage(const perp_operator *A)
{
    return perp_operator_arrays(A).storage;
}
static inline size_t perp_operator_rows(const perp_operator *A)
{
    return perp_operator_arrays(A).rows;
}
static inline size_t perp_operator_cols(const perp_operator *A)
{
    return perp_operator_arrays(A).cols;
}

/** Whether a constructor copies the arrays that it is given, or borrows them: then they must
 *  outlive what is made and stay as they are. */
typedef enum perp_ownership {
    PERP_COPY,
    PERP_BORROW,
} perp_ownership;

/* Constructors. On success *A is the caller's; on failure it is NULL. */

/** A zero matrix, ld padded to 8 doubles, 64-byte aligned. */
perp_status perp_operator_new_dense(perp_operator **A, size_t rows, size_t cols,
                                    perp_error *err);
/** From an array, x[i + j*ld]. */
perp_status perp_operator_new_from_dense(perp_operator **A, size_t rows, size_t cols,
                                         const double *x, size_t ld,
                                         perp_ownership ownership, perp_error *err);
/** CSR from rows + 1 starts, the column of each entry (ascending in a row) and its value.
 *  PERP_ERR_DATA: starts or columns that do not ascend or lie out of range. */
perp_status perp_operator_new_from_csr(perp_operator **A, size_t rows, size_t cols,
                                       const size_t *ptr, const int32_t *col,
                                       const double *x, perp_ownership ownership,
                                       perp_error *err);
/** BSR from rows/block_size + 1 starts, the block column of each block and its values,
 *  column-major. PERP_ERR_DATA as for CSR. */
perp_status perp_operator_new_from_bsr(perp_operator **A, size_t rows, size_t cols,
                                       size_t block_size, const size_t *ptr,
                                       const int32_t *col, const double *x,
                                       perp_ownership ownership, perp_error *err);
/** An uninitialised CSR (block_size 1) or BSR (block_size > 1) matrix with memory for `count`
 *  entries; the caller fills the arrays of perp_operator_arrays, with ascending columns. */
perp_status perp_operator_new_sparse(perp_operator **A, size_t rows, size_t cols,
                                     size_t block_size, size_t count, perp_error *err);

/* From other operators. */

/** A copy that owns all it has. PERP_ERR_MEMORY: *out is NULL. */
perp_status perp_operator_copy(perp_operator **out, const perp_operator *A,
                               perp_error *err);
/** The same matrix in another storage; block_size matters for BSR only, and must divide both
 *  dimensions. Dense to sparse drops exact zeros off the diagonal; blocks are filled. Only
 *  PAIRS can be converted to FACTORED, and none to PAIRS: PERP_ERR_ARGUMENT. */
perp_status perp_operator_convert(perp_operator **out, const perp_operator *A,
                                  perp_storage storage, size_t block_size,
                                  perp_error *err);
void perp_operator_free(perp_operator *A); /* NULL is allowed */

/* What every solver uses. */

/** y := A x; x has cols, y has rows entries; no overlap. */
void perp_operator_apply(const perp_operator *A, const double *x, double *y);
/** Row i of A times x. */
double perp_operator_row_dot(const perp_operator *A, size_t i, const double *x);
/** out[j] += scale * A_ij for all j; out has cols entries. */
void perp_operator_row_add(const perp_operator *A, size_t i, double scale, double *out);
/** Call visit(context, j, A_ij) for each stored entry of row i, j ascending. */
void perp_operator_row_visit(const perp_operator *A, size_t i,
                             void (*visit)(void *context, size_t j, double a),
                             void *context);
/** Entry (i, j); 0 where nothing is stored. */
double perp_operator_entry(const perp_operator *A, size_t i, size_t j);
static inline double perp_operator_diagonal(const perp_operator *A, size_t i)
{
    return perp_operator_entry(A, i, i);
}
/** max_j |A_ij|. */
double perp_operator_row_max(const perp_operator *A, size_t i);
/** max |A - A^T| / max |A|; 0 for the zero matrix. */
double perp_operator_asymmetry(const perp_operator *A);
/** max|A - A^T| <= 1e-14 max|A|: symmetric for the solvers that demand it. */
bool perp_operator_is_symmetric(const perp_operator *A);
/** Stored scalars (BSR: block_size^2 per block): 2 * this = flops of a product. */
size_t perp_operator_nonzeros(const perp_operator *A);

/* J M^-1 J^T + C kept in factors, as contacts of bodies make it. M is block diagonal, so that
 * G = M^-1 J^T is as sparse as J; W itself is never formed. */

/** FACTORED from J (rows x nv) in CSR, the numbers of G = J M^-T in the places of J, which are
 *  not checked, and the diagonal of C (rows, or NULL for 0). Copies. PERP_ERR_DATA: J is not in
 *  CSR, or its columns do not ascend. */
perp_status perp_operator_new_factors(perp_operator **A, const perp_arrays *J,
                                      const double *G, const double *C, perp_error *err);

/** Rows that act on two bodies each, as contacts and joints of rigid bodies do, and the inverse
 *  masses of these bodies: J M^-1 J^T + C without stored column indices. A body has six
 *  velocities, three of its centre and three of its rotation. Rows of contacts in space can be
 *  given by their frames instead of J. */
typedef struct perp_pairs {
    size_t rows;
    /** 12 numbers per row: columns of the first body, then of the second. Those that stand
     *  under a body -1 are ignored. */
    const double *J;
    /** 2 indices per row of J, then 2 per contact of `frames`: below `bodies`, or -1 for what
     *  never moves; rows of one block of K name the same two. */
    const int32_t *body;
    /** rows: diagonal of C >= 0, or NULL for 0. */
    const double *C;
    size_t bodies;
    /** bodies [1/kg]. */
    const double *inverse_mass;
    /** 9 numbers per body, symmetric [1/(kg m^2)]; of two equal entries one is read. */
    const double *inverse_inertia;
    /** NULL: all rows are in J. Else J ends before row `frames_from`, and the rows from there
     *  on are those of contacts, three each, as 15 numbers per contact: rows F_1, F_2, F_3 of
     *  its frame, which may be of any length, and lever arms p, q with
     *  J_i = (-F_i, -(p x F_i), F_i, q x F_i). */
    const double *frames;
    size_t frames_from;
} perp_pairs;

/** Row i of J: where it stands, or, of a contact with a frame, as written to `made`. */
const double *perp_pairs_row(const perp_pairs *pairs, size_t i, double made[12]);
/** The two bodies of row i. */
const int32_t *perp_pairs_bodies(const perp_pairs *pairs, size_t i);

/** PAIRS: J M^-1 J^T + C with 6 x bodies velocities, which are read as (v, omega) of body 0,
 *  then of body 1. Borrows the arrays except C: they must outlive the operator and stay as
 *  they are (a copy made by perp_operator_copy owns its own). The constructor checks that the
 *  indices of bodies are in range and that rows of frames are in threes, and copies C; lists of the rows of each body are built when
 *  entries or rows of A are first asked for. */
perp_status perp_operator_new_pairs(perp_operator **A, const perp_pairs *pairs,
                                    perp_error *err);

/** Whether A is FACTORED or PAIRS, which have velocities. */
bool perp_operator_in_factors(const perp_operator *A);

PERP_END_DECLS

#endif
