/* SPDX-License-Identifier: Apache-2.0
 * linear/active_set.c: the point of an active set, its violations, and its cycles.
 *
 * A symmetric A has its blocks factored by Cholesky, dense ones that change a row at a time by
 * L D L^T under update; any other by LU. Symmetry is decided once, before the first step. A
 * symmetric matrix that turns out indefinite goes on with LU. */
#include <config.h>

#include <stdio.h>

#include "linear/active_set.h"

/* Violations of at most this part of the largest number are rounding. */
#define ACTIVE_VIOLATION 1e-12
/* w_F, which is 0 by definition, is refined when it comes out above this part: a tenth of what
 * decides, so that rounding decides nothing. Two refinements do, or nothing does. */
#define ACTIVE_REFINE 1e-13
enum { active_refinements = 2 };
/* A pivot of a symmetric block is none below this part of its diagonal entry. */
#define ACTIVE_PIVOT 1e-14
/* Curvature that is below zero by more than this part is no rounding: A is indefinite. */
#define ACTIVE_INDEFINITE 1e-10

enum {
    seen_most = 256,     /* sets remembered; cycles met in practice have 2 to 6 */
    seen_least = 16,     /* also when they take more than */
    seen_bytes = 1 << 22 /* this */
};

static perp_status active_memory(active_set *a, perp_workspace *ws, perp_error *err)
{
    double **reals[] = {&a->lo, &a->hi, &a->s, &a->z, &a->w, &a->v, &a->x};
    size_t capacity = seen_bytes / (a->n + 1);

    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        *reals[i] = perp_workspace_reals(ws, a->n);
    }
    a->seen_room = capacity > seen_most    ? seen_most
                   : capacity < seen_least ? seen_least
                                           : capacity;
    a->states = perp_workspace_alloc(ws, a->n, 1);
    a->H = perp_workspace_sizes(ws, a->n);
    a->rows = perp_workspace_sizes(ws, a->n);
    a->seen = perp_workspace_alloc(ws, a->seen_room, a->n);
    if (a->chained) {
        perp_ldlt_new(&a->chain, a->n, ws);
    }
    return perp_workspace_status(ws, err);
}

perp_status perp_active_set_new(active_set *a, const char *name, const perp_problem *p,
                                bool single, perp_workspace *ws, perp_result *r,
                                perp_error *err)
{
    const double asymmetry = perp_operator_asymmetry(p->A);
    const bool symmetric = asymmetry <= PERP_SYMMETRIC_MOST;
    perp_status status = PERP_OK;

    a->name = name;
    a->p = p;
    a->n = p->n;
    a->ws = ws;
    a->kind = symmetric ? PERP_FACTOR_CHOLESKY : PERP_FACTOR_LU;
    a->chained = single && symmetric && p->A->type->storage == PERP_STORAGE_DENSE;
    status = active_memory(a, ws, err);
    if (status != PERP_OK) {
        return status;
    }
    for (size_t i = 0; i < p->n; i++) {
        perp_block_bounds(&p->set->blocks[i], NULL, &a->lo[i], &a->hi[i]);
    }
    perp_row_scales(p, a->s);
    if (perp_operator_in_factors(p->A)) {
        perp_result_log(r, "%s: A is in factors, its blocks in velocities", name);
        return perp_active_velocity_setup(a, ws, err);
    }
    if (symmetric) {
        perp_result_log(r, "%s: A is symmetric, its blocks by %s", name,
                        a->chained ? "L D L^T, a row at a time" : "Cholesky");
    } else {
        perp_result_log(r, "%s: A is not symmetric (by %.2g), its blocks by LU", name,
                        asymmetry);
    }
    return a->chained ? PERP_OK : perp_factor_new(&a->factor, p->A, a->kind, ws, err);
}

void perp_active_set_close(void *state)
{
    active_set *a = state;

    perp_factor_close(a->factor);
    a->factor = NULL;
    perp_velocity_step_close(&a->velocity);
}

perp_status perp_active_set_resume(void *state, double shift, perp_result *r,
                                   perp_error *err)
{
    active_set *a = state;

    (void)shift;
    (void)r;
    (void)err;
    a->started = false;
    return PERP_OK;
}

static bool active_fixed(const active_set *a, size_t i)
{
    return a->lo[i] == a->hi[i];
}

static void active_place(active_set *a, size_t i, double t)
{
    bool below = t <= a->lo[i] || active_fixed(a, i);

    a->states[i] = below           ? PERP_STATE_LOWER
                   : t >= a->hi[i] ? PERP_STATE_UPPER
                                   : PERP_STATE_FREE;
}

/* Another set altogether. */
static void active_forget(active_set *a)
{
    a->started = true;
    a->chain.k = 0;
    a->k = 0;
    a->fresh = false;
    perp_active_set_forget(a);
}

void perp_active_set_at(active_set *a, const double *z)
{
    active_forget(a);
    for (size_t i = 0; i < a->n; i++) {
        active_place(a, i, z[i]);
    }
}

void perp_active_set_guess(active_set *a, const double *z, perp_result *r)
{
    active_forget(a);
    perp_operator_apply(a->p->A, z, a->w);
    r->work.products++;
    for (size_t i = 0; i < a->n; i++) {
        double d = a->s[i] * a->s[i];

        active_place(a, i, z[i] - (a->w[i] + a->p->b[i]) / d);
    }
}

/* What stands against a symmetric block: is A indefinite along x? */
static bool active_indefinite(const active_set *a, const double *x)
{
    double curvature = 0.0;
    double size = 0.0;

    for (size_t i = 0; i < a->n; i++) {
        if (x[i] != 0.0) {
            perp_row_sum row = perp_operator_row_sum(a->p->A, i, x);

            curvature += x[i] * row.sum;
            size += fabs(x[i]) * row.size;
        }
    }
    return curvature < -ACTIVE_INDEFINITE * size;
}

/* End at a singular block; x (n), if it is not NULL, is the certificate. */
static perp_status active_refuse(active_set *a, size_t place, const double *x,
                                 perp_result *r, perp_error *err)
{
    char why[128];
    perp_status status = x ? perp_result_certify_singular(r, x, err) : PERP_OK;

    if (status != PERP_OK) {
        return status;
    }
    snprintf(why, sizeof why, "%s: the block of %zu active rows is singular, step %zu",
             a->name, a->k, r->iterations);
    return perp_result_refuse(r, PERP_SINGULAR_BLOCK, place, why);
}

/* A symmetric block has no pivot at `place`, of which x (n or NULL) is the certificate. Goes on with LU if A is
 * indefinite, since then a block can be regular all the same. */
static perp_status active_not_positive(active_set *a, size_t place, const double *x,
                                       perp_result *r, perp_error *err)
{
    if (!x || !active_indefinite(a, x)) {
        return active_refuse(a, place, x, r, err);
    }
    perp_result_log(r, "%s: A is indefinite at row %zu, its blocks by LU", a->name,
                    place);
    a->chained = false;
    a->kind = PERP_FACTOR_LU;
    return a->factor ? perp_factor_set_kind(a->factor, a->p->A, a->kind, err)
                     : perp_factor_new(&a->factor, a->p->A, a->kind, a->ws, err);
}

/* Row i enters the chain; false without a pivot. a->x := L^-1 A_Fi. */
static bool active_enter(active_set *a, size_t i)
{
    double diagonal = perp_operator_diagonal(a->p->A, i);
    double pivot = 0.0;

    for (size_t j = 0; j < a->k; j++) {
        a->x[j] = perp_operator_entry(a->p->A, a->rows[j], i);
    }
    perp_ldlt_forward(&a->chain, 0, a->x);
    pivot = perp_ldlt_pivot(&a->chain, a->x, diagonal);
    if (!(pivot > ACTIVE_PIVOT * fabs(diagonal))) {
        return false;
    }
    perp_ldlt_add(&a->chain, a->x, pivot);
    a->rows[a->k++] = i;
    return true;
}

static void active_leave(active_set *a, size_t q)
{
    perp_ldlt_remove(&a->chain, q);
    memmove(a->rows + q, a->rows + q + 1, (a->k - q - 1) * sizeof *a->rows);
    a->k--;
}

/* The row that found no pivot: L^T x = L^-1 A_Fi shows on which rows it depends. */
static perp_status active_chain_failed(active_set *a, size_t i, perp_result *r,
                                       perp_error *err)
{
    double *x = a->v;

    for (size_t j = 0; j < a->k; j++) {
        a->x[j] /= -a->chain.d[j];
    }
    perp_ldlt_backward(&a->chain, a->x);
    memset(x, 0, a->n * sizeof *x);
    for (size_t j = 0; j < a->k; j++) {
        x[a->rows[j]] = a->x[j];
    }
    x[i] = 1.0;
    return active_not_positive(a, i, x, r, err);
}

/* The chain follows the states: rows leave, rows enter. */
static perp_status active_chain(active_set *a, perp_result *r, perp_error *err)
{
    for (size_t q = a->k; q-- > 0;) {
        if (a->states[a->rows[q]] != PERP_STATE_FREE) {
            r->work.flops_factor += 2.0 * (double)(a->k - q) * (double)(a->k - q);
            active_leave(a, q);
        }
    }
    memset(a->w, 0, a->n * sizeof *a->w); /* marks those inside */
    for (size_t q = 0; q < a->k; q++) {
        a->w[a->rows[q]] = 1.0;
    }
    a->fresh = a->k == 0;
    r->work.factorizations += a->fresh;
    for (size_t i = 0; i < a->n; i++) {
        if (a->states[i] == PERP_STATE_FREE && a->w[i] == 0.0) {
            r->work.flops_factor += (double)a->k * (double)a->k;
            if (!active_enter(a, i)) {
                return active_chain_failed(a, i, r, err);
            }
        }
    }
    return PERP_OK;
}

/* In factors: S has none, or the refinement does not converge. */
static perp_status active_velocity_failed(active_set *a, perp_result *r, perp_error *err)
{
    const double *y = a->velocity.y;

    for (size_t i = 0; i < a->n; i++) {
        a->v[i] = a->L[i] * y[i];
    }
    return active_refuse(a, perp_velocity_step_failed_row(&a->velocity), a->v, r, err);
}

/* Factor A_FF; r ends, or a->kind changes, where it cannot be. */
static perp_status active_factor(active_set *a, perp_result *r, perp_error *err)
{
    bool done = false;
    bool proven = false;
    perp_status status = PERP_OK;

    if (a->chained) {
        return active_chain(a, r, err);
    }
    a->k = 0;
    for (size_t i = 0; i < a->n; i++) {
        if (a->states[i] == PERP_STATE_FREE) {
            a->rows[a->k++] = i;
        }
    }
    a->fresh = true;
    if (a->L) {
        status = perp_active_velocity_factor(a, r, &done, err);
        return status == PERP_OK && !done ? active_velocity_failed(a, r, err) : status;
    }
    status = perp_factor_block(a->factor, a->p->A, a->rows, a->k, &done, err);
    perp_factor_count(a->factor, &r->work);
    if (status != PERP_OK || done) {
        return status;
    }
    proven = perp_factor_null_vector(a->factor, a->p->A, a->v);
    return a->kind == PERP_FACTOR_LU
               ? active_refuse(a, perp_factor_failed_row(a->factor), proven ? a->v : NULL,
                               r, err)
               : active_not_positive(a, perp_factor_failed_row(a->factor),
                                     proven ? a->v : NULL, r, err);
}

/* w := A z + b */
static void active_product(active_set *a, perp_result *r)
{
    perp_operator_apply(a->p->A, a->z, a->w);
    r->work.products++;
    for (size_t i = 0; i < a->n; i++) {
        a->w[i] += a->p->b[i];
    }
}

/* z_F -= A_FF^-1 w_F; r ends where that does not exist. */
static perp_status active_correct(active_set *a, perp_result *r, perp_error *err)
{
    if (a->L) {
        return perp_active_velocity_correct(a, r) ? PERP_OK
                                                  : active_velocity_failed(a, r, err);
    }
    for (size_t j = 0; j < a->k; j++) {
        a->x[j] = a->w[a->rows[j]];
    }
    if (a->chained) {
        perp_ldlt_solve(&a->chain, a->x);
    } else {
        perp_factor_solve(a->factor, a->x);
    }
    for (size_t j = 0; j < a->k; j++) {
        a->z[a->rows[j]] -= a->x[j];
    }
    return PERP_OK;
}

/* beta of the point, and how large w_F is in its units. */
static double active_error(active_set *a)
{
    double error = 0.0;

    a->beta = 0.0;
    for (size_t i = 0; i < a->n; i++) {
        a->beta =
            fmax(a->beta, fmax(fabs(a->p->b[i]) / a->s[i], a->s[i] * fabs(a->z[i])));
        if (a->states[i] == PERP_STATE_FREE) {
            error = fmax(error, fabs(a->w[i]) / a->s[i]);
        }
    }
    return error;
}

/* The violations and H. */
static void active_violations(active_set *a)
{
    a->count = 0;
    for (size_t i = 0; i < a->n; i++) {
        double s = a->s[i];

        switch (a->states[i]) {
        case PERP_STATE_FREE:
            a->w[i] = 0.0;
            a->v[i] = s * fmax(a->lo[i] - a->z[i], a->z[i] - a->hi[i]);
            break;
        case PERP_STATE_LOWER:
            a->v[i] = -a->w[i] / s;
            break;
        default:
            a->v[i] = a->w[i] / s;
            break;
        }
        if (a->v[i] > ACTIVE_VIOLATION * a->beta && !active_fixed(a, i)) {
            a->H[a->count++] = i;
        }
    }
}

perp_status perp_active_set_solve(active_set *a, perp_result *r, perp_error *err)
{
    perp_factor_kind kind = a->kind;
    perp_status status = active_factor(a, r, err);
    bool zero = true;

    if (status == PERP_OK && a->kind != kind) {
        status = active_factor(a, r, err); /* by LU */
    }
    if (status != PERP_OK || r->outcome != PERP_RUNNING) {
        return status;
    }
    for (size_t i = 0; i < a->n; i++) {
        a->z[i] = a->states[i] == PERP_STATE_LOWER   ? a->lo[i]
                  : a->states[i] == PERP_STATE_UPPER ? a->hi[i]
                                                     : 0.0;
        zero = zero && a->z[i] == 0.0;
    }
    if (zero) {
        memcpy(a->w, a->p->b, a->n * sizeof *a->w);
    } else {
        active_product(a, r);
    }
    status = active_correct(a, r, err);
    active_product(a, r);
    for (int k = 0;
         k < active_refinements && status == PERP_OK && r->outcome == PERP_RUNNING &&
         active_error(a) > ACTIVE_REFINE * a->beta;
         k++) {
        status = active_correct(a, r, err);
        active_product(a, r);
    }
    if (status != PERP_OK || r->outcome != PERP_RUNNING) {
        return status;
    }
    active_error(a);
    active_violations(a);
    memcpy(r->z, a->z, a->n * sizeof *r->z);
    return PERP_OK;
}

unsigned char perp_active_set_change(const active_set *a, size_t i)
{
    if (a->states[i] != PERP_STATE_FREE) {
        return PERP_STATE_FREE;
    }
    return a->lo[i] - a->z[i] >= a->z[i] - a->hi[i] ? PERP_STATE_LOWER : PERP_STATE_UPPER;
}

void perp_active_set_exchange(active_set *a, size_t i, perp_result *r)
{
    a->states[i] = perp_active_set_change(a, i);
    r->work.pivots++;
}

perp_status perp_active_set_finish(active_set *a, perp_result *r, perp_error *err)
{
    perp_status status = PERP_OK;

    if (!a->fresh) { /* the updates have gathered rounding */
        a->chain.k = 0;
        a->k = 0;
        status = perp_active_set_solve(a, r, err);
    }
    if (status != PERP_OK || r->outcome != PERP_RUNNING || a->count > 0) {
        return status;
    }
    for (size_t i = 0; i < a->n; i++) {
        r->z[i] = fmin(fmax(a->z[i], a->lo[i]), a->hi[i]);
    }
    return perp_result_end(r, PERP_SOLVED,
                           "%s: all rows agree with their states after %zu steps",
                           a->name, r->iterations);
}

perp_status perp_active_set_follow_rows(active_set *a, perp_error *err)
{
    if (a->chained || a->kind != PERP_FACTOR_CHOLESKY ||
        a->p->A->type->storage != PERP_STORAGE_DENSE) {
        return PERP_OK;
    }
    if (!a->chain.L) {
        perp_ldlt_new(&a->chain, a->n, a->ws);
    }
    a->chained = true;
    a->chain.k = 0;
    a->k = 0;
    return perp_workspace_status(a->ws, err);
}

void perp_active_set_forget(active_set *a)
{
    a->seen_count = 0;
    a->seen_next = 0;
}

/* How many sets ago this one was there; 0: never. */
static size_t active_seen(const active_set *a)
{
    for (size_t back = 1; back <= a->seen_count; back++) {
        size_t at = (a->seen_next + a->seen_room - back) % a->seen_room;

        if (memcmp(a->seen + at * a->n, a->states, a->n) == 0) {
            return back;
        }
    }
    return 0;
}

perp_status perp_active_set_watch(active_set *a, perp_rule rule, perp_result *r,
                                  perp_error *err)
{
    size_t steps = active_seen(a);
    unsigned char *sets = NULL;
    perp_status status = PERP_OK;

    if (steps == 0) {
        memcpy(a->seen + a->seen_next * a->n, a->states, a->n);
        a->seen_next = (a->seen_next + 1) % a->seen_room;
        a->seen_count += a->seen_count < a->seen_room;
        return PERP_OK;
    }
    sets = malloc(steps * a->n + 1);
    if (!sets) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a cycle of %zu sets",
                         a->name, steps);
    }
    for (size_t t = 0; t < steps; t++) {
        size_t at = (a->seen_next + a->seen_room - steps + t) % a->seen_room;

        memcpy(sets + t * a->n, a->seen + at * a->n, a->n);
    }
    status = perp_result_certify_cycle(r, rule, steps, sets, err);
    free(sets);
    return status == PERP_OK
               ? perp_result_end(r, PERP_CYCLE,
                                 "%s: step %zu comes back to the active set of %zu "
                                 "steps before, %zu rows violate it",
                                 a->name, r->iterations, steps, a->count)
               : status;
}
