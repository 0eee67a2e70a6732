/* SPDX-License-Identifier: Apache-2.0
 * linear/block_factor.c: Cholesky and LDU factorisations of sparse matrices of square blocks.
 *
 *     Cholesky:  L_jj L_jj^T = S_jj - sum L_jk L_jk^T,   L_ij = (S_ij - sum L_ik L_jk^T) L_jj^-T
 *     LDU:       D_j = S_jj - sum L_jk U_kj,   L_ij = (S_ij - sum L_ik U_kj) D_j^-1,
 *                U_ji = S_ji - sum L_jk U_ki,           sums over k < j, P omitted
 *
 * Column by column from the left. The blocks L_ik of one column k, i >= j, are consecutive, so
 * that one call of a kernel subtracts all products with L_jk. U is stored transposed, in the
 * pattern of L: the LDU factorisation is the same kernel twice. The order of sums is fixed by the
 * pattern, and the instruction sets give the same bits.
 * Above 1e9 flops, where the factors outgrow the caches, supernodes take the place of blocks:
 * linear/block_super.h.
 * A pivot block fails as linear/block_pivot.c says, after which the factors are not usable.
 * Cost for s x s blocks: s^3 (c^2 + c + 1/3) flops per column of c blocks below the diagonal,
 * twice that for LDU; a solve reads the factors twice (LDU: once each).
 * Memory: 8 s^2 + 8 bytes per block of L, and 8 s^2 per block of U. */
#include <config.h>

#include "block_kernel.h"
#include "block_order.h"
#include "block_pivot.h"
#include "block_super.h"

/* Above these flops of a Cholesky factorisation dense panels are faster than columns of blocks. */
#define BLOCK_FACTOR_LARGE 1e9

struct perp_block_factor {
    perp_workspace *run; /* that counts the memory, */
    perp_workspace *own; /* which is here */
    size_t charged;      /* bytes of `own` that are counted */
    unsigned size, area; /* s, s^2 */
    perp_block_order o;
    const perp_block_kernel *kernel;
    perp_block_factor_kind kind;
    size_t failed;
    double *D;      /* diagonal blocks as linear/block_pivot.h leaves them */
    double *L;      /* blocks below the diagonal, in the order of o.row */
    double *U;      /* LDU: the transposed blocks right of it */
    int32_t *pivot; /* LDU: rows of D, s per block */
    size_t *next;   /* blocks: the next entry of each column that a later column reads */
    perp_panel_scratch scratch;
    double *x; /* blocks s: the permuted vector of a solve */

    perp_block_factor_way way; /* by supernodes: */
    perp_supernodes super;
    perp_panels panels;
};

void perp_block_factor_close(perp_block_factor *f)
{
    if (f) {
        perp_workspace_discharge(f->run, f->charged);
        perp_workspace_free(f->own); /* f as well */
    }
}

/* Count what `own` holds now. */
static perp_status block_factor_charge(perp_block_factor *f, perp_error *err)
{
    size_t more = perp_workspace_bytes(f->own) - f->charged;

    if (!perp_workspace_charge(f->run, more)) {
        return perp_workspace_status(f->run, err);
    }
    f->charged += more;
    return PERP_OK;
}

/* Memory that both kinds need. */
static perp_status block_factor_take(perp_block_factor *f, perp_error *err)
{
    size_t n = f->o.blocks;
    perp_status status = PERP_OK;

    f->x = perp_workspace_alloc(f->own, n, f->size * sizeof *f->x);
    if (f->way == PERP_BLOCK_BY_SUPERNODES) {
        status = perp_supernodes_find(&f->super, &f->o, f->size, f->own, err);
        return status == PERP_OK
                   ? perp_panel_scratch_take(&f->scratch, &f->super, f->own, err)
                   : status;
    }
    f->D = perp_workspace_alloc(f->own, n, f->area * sizeof *f->D);
    f->next = perp_workspace_sizes(f->own, n);
    f->scratch.at = perp_workspace_alloc(f->own, n, sizeof *f->scratch.at);
    return perp_workspace_status(f->own, err);
}

/* `way` NULL: by the flops. */
static perp_status block_factor_analyse(perp_block_factor *f, const perp_block_matrix *S,
                                        const perp_block_factor_way *way, perp_error *err)
{
    perp_status status = perp_block_order_find(&f->o, S, f->own, err);

    if (status != PERP_OK) {
        return status;
    }
    if (way) {
        f->way = *way;
    } else if (perp_block_factor_flops(f, PERP_BLOCK_CHOLESKY) > BLOCK_FACTOR_LARGE) {
        f->way = PERP_BLOCK_BY_SUPERNODES;
    }
    status = block_factor_take(f, err);
    return status == PERP_OK ? block_factor_charge(f, err) : status;
}

static perp_status block_factor_open(perp_block_factor **out, const perp_block_matrix *S,
                                     const perp_block_factor_way *way, perp_workspace *ws,
                                     perp_error *err)
{
    perp_block_factor *f = NULL;
    perp_workspace *own = NULL;
    perp_status status = perp_workspace_new(&own, 0, err);

    *out = NULL;
    if (status != PERP_OK) {
        return status;
    }
    f = perp_workspace_alloc(own, 1, sizeof *f);
    if (!f) {
        status = perp_workspace_status(own, err);
        perp_workspace_free(own);
        return status;
    }
    f->own = own;
    f->run = ws;
    f->size = S->size;
    f->area = S->size * S->size;
    f->failed = SIZE_MAX;
    f->kernel = perp_block_kernel_find(S->size);
    status = block_factor_analyse(f, S, way, err);
    if (status != PERP_OK) {
        perp_block_factor_close(f);
        return status;
    }
    *out = f;
    return PERP_OK;
}

perp_status perp_block_factor_new(perp_block_factor **f, const perp_block_matrix *S,
                                  perp_workspace *ws, perp_error *err)
{
    return block_factor_open(f, S, NULL, ws, err);
}

perp_status perp_block_factor_new_by(perp_block_factor **f, const perp_block_matrix *S,
                                     perp_block_factor_way way, perp_workspace *ws,
                                     perp_error *err)
{
    return block_factor_open(f, S, &way, ws, err);
}

static void block_factor_alloc_panels(perp_block_factor *f)
{
    size_t numbers = f->super.panel[f->super.count];
    perp_panels *n = &f->panels;

    if (!n->L) {
        n->L = perp_workspace_reals(f->own, numbers);
    }
    if (f->kind == PERP_BLOCK_LDU && !n->pivot) {
        f->U = perp_workspace_reals(f->own, numbers);
        n->pivot = perp_workspace_alloc(f->own, f->o.blocks, f->size * sizeof *n->pivot);
        n->scale = perp_workspace_alloc(f->own, f->o.blocks, f->size * sizeof *n->scale);
    }
    n->U = f->kind == PERP_BLOCK_LDU ? f->U : NULL;
}

static void block_factor_alloc_columns(perp_block_factor *f)
{
    size_t entries = f->o.ptr[f->o.blocks];
    size_t bytes = f->area * sizeof *f->L;

    if (!f->L) {
        f->L = perp_workspace_alloc(f->own, entries, bytes);
    }
    if (f->kind == PERP_BLOCK_LDU && !f->U) {
        f->U = perp_workspace_alloc(f->own, entries, bytes);
        f->pivot = perp_workspace_alloc(f->own, f->o.blocks, f->size * sizeof *f->pivot);
    }
}

/* Memory for the kind, where it is not there yet. */
static perp_status block_factor_alloc(perp_block_factor *f, perp_error *err)
{
    perp_status status = PERP_OK;

    if (f->way == PERP_BLOCK_BY_SUPERNODES) {
        block_factor_alloc_panels(f);
    } else {
        block_factor_alloc_columns(f);
    }
    status = perp_workspace_status(f->own, err);
    return status == PERP_OK ? block_factor_charge(f, err) : status;
}

static inline void block_factor_copy(unsigned size, double *to, const double *from,
                                     bool transposed)
{
    for (unsigned j = 0; j < size; j++) {
        for (unsigned i = 0; i < size; i++) {
            to[i + size * j] = transposed ? from[j + size * i] : from[i + size * j];
        }
    }
}

static void block_factor_load(unsigned size, double *to, const double *from,
                              bool transposed)
{
    if (size == 6) { /* loops of fixed lengths */
        block_factor_copy(6, to, from, transposed);
    } else {
        block_factor_copy(3, to, from, transposed);
    }
}

/* A diagonal block of a symmetric matrix is read from its lower triangle. */
static void block_factor_load_diagonal(const perp_block_factor *f,
                                       const perp_block_matrix *S, double *to,
                                       const double *from)
{
    bool mirror = f->kind == PERP_BLOCK_CHOLESKY || !S->upper;

    for (unsigned j = 0; j < f->size; j++) {
        for (unsigned i = 0; i < f->size; i++) {
            to[i + f->size * j] =
                from[mirror && i < j ? j + f->size * i : i + f->size * j];
        }
    }
}

/* Column j of P S P^T, and row j of an unsymmetric one. */
static void block_factor_load_column(perp_block_factor *f, const perp_block_matrix *S,
                                     size_t j)
{
    const perp_block_order *o = &f->o;
    size_t area = f->area;
    size_t first = o->ptr[j];
    size_t bytes = (o->ptr[j + 1] - first) * area * sizeof *f->L;

    memset(f->L + first * area, 0, bytes);
    if (f->kind == PERP_BLOCK_LDU) {
        memset(f->U + first * area, 0, bytes);
    }
    for (size_t p = first; p < o->ptr[j + 1]; p++) {
        f->scratch.at[o->row[p]] = (int32_t)(p - first);
    }
    for (size_t t = o->target_ptr[j]; t < o->target_ptr[j + 1]; t++) {
        const perp_block_target *target = &o->target[t];
        const double *lower = S->lower + target->entry * area;
        const double *upper = S->upper ? S->upper + target->entry * area : NULL;
        size_t to = 0;

        if ((size_t)target->row == j) {
            block_factor_load_diagonal(f, S, f->D + j * area, lower);
            continue;
        }
        to = (first + (size_t)f->scratch.at[target->row]) * area;
        if (f->kind == PERP_BLOCK_CHOLESKY) {
            block_factor_load(f->size, f->L + to, lower, target->flipped);
        } else if (target->flipped) {
            block_factor_load(f->size, f->L + to, upper ? upper : lower, !upper);
            block_factor_load(f->size, f->U + to, lower, true);
        } else {
            block_factor_load(f->size, f->L + to, lower, false);
            block_factor_load(f->size, f->U + to, upper ? upper : lower, upper != NULL);
        }
    }
}

/* Subtract from column j what column k contributes, whose block row j is entry p. */
static void block_factor_subtract(perp_block_factor *f, size_t j, size_t p, size_t end)
{
    static const int32_t here[1] = {0};
    const perp_block_order *o = &f->o;
    size_t area = f->area;
    size_t to = o->ptr[j] * area;
    size_t count = end - p - 1;
    const double *L = f->L + p * area;
    const double *U = f->kind == PERP_BLOCK_LDU ? f->U + p * area : L;

    f->kernel->subtract(f->D + j * area, here, here, L, 1, U);
    f->kernel->subtract(f->L + to, f->scratch.at, o->row + p + 1, L + area, count, U);
    if (f->kind == PERP_BLOCK_LDU) {
        f->kernel->subtract(f->U + to, f->scratch.at, o->row + p + 1, U + area, count, L);
    }
}

/* Column j of the factors; SIZE_MAX, or j where its pivot block fails. */
static size_t block_factor_column(perp_block_factor *f, const perp_block_matrix *S,
                                  size_t j)
{
    const perp_block_order *o = &f->o;
    double *D = f->D + j * f->area;
    double *L = f->L + o->ptr[j] * f->area;
    size_t count = o->ptr[j + 1] - o->ptr[j];
    double before[PERP_BLOCK_MOST * PERP_BLOCK_MOST];

    block_factor_load_column(f, S, j);
    memcpy(before, D, f->area * sizeof *D);
    for (size_t e = o->row_ptr[j]; e < o->row_ptr[j + 1]; e++) {
        size_t k = (size_t)o->col[e];

        block_factor_subtract(f, j, f->next[k]++, o->ptr[k + 1]);
    }
    if (f->kind == PERP_BLOCK_CHOLESKY) {
        if (!perp_block_cholesky(f->size, D, before)) {
            return j;
        }
        f->kernel->divide(L, count, D);
        return SIZE_MAX;
    }
    if (!perp_block_lu(f->size, D, before, f->pivot + j * f->size)) {
        return j;
    }
    f->kernel->divide_lu(L, count, D, f->pivot + j * f->size);
    return SIZE_MAX;
}

/* SIZE_MAX, or the step whose pivot failed. */
static size_t block_factor_run(perp_block_factor *f, const perp_block_matrix *S)
{
    bool panels = f->way == PERP_BLOCK_BY_SUPERNODES;
    size_t count = panels ? f->super.count : f->o.blocks;
    size_t failed = SIZE_MAX;

    if (!panels) {
        memcpy(f->next, f->o.ptr, f->o.blocks * sizeof *f->next);
    }
    for (size_t k = 0; k < count && failed == SIZE_MAX; k++) {
        failed = panels ? perp_panel_factor(&f->super, &f->panels, k, S, &f->scratch)
                        : block_factor_column(f, S, k);
    }
    return failed;
}

perp_status perp_block_factor_matrix(perp_block_factor *f, const perp_block_matrix *S,
                                     perp_block_factor_kind kind, bool *done,
                                     perp_error *err)
{
    size_t failed = 0;
    perp_status status = PERP_OK;

    *done = false;
    f->kind = kind;
    f->failed = SIZE_MAX;
    status = block_factor_alloc(f, err);
    if (status != PERP_OK) {
        return status;
    }
    failed = block_factor_run(f, S);
    *done = failed == SIZE_MAX;
    f->failed = *done ? SIZE_MAX : (size_t)f->o.order[failed];
    return PERP_OK;
}

/* x := L^-1 x, in the order of the steps. */
static void block_factor_forward(const perp_block_factor *f, double *x)
{
    const perp_block_order *o = &f->o;

    for (size_t j = 0; j < o->blocks; j++) {
        double *x_j = x + j * f->size;

        if (f->kind == PERP_BLOCK_CHOLESKY) {
            perp_block_cholesky_forward(f->size, f->D + j * f->area, x_j);
        }
        f->kernel->forward(x, o->row + o->ptr[j], f->L + o->ptr[j] * f->area,
                           o->ptr[j + 1] - o->ptr[j], x_j);
    }
}

/* x := L^-T x, or (D U)^-1 x. */
static void block_factor_backward(const perp_block_factor *f, double *x)
{
    const perp_block_order *o = &f->o;
    const double *U = f->kind == PERP_BLOCK_LDU ? f->U : f->L;

    for (size_t j = o->blocks; j-- > 0;) {
        double *x_j = x + j * f->size;
        const double *D = f->D + j * f->area;

        f->kernel->backward(x_j, o->row + o->ptr[j], U + o->ptr[j] * f->area,
                            o->ptr[j + 1] - o->ptr[j], x);
        if (f->kind == PERP_BLOCK_CHOLESKY) {
            perp_block_cholesky_backward(f->size, D, x_j);
        } else {
            perp_block_lu_solve(f->size, D, f->pivot + j * f->size, x_j);
        }
    }
}

void perp_block_factor_solve(perp_block_factor *f, double *x)
{
    size_t bytes = f->size * sizeof *x;

    for (size_t j = 0; j < f->o.blocks; j++) {
        memcpy(f->x + j * f->size, x + (size_t)f->o.order[j] * f->size, bytes);
    }
    if (f->way == PERP_BLOCK_BY_SUPERNODES) {
        perp_panels_forward(&f->super, &f->panels, f->x, &f->scratch);
        perp_panels_backward(&f->super, &f->panels, f->x, &f->scratch);
    } else {
        block_factor_forward(f, f->x);
        block_factor_backward(f, f->x);
    }
    for (size_t j = 0; j < f->o.blocks; j++) {
        memcpy(x + (size_t)f->o.order[j] * f->size, f->x + j * f->size, bytes);
    }
}

size_t perp_block_factor_failed(const perp_block_factor *f)
{
    return f->failed;
}

double perp_block_factor_flops(const perp_block_factor *f, perp_block_factor_kind kind)
{
    return kind == PERP_BLOCK_LDU ? 2.0 * f->o.flops : f->o.flops;
}

double perp_block_factor_fill(const perp_block_factor *f, perp_block_factor_kind kind)
{
    double entries = (double)f->o.ptr[f->o.blocks] * (double)f->area;
    double s = f->size;

    return kind == PERP_BLOCK_LDU ? (double)f->o.blocks * s * s + 2.0 * entries
                                  : (double)f->o.blocks * s * (s + 1.0) / 2.0 + entries;
}
