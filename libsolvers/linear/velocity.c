/* SPDX-License-Identifier: Apache-2.0
 * linear/velocity.c: (J M^-1 J^T + E)^-1 by the formula of Sherman, Morrison and Woodbury.
 *
 * A row of S is summed in a dense vector: for each block of rows that acts on the velocity, one
 * row of G_k^T E_k^-1 times J_k. Cost of S: nnz(G) times the entries of J per block; memory: G
 * once more by columns, S, and the blocks of E^-1. */
#include <config.h>

#include "block_shift.h"
#include "matrix/storages.h"
#include "velocity.h"

enum { velocity_dim = 5 /* rows of the largest block, a rolling contact */ };

/* Block k of E: of the set, or the row alone. */
static perp_block velocity_block(const perp_velocity *s, size_t k)
{
    return s->set ? s->set->blocks[k] : (perp_block){.first = k, .dim = 1};
}

static size_t velocity_block_count(const perp_velocity *s)
{
    return s->set ? s->set->count : s->A->rows;
}

/* Bytes of the sparse rows: J and G, their scratch. */
static size_t velocity_bytes(const perp_factored *f, size_t rows)
{
    size_t entry = sizeof *f->J->x + sizeof *f->J->col;

    return entry * (f->J->count + f->G->count) + 8 * rows * sizeof(double) +
           f->nv * sizeof(double);
}

static perp_status velocity_expand(perp_velocity *s, perp_error *err)
{
    size_t bytes = 0;
    perp_status status = PERP_OK;

    if (!s->A->pairs) {
        return PERP_OK;
    }
    status = perp_operator_convert(&s->expanded, s->A, PERP_STORAGE_FACTORED, 1, err);
    if (status != PERP_OK) {
        return status;
    }
    bytes = velocity_bytes(s->expanded->factored, s->A->rows);
    if (!perp_workspace_charge(s->ws, bytes)) {
        return perp_workspace_status(s->ws, err);
    }
    s->charged = bytes;
    return PERP_OK;
}

static void velocity_alloc(perp_velocity *s, const perp_operator *G)
{
    size_t blocks = velocity_block_count(s);
    size_t area = 0;

    for (size_t k = 0; k < blocks; k++) {
        area += (size_t)velocity_block(s, k).dim * velocity_block(s, k).dim;
    }
    s->Gt_ptr = perp_workspace_sizes(s->ws, s->nv + 2);
    s->Gt_row = perp_workspace_alloc(s->ws, G->ptr[G->rows], sizeof *s->Gt_row);
    s->Gt_x = perp_workspace_reals(s->ws, G->ptr[G->rows]);
    s->block = perp_workspace_alloc(s->ws, s->A->rows, sizeof *s->block);
    s->start = perp_workspace_sizes(s->ws, blocks);
    s->inverse = perp_workspace_reals(s->ws, area);
    s->row = perp_workspace_reals(s->ws, s->nv);
    s->v = perp_workspace_reals(s->ws, s->nv);
    s->x = perp_workspace_reals(s->ws, s->A->rows);
}

static void velocity_index_blocks(perp_velocity *s)
{
    size_t area = 0;

    for (size_t k = 0; k < velocity_block_count(s); k++) {
        perp_block block = velocity_block(s, k);

        s->start[k] = area;
        area += (size_t)block.dim * block.dim;
        for (unsigned i = 0; i < block.dim; i++) {
            s->block[block.first + i] = (int32_t)k;
        }
    }
}

/* G by columns; rows ascend in each. */
static void velocity_transpose(perp_velocity *s, const perp_operator *G)
{
    for (size_t e = 0; e < G->ptr[G->rows]; e++) {
        s->Gt_ptr[(size_t)G->col[e] + 2]++;
    }
    for (size_t a = 2; a < s->nv + 2; a++) {
        s->Gt_ptr[a] += s->Gt_ptr[a - 1];
    }
    for (size_t i = 0; i < G->rows; i++) {
        for (size_t e = G->ptr[i]; e < G->ptr[i + 1]; e++) {
            size_t at = s->Gt_ptr[(size_t)G->col[e] + 1]++;

            s->Gt_row[at] = (int32_t)i;
            s->Gt_x[at] = G->x[e];
        }
    }
}

/* The columns of a row of S. */
typedef struct velocity_pattern {
    size_t *seen;  /* nv: a + 1 where row a has the column */
    int32_t *cols; /* nv + 1 */
    size_t count;
} velocity_pattern;

/* Velocities that share a block of rows with velocity a. */
static void velocity_neighbours(const perp_velocity *s, velocity_pattern *t, size_t a)
{
    size_t last = SIZE_MAX;

    t->count = 1;
    t->cols[0] = (int32_t)a;
    t->seen[a] = a + 1;
    for (size_t e = s->Gt_ptr[a]; e < s->Gt_ptr[a + 1]; e++) {
        size_t k = (size_t)s->block[s->Gt_row[e]];
        perp_block block = velocity_block(s, k);

        for (size_t c = s->J->ptr[block.first];
             k != last && c < s->J->ptr[block.first + block.dim]; c++) {
            int32_t b = s->J->col[c];

            if (t->seen[b] != a + 1) {
                t->seen[b] = a + 1;
                t->cols[t->count++] = b;
            }
        }
        last = k;
    }
    qsort(t->cols, t->count, sizeof *t->cols, perp_compare_int32);
}

static void velocity_pattern_alloc(perp_velocity *s, velocity_pattern *t)
{
    t->seen = perp_workspace_sizes(s->ws, s->nv);
    t->cols = perp_workspace_alloc(s->ws, s->nv + 1, sizeof *t->cols);
}

/* S with its pattern: counted, then written; dense where it is nearly full. */
static perp_status velocity_shape(perp_velocity *s, perp_error *err)
{
    size_t mark = perp_workspace_mark(s->ws);
    size_t entries = 0;
    velocity_pattern t = {0};
    perp_status status = PERP_OK;

    velocity_pattern_alloc(s, &t);
    status = perp_workspace_status(s->ws, err);
    if (status != PERP_OK) {
        return status;
    }
    for (size_t a = 0; a < s->nv; a++) {
        velocity_neighbours(s, &t, a);
        entries += t.count;
    }
    perp_workspace_release(s->ws, mark);
    if ((double)entries > PERP_FACTOR_FULL * (double)s->nv * (double)s->nv) {
        s->S = perp_workspace_dense(s->nv, s->nv, s->ws);
        return perp_workspace_status(s->ws, err);
    }
    s->S = perp_workspace_csr(s->nv, s->nv, entries, s->ws);
    mark = perp_workspace_mark(s->ws);
    velocity_pattern_alloc(s, &t);
    status = perp_workspace_status(s->ws, err);
    if (status != PERP_OK) {
        return status;
    }
    for (size_t a = 0; a < s->nv; a++) {
        velocity_neighbours(s, &t, a);
        memcpy(s->S->col + s->S->ptr[a], t.cols, t.count * sizeof *t.cols);
        s->S->ptr[a + 1] = s->S->ptr[a] + t.count;
    }
    perp_workspace_release(s->ws, mark);
    return PERP_OK;
}

perp_status perp_velocity_setup(perp_velocity *s, const perp_operator *A,
                                const perp_set *set, perp_workspace *ws, perp_error *err)
{
    const perp_factored *f = NULL;
    perp_status status = PERP_OK;

    *s = (perp_velocity){.A = A, .set = set, .ws = ws};
    status = velocity_expand(s, err);
    if (status != PERP_OK) {
        return status;
    }
    f = s->expanded ? s->expanded->factored : A->factored;
    s->J = f->J;
    s->nv = f->nv;
    velocity_alloc(s, f->G);
    status = perp_workspace_status(ws, err);
    if (status != PERP_OK) {
        return status;
    }
    velocity_index_blocks(s);
    velocity_transpose(s, f->G);
    return velocity_shape(s, err);
}

void perp_velocity_close(perp_velocity *s)
{
    if (s->expanded) {
        perp_operator_free(s->expanded);
        perp_workspace_discharge(s->ws, s->charged);
        s->expanded = NULL;
    }
}

/* Y := X^-1, dim x dim column-major, by Gauss and Jordan with diagonal pivots. X is overwritten.
 * False at a pivot that is not positive. */
static bool velocity_invert(unsigned dim, double *X, double *Y)
{
    for (unsigned i = 0; i < dim * dim; i++) {
        Y[i] = i % (dim + 1) == 0 ? 1.0 : 0.0;
    }
    for (unsigned p = 0; p < dim; p++) {
        double pivot = X[p + p * dim];

        if (!(pivot > 0.0) || !isfinite(pivot)) {
            return false;
        }
        for (unsigned j = 0; j < dim; j++) {
            X[p + j * dim] /= pivot;
            Y[p + j * dim] /= pivot;
        }
        for (unsigned i = 0; i < dim; i++) {
            double factor = i == p ? 0.0 : X[i + p * dim];

            for (unsigned j = 0; j < dim; j++) {
                X[i + j * dim] -= factor * X[p + j * dim];
                Y[i + j * dim] -= factor * Y[p + j * dim];
            }
        }
    }
    return true;
}

bool perp_velocity_set(perp_velocity *s, const double *D)
{
    const double *C = perp_operator_compliance(s->A);

    for (size_t k = 0; k < velocity_block_count(s); k++) {
        perp_block block = velocity_block(s, k);
        double E[velocity_dim * velocity_dim];

        memcpy(E, D + s->start[k], (size_t)block.dim * block.dim * sizeof *E);
        for (unsigned i = 0; i < block.dim; i++) {
            E[i + i * block.dim] += C[block.first + i];
        }
        if (!velocity_invert(block.dim, E, s->inverse + s->start[k])) {
            return false;
        }
    }
    return true;
}

/* s->row += the part of row a of S that one block makes, whose rows are Gt[e..end-1]. */
static void velocity_add_block(perp_velocity *s, size_t k, size_t e, size_t end)
{
    perp_block block = velocity_block(s, k);
    const double *inverse = s->inverse + s->start[k];
    const perp_operator *J = s->J;

    for (unsigned j = 0; j < block.dim; j++) {
        size_t row = block.first + j;
        double g = 0.0;

        for (size_t m = e; m < end; m++) {
            g += s->Gt_x[m] * inverse[(size_t)s->Gt_row[m] - block.first + j * block.dim];
        }
        for (size_t c = J->ptr[row]; c < J->ptr[row + 1]; c++) {
            s->row[J->col[c]] += g * J->x[c];
        }
    }
}

/* Row a of S from the vector, which is 0 again afterwards. */
static void velocity_store_row(perp_velocity *s, size_t a)
{
    perp_operator *S = s->S;

    if (!S->ptr) {
        for (size_t b = 0; b < s->nv; b++) {
            S->x[a + b * S->ld] = s->row[b];
        }
        memset(s->row, 0, s->nv * sizeof *s->row);
        return;
    }
    for (size_t c = S->ptr[a]; c < S->ptr[a + 1]; c++) {
        S->x[c] = s->row[S->col[c]];
        s->row[S->col[c]] = 0.0;
    }
}

void perp_velocity_fill(perp_velocity *s)
{
    for (size_t a = 0; a < s->nv; a++) {
        s->row[a] = 1.0;
        for (size_t e = s->Gt_ptr[a], end = e; e < s->Gt_ptr[a + 1]; e = end) {
            int32_t k = s->block[s->Gt_row[e]];

            while (end < s->Gt_ptr[a + 1] && s->block[s->Gt_row[end]] == k) {
                end++;
            }
            velocity_add_block(s, (size_t)k, e, end);
        }
        velocity_store_row(s, a);
    }
}

/* y := E^-1 x; y may be x. */
static void velocity_divide(const perp_velocity *s, const double *x, double *y)
{
    for (size_t k = 0; k < velocity_block_count(s); k++) {
        perp_block block = velocity_block(s, k);
        const double *inverse = s->inverse + s->start[k];
        double sum[velocity_dim] = {0};

        for (unsigned j = 0; j < block.dim; j++) {
            for (unsigned i = 0; i < block.dim; i++) {
                sum[i] += inverse[i + j * block.dim] * x[block.first + j];
            }
        }
        memcpy(y + block.first, sum, block.dim * sizeof *y);
    }
}

void perp_velocity_solve(perp_velocity *s, perp_factor *S, double *x)
{
    size_t n = s->A->rows;

    velocity_divide(s, x, s->x);
    perp_factored_velocity(s->A, s->x, s->v);
    perp_factor_solve(S, s->v);
    perp_factored_rows_dot(s->A, 0, n, s->v, s->x);
    for (size_t i = 0; i < n; i++) {
        x[i] -= s->x[i];
    }
    velocity_divide(s, x, x);
}
