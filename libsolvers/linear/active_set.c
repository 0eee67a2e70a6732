/* SPDX-License-Identifier: Apache-2.0
 * linear/active_set.c: the point of an active set, its violations, and its cycles. */
#include <config.h>

#include "base/base.h"
#include "linear/active_set.h"

/* Violations of at most this part of the largest number are rounding. */
#define ACTIVE_VIOLATION 1e-12
/* w_F, which is 0 by definition, is refined when it comes out above this part: a tenth of what
 * decides, so that rounding decides nothing. Two refinements do, or nothing does. */
#define ACTIVE_REFINE 1e-13
enum { active_refinements = 2 };

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

    a->name = name;
    a->p = p;
    a->n = p->n;
    a->ws = ws;
    a->kind = symmetric ? PERP_FACTOR_CHOLESKY : PERP_FACTOR_LU;
    a->chained = single && symmetric && p->A->type->storage == PERP_STORAGE_DENSE;
    TRY(active_memory(a, ws, err));
    for (size_t i = 0; i < p->n; i++) {
        perp_block_bounds(&p->set->blocks[i], NULL, &a->lo[i], &a->hi[i]);
    }
    TRY(perp_row_scales(p, a->s, err));
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

/* w := A z + b */
static void active_product(active_set *a, perp_result *r)
{
    perp_operator_apply(a->p->A, a->z, a->w);
    r->work.products++;
    for (size_t i = 0; i < a->n; i++) {
        a->w[i] += a->p->b[i];
    }
}

/* beta of the point, nearly, and how large w_F is in its units. */
static double active_error(active_set *a)
{
    double error = 0.0;

    a->beta = 0.0;
    for (size_t i = 0; i < a->n; i++) {
        double load = perp_row_load(&a->p->set->blocks[i], a->s[i], a->p->b[i]);

        a->beta = fmax(a->beta, fmax(load, a->s[i] * fabs(a->z[i])));
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
    perp_status status = perp_active_block_factor(a, r, err);
    bool zero = true;

    if (status == PERP_OK && a->kind != kind) {
        status = perp_active_block_factor(a, r, err); /* by LU */
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
    status = perp_active_block_correct(a, r, err);
    active_product(a, r);
    for (int k = 0;
         k < active_refinements && status == PERP_OK && r->outcome == PERP_RUNNING &&
         active_error(a) > ACTIVE_REFINE * a->beta;
         k++) {
        status = perp_active_block_correct(a, r, err);
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
                           "%s: all rows agree with their states after %zu step%s",
                           a->name, r->iterations, perp_plural(r->iterations));
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
                                 "step%s before, %zu row%s violate it",
                                 a->name, r->iterations, steps, perp_plural(steps),
                                 a->count, perp_plural(a->count))
               : status;
}
