/* SPDX-License-Identifier: Apache-2.0
 * pivoting/lemke_attempts.c: what surrounds the path of Lemke's method in doubles: the judgement
 * of points on it, and further paths when one does not end at a solution.
 *
 *     attempt   1      2       3     4       5     6
 *     d         asked  random  asked random  asked random
 *     zero      1e-11  1e-11   1e-9  1e-9    1e-7  1e-7
 *
 * A larger zero tolerance and a covering vector d times 1 + random lead along other paths.
 * (A vector close to (1, .., 1) leads along the same one.) Each attempt is logged. */
#include <config.h>

#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "base/base.h"
#include "judge/judge.h"
#include "lemke.h"

static const double zero_tolerances[] = {1e-11, 1e-9, 1e-7};

/* Values of the first basis below this, relative to the largest, are rounding. */
static const double rounding = 1e-12;

/* A point of the path solves the problem with q + d z0, so that its residual is about z0 over
 * the data. It is judged when z0 falls below this, relative to q, and after each tenth of that,
 * since where M is singular the path may never get to zero: below z0 = 1e-14 its turns are
 * decided by the rounding of M. */
static const double nearly = 1e-7;

/* Entry i > 0 of the covering vector that was asked for. */
static double attempts_cover(lemke *s, size_t i)
{
    double d = 1.0;

    switch (s->cover) {
    case COVER_ROWS:
        d = perp_operator_row_max(s->p->A, i);
        break;
    case COVER_DATA:
        d = 0.01 + fabs(s->p->b[i]) / s->size;
        break;
    case COVER_RANDOM:
        d = 1.0 + perp_random_unit(&s->random);
        break;
    default:
        break;
    }
    return d > 0.0 ? d : 1.0;
}

static double attempts_zero_tolerance(int attempt)
{
    return zero_tolerances[attempt < 0 ? 0 : attempt / 2];
}

static bool attempts_draw(const lemke *s)
{
    return s->attempt > 0 && s->attempt % 2 == 1;
}

static void attempts_draw_cover(lemke *s)
{
    for (int i = 0; i < s->n; i++) {
        s->d[i] = attempts_cover(s, (size_t)i) *
                  (attempts_draw(s) ? 1.0 + perp_random_unit(&s->random) : 1.0);
    }
}

bool perp_lemke_start_path(lemke *s)
{
    double largest = s->size;

    s->zero = attempts_zero_tolerance(s->attempt);
    attempts_draw_cover(s);
    for (int i = 0; i < s->n; i++) {
        s->swapped[i] = s->attempt == LEMKE_WARM && s->swapped[i];
    }
    s->pivots = 0.0;
    s->covered = false;
    s->judge_below = nearly * s->size;
    s->leave_after = INFINITY;
    s->entering = 2 * s->n;
    if (!s->form->start(s)) {
        return false;
    }
    if (s->attempt == LEMKE_WARM) {
        largest = fmax(largest, fabs(s->c[cblas_idamax(s->n, s->c, 1)]));
        for (int i = 0; i < s->n; i++) {
            s->c[i] = fabs(s->c[i]) <= rounding * largest ? 0.0 : s->c[i];
        }
    }
    return true;
}

void perp_lemke_judge_point(lemke *s, const double *z, perp_result *r)
{
    double residual = perp_judge_residual(s->judge, z);

    r->work.products += 1.0;
    if (residual < s->best) {
        s->best = residual;
        memcpy(r->z, z, r->n * sizeof *z);
    }
}

/* z_F = -M_FF^-1 q_F into s->polish on the final F, by a fresh factorisation and one step
 * of refinement. False if M_FF is singular. */
static bool attempts_polish(lemke *s, perp_result *r)
{
    const perp_operator *M = s->p->A;
    double *x = s->polish, *correction = s->c; /* the path has ended: c is free */
    int k = 0;

    for (int i = 0; i < s->n; i++) {
        if (s->label[i] >= s->n && s->label[i] < 2 * s->n) {
            s->basic[k++] = s->label[i] - s->n;
        }
    }
    if (k == 0) {
        return false;
    }
    for (int j = 0; j < k; j++) {
        const double *column = M->x + (size_t)s->basic[j] * M->ld;

        for (int i = 0; i < k; i++) {
            s->scratch[(size_t)j * (size_t)k + (size_t)i] = column[s->basic[i]];
        }
        x[j] = -s->p->b[s->basic[j]];
    }
    r->work.factorizations += 1.0;
    r->work.flops_factor += 2.0 / 3.0 * k * (double)k * k;
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, k, k, s->scratch, k, s->ipiv) != 0) {
        return false;
    }
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', k, 1, s->scratch, k, s->ipiv, x, k);
    for (int i = 0; i < k; i++) {
        correction[i] = -s->p->b[s->basic[i]];
    }
    for (int j = 0; j < k; j++) {
        const double *column = M->x + (size_t)s->basic[j] * M->ld;

        for (int i = 0; i < k; i++) {
            correction[i] -= column[s->basic[i]] * x[j];
        }
    }
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', k, 1, s->scratch, k, s->ipiv, correction,
                        k);
    for (int i = k - 1; i >= 0; i--) {
        correction[i] += x[i];
    }
    memset(x, 0, (size_t)s->n * sizeof *x);
    for (int i = 0; i < k; i++) {
        x[s->basic[i]] = correction[i] > 0.0 ? correction[i] : 0.0;
    }
    return true;
}

/* No attempt is left: what stood in the way. */
static perp_status attempts_fail(const lemke *s, perp_result *r, perp_error *err)
{
    if (s->ray[0]) {
        perp_status status = PERP_OK;

        if (s->has_ray) {
            status = perp_result_certify_ray(r, s->ray_z, s->ray_z0, s->ray_dz,
                                             s->ray_dz0, s->ray_cover, err);
        }
        return status == PERP_OK ? perp_result_end(r, PERP_RAY, "%s", s->ray) : status;
    }
    if (s->limited) {
        return perp_result_end(r, PERP_ITERATION_LIMIT, "pivot limit (%g) reached on %s",
                               s->max_pivots,
                               s->attempts > 1 ? "every attempt" : "the path");
    }
    return perp_result_end(r, PERP_STALLED,
                           "no path ended at a residual below %.1e, the best at %.2e",
                           s->tolerance, s->best);
}

perp_status perp_lemke_next_attempt(lemke *s, perp_result *r, perp_error *err)
{
    while (++s->attempt < s->attempts) {
        r->work.rounds += 1.0;
        perp_result_log(
            r, "lemke: attempt %d of %d, zero tolerance %.0e, %s covering vector",
            s->attempt + 1, s->attempts, attempts_zero_tolerance(s->attempt),
            attempts_draw(s) || s->cover == COVER_RANDOM ? "random"
            : s->cover == COVER_ONES                     ? "constant"
                                                         : "the same");
        if (perp_lemke_start_path(s)) {
            return PERP_OK;
        }
    }
    return attempts_fail(s, r, err);
}

perp_status perp_lemke_end_path(lemke *s, perp_result *r, perp_error *err)
{
    if (s->best > 0.0 && attempts_polish(s, r)) {
        perp_lemke_judge_point(s, s->polish, r);
    }
    if (s->best <= s->tolerance) {
        return perp_result_end(r, PERP_SOLVED, "the path ended after %g pivot%s",
                               s->pivots, perp_plural((size_t)s->pivots));
    }
    return perp_lemke_next_attempt(s, r, err);
}
