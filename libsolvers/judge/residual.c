/* SPDX-License-Identifier: Apache-2.0
 * judge/residual.c: the judge: scales of the rows and the common residual.
 *
 *     e_k = s_k |z_k - P_K(z_k - uhat_k/d_k)|,
 *     residual = max(0, max e_k - 10 eps beta_z)/beta_b
 *
 * The natural map is zero exactly at solutions; with the scales it is invariant under
 * symmetric diagonal scaling and under a change of units [facchinei-pang-2003, section 1.5].
 * One evaluation costs a product with A and a projection of each block. */
#include <config.h>

#include "judge/judge_private.h"
#include "matrix/storages.h"

/* largest[i] := max(largest[i], |a[i]|) */
static inline void raise_to(double *largest, const double *a, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double size = fabs(a[i]);

        largest[i] = size > largest[i] ? size : largest[i];
    }
}

/* A diagonal entry of more than this part of the largest entry of its row is the scale. The
 * largest entry of a factored matrix is expensive, and needed only where this is not certain. */
static const double diagonal_least = 1e-14;

/* The same of a factored matrix, for scalar rows only; a bound of the entries suffices in most
 * cases. */
static void factored_maxima(const perp_operator *A, const perp_set *set, double *largest)
{
    double most = 0.0;
    bool scalars = false;

    for (size_t k = 0; k < set->count && !scalars; k++) {
        scalars = set->blocks[k].dim == 1;
    }
    if (scalars && !A->pairs) {
        most = perp_factored_longest(A);
    }
    for (size_t k = 0; scalars && A->pairs && k < set->count; k++) {
        for (unsigned i = 0; i < set->blocks[k].dim; i++) {
            most = fmax(most, perp_operator_diagonal(A, set->blocks[k].first + i));
        }
    }
    for (size_t k = 0; k < set->count; k++) {
        size_t i = set->blocks[k].first;

        if (set->blocks[k].dim > 1) {
            continue;
        }
        largest[i] = A->pairs ? perp_pairs_row_bound(A, i, most)
                              : perp_factored_row_bound(A, i, most);
        if (!(perp_operator_diagonal(A, i) > diagonal_least * largest[i])) {
            largest[i] = perp_operator_row_max(A, i);
        }
    }
}

/* Whether no scalar row needs its largest entry: its diagonal is the scale also beside the largest
 * entry of A, where that is known. */
static bool diagonals_suffice(const perp_operator *A, const perp_set *set)
{
    bool known = A->entries.known && A->entries.largest > 0.0;
    double least = known ? diagonal_least * A->entries.largest : INFINITY;

    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];

        if (block->dim == 1 && !(perp_operator_diagonal(A, block->first) > least)) {
            return false;
        }
    }
    return true;
}

/* largest[i] := max_j |A_ij|, where it can be the scale of the row; in the order of storage: row
 * by row, each entry of a dense matrix would cost a cache line, and each of a sparse one a
 * call. */
static void row_maxima(const perp_operator *A, const perp_set *set, double *largest)
{
    size_t e = A->block_size;

    memset(largest, 0, A->rows * sizeof *largest);
    if (diagonals_suffice(A, set)) {
        return;
    }
    if (perp_operator_in_factors(A)) {
        factored_maxima(A, set, largest);
    }
    for (size_t I = 0; A->ptr && I < A->rows / e; I++) {
        const double *a = A->x + A->ptr[I] * e * e;

        for (size_t k = e * (A->ptr[I + 1] - A->ptr[I]); k > 0; k--, a += e) {
            raise_to(largest + I * e, a, e);
        }
    }
    for (size_t j = 0; A->type->storage == PERP_STORAGE_DENSE && j < A->cols; j++) {
        raise_to(largest, A->x + j * A->ld, A->rows);
    }
}

/* d of a scalar row: its diagonal, or where that is (nearly) zero its largest entry. */
static double scalar_scale(const perp_operator *A, size_t i, double largest)
{
    double diagonal = perp_operator_diagonal(A, i);

    if (diagonal > diagonal_least * largest) {
        return diagonal;
    }
    return largest > 0.0 ? largest : 1.0;
}

/* d of a block: one for the whole contact, since anything finer would leave the cone. */
static double block_scale(const perp_operator *A, const perp_block *block,
                          const double *largest)
{
    double trace = 0.0, mean = 0.0; /* the trace may overflow, the mean does not */

    if (block->dim == 1) {
        return scalar_scale(A, block->first, largest[block->first]);
    }
    for (unsigned i = 0; i < block->dim; i++) {
        double d = perp_operator_diagonal(A, block->first + i);

        trace += d;
        mean += d / block->dim;
    }
    mean = isfinite(trace) ? trace / block->dim : fmin(mean, DBL_MAX);
    return mean > 0.0 ? mean : 1.0;
}

void perp_row_scales(const perp_problem *p, double *s)
{
    row_maxima(p->A, p->set, s); /* each is read before its block is written */
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];
        double scale = sqrt(block_scale(p->A, block, s));

        for (unsigned i = 0; i < block->dim; i++) {
            s[block->first + i] = scale;
        }
    }
}

/* |x|_2, also where squares are out of the range of doubles. */
static double norm_of(const double *x, unsigned dim)
{
    double largest = fabs(x[0]);
    double unit = 0.0;
    double sum = 0.0;

    for (unsigned i = 1; i < dim; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    if (dim == 1 || largest == 0.0 || !isfinite(largest)) {
        return largest;
    }
    if (largest > 1e-140 && largest < 1e140) {
        for (unsigned i = 0; i < dim; i++) {
            sum += x[i] * x[i];
        }
        return sqrt(sum);
    }
    unit = largest;
    for (unsigned i = 0; i < dim; i++) {
        sum += x[i] / unit * (x[i] / unit);
    }
    return unit * sqrt(sum);
}

/* Impulses have the size beta_b/s, velocities beta_b s: where either is subnormal or infinite
 * its digits are lost, and an error can appear as 0. */
static bool judge_in_range(const perp_judge *j)
{
    for (size_t k = 0; k < j->p->set->count; k++) {
        if (!(j->beta_b * j->s[k] >= DBL_MIN && j->beta_b / j->s[k] >= DBL_MIN)) {
            return false;
        }
    }
    return isfinite(j->beta_b);
}

/* A judge and its arrays, of the workspace or, for NULL, of its own. */
static perp_judge *judge_allocate(const perp_problem *p, perp_workspace *ws)
{
    size_t count = p->set->count, reals = 5 * count + p->n;
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
    j->w = at;
    j->d = at + p->n;
    j->s = j->d + count;
    j->spread = j->s + count;
    j->tangent = j->spread + count;
    return j;
}

/* Scales and memory; beta_b is still 0. */
static perp_status judge_scales(perp_judge **judge, const perp_problem *p,
                                perp_workspace *ws, perp_error *err)
{
    size_t count = p->set->count;
    perp_judge *j = NULL;

    *judge = NULL;
    if (!p->A) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "a global problem is judged in its condensed form");
    }
    j = judge_allocate(p, ws);
    if (!j) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory to judge %zu rows", p->n);
    }
    row_maxima(p->A, p->set, j->w); /* w is free until the first judgement */
    for (size_t k = 0; k < count; k++) {
        j->d[k] = block_scale(p->A, &p->set->blocks[k], j->w);
        j->s[k] = sqrt(j->d[k]);
    }
    *judge = j;
    return PERP_OK;
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
    double beta_b = 0.0;
    bool zero = true;

    if (status != PERP_OK) {
        return status;
    }
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];
        double size = norm_of(p->b + block->first, block->dim);

        zero = zero && size == 0.0;
        beta_b = fmax(beta_b, size / (*judge)->s[k]);
    }
    /* |b|/s may underflow where b does not: such a b is out of range, not 0. */
    (*judge)->beta_b = zero ? 1.0 : beta_b;
    (*judge)->sees = judge_in_range(*judge);
    return PERP_OK;
}

perp_status perp_judge_new_with_beta(perp_judge **judge, const perp_problem *p,
                                     double beta_b, perp_error *err)
{
    perp_status status = judge_scales(judge, p, NULL, err);

    if (status == PERP_OK) {
        (*judge)->beta_b = beta_b;
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
    return judge->beta_b;
}

double perp_de_saxce_shift(const perp_block *block, const double *w)
{
    switch (block->kind) {
    case PERP_SET_CONE:
        return block->mu * (block->dim == 2 ? fabs(w[1]) : perp_norm2_safe(w[1], w[2]));
    case PERP_SET_ROLLING:
        return block->mu * hypot(w[1], w[2]) + block->mu_rolling * hypot(w[3], w[4]);
    default:
        return 0.0;
    }
}

/* |z - clip(z - step, lo, hi)| without forming z - step, in which a large z absorbs a small
 * step: that would pass a diverging iterate off as a solution. */
static double scalar_map(double z, double step, double lo, double hi)
{
    if (step > z - lo) {
        return fabs(z - lo);
    }
    return step < z - hi ? fabs(z - hi) : fabs(step);
}

/* Project a block that is stored alone in x; contacts, the most frequent, without a set. */
static void project(const perp_block *block, double *x)
{
    perp_set one = {.n = block->dim, .count = 1};
    perp_block local;

    if (block->kind == PERP_SET_CONE) {
        perp_project_cone(block->mu, block->dim, x);
        return;
    }
    local = *block;
    local.first = 0;
    one.blocks = &local;
    perp_set_project(&one, 0, x);
}

double perp_natural_map(const perp_block *block, perp_law law, double d, const double *z,
                        const double *w)
{
    double step[5] = {0}; /* the largest block is a rolling contact */
    double x[5], y[5];
    double lo = 0.0;
    double hi = 0.0;

    if (block->dim == 1) {
        perp_block_bounds(block, z, &lo, &hi);
        return scalar_map(z[block->first], w[block->first] / d, lo, hi);
    }
    z += block->first;
    w += block->first;
    for (unsigned i = 0; i < block->dim; i++) {
        step[i] = w[i] / d;
    }
    step[0] += law == PERP_LAW_COULOMB ? perp_de_saxce_shift(block, w) / d : 0.0;
    for (unsigned i = 0; i < block->dim; i++) {
        x[i] = y[i] = z[i] - step[i];
    }
    project(block, x);
    if (memcmp(x, y, block->dim * sizeof *x) == 0) {
        return norm_of(step, block->dim); /* inside: the step itself, not absorbed by z */
    }
    for (unsigned i = 0; i < block->dim; i++) {
        x[i] = z[i] - x[i];
    }
    return norm_of(x, block->dim);
}

/* s |z_k - P_K(z_k - uhat_k/d)| of one block, and s |z_k| in *size. */
static double judge_block(const perp_judge *judge, double shift, size_t k,
                          const double *z, const double *w, perp_law law, double *size)
{
    const perp_block *block = &judge->p->set->blocks[k];
    double d = judge->d[k] + shift;
    double s = shift == 0.0 ? judge->s[k] : sqrt(d);
    double e = s * perp_natural_map(block, law, d, z, w);

    *size = s * norm_of(z + block->first, block->dim);
    /* on the boundary of a cone the step w/d is lost in z - w/d */
    if (block->dim > 1 && 4.0 * DBL_EPSILON * *size > 1e-3 * judge->beta_b) {
        e = fmax(e, 4.0 * DBL_EPSILON * *size);
    }
    return e;
}

double perp_judge_block_residual(const perp_judge *judge, size_t k, const double *z)
{
    double size = 0.0;
    double e = judge_block(judge, 0.0, k, z, judge->w, judge->p->law, &size);

    return judge->sees && isfinite(e) && isfinite(size) ? e / judge->beta_b : INFINITY;
}

perp_parts perp_judge_no_blocks(const perp_judge *judge)
{
    return (perp_parts){.beta_z = judge->beta_b, .finite = judge->sees};
}

void perp_judge_add_blocks(const perp_judge *judge, double shift, const double *z,
                           const double *w, perp_law law, size_t from, size_t to,
                           perp_parts *sum)
{
    const perp_set *set = judge->p->set;
    size_t first = from < set->count ? set->blocks[from].first : set->n;
    size_t end = to < set->count ? set->blocks[to].first : set->n;

    for (size_t k = from; k < to; k++) {
        double size = 0.0;
        double e = judge_block(judge, shift, k, z, w, law, &size);

        sum->finite = sum->finite && isfinite(e); /* fmax drops NaN */
        sum->e_max = fmax(sum->e_max, e);
        sum->e_squares += e * e;
        sum->beta_z = fmax(sum->beta_z, size);
    }
    sum->finite = sum->finite && perp_all_finite(z + first, end - first) &&
                  perp_all_finite(w + first, end - first);
}

double perp_judge_sum(const perp_judge *judge, const perp_parts *sum)
{
    double allowance = 10.0 * DBL_EPSILON * sum->beta_z;
    double e_max = sum->e_max;
    double residual = 0.0;

    if (!sum->finite) {
        return INFINITY;
    }
    /* The allowance for rounding is limited to 1e-3 beta_b: a diverging iterate of an infeasible
     * problem would otherwise be accepted from |z| = 4e14 |b| on. Beyond the radius rounding
     * reaches a tenth of beta_b, and such an iterate can appear solved: no point is accepted
     * there. Certificates of infeasibility exclude all points within it. */
    if (sum->beta_z > PERP_RADIUS * judge->beta_b) {
        e_max = fmax(e_max, allowance);
    }
    allowance = fmin(allowance, 1e-3 * judge->beta_b);
    residual = fmax(0.0, e_max - allowance) / judge->beta_b;
    return isfinite(residual) ? residual : INFINITY;
}

double perp_judge_law(const perp_judge *judge, double shift, const double *z,
                      const double *w, perp_law law, perp_parts *parts)
{
    perp_parts sum = perp_judge_no_blocks(judge);

    perp_judge_add_blocks(judge, shift, z, w, law, 0, judge->p->set->count, &sum);
    if (parts) {
        *parts = sum;
    }
    return perp_judge_sum(judge, &sum);
}

void perp_judge_velocities(perp_judge *judge, const double *z)
{
    const perp_problem *p = judge->p;

    perp_operator_apply(p->A, z, judge->w);
    for (size_t i = 0; i < p->n; i++) {
        judge->w[i] += p->b[i];
    }
}

double perp_judge_residual(perp_judge *judge, const double *z)
{
    const perp_problem *p = judge->p;

    if (judge->team) {
        return perp_judge_team_residual(judge, z);
    }
    perp_judge_velocities(judge, z);
    return perp_judge_law(judge, 0.0, z, judge->w, p->law, NULL);
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
