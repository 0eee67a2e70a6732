/* SPDX-License-Identifier: Apache-2.0
 * pivoting/keller.c: Keller's symmetric principal pivoting.
 *
 *     basic = c + T nonbasic,   pair i: one of (w_i, z_i) basic, of value b_i, the other
 *     nonbasic, of value y_i: 0, or the floor lam < 0, or in motion
 *
 *     while some b_r < 0 or y_r < 0 (the least index): raise y_r until
 *         it reaches 0, coming from the floor                     -> the pair is right
 *         b_r reaches 0 (T_rr > 0)                                 -> pivot on {r}
 *         another b_i falls to 0, or if negative to lam            -> pivot on {i}, or on
 *                                                                     {i, r} where T_ii = 0
 *         nothing: the direction is a certificate that there is no solution
 *
 * Ends for every LCP whose matrix is positive semidefinite (symmetric, bisymmetric as of a
 * quadratic program, or not) or row sufficient, of any rank and without regularisation
 * [keller-1973] [cottle-pang-stone-2009, section 4.2]; 2^n - 1 pivots at worst [murty-1988].
 *
 * A pivot costs 2 n^2 flops (4 n^2 where it is 2 x 2); memory n^2 reals, dense whatever the
 * storage of A. Every 30 pivots w = q + M z is formed again; when it has drifted the dictionary is
 * built again from M. On matrices of deficient rank with 400 rows and more it loses digits for
 * good: answers then keep errors of 1e-9 to 1e-7.
 *
 * Warm start: the dictionary of the start's support. Certificate of infeasibility: the z of the
 * unblocked direction; where that is none, x.Mx <= 0 and x certifies a singular block. */
#include <config.h>

#include <cblas.h>

#include "base/base.h"
#include "judge/judge.h"
#include "keller.h"

/* What is rounding: values relative to the data, entries of T relative to their column. On
 * matrices of deficient rank entries that should be 0 may be larger, and pivots on them go
 * in cycles: after n + 50 steps in place the dictionary is built again and the
 * tolerance raised. */
static const double tiny = 1e-10, tiny_most = 1e-6, raise = 10.0;

enum {
    check_every = 30,
    ends = 10, /* how often a point that is no solution may be left for more pivots */
};

typedef enum keller_event { AT_SELF, AT_DIST, AT_BLOCK, AT_NOTHING } keller_event;

/* How far y_r may rise, and what stops it. */
static keller_event keller_ratio(const keller *s, double *step, int *who)
{
    const int r = s->driven;
    const double *T_r = keller_at(s, 0, r);
    const double zero = s->zero * fmax(1.0, fabs(T_r[cblas_idamax(s->n, T_r, 1)]));
    keller_event event = AT_NOTHING;
    double least = INFINITY;

    if (s->y[r] < 0.0) {
        least = -s->y[r];
        event = AT_SELF;
    }
    if (T_r[r] > zero && s->y[r] >= 0.0) {
        double t = -s->b[r] / T_r[r];

        least = t > 0.0 ? t : 0.0;
        event = AT_DIST;
    }
    for (int i = 0; i < s->n; i++) {
        if (i != r && T_r[i] < -zero) {
            double to = s->b[i] >= -tiny * s->size ? 0.0 : s->floor;
            double t = (to - s->b[i]) / T_r[i];

            t = t > 0.0 ? t : 0.0;
            if (t < least - 1e-12 * (1.0 + t)) {
                least = t;
                event = AT_BLOCK;
                *who = i;
            }
        }
    }
    *step = least;
    return event;
}

/* Swap pair i, which has come to its bound, or together with the driven pair r. */
static void keller_block(keller *s, int i, perp_result *r)
{
    const int driven = s->driven;
    const double bound = s->b[i] >= 0.5 * s->floor ? 0.0 : s->floor;
    const double *T_i = keller_at(s, 0, i);
    const double zero = s->zero * fmax(1.0, fabs(T_i[cblas_idamax(s->n, T_i, 1)]));
    double raised = 0.0;

    if (T_i[i] > zero) {
        perp_keller_pivot(s, &i, 1, r);
        s->b[i] = s->y[i];
        s->y[i] = bound;
        return;
    }
    perp_keller_pivot(s, (const int[]){i, driven}, 2, r);
    s->b[i] = s->y[i];
    s->y[i] = bound;
    raised = s->y[driven];
    s->y[driven] = s->b[driven];
    s->b[driven] = raised;
}

/* The least pair that is wrong, into s->driven; false when all are right. */
static bool keller_next(keller *s)
{
    for (int i = 0; i < s->n; i++) {
        if (s->b[i] < -tiny * s->size || s->y[i] < 0.0) {
            s->driven = i;
            return true;
        }
    }
    return false;
}

/* Residual of the present point, kept in r->z if it is the best. */
static double keller_judge(keller *s, perp_result *r)
{
    double residual = 0.0;

    perp_keller_point(s, s->z);
    residual = perp_judge_residual(s->judge, s->z);
    r->work.products += 1.0;
    if (residual < s->best) {
        s->best = residual;
        memcpy(r->z, s->z, r->n * sizeof *s->z);
    }
    return residual;
}

/* No pair is wrong any more, says a dictionary that may have drifted: judge the point of a
 * new one, and go on where that sees a pair that is wrong. */
static perp_status keller_end(keller *s, perp_result *r)
{
    if (keller_judge(s, r) > 0.0 && s->since > 0) {
        perp_keller_rebuild(s, r);
        if (keller_judge(s, r) > s->tolerance && s->ends++ < ends && keller_next(s)) {
            perp_result_log(r,
                            "keller: pair %d was right only in a dictionary that had "
                            "drifted",
                            s->driven);
            return PERP_OK;
        }
    }
    return perp_result_end(r, PERP_SOLVED, "all pairs are right after %g pivot%s",
                           s->pivots, perp_plural((size_t)s->pivots));
}

/* Nothing stops the driven pair: no solution, or a matrix outside the class. */
static perp_status keller_unblocked(keller *s, perp_result *r, perp_error *err)
{
    const int driven = s->driven;
    const double *T_r = keller_at(s, 0, driven);
    const double zero = s->zero * fmax(1.0, fabs(T_r[cblas_idamax(s->n, T_r, 1)]));
    perp_status status = PERP_OK;

    if (s->since > 0) { /* the dictionary may have drifted */
        perp_keller_rebuild(s, r);
        return PERP_OK;
    }
    for (int i = 0; i < s->n; i++) {
        s->z[i] = s->swapped[i] && fabs(T_r[i]) > zero ? T_r[i] : 0.0;
    }
    s->z[driven] = s->swapped[driven] ? s->z[driven] : 1.0;
    memcpy(s->w, s->z, r->n * sizeof *s->w);
    for (int i = 0; i < s->n; i++) {
        s->w[i] = s->w[i] > 0.0 ? s->w[i] : 0.0;
    }
    r->work.products += 1.0;
    if (perp_certificate_infeasible(s->p, s->w)) {
        status = perp_result_certify_infeasible(r, s->w, err);
        return status != PERP_OK
                   ? status
                   : perp_result_end(
                         r, PERP_INFEASIBLE,
                         "the unblocked direction of pair %d after %g pivot%s is a "
                         "certificate",
                         driven, s->pivots, perp_plural((size_t)s->pivots));
    }
    perp_keller_point(s, r->z);
    TRY(perp_result_certify_singular(r, s->z, err));
    return perp_result_refuse(r, PERP_SINGULAR_BLOCK, (size_t)driven,
                              "an unblocked direction that is no certificate, so A is "
                              "not row sufficient,");
}

static void keller_move(keller *s, double step)
{
    cblas_daxpy(s->n, step, keller_at(s, 0, s->driven), 1, s->b, 1);
    s->y[s->driven] += step;
}

/* Steps go round in place: what blocks may be rounding. */
static void keller_raise(keller *s, perp_result *r)
{
    s->in_place = 0;
    s->zero = fmin(raise * s->zero, tiny_most);
    perp_result_log(r, "keller: no progress, entries of T below %.0e are rounding",
                    s->zero);
    perp_keller_rebuild(s, r);
}

static perp_status keller_iterate(void *vstate, perp_result *r, perp_error *err)
{
    keller *s = vstate;
    const double before = r->work.pivots;
    double step = 0.0;
    int who = 0, d = s->driven;
    keller_event event = AT_NOTHING;

    if (s->in_place > s->n + 50) {
        keller_raise(s, r);
    }
    if (s->since >= check_every && perp_keller_has_drifted(s, r)) {
        perp_keller_rebuild(s, r);
    }
    if (d >= 0 && s->b[d] >= 0.0 && s->y[d] == 0.0) {
        s->driven = -1;
    }
    if (s->driven < 0 && !keller_next(s)) {
        return keller_end(s, r);
    }
    d = s->driven;
    event = keller_ratio(s, &step, &who);
    s->in_place = step > tiny * s->size ? 0 : s->in_place + 1;
    switch (event) {
    case AT_SELF:
        keller_move(s, step);
        s->y[d] = 0.0;
        s->driven = -1;
        break;
    case AT_DIST:
        keller_move(s, step);
        s->b[d] = s->y[d];
        s->y[d] = 0.0;
        perp_keller_pivot(s, &d, 1, r);
        s->driven = -1;
        break;
    case AT_BLOCK:
        keller_move(s, step);
        keller_block(s, who, r);
        break;
    case AT_NOTHING:
        if (s->b[d] < -tiny * s->size) {
            return keller_unblocked(s, r, err);
        }
        s->b[d] = 0.0; /* to rounding, so y_d may stay where it is */
        s->driven = -1;
        break;
    }
    s->pivots += r->work.pivots - before;
    if (s->pivots > s->limit) {
        keller_judge(s, r);
        return perp_result_end(r, PERP_ITERATION_LIMIT,
                               "no end after %g pivot%s, pair %d in motion", s->pivots,
                               perp_plural((size_t)s->pivots), d);
    }
    return PERP_OK;
}

static perp_status keller_memory(keller *s, perp_workspace *ws, perp_error *err)
{
    const size_t n = (size_t)s->n;

    perp_tableau_init(&s->T, n, n, ws);
    s->b = perp_workspace_reals(ws, n);
    s->y = perp_workspace_reals(ws, n);
    s->z = perp_workspace_reals(ws, n);
    s->w = perp_workspace_reals(ws, n);
    s->swapped = perp_workspace_alloc(ws, n, 1);
    s->wanted = perp_workspace_alloc(ws, n, 1);
    return perp_workspace_status(ws, err);
}

static perp_status keller_setup(void *vstate, const perp_problem *p,
                                const perp_options *opt, perp_workspace *ws,
                                perp_result *r, perp_error *err)
{
    keller *s = vstate;
    const double limit = (double)perp_options_integer(opt, "max-pivots");
    int narrow = 0;
    perp_status status = perp_blas_int(p->n + 8, &narrow, err);
    int guessed = 0;

    s->p = p;
    s->n = (int)p->n;
    s->driven = -1;
    s->zero = tiny;
    s->best = INFINITY;
    s->tolerance = perp_options_real(opt, "tolerance");
    s->limit = limit > 0.0                       ? limit
               : perp_options_end_by_limits(opt) ? INFINITY
                                                 : 200.0 + 100.0 * s->n;
    if (status == PERP_OK) {
        status = perp_judge_new(&s->judge, p, err);
    }
    if (status == PERP_OK) {
        status = keller_memory(s, ws, err);
    }
    if (status != PERP_OK) {
        return perp_fail_in(err, status, "keller");
    }
    s->largest = perp_operator_max(p->A);
    for (int i = 0; i < s->n; i++) {
        s->size = fmax(s->size, -p->b[i]); /* a slack row has no part in it */
        s->wanted[i] = r->z[i] > 0.0;
        guessed += s->wanted[i];
    }
    s->size = s->size > 0.0 ? s->size : 1.0;
    perp_keller_build(s, r);
    for (int i = 0; i < s->n; i++) { /* where the start is right, it is to rounding */
        s->b[i] = fabs(s->b[i]) <= tiny * s->size ? 0.0 : s->b[i];
        s->floor = fmin(s->floor, s->b[i]);
    }
    s->floor = 2.0 * s->floor - s->size;
    if (guessed) {
        perp_result_log(r, "keller: from the active set of the start, %d row%s", guessed,
                        perp_plural((size_t)guessed));
    } else {
        perp_result_log(r, "keller");
    }
    return PERP_OK;
}

static void keller_close(void *vstate)
{
    keller *s = vstate;

    perp_judge_free(s->judge);
    s->judge = NULL;
}

static const perp_option keller_options[] = {
    PERP_INTEGER("max-pivots", 0, 0, 1e15, "most pivots; 0: 200 + 100 n"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_keller = {
    .name = "keller",
    .family = "pivoting",
    .summary = "Keller's symmetric principal pivoting, for semidefinite matrices",
    .reference = "keller-1973",
    .algorithm = "Keller's symmetric principal pivoting method [keller-1973] "
                 "[cottle-pang-stone-2009, section 4.2]",
    .additions = "least index against cycles; a floor for negative basic "
                 "variables; certificate from the blocking direction",
    .sets = PERP_SETS(NONNEG),
    .storages = PERP_STORAGES(DENSE), /* a dictionary fills */
    .demands = PERP_DEMANDS(POSITIVE_SEMIDEFINITE),
    .flags = PERP_FLAGS(USES_START),
    .certificates = PERP_CERTIFICATES(INFEASIBLE, SINGULAR),
    .max_iterations = 1000000000, /* pivots have a limit of their own */
    .options = keller_options,
    .state_size = sizeof(keller),
    .setup = keller_setup,
    .iterate = keller_iterate,
    .close = keller_close,
};
