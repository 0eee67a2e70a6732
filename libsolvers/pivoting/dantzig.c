/* SPDX-License-Identifier: Apache-2.0
 * pivoting/dantzig.c: the principal pivoting method of Cottle and Dantzig, boxed, with
 * friction index.
 *
 *     lo <= z <= hi,  w = A z + b:  w >= 0 at lo, w <= 0 at hi, w = 0 between
 *     friction rows:  |z_i| <= mu z_normal, solved together with the normals
 *
 * Rows enter one by one: FREE rows first as a block, then the others, friction rows last.
 * Each is driven until its own w is right while those before it stay right
 * [cottle-dantzig-1968]. A must be symmetric positive definite: then the boxed problem ends
 * after finitely many pivots. Cost per pivot k^2 + |N| k with k = |C|; memory 3/2 n^2 reals.
 *
 * Friction, coupled: rounds of the boxed problem with bounds from the normals, each followed
 * by Newton steps on the sets found. Where these do not settle, or A is singular: sweeps of
 * projected Gauss-Seidel and a proximal Newton method (dantzig_newton.c), whose passes are
 * followed along a path of pivots where full steps fail; then the path of the bounds
 * (dantzig_path.c). Frozen: bounds from the normals as first reached, one pass, the rule of
 * game physics; it solves the problem with those bounds, not the coupled one.
 *
 * Warm start: the active set of the start; members that leave their box when it is solved
 * for are put on the bound, and the pivots do the rest. A singular pivot is refused, with the
 * direction x of x.Ax <= 0 as proof, or proves that there is no solution; perp_solve then
 * begins again with prox, as it does when the pivots do not end. */
#include <config.h>

#include "dantzig.h"

/* An error above this, and above the tolerance, is not what rounding leaves after a polish:
 * the pivots were too small. */
#define ACCURATE 1e-10

static bool take_memory(dantzig *s, perp_workspace *ws)
{
    size_t n = s->n;
    size_t panel = 0;
    double **reals[] = {&s->lo, &s->hi,   &s->scale,   &s->w,      &s->y,    &s->dz,
                        &s->dw, &s->h,    &s->dz_slot, &s->z0,     &s->z1,   &s->w0,
                        &s->w1, &s->open, &s->column,  &s->center, &s->lean, &s->best};
    size_t **sizes[] = {&s->place, &s->order, &s->in, &s->slot, &s->out};
    int **ints[] = {&s->state, &s->trial, &s->pivoting};
    bool good = perp_mul(n, s->panel_ld, &panel) && perp_ldlt_new(&s->f, n, ws);

    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        good = good && (*reals[i] = perp_workspace_reals(ws, n));
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        good = good && (*sizes[i] = perp_workspace_sizes(ws, n));
    }
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) {
        good = good && (*ints[i] = perp_workspace_ints(ws, n));
    }
    if (s->friction) {
        good = good && (s->work = perp_workspace_reals(ws, DANTZIG_BLOCK * n)) &&
               dantzig_rows_take(s, ws);
    }
    return good && (s->panel = perp_workspace_reals(ws, panel));
}

/* Bounds, scales and the order of the rows: FREE, others, FRICTION. */
static void read_rows(dantzig *s)
{
    const perp_set *set = s->p->set;
    size_t q = 0;

    for (int turn = 0; turn < 3; turn++) {
        for (size_t i = 0; i < s->n; i++) {
            perp_set_kind kind = set->blocks[i].kind;
            int group = kind == PERP_SET_FREE ? 0 : (kind == PERP_SET_FRICTION ? 2 : 1);

            if (group == turn) {
                s->order[q++] = i;
            }
        }
    }
    for (size_t i = 0; i < s->n; i++) {
        if (set->blocks[i].kind == PERP_SET_FRICTION) {
            s->lo[i] = s->hi[i] = s->h[i] = 0.0;
        } else {
            perp_block_bounds(&set->blocks[i], NULL, &s->lo[i], &s->hi[i]);
        }
    }
    perp_row_scales(s->p, s->scale);
    s->beta_b = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        s->beta_b = fmax(s->beta_b, fabs(s->p->b[i]) / s->scale[i]);
    }
    s->beta_b = s->beta_b > 0.0 ? s->beta_b : 1.0;
}

/* The state from before any pivot: counters, and bounds of friction rows from z if warm. */
static void rewind_state(dantzig *s)
{
    read_rows(s);
    s->rounds = 0;
    s->pivots = 0;
    s->events = 0;
    s->gap = INFINITY;
    s->after = s->friction && s->coupled ? dantzig_couple : dantzig_finish;
    s->freeze = s->friction && !(s->coupled && s->warm);
    for (size_t i = 0; i < s->n && s->friction && s->coupled && s->warm; i++) {
        if (dantzig_is_friction(s, i)) {
            s->h[i] = s->hi[i] = dantzig_friction_bound(s, i, s->z);
            s->lo[i] = -s->h[i];
        }
    }
}

static perp_status begin(dantzig *s, perp_result *r)
{
    s->z = r->z;
    s->warm = false;
    for (size_t i = 0; i < s->n; i++) {
        s->warm = s->warm || s->z[i] != 0.0;
        s->state[i] = ROW_UNSEEN;
    }
    rewind_state(s);
    for (size_t i = 0; i < s->n; i++) {
        s->z[i] = fmin(fmax(s->z[i], s->lo[i]), s->hi[i]);
    }
    if (s->warm) {
        dantzig_guess(s);
    } else if (s->crash && s->n > 0) {
        dantzig_crash(s, r);
    } else {
        for (size_t i = 0; i < s->n; i++) {
            s->state[i] = isinf(s->lo[i]) && isinf(s->hi[i]) ? ROW_IN : ROW_UNSEEN;
        }
    }
    dantzig_start(s, r);
    return s->step(s, r);
}

/* Once, and not again in each pass of a wrapper. */
static void tell_friction(dantzig *s, perp_result *r)
{
    if (s->told || !s->friction) {
        return;
    }
    s->told = true;
    if (s->coupled) {
        perp_result_log(r, "dantzig: friction coupled to the normals, rounds: %zu",
                        s->rounds);
    } else {
        perp_result_log(r, "dantzig: friction bounds frozen when first reached");
    }
}

perp_status dantzig_finish(dantzig *s, perp_result *r)
{
    double error = 0.0;
    size_t weakest = 0;
    perp_status status = PERP_OK;

    if (!s->fresh) {
        dantzig_polish(s, r);
    }
    tell_friction(s, r);
    error = dantzig_error(s, r, s->z, s->w0, s->coupled);
    if (error <= fmax(s->tolerance, ACCURATE)) {
        return perp_result_end(r, PERP_SOLVED, "all rows agree with their sets");
    }
    /* The sets are right but the numbers are not: the factor has lost its accuracy. With
     * x = L^-T e_j, x.A x is the pivot d_j. */
    for (size_t j = 1; j < s->f.k; j++) {
        weakest = s->f.d[j] / s->A[s->in[j] * (s->ld + 1)] <
                          s->f.d[weakest] / s->A[s->in[weakest] * (s->ld + 1)]
                      ? j
                      : weakest;
    }
    memset(s->z1, 0, s->n * sizeof *s->z1);
    if (s->f.k > 0) {
        memset(s->y, 0, s->n * sizeof *s->y);
        s->y[weakest] = 1.0;
        perp_ldlt_backward(&s->f, s->y);
        for (size_t j = 0; j < s->f.k; j++) {
            s->z1[s->in[j]] = s->y[j];
        }
        status = perp_result_certify_singular(r, s->z1, s->err);
    }
    return status != PERP_OK
               ? status
               : perp_result_refuse(
                     r, PERP_SINGULAR_BLOCK, s->f.k ? s->in[weakest] : 0,
                     "pivots too small for an accurate answer, the smallest");
}

static perp_status dantzig_setup(void *vstate, const perp_problem *p,
                                 const perp_options *opt, perp_workspace *ws,
                                 perp_result *r, perp_error *err)
{
    dantzig *s = vstate;
    int narrow = 0;

    (void)r;
    s->p = p;
    s->n = p->n;
    s->A = p->A->x;
    s->ld = p->A->ld;
    s->crash = perp_options_switch(opt, "crash");
    s->by_violation = perp_options_choice(opt, "order") == 0;
    s->coupled = perp_options_choice(opt, "friction") == 0;
    s->friction = perp_set_count(p->set, PERP_SET_FRICTION) > 0;
    s->newton = perp_options_choice(opt, "unsettled") == 0;
    s->most_rounds = (size_t)perp_options_integer(opt, "rounds");
    s->tolerance = perp_options_real(opt, "tolerance");
    s->most_pivots = 200 + 50 * p->n;
    /* Columns a multiple of 512 bytes apart would fall on the same few sets of the cache. */
    s->panel_ld = (p->n + 7) / 8 * 8;
    s->panel_ld += s->panel_ld % 64 == 0 ? 8 : 0;
    if (perp_blas_int(s->ld > s->panel_ld ? s->ld : s->panel_ld, &narrow, err) !=
        PERP_OK) {
        return perp_fail_in(err, PERP_ERR_DATA, "dantzig");
    }
    if (!take_memory(s, ws)) {
        return perp_fail(err, PERP_ERR_MEMORY, "dantzig: no memory for %zu rows", p->n);
    }
    s->step = begin;
    return PERP_OK;
}

static perp_status dantzig_iterate(void *vstate, perp_result *r, perp_error *err)
{
    dantzig *s = vstate;

    s->z = r->z;
    s->err = err;
    return s->step(s, r);
}

/* The sets of the last solution are the guess; a shift of the diagonal needs no more, since
 * the start factors anew. */
static perp_status dantzig_resume(void *vstate, double shift, perp_result *r,
                                  perp_error *err)
{
    dantzig *s = vstate;

    (void)err;
    if (shift != 0.0) {
        dantzig_rows_fill(s);
    }
    s->z = r->z;
    s->warm = true;
    rewind_state(s);
    dantzig_start(s, r);
    return PERP_OK;
}

static const perp_option dantzig_options[] = {
    PERP_CHOICE(
        "friction", 0, "coupled|frozen",
        "bounds of friction rows: solved with the normals, or frozen at first sight"),
    PERP_INTEGER(
        "rounds", 6, 1, 10000,
        "rounds of coupled friction before Newton steps or the path of the bounds"),
    PERP_CHOICE("unsettled", 0, "newton|path",
                "friction whose rounds do not settle: sweeps and Newton steps on the "
                "coupled sets first, or the path of the bounds at once"),
    PERP_CHOICE("order", 0, "violation|index",
                "which row is driven next: the most wrong, or the next by number"),
    PERP_SWITCH("crash", 0, "guess the set by projected Gauss-Seidel in a cold start"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_dantzig = {
    .name = "dantzig",
    .family = "pivoting",
    .summary = "Cottle-Dantzig principal pivoting, boxed, with coupled friction index",
    .reference = "cottle-dantzig-1968",
    .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION),
    .storages = PERP_STORAGES(DENSE),
    .demands = PERP_DEMANDS(SYMMETRIC, POSITIVE_DEFINITE),
    .on_singular = "prox",
    .flags = PERP_FLAGS(USES_START),
    .certificates = PERP_CERTIFICATES(INFEASIBLE, SINGULAR),
    .options = dantzig_options,
    .state_size = sizeof(dantzig),
    .setup = dantzig_setup,
    .iterate = dantzig_iterate,
    .resume = dantzig_resume,
};
