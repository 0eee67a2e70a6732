/* SPDX-License-Identifier: Apache-2.0
 * perp/operator.h: the matrix A behind one small interface.
 *
 * Storages: dense column-major, CSR, block CSR (square blocks, column-major inside), and
 * J M^-1 J^T + C kept in factors, from sparse rows or from rows that act on two bodies. An
 * operator may be asymmetric, singular and rectangular; no function makes it symmetric
 * silently. Explicit zeros are kept; the columns of a sparse row ascend and never repeat.
 *
 * Ownership: arguments stay the caller's. Constructors copy what they are given; those named
 * _borrow_, perp_operator_new_view and perp_operator_new_pairs borrow it.
 *
 * Threads: dense, CSR and BSR operators can be read by several threads at once. An operator in
 * factors has scratch of its own, so that it is for one thread at a time;
 * perp_operator_new_view makes one for each further thread. perp_solve and perp_residual do
 * that themselves: they can be called on one problem by several threads at once. */
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

/** A storage. The functions that implement it are private. */
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

/** What one pass over the entries of a dense or CSR matrix has found, while the matrix is constant. */
typedef struct perp_entries {
    bool known;
    double asymmetry; /**< perp_operator_asymmetry() */
    double largest;   /**< max |A_ij|; 0: not known, or all entries are 0 */
} perp_entries;

/** A rows x cols matrix, freed by perp_operator_free. */
typedef struct perp_operator {
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
    /** FACTORED: its parts, private; else NULL. */
    struct perp_factored *factored;
    /** PAIRS: its parts, private; else NULL. */
    struct perp_pair_rows *pairs;
    /** ptr, col and x belong to another object and are not freed. */
    bool borrows;
    /** What is known of the entries; private. */
    perp_entries entries;
} perp_operator;

/* Constructors. On success *A is the caller's; on failure it is NULL. */

/** A zero matrix, ld padded to 8 doubles, 64-byte aligned. */
perp_status perp_operator_new_dense(perp_operator **A, size_t rows, size_t cols,
                                    perp_error *err);
/** From an array, x[i + j*ld]. Copies. */
perp_status perp_operator_new_from_dense(perp_operator **A, size_t rows, size_t cols,
                                         const double *x, size_t ld, perp_error *err);
/** CSR from rows + 1 starts, the column of each entry (ascending in a row) and its value.
 *  Copies. PERP_ERR_DATA: starts or columns that do not ascend or lie out of range. */
perp_status perp_operator_new_from_csr(perp_operator **A, size_t rows, size_t cols,
                                       const size_t *ptr, const int32_t *col,
                                       const double *x, perp_error *err);
/** BSR from rows/block_size + 1 starts, the block column of each block and its values,
 *  column-major. Copies. PERP_ERR_DATA as for CSR. */
perp_status perp_operator_new_from_bsr(perp_operator **A, size_t rows, size_t cols,
                                       size_t block_size, const size_t *ptr,
                                       const int32_t *col, const double *x,
                                       perp_error *err);
/** CSR from `count` triplets in any order, duplicates summed in the order they come,
 *  explicit zeros kept. Fails with PERP_ERR_DATA on an index out of range. Copies.
 *  <perp/triplets.h> collects triplets one by one. */
perp_status perp_operator_new_from_triplets(perp_operator **A, size_t rows, size_t cols,
                                            size_t count, const int32_t *i,
                                            const int32_t *j, const double *x,
                                            perp_error *err);
/** An uninitialised CSR (block_size 1) or BSR (block_size > 1) matrix with memory for `count`
 *  entries; the caller fills ptr, col and x with ascending columns. */
perp_status perp_operator_new_sparse(perp_operator **A, size_t rows, size_t cols,
                                     size_t block_size, size_t count, perp_error *err);

/* The same from arrays that are borrowed: they must outlive the operator. They are read only,
 * unless the caller changes the operator itself (perp_operator_scale, _add_diagonal). */

/** As perp_operator_dense_new, _csr_new and _bsr_new, with the numbers borrowed. */
perp_status perp_operator_borrow_dense(perp_operator **A, size_t rows, size_t cols,
                                       const double *x, size_t ld, perp_error *err);
perp_status perp_operator_borrow_csr(perp_operator **A, size_t rows, size_t cols,
                                     const size_t *ptr, const int32_t *col,
                                     const double *x, perp_error *err);
perp_status perp_operator_borrow_bsr(perp_operator **A, size_t rows, size_t cols,
                                     size_t block_size, const size_t *ptr,
                                     const int32_t *col, const double *x,
                                     perp_error *err);

/* From other operators. */

/** A copy that owns all it has. PERP_ERR_MEMORY: *out is NULL. */
perp_status perp_operator_copy(perp_operator **out, const perp_operator *A,
                               perp_error *err);
/** The same matrix with scratch of its own, for another thread. Borrows all numbers of A,
 *  which must outlive it and stay as they are. */
perp_status perp_operator_new_view(perp_operator **out, const perp_operator *A,
                                   perp_error *err);
/** The same matrix in another storage; block_size matters for BSR only, and must divide both
 *  dimensions. Dense to sparse drops exact zeros off the diagonal; blocks are filled. Only
 *  PAIRS can be converted to FACTORED, and none to PAIRS: PERP_ERR_ARGUMENT. */
perp_status perp_operator_convert(perp_operator **out, const perp_operator *A,
                                  perp_storage storage, size_t block_size,
                                  perp_error *err);
/** (A + A^T)/2 in the same storage (pattern of the union); of PAIRS that were scaled
 *  differently from both sides in storage FACTORED. */
perp_status perp_operator_symmetric_part(perp_operator **out, const perp_operator *A,
                                         perp_error *err);
/** The transpose, in the same storage. */
perp_status perp_operator_transpose(perp_operator **out, const perp_operator *A,
                                    perp_error *err);
void perp_operator_free(perp_operator *A); /* NULL is allowed */

/* What every solver uses. */

/** y := A x; x has cols, y has rows entries; no overlap. */
void perp_operator_apply(const perp_operator *A, const double *x, double *y);
/** y := A^T x. */
void perp_operator_apply_transposed(const perp_operator *A, const double *x, double *y);
/** Row i of A times x. */
double perp_operator_row_dot(const perp_operator *A, size_t i, const double *x);
/** y[0..dim-1] := rows first..first+dim-1 of A z. */
void perp_operator_rows_dot(const perp_operator *A, size_t first, size_t dim,
                            const double *z, double *y);
/** out[j] += scale * A_ij for all j; out has cols entries. */
void perp_operator_row_add(const perp_operator *A, size_t i, double scale, double *out);
/** Call visit(context, j, A_ij) for each stored entry of row i, j ascending. */
void perp_operator_row_visit(const perp_operator *A, size_t i,
                             void (*visit)(void *context, size_t j, double a),
                             void *context);
/** Entry (i, j); 0 where nothing is stored. */
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
/** Stored scalars (BSR: block_size^2 per block): 2 * this = flops of a product. */
size_t perp_operator_nonzeros(const perp_operator *A);
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

/* J M^-1 J^T + C kept in factors, as contacts of bodies make it. M is block diagonal, so that
 * G = M^-1 J^T is as sparse as J; W itself is never formed. */

/** FACTORED from J (rows x nv, dense or sparse), M^-1 (nv x nv, block diagonal: its CSR
 *  pattern, explicit zeros dropped, falls into blocks) and the diagonal of C (rows, or NULL
 *  for 0). Copies. */
perp_status perp_operator_new_factored(perp_operator **A, const perp_operator *J,
                                       const perp_operator *Minv, const double *C,
                                       perp_error *err);
/** The same from both factors, in CSR with the same columns in each row: J, and
 *  G = J M^-T, which is not checked. For callers that have multiplied by M^-1 already.
 *  Copies. PERP_ERR_DATA: patterns that differ or do not ascend. */
perp_status perp_operator_new_factors(perp_operator **A, const perp_operator *J,
                                      const perp_operator *G, const double *C,
                                      perp_error *err);

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

PERP_END_DECLS

#endif
