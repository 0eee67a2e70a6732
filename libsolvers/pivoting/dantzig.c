/* SPDX-License-Identifier: Apache-2.0
 * pivoting/dantzig.c: the principal pivoting method of Cottle and Dantzig, boxed.
 *
 *     lo <= z <= hi,  w = A z + b:  w >= 0 at lo, w <= 0 at hi, w = 0 between
 *
 * The rows enter one by one: FREE rows first, as a block, then the others, friction rows last.
 * Each is driven until its own w is right, while those before it stay right
 * [cottle-dantzig-1968]. A must be symmetric positive definite: then the method ends after
 * finitely many pivots. A pivot costs k^2 + |N| k with k = |C|; memory: 3/2 n^2 reals.
 *
 * Start: from a guessed set C. Factor A_CC, z_C = -A_CC^-1 (b + A z_rest)_C, put every member
 * that leaves its box on the bound it passed, repeat until all are inside. C only shrinks, so
 * this ends; whatever the guess, the pivots that follow correct it. The guess is the set of the
 * starting point, or from z = 0, with crash=on, that of a few sweeps of projected Gauss-Seidel
 * [cryer-1971], each of which costs one product with A.
 *
 * Friction rows, |z_i| <= mu z_normal, take their bounds from the normals when they are first
 * reached, and keep them: the rule of game physics. It solves the problem with
 * those bounds, in one pass, and not the coupled one, by which the answer is judged. For the
 * coupled problem see tresca:dantzig, prox-newton and friction-path.
 *
 * A singular pivot is refused, with the direction x of x.Ax <= 0 as a certificate, or it shows
 * that there is no solution; perp_solve then starts again with prox, as it does when the pivots
 * do not end. */
#include <config.h>

#include <cblas.h>

#include "base/base.h"
#include "dantzig.h"

/* A residual above this, and above the tolerance, is more than rounding leaves after a
 * refinement: the pivots were too small. */
static const double accurate = 1e-10;

/* Most sweeps that guess the set; they end when one changes nothing. On positive definite
 * problems of 800 rows and condition 1e4, 8 sweeps leave 330 pivots, 16 leave none. */
enum { CRASH_SWEEPS = 20 };

typedef struct dantzig_state {
    perp_dantzig box;
    double tolerance;
} dantzig_state;

static double dantzig_clip(double x, double lo, double hi)
{
    return x < lo ? lo : (x > hi ? hi : x);
}

/* FREE rows, others, FRICTION rows, each in the order of their numbers. */
static void dantzig_order_rows(perp_dantzig *s)
{
    size_t q = 0;

    for (int group = 0; group < 3; group++) {
        for (size_t i = 0; i < s->n; i++) {
            perp_set_kind kind = s->p->set->blocks[i].kind;

            if (group == (kind == PERP_SET_FREE       ? 0
                          : kind == PERP_SET_FRICTION ? 2
                                                      : 1)) {
                s->order[q++] = i;
            }
        }
    }
}

perp_status perp_dantzig_read_bounds(perp_dantzig *s, perp_error *err)
{
    TRY(perp_row_scales(s->p, s->scale, err));
    for (size_t i = 0; i < s->n; i++) {
        const perp_block *block = &s->p->set->blocks[i];

        s->lo[i] = s->hi[i] = 0.0;
        if (block->kind != PERP_SET_FRICTION) {
            perp_block_bounds(block, NULL, &s->lo[i], &s->hi[i]);
        }
    }
    s->beta = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        s->beta =
            fmax(s->beta, perp_row_load(&s->p->set->blocks[i], s->scale[i], s->p->b[i]));
    }
    s->beta = s->beta > 0.0 ? s->beta : 1.0;
    s->pivots = 0;
    return PERP_OK;
}

perp_status perp_dantzig_setup(perp_dantzig *s, const perp_problem *p, perp_workspace *ws,
                               perp_error *err)
{
    size_t n = p->n;
    size_t panel = 0;
    int narrow = 0;
    perp_status status = PERP_OK;
    double **reals[] = {&s->lo, &s->hi,      &s->scale, &s->w,      &s->y,
                        &s->dz, &s->dz_slot, &s->dw,    &s->column, &s->spare};
    size_t **sizes[] = {&s->place, &s->order, &s->in, &s->slot, &s->out};

    s->p = p;
    s->n = n;
    s->A = p->A->x;
    s->ld = p->A->ld;
    s->most_pivots = 200 + 50 * n;
    /* Columns a multiple of 512 bytes apart would share a few sets of the cache. */
    s->panel_ld = (n + 7) / 8 * 8;
    s->panel_ld += s->panel_ld % 64 == 0 ? 8 : 0;
    TRY(perp_blas_int(s->ld > s->panel_ld ? s->ld : s->panel_ld, &narrow, err));
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        *reals[i] = perp_workspace_reals(ws, n);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        *sizes[i] = perp_workspace_sizes(ws, n);
    }
    s->state = perp_workspace_alloc(ws, n, sizeof *s->state);
    s->panel =
        perp_workspace_reals(ws, perp_mul(n, s->panel_ld, &panel) ? panel : SIZE_MAX);
    perp_ldlt_new(&s->f, n, ws);
    status = perp_workspace_status(ws, err);
    if (status == PERP_OK) {
        dantzig_order_rows(s);
    }
    return status;
}

/* Factor A_CC of the `count` rows listed in s->in. Should the block be singular, rows enter one
 * by one and those that have no pivot stay out. */
static void dantzig_factor(perp_dantzig *s, perp_result *r, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        const double *a = s->A + s->in[i] * s->ld;

        for (size_t j = 0; j <= i; j++) {
            s->panel[j + i * s->panel_ld] = a[s->in[j]];
        }
    }
    r->work.factorizations++;
    r->work.flops_factor += (double)count * (double)count * (double)count / 3.0;
    if (perp_ldlt_factor(&s->f, count, s->panel, s->panel_ld, DANTZIG_SINGULAR) ==
        count) {
        return;
    }
    s->f.k = 0;
    for (size_t i = 0; i < count; i++) {
        size_t row = s->in[i];
        const double *a = s->A + row * s->ld;
        double pivot = 0.0;

        for (size_t j = 0; j < kept; j++) {
            s->y[j] = a[s->in[j]];
        }
        perp_ldlt_forward(&s->f, 0, s->y);
        pivot = perp_ldlt_pivot(&s->f, s->y, a[row]);
        if (pivot > DANTZIG_SINGULAR * a[row]) {
            perp_ldlt_add(&s->f, s->y, pivot);
            s->in[kept++] = row;
        } else {
            s->state[row] = DANTZIG_PENDING;
        }
    }
}

/* z_C := -A_CC^-1 (b + A z_N)_C for the rows marked INSIDE; the number of them that left their
 * box. */
static size_t dantzig_solve_block(perp_dantzig *s, perp_result *r)
{
    size_t count = 0;
    size_t left = 0;

    for (size_t q = 0; q < s->n; q++) {
        if (s->state[s->order[q]] == DANTZIG_INSIDE) {
            s->in[count++] = s->order[q];
        }
    }
    dantzig_factor(s, r, count);
    for (size_t j = 0; j < s->f.k; j++) {
        s->z[s->in[j]] = 0.0;
    }
    for (size_t j = 0; j < s->f.k; j++) {
        size_t i = s->in[j];

        s->y[j] = -s->p->b[i] - cblas_ddot((int)s->n, s->A + i * s->ld, 1, s->z, 1);
    }
    perp_ldlt_solve(&s->f, s->y);
    perp_dantzig_count(s, r, s->f.k, s->n + s->f.k);
    for (size_t j = 0; j < s->f.k; j++) {
        size_t i = s->in[j];

        s->z[i] = dantzig_clip(s->y[j], s->lo[i], s->hi[i]);
        s->place[i] = j;
        s->slot[j] = j;
        s->w[i] = 0.0;
        if (s->z[i] != s->y[j]) {
            s->state[i] = DANTZIG_PENDING;
            left++;
        }
    }
    return left;
}

void perp_dantzig_start(perp_dantzig *s, perp_result *r)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->state[i] != DANTZIG_INSIDE || s->lo[i] == s->hi[i]) {
            s->state[i] = DANTZIG_PENDING;
            s->z[i] = dantzig_clip(s->z[i], s->lo[i], s->hi[i]);
        }
    }
    s->out_count = 0;
    s->driven = s->n;
    s->next = 0;
    s->listed = false;
    while (dantzig_solve_block(s, r) > 0) {
    }
    s->filled = 0;
    s->factored_last = true;
}

/* The set of the point z; z = 0 of a cold start says nothing about it. */
static void dantzig_guess_set(perp_dantzig *s, bool cold)
{
    for (size_t i = 0; i < s->n; i++) {
        bool is_free = isinf(s->lo[i]) && isinf(s->hi[i]);
        bool inside = s->lo[i] < s->z[i] && s->z[i] < s->hi[i];

        s->state[i] = is_free || (inside && !cold) ? DANTZIG_INSIDE : DANTZIG_PENDING;
    }
}

/* One sweep of projected Gauss-Seidel; the number of rows that came to lie between their bounds
 * or ceased to. */
static size_t dantzig_sweep(perp_dantzig *s, perp_result *r)
{
    size_t changes = 0;

    for (size_t q = 0; q < s->n; q++) {
        size_t i = s->order[q];
        const double *a = s->A + i * s->ld;
        double lo = s->lo[i];
        double hi = s->hi[i];
        double before = s->z[i];

        if (a[i] > 0.0 && lo < hi) {
            s->z[i] -= (s->p->b[i] + cblas_ddot((int)s->n, a, 1, s->z, 1)) / a[i];
            s->z[i] = dantzig_clip(s->z[i], lo, hi);
            changes += (lo < before && before < hi) != (lo < s->z[i] && s->z[i] < hi);
        }
    }
    perp_dantzig_count(s, r, s->n, s->n);
    r->work.projections += (double)s->n;
    return changes;
}

/* The point of a few sweeps, whose set is guessed. */
static void dantzig_crash(perp_dantzig *s, perp_result *r)
{
    size_t sweeps = 1;

    while (dantzig_sweep(s, r) > 0 && sweeps < CRASH_SWEEPS) {
        sweeps++;
    }
    perp_result_log(r, "dantzig: %zu projected Gauss-Seidel sweeps guess the active set",
                    sweeps);
}

/* The residual at z for the bounds in force, less the rounding that no point can avoid. */
static double dantzig_residual(perp_dantzig *s, perp_result *r, const double *z)
{
    double error = 0.0;
    double beta_z = s->beta;
    double *w = s->spare;

    memcpy(w, s->p->b, s->n * sizeof *w);
    if (s->n > 0) {
        cblas_dgemv(CblasColMajor, CblasNoTrans, (int)s->n, (int)s->n, 1.0, s->A,
                    (int)s->ld, z, 1, 1.0, w, 1);
        perp_dantzig_count(s, r, s->n, s->n);
    }
    for (size_t i = 0; i < s->n; i++) {
        double step = w[i] / (s->scale[i] * s->scale[i]);
        double projected = dantzig_clip(z[i] - step, s->lo[i], s->hi[i]);

        error = fmax(error, s->scale[i] * fabs(z[i] - projected));
        beta_z = fmax(beta_z, s->scale[i] * fabs(z[i]));
        if (!isfinite(w[i]) || !isfinite(z[i])) {
            return INFINITY;
        }
    }
    return fmax(0.0, error - 10.0 * DBL_EPSILON * beta_z) / s->beta;
}

/* z_C from a new factorisation, unless that increases the residual. */
static void dantzig_refine(perp_dantzig *s, perp_result *r)
{
    double before = dantzig_residual(s, r, s->z);

    memcpy(s->column, s->z, s->n * sizeof *s->z);
    dantzig_solve_block(s, r);
    if (!(dantzig_residual(s, r, s->z) <= before)) {
        memcpy(s->z, s->column, s->n * sizeof *s->z);
    }
}

/* The sets are right but the numbers are not: the factor has lost its accuracy. With
 * x = L^-T e_j, x.A x is the pivot d_j, of which the smallest is the certificate. */
static perp_status dantzig_refuse_smallest(perp_dantzig *s, perp_result *r,
                                           perp_error *err)
{
    size_t weakest = 0;
    perp_status status = PERP_OK;

    for (size_t j = 1; j < s->f.k; j++) {
        weakest = s->f.d[j] / s->A[s->in[j] * (s->ld + 1)] <
                          s->f.d[weakest] / s->A[s->in[weakest] * (s->ld + 1)]
                      ? j
                      : weakest;
    }
    memset(s->spare, 0, s->n * sizeof *s->spare);
    if (s->f.k > 0) {
        memset(s->y, 0, s->n * sizeof *s->y);
        s->y[weakest] = 1.0;
        perp_ldlt_backward(&s->f, s->y);
        for (size_t j = 0; j < s->f.k; j++) {
            s->spare[s->in[j]] = s->y[j];
        }
        status = perp_result_certify_singular(r, s->spare, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    return perp_result_refuse(r, PERP_SINGULAR_BLOCK, s->f.k ? s->in[weakest] : 0,
                              "pivots too small for an accurate answer, the smallest");
}

static perp_status dantzig_setup(void *vstate, const perp_problem *p,
                                 const perp_options *opt, perp_workspace *ws,
                                 perp_result *r, perp_error *err)
{
    dantzig_state *state = vstate;
    perp_dantzig *s = &state->box;
    bool cold = true;
    perp_status status = perp_dantzig_setup(s, p, ws, err);

    if (status != PERP_OK) {
        return perp_fail_in(err, status, "dantzig");
    }
    state->tolerance = perp_options_real(opt, "tolerance");
    s->by_violation = perp_options_choice(opt, "order") == 0;
    s->freeze = perp_set_count(p->set, PERP_SET_FRICTION) > 0;
    if (s->freeze) {
        perp_result_log(r, "dantzig: friction bounds frozen when first reached");
    }
    TRY(perp_dantzig_read_bounds(s, err));
    s->z = r->z;
    for (size_t i = 0; i < s->n; i++) {
        cold = cold && s->z[i] == 0.0;
        s->z[i] = dantzig_clip(s->z[i], s->lo[i], s->hi[i]);
    }
    if (cold && perp_options_switch(opt, "crash") && s->n > 0) {
        dantzig_crash(s, r);
        cold = false;
    }
    dantzig_guess_set(s, cold);
    perp_dantzig_start(s, r);
    return PERP_OK;
}

static perp_status dantzig_iterate(void *vstate, perp_result *r, perp_error *err)
{
    dantzig_state *state = vstate;
    perp_dantzig *s = &state->box;
    bool settled = false;
    perp_status status = PERP_OK;

    s->z = r->z;
    status = perp_dantzig_pivot(s, r, &settled, err);
    if (status != PERP_OK || !settled) {
        return status;
    }
    if (!s->factored_last) {
        dantzig_refine(s, r);
    }
    if (dantzig_residual(s, r, s->z) <= fmax(state->tolerance, accurate)) {
        return perp_result_end(r, PERP_SOLVED, "all rows agree with their sets");
    }
    return dantzig_refuse_smallest(s, r, err);
}

/* The sets of the last solution are the guess, and rows at a bound follow it; a shift of the
 * diagonal needs no more, since the start factors again. */
static perp_status dantzig_resume(void *vstate, double shift, perp_result *r,
                                  perp_error *err)
{
    dantzig_state *state = vstate;
    perp_dantzig *s = &state->box;
    perp_status status = perp_dantzig_read_bounds(s, err);

    (void)shift;
    if (status != PERP_OK) {
        return status;
    }
    s->z = r->z;
    for (size_t i = 0; i < s->n; i++) {
        if (s->state[i] == DANTZIG_LOW || s->state[i] == DANTZIG_HIGH) {
            s->z[i] = s->state[i] == DANTZIG_LOW ? s->lo[i] : s->hi[i];
        }
    }
    perp_dantzig_start(s, r);
    return PERP_OK;
}

static const perp_option dantzig_options[] = {
    PERP_CHOICE("order", 0, "violation|index",
                "which row is driven next: the most wrong, or the next by number"),
    PERP_SWITCH("crash", 0,
                "from z = 0, guess the active set by projected Gauss-Seidel sweeps"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_dantzig = {
    .name = "dantzig",
    .family = "pivoting",
    .summary = "Cottle-Dantzig principal pivoting, boxed, with frozen friction bounds",
    .reference = "cottle-dantzig-1968",
    .algorithm = "the principal pivoting method of Cottle and Dantzig "
                 "[cottle-dantzig-1968]",
    .additions = "bounds on both sides; free rows eliminated first as a block; "
                 "start from an active set; friction bounds frozen when first "
                 "reached",
    .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION),
    .storages = PERP_STORAGES(DENSE),
    .demands = PERP_DEMANDS(SYMMETRIC, POSITIVE_DEFINITE),
    .on_singular = "prox",
    .flags = PERP_FLAGS(USES_START, RESUME_READS_SET, FREEZES_FRICTION),
    .certificates = PERP_CERTIFICATES(INFEASIBLE, SINGULAR),
    .options = dantzig_options,
    .state_size = sizeof(dantzig_state),
    .setup = dantzig_setup,
    .iterate = dantzig_iterate,
    .resume = dantzig_resume,
};
