/* SPDX-License-Identifier: Apache-2.0
 * reform/free.c: elimination of free rows from the dictionary w = b + A z.
 *
 *     1  exchange (w_i, z_k), i and k free, the largest relative entry first
 *     2  where A_FF is singular: exchange (w_i, z_j), then (w_j, z_k), with a pair j that was
 *        not exchanged yet; afterwards z_j is basic and w_j is not
 *     3  columns of free w are 0 and are dropped; the pairs that remain are an ordinary LCP,
 *        and the rows of the free z recover these variables
 *
 * A free row without a pivot states c.w = q with known c. It is redundant where q = 0;
 * else c is a certificate that there is no solution. Splitting z into z+ - z- instead
 * would end Lemke's method on a ray. Dense: n^2 reals, and n^2 flops per exchange.
 * Works for every A; the matrix of the LCP need not be a P matrix even when A_CC is
 * one [cottle-pang-stone-2009, section 2.3]. */
#include <config.h>

#include "base/base.h"
#include "dictionary.h"
#include "reforms.h"

/* An entry below this fraction of the largest entries of its row and column is
 * rounding and no pivot: about n^2 exchanges leave errors of 1e-12, and pivots of
 * circuits begin at 1e-7. */
static const double free_pivot = 1e-10;

/* The fraction of max|b| max|y| beyond which q contradicts, as in the check of
 * certificates. */
static const double free_contradiction = 1e-9;

typedef struct free_state {
    perp_workspace *ws; /* all memory of the state */
    perp_dictionary d;
    bool *is_free;               /* n: of an old row */
    double *row_size, *col_size; /* n: largest entry so far of a row, of a column */
    size_t *pair_row, *pair_col; /* m: row and column of a pair that remains */
    size_t m;
} free_state;

static void free_release(void *state)
{
    free_state *s = state;

    if (s) {
        perp_workspace_free(s->ws);
        free(s);
    }
}

static double free_at(const free_state *s, size_t i, size_t j)
{
    return perp_dictionary_at(&s->d, i, j);
}

static bool free_is_w(const free_state *s, size_t variable)
{
    return perp_dictionary_is_w(&s->d, variable);
}

/* Does the variable, w or z, belong to a free row? */
static bool free_row_is_free(const free_state *s, size_t variable)
{
    return s->is_free[variable % s->d.n];
}

/* Is the variable of the row a free w, which must become nonbasic? That of a column a
 * free z, which must become basic? */
static bool free_open_row(const free_state *s, size_t i)
{
    return free_is_w(s, s->d.basic[i]) && free_row_is_free(s, s->d.basic[i]);
}

static bool free_open_col(const free_state *s, size_t k)
{
    return !free_is_w(s, s->d.nonbasic[k]) && free_row_is_free(s, s->d.nonbasic[k]);
}

/* Columns of free w are multiplied by 0: they serve certificates and are no pivots. */
static bool free_usable_col(const free_state *s, size_t k)
{
    return !(free_is_w(s, s->d.nonbasic[k]) && free_row_is_free(s, s->d.nonbasic[k]));
}

static perp_status free_new(free_state **out, const perp_problem *p, perp_error *err)
{
    size_t n = p->n;
    free_state *s = calloc(1, sizeof *s);

    *out = s;
    if (!s) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a dictionary");
    }
    TRY(perp_workspace_new(&s->ws, 0, err));
    s->is_free = perp_workspace_alloc(s->ws, n, sizeof *s->is_free);
    s->row_size = perp_workspace_reals(s->ws, n);
    s->col_size = perp_workspace_reals(s->ws, n);
    s->pair_row = perp_workspace_sizes(s->ws, n + 1);
    s->pair_col = perp_workspace_sizes(s->ws, n + 1);
    TRY(perp_dictionary_init(&s->d, p, s->ws, err));
    for (size_t i = 0; i < n; i++) {
        s->is_free[i] = p->set->blocks[i].kind == PERP_SET_FREE;
    }
    return PERP_OK;
}

/* Largest entries so far of rows and columns, over the usable columns. */
static void free_sizes(free_state *s)
{
    for (size_t k = 0; k < s->d.n; k++) {
        for (size_t i = 0; free_usable_col(s, k) && i < s->d.n; i++) {
            double a = fabs(free_at(s, i, k));

            s->row_size[i] = a > s->row_size[i] ? a : s->row_size[i];
            s->col_size[k] = a > s->col_size[k] ? a : s->col_size[k];
        }
    }
}

/* |T_ik| relative to the largest entries of its row and column. */
static double free_share(const free_state *s, size_t i, size_t k)
{
    double a = fabs(free_at(s, i, k));

    return a > 0.0 ? a / (sqrt(s->row_size[i]) * sqrt(s->col_size[k])) : 0.0;
}

static void free_exchange(free_state *s, size_t r, size_t c)
{
    perp_dictionary_exchange(&s->d, r, c);
    s->row_size[r] = 0.0; /* they hold other variables now */
    s->col_size[c] = 0.0;
    free_sizes(s);
}

/* Step 1: one exchange; false when there is no pivot. */
static bool free_exchange_direct(free_state *s)
{
    double best = free_pivot;
    size_t r = 0;
    size_t c = 0;

    for (size_t k = 0; k < s->d.n; k++) {
        for (size_t i = 0; free_open_col(s, k) && i < s->d.n; i++) {
            if (free_open_row(s, i) && free_share(s, i, k) > best) {
                best = free_share(s, i, k);
                r = i;
                c = k;
            }
        }
    }
    if (best > free_pivot) {
        free_exchange(s, r, c);
    }
    return best > free_pivot;
}

/* Was pair j not exchanged yet? Then it still has row j and column j. */
static bool free_in_place(const free_state *s, size_t j)
{
    return s->d.basic[j] == j && s->d.nonbasic[j] == s->d.n + j && !s->is_free[j];
}

/* The open column whose row j is largest, for the second half of step 2. */
static size_t free_best_col(const free_state *s, size_t j, double *share)
{
    size_t best = 0;

    *share = 0.0;
    for (size_t k = 0; k < s->d.n; k++) {
        if (free_open_col(s, k) && free_share(s, j, k) > *share) {
            *share = free_share(s, j, k);
            best = k;
        }
    }
    return best;
}

/* Step 2: two exchanges through a pair that was not exchanged yet; false when there is
 * none. */
static bool free_exchange_through_pair(free_state *s)
{
    double best = free_pivot;
    size_t r = 0;
    size_t pair = 0;
    size_t c = 0;

    for (size_t j = 0; j < s->d.n; j++) {
        double share = 0.0;
        size_t k = free_in_place(s, j) ? free_best_col(s, j, &share) : 0;

        for (size_t i = 0; share > best && i < s->d.n; i++) {
            double a = free_open_row(s, i) ? free_share(s, i, j) : 0.0;

            if (fmin(a, share) > best) {
                best = fmin(a, share);
                r = i;
                pair = j;
                c = k;
            }
        }
    }
    if (best > free_pivot) {
        free_exchange(s, r, pair); /* z_j basic in row r, w_i nonbasic in column j */
        free_exchange(s, pair, c); /* z_k basic in row j, w_j nonbasic in column k */
    }
    return best > free_pivot;
}

/* The certificate y that row i of the dictionary gives, w_i = q_i + sum_j T_ij w_j; returns
 * max |y_j b_j|, the largest term of q_i. */
static double free_relation(const free_state *s, const double *b, size_t i, double *y)
{
    double sign = s->d.q[i] > 0.0 ? -1.0 : 1.0;
    double largest = fabs(b[s->d.basic[i]]);

    memset(y, 0, s->d.n * sizeof *y);
    y[s->d.basic[i]] = sign;
    for (size_t k = 0; k < s->d.n; k++) {
        if (free_is_w(s, s->d.nonbasic[k])) {
            y[s->d.nonbasic[k]] = -sign * free_at(s, i, k);
            largest = fmax(largest, fabs(free_at(s, i, k) * b[s->d.nonbasic[k]]));
        }
    }
    return largest;
}

/* The kinds of rows that are left without a pivot. */
typedef enum free_verdict { FREE_REDUNDANT, FREE_CONTRADICTION, FREE_STUCK } free_verdict;

static free_verdict free_judge_row(const free_state *s, const double *b, size_t i,
                                   double *y)
{
    double slack = free_contradiction * free_relation(s, b, i, y);
    bool contradicts = fabs(s->d.q[i]) > slack;
    bool bare = true;
    bool one_sign = true;

    for (size_t k = 0; k < s->d.n; k++) {
        if (free_usable_col(s, k) && free_share(s, i, k) > free_pivot) {
            bare = false;
            one_sign = one_sign && (free_at(s, i, k) > 0.0) == (s->d.q[i] > 0.0);
        }
    }
    if (contradicts && (bare || one_sign)) {
        return FREE_CONTRADICTION;
    }
    return bare ? FREE_REDUNDANT : FREE_STUCK;
}

/* Rows left without a pivot: redundant ones are dropped, others are an error. */
static perp_status free_check_leftovers(const free_state *s, const perp_problem *p,
                                        double *certificate, size_t *redundant,
                                        perp_error *err)
{
    double *y = perp_reals_new(s->d.n);
    perp_status status = PERP_OK;

    if (!y) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", s->d.n);
    }
    for (size_t i = 0; status == PERP_OK && i < s->d.n; i++) {
        free_verdict verdict =
            free_open_row(s, i) ? free_judge_row(s, p->b, i, y) : FREE_REDUNDANT;

        *redundant += free_open_row(s, i);
        if (verdict == FREE_CONTRADICTION) {
            if (certificate) {
                memcpy(certificate, y, s->d.n * sizeof *y);
            }
            status = perp_fail(err, PERP_ERR_DATA,
                               "free row %zu contradicts the others: no z makes all "
                               "free w zero",
                               s->d.basic[i]);
        } else if (verdict == FREE_STUCK) {
            status = perp_fail(err, PERP_ERR_UNSUITABLE,
                               "free row %zu cannot be eliminated: no pair of rows "
                               "joins it to a free unknown",
                               s->d.basic[i]);
        }
    }
    free(y);
    return status;
}

/* A free unknown that no row determines is set to 0; an error where a pair depends on
 * it. */
static perp_status free_check_undetermined(const free_state *s, perp_error *err)
{
    for (size_t k = 0; k < s->d.n; k++) {
        for (size_t i = 0; free_open_col(s, k) && i < s->d.n; i++) {
            if (!free_row_is_free(s, s->d.basic[i]) && free_share(s, i, k) > free_pivot) {
                return perp_fail(err, PERP_ERR_UNSUITABLE,
                                 "free unknown %zu cannot be eliminated: no equation "
                                 "determines it, but row %zu depends on it",
                                 s->d.nonbasic[k] - s->d.n, s->d.basic[i] % s->d.n);
            }
        }
    }
    return PERP_OK;
}

/* The row and the column of each pair that remains, in the order of the old rows. */
static void free_pairs(free_state *s)
{
    for (size_t r = 0; r < s->d.n; r++) {
        s->pair_row[free_row_is_free(s, s->d.basic[r]) ? s->d.n
                                                       : s->d.basic[r] % s->d.n] = r;
        s->pair_col[free_row_is_free(s, s->d.nonbasic[r]) ? s->d.n
                                                          : s->d.nonbasic[r] % s->d.n] =
            r;
    }
    for (size_t j = 0; j < s->d.n; j++) {
        if (!s->is_free[j]) {
            s->pair_row[s->m] = s->pair_row[j];
            s->pair_col[s->m] = s->pair_col[j];
            s->m++;
        }
    }
}

/* Each pair z_i, w_i has the label of row i. */
static perp_status free_label(perp_problem *to, const free_state *s,
                              const perp_problem *p, perp_error *err)
{
    perp_reform_source *source = calloc(s->m + 1, sizeof *source);
    perp_status status = PERP_OK;

    if (!source) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu labels", s->m);
    }
    for (size_t j = 0; j < s->m; j++) {
        const size_t variable = s->d.nonbasic[s->pair_col[j]];

        source[j].row = free_is_w(s, variable) ? variable : variable - s->d.n;
    }
    status = perp_reform_label(to, p, source, err);
    free(source);
    return status;
}

/* The ordinary LCP of the pairs. */
static perp_status free_problem(perp_problem **to, const free_state *s,
                                const perp_problem *p, perp_error *err)
{
    perp_operator *M = NULL;
    perp_set *set = NULL;
    double *b = perp_reals_new(s->m);
    perp_status status =
        b ? perp_operator_new_dense(&M, s->m, s->m, err)
          : perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", s->m);

    if (status == PERP_OK) {
        status = perp_set_new_uniform(&set, PERP_SET_NONNEG, s->m, err);
    }
    if (status != PERP_OK) {
        perp_operator_free(M);
        free(b);
        return status;
    }
    for (size_t i = 0; i < s->m; i++) {
        b[i] = s->d.q[s->pair_row[i]];
        for (size_t j = 0; j < s->m; j++) {
            M->x[i + j * M->ld] = free_at(s, s->pair_row[i], s->pair_col[j]);
        }
    }
    status = perp_reform_problem_new(to, p, M, b, set, err);
    if (status == PERP_OK) {
        status = free_label(*to, s, p, err);
        if (status != PERP_OK) {
            perp_problem_free(*to);
            *to = NULL;
        }
    }
    return status;
}

static void free_map(const void *state, const perp_problem *from, const double *z,
                     double *zz)
{
    const free_state *s = state;

    for (size_t j = 0; j < s->m; j++) {
        size_t variable = s->d.nonbasic[s->pair_col[j]];

        zz[j] = free_is_w(s, variable)
                    ? from->b[variable] + perp_operator_row_dot(from->A, variable, z)
                    : z[variable - s->d.n];
    }
}

static void free_unmap(const void *state, const perp_problem *from, const double *zz,
                       double *z)
{
    const free_state *s = state;

    memset(z, 0, from->n * sizeof *z);
    for (size_t j = 0; j < s->m; j++) {
        size_t variable = s->d.nonbasic[s->pair_col[j]];

        if (!free_is_w(s, variable)) {
            z[variable - s->d.n] = zz[j];
        }
    }
    for (size_t r = 0; r < s->d.n; r++) {
        double value = s->d.q[r];

        if (free_is_w(s, s->d.basic[r])) {
            continue;
        }
        for (size_t j = 0; j < s->m; j++) {
            value += free_at(s, r, s->pair_col[j]) * zz[j];
        }
        z[s->d.basic[r] - s->d.n] =
            free_row_is_free(s, s->d.basic[r]) ? value : fmax(value, 0.0);
    }
}

/* The dictionary states yy.basic = yy.q + (T^T yy).nonbasic; y holds the coefficients
 * of w. */
static void free_certificate(const void *state, const perp_problem *from,
                             const double *yy, double *y)
{
    const free_state *s = state;

    memset(y, 0, from->n * sizeof *y);
    for (size_t i = 0; i < s->m; i++) {
        size_t variable = s->d.basic[s->pair_row[i]];

        if (free_is_w(s, variable)) {
            y[variable] = yy[i];
        }
    }
    for (size_t k = 0; k < s->d.n; k++) {
        double value = 0.0;

        if (!free_is_w(s, s->d.nonbasic[k])) {
            continue;
        }
        for (size_t i = 0; i < s->m; i++) {
            value -= free_at(s, s->pair_row[i], k) * yy[i];
        }
        y[s->d.nonbasic[k]] =
            free_row_is_free(s, s->d.nonbasic[k]) ? value : fmax(value, 0.0);
    }
}

static const perp_reform_type free_type = {
    .name = "eliminate-free",
    .changes_physics = false,
    .map = free_map,
    .unmap = free_unmap,
    .certificate = free_certificate,
    .free = free_release,
};

static perp_status free_check(const perp_problem *p, perp_error *err)
{
    for (size_t k = 0; k < p->set->count; k++) {
        perp_set_kind kind = p->set->blocks[k].kind;

        if (kind != PERP_SET_FREE && kind != PERP_SET_NONNEG) {
            return perp_fail(err, PERP_ERR_UNSUITABLE,
                             "free rows are eliminated next to nonneg rows only, found "
                             "a %s row",
                             perp_set_kind_name(kind));
        }
    }
    return perp_reform_needs_local(p, err);
}

/* All exchanges; `through` counts the double ones. */
static perp_status free_pivot_all(free_state *s, const perp_problem *p, double *y,
                                  size_t *through, size_t *redundant, perp_error *err)
{
    free_sizes(s);
    for (;;) {
        if (free_exchange_direct(s)) {
            continue;
        }
        if (!free_exchange_through_pair(s)) {
            break;
        }
        ++*through;
    }
    TRY(free_check_leftovers(s, p, y, redundant, err));
    return free_check_undetermined(s, err);
}

perp_status perp_reform_eliminate_free(perp_reform **t, const perp_problem *p, double *y,
                                       perp_error *err)
{
    if (perp_check_arguments(t && p, "perp_reform_eliminate_free", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    free_state *s = NULL;
    perp_problem *to = NULL;
    size_t through = 0;
    size_t redundant = 0;
    perp_status status = free_check(p, err);

    *t = NULL;
    if (status == PERP_OK) {
        status = free_new(&s, p, err);
    }
    if (status == PERP_OK) {
        status = free_pivot_all(s, p, y, &through, &redundant, err);
    }
    if (status == PERP_OK) {
        free_pairs(s);
        status = free_problem(&to, s, p, err);
    }
    if (status != PERP_OK) {
        free_release(s);
        return status;
    }
    status = perp_reform_new(t, &free_type, p, to, s, err);
    if (status == PERP_OK) {
        perp_reform_describe(*t,
                             "free rows eliminated: %zu row%s become %zu (%zu by double "
                             "exchange, %zu redundant)",
                             p->n, perp_plural(p->n), to->n, through, redundant);
    }
    return status;
}
