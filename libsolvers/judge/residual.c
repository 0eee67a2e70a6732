/* SPDX-License-Identifier: Apache-2.0
 * judge/residual.c: the judge: the common residual of a point.
 *
 *     e_k      = s_k |z_k - P_K(z_k - uhat_k/d_k)|,
 *     residual = max_k max(0, e_k - min(a_k, 1e-8 beta))/beta
 *
 * The natural map is zero exactly at solutions; with the scales (judge/scales.c) it is invariant
 * under symmetric diagonal scaling and under a change of units [facchinei-pang-2003, section
 * 1.5]. beta is the magnitude of the data: e_k at z0 = P_K(0), b of what always acts, and b of the
 * other rows as far as z departs from z0: a row that stays slack does not loosen the others.
 * a_k = 2 eps (1 + mu) sum_j |A_kj||z_j|/s_k is what the rounding of z costs (judge/rounding.c). One
 * evaluation costs a product with A and a projection of each block. */
#include <config.h>

#include "judge/judge_private.h"
#include "judge/scales.h"

/* The part of beta that an allowance for rounding may reach: no verdict at 1e-8 rests on it. */
static const double allowance_most = 1e-8;
/* The residual from which on it is looked whether rounding matters. */
static const double rounding_from = 1e-6;
/* What a sum of n products in pairs of doubles loses, relative to their magnitudes, is less than
 * n times this. */
static const double pair_part = 16.0 * DBL_EPSILON * DBL_EPSILON;

/* Impulses have the size beta/s, velocities beta s: where either is subnormal or infinite its
 * digits are lost, and an error can appear as 0. */
static bool judge_in_range(const perp_judge *j)
{
    for (size_t k = 0; j->base > 0.0 && k < j->p->set->count; k++) {
        if (!(j->base * j->s[k] >= DBL_MIN && j->base / j->s[k] >= DBL_MIN)) {
            return false;
        }
    }
    return isfinite(j->base);
}

/* A judge and its arrays, of the workspace or, for NULL, of its own. */
static perp_judge *judge_allocate(const perp_problem *p, perp_workspace *ws)
{
    size_t nv = perp_operator_in_factors(p->A) ? perp_operator_velocities(p->A) : 0;
    size_t count = p->set->count, reals = 8 * count + 2 * p->n + 2 * nv;
    perp_judge *j = ws ? perp_workspace_alloc(ws, 1, sizeof *j) : calloc(1, sizeof *j);
    double *at = NULL;

    if (!j) {
        return NULL;
    }
    at = ws ? perp_workspace_raw(ws, reals, sizeof *at) : perp_reals_new(reals);
    if (!at) {
        free(ws ? NULL : j);
        return NULL;
    }
    j->p = p;
    j->own = ws ? NULL : at;
    j->largest = -1.0;
    j->w = at;
    j->scratch = j->w + p->n;
    j->d = j->scratch + p->n + 2 * nv;
    j->s = j->d + count;
    j->e = j->s + count;
    j->m = j->e + count;
    j->reach = j->m + count;
    j->spread = j->reach + count;
    j->tangent = j->spread + count;
    return j;
}

/* Scales and memory; beta is still 0. */
static perp_status judge_scales(perp_judge **judge, const perp_problem *p,
                                perp_workspace *ws, perp_error *err)
{
    perp_judge *j = NULL;

    *judge = NULL;
    if (!p->A) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "a global problem is judged in its condensed form");
    }
    j = judge_allocate(p, ws);
    if (!j ||
        !perp_block_scales(p, j->d, j->w)) { /* w is free until the first judgement */
        perp_judge_free(j);
        return perp_fail(err, PERP_ERR_MEMORY, "no memory to judge %zu rows", p->n);
    }
    for (size_t k = 0; k < p->set->count; k++) {
        j->s[k] = sqrt(j->d[k]);
        j->reach[k] = 0.0;
        j->rolls = j->rolls || p->set->blocks[k].kind == PERP_SET_ROLLING;
    }
    *judge = j;
    return PERP_OK;
}

static bool may_be_slack(const perp_block *block)
{
    return block->kind == PERP_SET_NONNEG || block->kind == PERP_SET_BOX;
}

/* z0 = P_K(0) of a block. */
static double start_of(const perp_block *block)
{
    double start = perp_larger(0.0, block->lo);

    return !may_be_slack(block) ? 0.0 : block->hi < start ? block->hi : start;
}

/* |b_k|/s_k of what acts wherever z is; of bounded rows and of normals that separate reach[k] has
 * it, which counts only as far as z departs from z0. */
static double fixed_part(perp_judge *j, size_t k)
{
    const perp_block *block = &j->p->set->blocks[k];
    const double *b = j->p->b + block->first;
    double s = j->s[k];

    switch (block->kind) {
    case PERP_SET_NONNEG:
    case PERP_SET_BOX:
        j->reach[k] = fabs(b[0]) / s;
        return 0.0;
    case PERP_SET_CONE:
    case PERP_SET_ROLLING:
        j->reach[k] = fmax(b[0], 0.0) / s;
        return fmax(perp_block_norm(b + 1, block->dim - 1), -b[0]) / s;
    default:
        return perp_block_norm(b, block->dim) / s;
    }
}

/* e_k of all blocks at z0, whose velocities are w0. */
static void judge_raise_base(perp_judge *j, const double *z0, const double *w0)
{
    const perp_problem *p = j->p;

    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];
        double s = j->s[k], e = 0.0;

        if (may_be_slack(block)) { /* without w/d, which may underflow */
            perp_block scaled = {
                .kind = PERP_SET_BOX, .dim = 1, .lo = s * block->lo, .hi = s * block->hi};

            e = perp_natural_map(&scaled, p->law, 1.0, &(double){s * z0[block->first]},
                                 &(double){w0[block->first] / s});
        } else {
            e = s * perp_natural_map(block, p->law, j->d[k], z0, w0);
        }
        j->base = isfinite(e) ? fmax(j->base, e) : INFINITY;
    }
}

/* beta at z0, the least that it is anywhere. */
static void judge_set_base(perp_judge *j)
{
    const perp_problem *p = j->p;
    double *z0 = j->w, *w0 = j->scratch; /* free until the first judgement */

    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];
        double size = perp_block_norm(p->b + block->first, block->dim);

        for (unsigned i = 0; i < block->dim; i++) {
            z0[block->first + i] = start_of(block);
        }
        j->base = fmax(j->base, fixed_part(j, k));
        if (size > 0.0 && size / j->s[k] == 0.0) {
            j->base = fmax(j->base, DBL_TRUE_MIN); /* out of range, not 0 */
        }
    }
    if (perp_largest(p->n, z0) == 0.0) {
        judge_raise_base(j, z0, p->b);
        return;
    }
    perp_operator_apply(p->A, z0, w0);
    for (size_t i = 0; i < p->n; i++) {
        w0[i] += p->b[i];
    }
    judge_raise_base(j, z0, w0);
}

perp_status perp_judge_new(perp_judge **judge, const perp_problem *p, perp_error *err)
{
    if (perp_check_arguments(judge && p, "perp_judge_new", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }
    return perp_judge_new_in(judge, p, NULL, err);
}

perp_status perp_judge_new_in(perp_judge **judge, const perp_problem *p,
                              perp_workspace *ws, perp_error *err)
{
    perp_status status = judge_scales(judge, p, ws, err);

    if (status == PERP_OK) {
        judge_set_base(*judge);
        (*judge)->beta = (*judge)->base;
        (*judge)->sees = judge_in_range(*judge);
    }
    return status;
}

perp_status perp_judge_new_with_beta(perp_judge **judge, const perp_problem *p,
                                     double beta, perp_error *err)
{
    perp_status status = judge_scales(judge, p, NULL, err);

    if (status == PERP_OK) {
        (*judge)->base = (*judge)->beta = beta;
        (*judge)->sees = judge_in_range(*judge);
    }
    return status;
}

void perp_judge_free(perp_judge *judge)
{
    if (judge && judge->own) {
        free(judge->own);
        free(judge);
    }
}

const double *perp_judge_w(const perp_judge *judge)
{
    return judge->w;
}

double perp_judge_scale(const perp_judge *judge, size_t block)
{
    return judge->d[block];
}

double perp_judge_root(const perp_judge *judge, size_t block)
{
    return judge->s[block];
}

double perp_judge_beta(const perp_judge *judge)
{
    return judge->base > 0.0 ? judge->base : 1.0;
}

bool perp_judge_start_solves(const perp_judge *judge, double *z)
{
    const perp_set *set = judge->p->set;

    for (size_t k = 0; judge->base == 0.0 && k < set->count; k++) {
        for (unsigned i = 0; i < set->blocks[k].dim; i++) {
            z[set->blocks[k].first + i] = start_of(&set->blocks[k]);
        }
    }
    return judge->base == 0.0;
}

/* s |z_k - P_K(z_k - uhat_k/d)| of one block, and s |z_k| in *size. */
static inline double judge_block(const perp_judge *judge, double shift, size_t k,
                                 const double *z, const double *w, perp_law law,
                                 double *size)
{
    const perp_block *block = &judge->p->set->blocks[k];
    size_t i = block->first;
    double d = judge->d[k] + shift;
    double s = shift == 0.0 ? judge->s[k] : sqrt(d);

    if (block->dim == 1 &&
        block->kind != PERP_SET_FRICTION) { /* most rows, without calls */
        *size = s * fabs(z[i]);
        return s * perp_scalar_map(z[i], w[i] / d, block->lo, block->hi);
    }
    *size = s * perp_block_norm(z + i, block->dim);
    return s * perp_natural_map(block, law, d, z, w);
}

double perp_judge_block_residual(const perp_judge *judge, size_t k, const double *z)
{
    double size = 0.0;
    double e = judge_block(judge, 0.0, k, z, judge->w, judge->p->law, &size);

    if (!judge->sees || !isfinite(e) || !isfinite(size)) {
        return INFINITY;
    }
    return e == 0.0 ? 0.0 : e / judge->beta; /* beta = 0: infinite */
}

perp_parts perp_judge_no_blocks(const perp_judge *judge)
{
    return (perp_parts){.beta = judge->base, .finite = judge->sees};
}

void perp_judge_add_blocks(const perp_judge *judge, double shift, const double *z,
                           const double *w, perp_law law, size_t from, size_t to,
                           perp_parts *sum)
{
    const perp_set *set = judge->p->set;
    size_t first = from < set->count ? set->blocks[from].first : set->n;
    size_t end = to < set->count ? set->blocks[to].first : set->n;

    for (size_t k = from; k < to; k++) {
        const perp_block *block = &set->blocks[k];
        double size = 0.0, start = start_of(block), departs = 0.0;
        double e = judge_block(judge, shift, k, z, w, law, &size);

        departs = start == 0.0 ? size : judge->s[k] * fabs(z[block->first] - start);
        judge->e[k] = e;
        sum->finite = sum->finite && isfinite(e); /* perp_larger drops NaN */
        sum->e_max = perp_larger(sum->e_max, e);
        sum->e_least = perp_larger(sum->e_least, e - 2.0 * DBL_EPSILON * size);
        sum->e_squares += e * e;
        sum->beta =
            perp_larger(sum->beta, departs < judge->reach[k] ? departs : judge->reach[k]);
        sum->size = perp_larger(sum->size, size);
    }
    sum->finite = sum->finite && perp_all_finite(z + first, end - first) &&
                  perp_all_finite(w + first, end - first);
}

void perp_judge_join(perp_parts *sum, const perp_parts *more)
{
    sum->finite = sum->finite && more->finite;
    sum->e_max = fmax(sum->e_max, more->e_max);
    sum->e_least = fmax(sum->e_least, more->e_least);
    sum->e_squares += more->e_squares;
    sum->beta = fmax(sum->beta, more->beta);
    sum->size = fmax(sum->size, more->size);
}

/* e/beta; beta = 0 allows no error. */
static double judge_relative(const perp_parts *sum, double e)
{
    double residual = e == 0.0 ? 0.0 : e / sum->beta;

    return sum->finite && isfinite(residual) ? residual : INFINITY;
}

double perp_judge_law(const perp_judge *judge, double shift, const double *z,
                      const double *w, perp_law law, perp_parts *parts)
{
    perp_parts sum = perp_judge_no_blocks(judge);

    perp_judge_add_blocks(judge, shift, z, w, law, 0, judge->p->set->count, &sum);
    if (parts) {
        *parts = sum;
    }
    return judge_relative(&sum, fmax(sum.e_least, sum.e_max - allowance_most * sum.beta));
}

void perp_judge_velocities(perp_judge *judge, const double *z)
{
    const perp_problem *p = judge->p;

    perp_operator_apply(p->A, z, judge->w);
    for (size_t i = 0; i < p->n; i++) {
        judge->w[i] += p->b[i];
    }
}

/* What e_k cannot show: what pairs of doubles lose, and of a rolling contact the part of its step
 * that is lost in z - t. */
static double judge_lost(const perp_judge *judge, size_t k, const double *z, bool known)
{
    const perp_block *block = &judge->p->set->blocks[k];
    double lost = known ? pair_part * (double)(judge->p->n + 8) * judge->m[k] : 0.0;

    if (block->kind == PERP_SET_ROLLING) {
        lost += 4.0 * DBL_EPSILON * judge->s[k] *
                perp_block_norm(z + block->first, block->dim);
    }
    return lost;
}

/* max_k (e_k - min(a_k, 1e-8 beta)), with m_k where they are known. e_k is not less than what it
 * cannot show, where that exceeds the allowance. */
static double judge_allow(const perp_judge *judge, const double *z, bool known,
                          const perp_parts *sum)
{
    double most = allowance_most * sum->beta, worst = 0.0;

    if (!known && !judge->rolls) {
        return sum->e_max;
    }
    for (size_t k = 0; k < judge->p->set->count; k++) {
        double lost = judge_lost(judge, k, z, known);
        double e = most > 0.0 && lost > most ? fmax(judge->e[k], lost) : judge->e[k];
        double allowance = known ? fmin(2.0 * DBL_EPSILON * judge->m[k], most) : 0.0;

        worst = perp_larger(worst, e - allowance);
    }
    return worst;
}

double perp_judge_conclude(perp_judge *judge, const double *z, perp_law law,
                           perp_parts *sum)
{
    size_t count = judge->p->set->count;
    double most = allowance_most * sum->beta;
    bool matters = sum->e_max <= rounding_from * sum->beta ||
                   perp_judge_rounds(judge, z, sum->e_max);
    double least = 1e-3 * fmax(sum->e_max, most) / (10.0 * DBL_EPSILON);

    judge->beta = sum->beta;
    if (!sum->finite) {
        return INFINITY;
    }
    if (matters) {
        perp_judge_magnitudes(judge, z);
    }
    if (matters && perp_largest(count, judge->m) > least) {
        perp_judge_refine(judge, z, least);
        *sum = perp_judge_no_blocks(judge);
        perp_judge_add_blocks(judge, 0.0, z, judge->w, law, 0, count, sum);
    }
    return judge_relative(sum, judge_allow(judge, z, matters, sum));
}

double perp_judge_residual(perp_judge *judge, const double *z)
{
    perp_parts sum = perp_judge_no_blocks(judge);

    if (judge->team) {
        perp_judge_team_parts(judge, z, &sum);
    } else {
        perp_judge_velocities(judge, z);
        perp_judge_add_blocks(judge, 0.0, z, judge->w, judge->p->law, 0,
                              judge->p->set->count, &sum);
    }
    return perp_judge_conclude(judge, z, judge->p->law, &sum);
}

double perp_judge_residual_from(const perp_judge *judge, double shift, const double *z,
                                const double *w)
{
    return perp_judge_law(judge, shift, z, w, judge->p->law, NULL);
}

double perp_residual(const perp_problem *p, const double *z)
{
    perp_judge *judge = NULL;
    perp_problem own;
    double residual = INFINITY;

    if (perp_problem_view(&own, p, NULL) == PERP_OK &&
        perp_judge_new(&judge, &own, NULL) == PERP_OK) {
        residual = perp_judge_residual(judge, z);
    }
    perp_judge_free(judge);
    perp_problem_view_free(&own);
    return residual;
}
