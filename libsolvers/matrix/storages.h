/* SPDX-License-Identifier: Apache-2.0
 * matrix/storages.h: what the files of the storages share. Private. */
#ifndef PERP_CORE_OPERATORS_H
#define PERP_CORE_OPERATORS_H

#include "core/solvers.h"

/** Room for a*b items of `size` bytes, aligned; never of length zero. NULL without memory. */
void *perp_operator_array(size_t a, size_t b, size_t size);
/** PERP_ERR_DATA when an extent is beyond int. */
perp_status perp_operator_check_extents(size_t rows, size_t cols, perp_error *err);
/** An operator without arrays; PERP_ERR_DATA when an extent is beyond int. */
perp_status perp_operator_blank(perp_operator **A, const perp_operator_type *type,
                                size_t rows, size_t cols, perp_error *err);

/** part[i] := the least index that the nonzeros of a square CSR matrix join i to. */
void perp_operator_parts(const perp_operator *A, int32_t *part);

/* Of a factored matrix. */

void perp_factored_free(perp_factored *f); /* takes NULL */
perp_status perp_factored_copy(perp_operator **out, const perp_operator *A,
                               perp_error *err);
/** From J and G, both rows x nv in CSR, and the diagonal of C. Copies. */
perp_status perp_factored_of_copies(perp_operator **out, const perp_operator *J,
                                    const perp_operator *G, const double *C,
                                    perp_error *err);
/** G M^-T J^T + C: J and G change places. */
perp_status perp_factored_transpose(perp_operator **out, const perp_operator *A,
                                    perp_error *err);
/** [J G] [G J]^T / 2 + C, or a copy where A is symmetric already. */
perp_status perp_factored_symmetric_part(perp_operator **out, const perp_operator *A,
                                         perp_error *err);
/** Whether its parts are finite and so small that no entry can overflow. */
bool perp_factored_bounded(const perp_operator *A);
bool perp_factored_same(const perp_operator *A, const perp_operator *B);

/* Of rows of two bodies (perp_operator_new_pairs). */

extern const perp_operator_type perp_operator_pairs; /* its storage is FACTORED too */

/** The arrays at work: those of the caller, or the operator's own. */
typedef struct perp_pair_rows {
    perp_pairs at;
    /* the operator's own arrays, which `at` then points to, or NULL */
    double *J, *inverse_mass, *inverse_inertia;
    int32_t *body;
    bool scaled;          /* left and right hold */
    double *left, *right; /* rows: W = left J M^-1 J^T right + C */
    size_t *start;        /* bodies + 1, or NULL while nobody asked for lists */
    int32_t *touch;       /* rows that touch body k, ascending: touch[start[k]..] */
} perp_pair_rows;

/** A row and its neighbours. */
typedef struct perp_pair_walk {
    size_t row;
    double g[12];         /* M^-1 of both bodies times the row */
    const int32_t *at[2]; /* next of the rows of each body */
    const int32_t *end[2];
    size_t next;     /* where there are no lists: all rows from here on */
    bool lists, met; /* met: the row itself has been */
} perp_pair_walk;

/** out := M^-1 f of a body; 6 numbers each. */
void perp_pairs_divide(const perp_pair_rows *f, int32_t body, const double *f6,
                       double *out);
/** Lists of the groups of e rows that touch each body: body k those from touch[start[k]] to
 *  touch[start[k + 1] - 1], ascending. Both are to be freed; false without memory. */
bool perp_pairs_lists(const perp_pairs *p, size_t e, size_t **start, int32_t **touch);
/** Lists of the rows of each body; false without memory: then rows are searched. */
bool perp_pairs_index(perp_pair_rows *f);
void perp_pairs_walk(perp_pair_walk *w, const perp_operator *A, size_t row);
/** The next row that shares a body with the row, or is it, ascending. */
bool perp_pairs_next(perp_pair_walk *w, const perp_operator *A, size_t *j);
/** The entry of the row in column j. */
double perp_pairs_value(const perp_pair_walk *w, const perp_operator *A, size_t j);
bool perp_pairs_moves(const perp_pair_rows *f, int32_t body);

void perp_pairs_velocity(const perp_operator *A, const double *z, double *v);
void perp_pairs_rows_dot(const perp_operator *A, size_t first, size_t dim,
                         const double *v, double *y);
void perp_pairs_rows_add(const perp_operator *A, size_t first, size_t dim,
                         const double *dz, double *v);
void perp_pairs_diagonal_block(const perp_operator *A, size_t first, size_t dim,
                               double *D);
/** A number that no entry of row i exceeds, from diagonals; infinite where there is none. */
double perp_pairs_row_bound(const perp_operator *A, size_t i, double largest_diagonal);

void perp_pairs_free(perp_pair_rows *f); /* takes NULL */
/** A copy that owns its arrays; `turn`: of the transpose. */
perp_status perp_pairs_copy(perp_operator **out, const perp_operator *A, bool turn,
                            perp_error *err);
bool perp_pairs_same(const perp_operator *A, const perp_operator *B);
bool perp_pairs_bounded(const perp_operator *A);
/** Whether rows I*e .. I*e+e-1 act on the same two bodies, for all I. */
bool perp_pairs_aligned(const perp_operator *A, size_t e);
/** W in CSR (e = 1, zeros off the diagonal dropped) or in blocks of aligned rows. */
perp_status perp_pairs_multiply(perp_operator **out, const perp_operator *A, size_t e,
                                perp_error *err);

#endif
