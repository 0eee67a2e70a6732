/* SPDX-License-Identifier: Apache-2.0
 * matrix/storages.h: what the files of the storages share, and the parts of matrices in
 * factors for the kernels that read them. Private. */
#ifndef PERP_MATRIX_STORAGES_H
#define PERP_MATRIX_STORAGES_H

#include "core/solvers.h"

typedef struct perp_factored perp_factored;
typedef struct perp_pair_rows perp_pair_rows;

/** What a storage provides: the functions of the same names in <perp/operator.h>. All
 *  matrices here are valid; their sizes were checked by the constructor. */
typedef struct perp_operator_methods {
    void (*apply)(const perp_operator *A, const double *x, double *y);
    void (*apply_transposed)(const perp_operator *A, const double *x, double *y);
    void (*rows_dot)(const perp_operator *A, size_t first, size_t dim, const double *z,
                     double *y);
    double (*entry)(const perp_operator *A, size_t i, size_t j);
    void (*row_add)(const perp_operator *A, size_t i, double scale, double *out);
    void (*row_visit)(const perp_operator *A, size_t i,
                      void (*visit)(void *context, size_t j, double a), void *context);
    void (*scale)(perp_operator *A, const double *left, const double *right);
} perp_operator_methods;

/** Memory for a*b items of `size` bytes, aligned; never of length zero. NULL without memory. */
void *perp_operator_array(size_t a, size_t b, size_t size);
/** PERP_ERR_DATA when an extent is beyond int. */
perp_status perp_operator_check_extents(size_t rows, size_t cols, perp_error *err);
/** The errors of blocks that do not divide an extent, and of a leading dimension below the
 *  rows; each returns its status. */
perp_status perp_operator_bad_blocks(size_t rows, size_t cols, size_t block_size,
                                     perp_error *err);
perp_status perp_operator_bad_leading(size_t rows, size_t cols, size_t ld,
                                      perp_error *err);
/** An operator without arrays; PERP_ERR_DATA when an extent is beyond int. */
perp_status perp_operator_blank(perp_operator **A, const perp_operator_type *type,
                                size_t rows, size_t cols, perp_error *err);

/** max |A_ij| and max |A_ij - A_ji| of a dense square matrix, NaN where an entry is NaN. */
void perp_dense_measure(const perp_operator *A, double *largest, double *gap);

/** perp_operator_new_dense without zeros. */
perp_status perp_operator_new_dense_raw(perp_operator **A, size_t rows, size_t cols,
                                        perp_error *err);
/** D A D of a dense square matrix, for powers of two. */
perp_status perp_dense_new_scaled(perp_operator **out, const perp_operator *A,
                                  const double *D, perp_error *err);

/* Of a CSR matrix. */
void perp_csr_rows_dot(const perp_operator *A, size_t first, size_t dim, const double *z,
                       double *y);
void perp_csr_row_add(const perp_operator *A, size_t i, double scale, double *out);

/* Connected components of n nodes, within int32_t. Roots are the least index of each. */

/** Every node alone. */
void perp_parts_start(int32_t *part, size_t n);
void perp_parts_join(int32_t *part, size_t i, size_t j);
/** part[i] := its root. */
void perp_parts_finish(int32_t *part, size_t n);
/** The nodes sorted by their roots: those of root r, ascending, are member[start[r]] ..
 *  member[start[r+1]-1]. `start` has n+2 entries. */
void perp_parts_list(const int32_t *part, size_t n, size_t *start, int32_t *member);
/** part[i] := the least index that the nonzeros of a square CSR matrix join i to. */
void perp_operator_parts(const perp_operator *A, int32_t *part);

/** The diagonal of C of FACTORED and PAIRS: rows numbers. */
double *perp_operator_compliance(const perp_operator *A);

/* FACTORED: sparse rows. J and G store the same columns in each row, so that rows that touch
 * the same bodies are read together. */

struct perp_factored {
    size_t nv;        /* velocities */
    double *C;        /* rows: diagonal of C */
    perp_operator *J; /* rows x nv, CSR */
    perp_operator *G; /* rows x nv, CSR: row i is M^-1 J_i^T; blocks of M filled */
    /* nv x rows: the transpose of G, for the entries of a row; NULL until
     * perp_factored_ensure_transpose */
    perp_operator *Gt;
    perp_operator *Minv; /* nv x nv, CSR: what G was made with, or NULL */
    unsigned char
        *run;         /* rows: number of rows from here on that store the same columns */
    double *v;        /* nv: scratch */
    double *sum;      /* rows: scratch, a row as it is summed */
    int32_t *touched; /* rows: scratch, its columns */
    unsigned char *mark; /* rows: scratch, whether a column is among them */
    void *block;         /* the memory of all arrays, or of the scratch of a view */
    bool borrows_transpose, borrows_masses;
};

void perp_factored_free(perp_factored *f); /* NULL is allowed */
perp_status perp_factored_copy(perp_operator **out, const perp_operator *A,
                               perp_error *err);
/** out->factored := the parts of A with scratch of their own. */
perp_status perp_factored_view(perp_operator *out, const perp_operator *A,
                               perp_error *err);
/** From J and G, both rows x nv in CSR, and the diagonal of C. Copies. */
perp_status perp_factored_of_copies(perp_operator **out, const perp_operator *J,
                                    const perp_operator *G, const double *C,
                                    perp_error *err);
/** Build Gt of a FACTORED matrix unless it is there; false without memory. */
bool perp_factored_ensure_transpose(const perp_operator *A);
/** The length of the longest row of G, and an upper bound of the entries of row i by it. */
double perp_factored_longest(const perp_operator *A);
double perp_factored_row_bound(const perp_operator *A, size_t i, double longest);
/** G M^-T J^T + C: J and G change places. */
perp_status perp_factored_transpose(perp_operator **out, const perp_operator *A,
                                    perp_error *err);
/** [J G] [G J]^T / 2 + C, or a copy where A is symmetric already. */
perp_status perp_factored_symmetric_part(perp_operator **out, const perp_operator *A,
                                         perp_error *err);
/** Whether its parts are finite and so small that no entry can overflow. */
bool perp_factored_bounded(const perp_operator *A);
bool perp_factored_same(const perp_operator *A, const perp_operator *B);

/* PAIRS: rows on two bodies. */

/** The arrays at work: those of the caller, or the operator's own. */
struct perp_pair_rows {
    perp_pairs at; /* frames_from = rows where there are no frames */
    size_t nv;     /* velocities */
    double *C;     /* rows: diagonal of C */
    /* the operator's own arrays, which `at` then points to, or NULL */
    double *J, *frames, *inverse_mass, *inverse_inertia;
    int32_t *body;
    bool scaled;          /* left and right hold */
    double *left, *right; /* rows: W = left J M^-1 J^T right + C */
    double *v;            /* nv: scratch */
    size_t *start;        /* bodies + 1, or NULL until perp_pairs_index */
    int32_t *touch;       /* rows that touch body k, ascending: touch[start[k]..] */
    bool view;            /* C, left and right belong to another operator */
    bool borrows_lists;
};

/** Whether row i is one of a contact that is kept as a frame, and which. */
static inline bool perp_pairs_framed(const perp_pairs *p, size_t i)
{
    return i >= p->frames_from;
}

static inline size_t perp_pairs_contact(const perp_pairs *p, size_t i)
{
    return (i - p->frames_from) / 3;
}

/** The frame of the contact that row i belongs to: F, p, q. */
static inline const double *perp_pairs_frame(const perp_pairs *p, size_t i)
{
    return p->frames + 15 * perp_pairs_contact(p, i);
}

/** The two bodies of row i. */
static inline const int32_t *perp_pairs_body(const perp_pairs *p, size_t i)
{
    return p->body +
           2 * (perp_pairs_framed(p, i) ? p->frames_from + perp_pairs_contact(p, i) : i);
}

/** Whether rows i and j name the same two bodies. */
static inline bool perp_pairs_together(const perp_pairs *p, size_t i, size_t j)
{
    const int32_t *a = perp_pairs_body(p, i), *b = perp_pairs_body(p, j);

    return a[0] == b[0] && a[1] == b[1];
}

/** Pairs of bodies in `body`. */
static inline size_t perp_pairs_body_count(const perp_pairs *p)
{
    return p->frames_from + perp_pairs_contact(p, p->rows);
}

/** A row and its neighbours. */
typedef struct perp_pair_walk {
    size_t row;
    double g[12];         /* M^-1 of both bodies times the row */
    const int32_t *at[2]; /* next of the rows of each body */
    const int32_t *end[2];
    size_t next;     /* without lists: all rows from here on */
    bool lists, met; /* met: the row itself has been visited */
} perp_pair_walk;

/** out := M^-1 f of a body; 6 numbers each, no overlap. */
static inline void perp_pairs_divide(const perp_pair_rows *f, int32_t body,
                                     const double *f6, double *out)
{
    double m = f->at.inverse_mass[body];
    const double *turn = f->at.inverse_inertia + 9 * (size_t)body;

    out[0] = m * f6[0];
    out[1] = m * f6[1];
    out[2] = m * f6[2];
    out[3] = turn[0] * f6[3] + turn[1] * f6[4] + turn[2] * f6[5];
    out[4] = turn[1] * f6[3] + turn[4] * f6[4] + turn[5] * f6[5];
    out[5] = turn[2] * f6[3] + turn[5] * f6[4] + turn[8] * f6[5];
}

static inline double perp_pairs_dot6(const double *J, const double *v)
{
    return (J[0] * v[0] + J[1] * v[1]) + (J[2] * v[2] + J[3] * v[3]) +
           (J[4] * v[4] + J[5] * v[5]);
}

/** Entry (i, j) of W. */
double perp_pairs_entry(const perp_operator *A, size_t i, size_t j);
/** Lists of the groups of e rows that touch each body: body k those from touch[start[k]] to
 *  touch[start[k + 1] - 1], ascending. The caller frees both; false without memory. */
bool perp_pairs_lists(const perp_pairs *p, size_t e, size_t **start, int32_t **touch);
/** Build the lists of the rows of each body unless they are there; false without memory: then
 *  rows are searched. */
bool perp_pairs_index(perp_pair_rows *f);
void perp_pairs_walk(perp_pair_walk *w, const perp_operator *A, size_t row);
/** The next row that shares a body with the row, or is it, ascending. */
bool perp_pairs_next(perp_pair_walk *w, const perp_operator *A, size_t *j);
/** The entry of the row in column j. */
double perp_pairs_value(const perp_pair_walk *w, const perp_operator *A, size_t j);
bool perp_pairs_moves(const perp_pair_rows *f, int32_t body);
/** The frame (15) of three rows on two bodies that begin with `row`: as it is kept, or found in J.
 *  Arms of what never moves are 0. False where rows are not those of a contact, to rounding. */
bool perp_pairs_find_frame(const perp_pair_rows *f, size_t row, double *frame);
/** Whether each row of W has the factor of its column. */
bool perp_pairs_scaled_evenly(const perp_operator *A);

void perp_pairs_velocity(const perp_operator *A, const double *z, double *v);
/** push[12] := J^T z of rows from .. to-1, which act on the same two bodies. */
void perp_pairs_push(const perp_operator *A, size_t from, size_t to, const double *z,
                     double *push);
void perp_pairs_rows_dot(const perp_operator *A, size_t first, size_t dim,
                         const double *v, double *y);
void perp_pairs_rows_add(const perp_operator *A, size_t first, size_t dim,
                         const double *dz, double *v);
void perp_pairs_diagonal_block(const perp_operator *A, size_t first, size_t dim,
                               double *D);

/** The parts of a product W z. Each is computed for a range and reads what the one before has
 *  written for all: push of the runs of rows on the same two bodies, velocities v of the bodies,
 *  and rows of W z. */
typedef struct perp_pairs_parts {
    const perp_operator *A;
    size_t runs, bodies;
    size_t *first; /* runs + 1: first row of each */
    size_t *start; /* bodies + 1 */
    uint32_t
        *side; /* of body k from start[k] on: 2 run + (0: first body, 1: second body) */
    double *push; /* 12 per run */
    double *v;    /* 6 per body */
} perp_pairs_parts;

/** Lists and memory; false without memory. */
bool perp_pairs_parts_init(perp_pairs_parts *s, const perp_operator *A,
                           perp_workspace *ws);
/** Runs from .. to-1. */
void perp_pairs_parts_push(const perp_pairs_parts *s, size_t from, size_t to,
                           const double *z);
/** Bodies from .. to-1. */
void perp_pairs_parts_gather(const perp_pairs_parts *s, size_t from, size_t to);
/** Rows first .. first+dim-1 of w := W z. */
void perp_pairs_parts_rows(const perp_pairs_parts *s, size_t first, size_t dim,
                           const double *z, double *w);

void perp_pairs_free(perp_pair_rows *f); /* NULL is allowed */
/** A copy that owns its arrays; `transposed`: of the transpose. */
perp_status perp_pairs_copy(perp_operator **out, const perp_operator *A, bool transposed,
                            perp_error *err);
/** out->pairs := the parts of A with scratch of their own. */
perp_status perp_pairs_view(perp_operator *out, const perp_operator *A, perp_error *err);
/** The same matrix in storage FACTORED. */
perp_status perp_pairs_expand(perp_operator **out, const perp_operator *A,
                              perp_error *err);
perp_status perp_pairs_symmetric_part(perp_operator **out, const perp_operator *A,
                                      perp_error *err);
bool perp_pairs_same(const perp_operator *A, const perp_operator *B);
bool perp_pairs_bounded(const perp_operator *A);
/** Whether rows I*e .. I*e+e-1 act on the same two bodies, for all I. */
bool perp_pairs_aligned(const perp_operator *A, size_t e);
/** W in CSR (e = 1, zeros off the diagonal dropped) or in blocks of aligned rows. */
perp_status perp_pairs_multiply(perp_operator **out, const perp_operator *A, size_t e,
                                perp_error *err);

#endif
