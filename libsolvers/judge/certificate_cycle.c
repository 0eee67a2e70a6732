/* SPDX-License-Identifier: Apache-2.0
 * judge/certificate_cycle.c: whether active sets follow from one another indefinitely.
 *
 * A set of states L, F, U has one point: z on its bound in L and U, w = 0 in F. In units in
 * which the diagonal of A is 1, row i violates its state by
 *
 *     F: max(lo - z, z - hi)      L: -w      U: w      (never where lo = hi)
 *
 * and H are the rows with a violation. A row changes F -> L or U, where it is beyond the
 * bound, and L, U -> F. Violations within rounding are left open: such a row may change or
 * not. The point of each set is computed from the data, by LU of A_FF. */
#include <config.h>

#include <lapacke.h>
#include <limits.h>

#include "base/base.h"
#include "core/solvers.h"
#include "judge/certificate_private.h"

/* Part of the largest number at a point that counts as rounding. */
static const double open_part = 1e-9;

typedef struct cycle {
    const perp_certificate *c;
    const perp_problem *p;
    double *s;  /* n: row scales */
    double *lo; /* n */
    double *hi; /* n */
    double *z, *w;
    double *v;     /* n: violations */
    size_t *rows;  /* F */
    size_t *index; /* n: index in F, or SIZE_MAX */
    double *M, *x; /* k x k, k */
    int *pivots;   /* k */
    size_t k;
    double rounding;
} cycle;

static void cycle_free(cycle *y)
{
    free(y->s);
    free(y->lo);
    free(y->hi);
    free(y->z);
    free(y->w);
    free(y->v);
    free(y->rows);
    free(y->index);
    free(y->M);
    free(y->x);
    free(y->pivots);
}

static size_t most_free(const perp_certificate *c)
{
    size_t most = 0;

    for (size_t t = 0; t < c->steps; t++) {
        size_t k = 0;

        for (size_t i = 0; i < c->n; i++) {
            k += c->states[t * c->n + i] == PERP_STATE_FREE;
        }
        most = k > most ? k : most;
    }
    return most;
}

static bool cycle_new(cycle *y)
{
    size_t n = y->p->n;
    size_t k = most_free(y->c);
    size_t square = 0;

    if (!perp_mul(k, k, &square) || k > INT_MAX) {
        return false;
    }
    y->s = perp_reals_new(n);
    y->lo = perp_reals_new(n);
    y->hi = perp_reals_new(n);
    y->z = perp_reals_new(n);
    y->w = perp_reals_new(n);
    y->v = perp_reals_new(n);
    y->M = perp_reals_new(square);
    y->x = perp_reals_new(k);
    y->rows = calloc(n + 1, sizeof *y->rows);
    y->index = calloc(n + 1, sizeof *y->index);
    y->pivots = calloc(k + 1, sizeof *y->pivots);
    if (!y->s || !y->lo || !y->hi || !y->z || !y->w || !y->v || !y->M || !y->x ||
        !y->rows || !y->index || !y->pivots) {
        return false;
    }
    if (perp_row_scales(y->p, y->s, NULL) != PERP_OK) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        perp_block_bounds(&y->p->set->blocks[i], y->z, &y->lo[i], &y->hi[i]);
    }
    return true;
}

typedef struct gather {
    cycle *y;
    size_t row;
} gather;

static void gather_entry(void *context, size_t j, double a)
{
    gather *g = context;
    size_t index = g->y->index[j];

    if (index != SIZE_MAX) {
        g->y->M[g->row + index * g->y->k] = a;
    }
}

/* The point of a set; false where A_FF is singular or a bound infinite. */
static bool cycle_point(cycle *y, const unsigned char *states)
{
    const perp_problem *p = y->p;
    size_t n = p->n;

    y->k = 0;
    for (size_t i = 0; i < n; i++) {
        bool inside = states[i] == PERP_STATE_FREE;

        y->index[i] = inside ? y->k : SIZE_MAX;
        y->z[i] = inside ? 0.0 : states[i] == PERP_STATE_LOWER ? y->lo[i] : y->hi[i];
        if (!isfinite(y->z[i])) {
            return false;
        }
        if (inside) {
            y->rows[y->k++] = i;
        }
    }
    memset(y->M, 0, y->k * y->k * sizeof *y->M);
    for (size_t r = 0; r < y->k; r++) {
        gather g = {y, r};

        perp_operator_row_visit(p->A, y->rows[r], gather_entry, &g);
        y->x[r] = -p->b[y->rows[r]] - perp_operator_row_dot(p->A, y->rows[r], y->z);
    }
    if (y->k > 0) {
        int info = 0;

        perp_blas_hold();
        info = LAPACKE_dgesv(LAPACK_COL_MAJOR, (int)y->k, 1, y->M, (int)y->k, y->pivots,
                             y->x, (int)y->k);
        perp_blas_release();
        if (info != 0) {
            return false;
        }
    }
    for (size_t r = 0; r < y->k; r++) {
        y->z[y->rows[r]] = y->x[r];
    }
    perp_operator_apply(p->A, y->z, y->w);
    for (size_t i = 0; i < n; i++) {
        y->w[i] = y->index[i] != SIZE_MAX ? 0.0 : y->w[i] + p->b[i];
    }
    return perp_all_finite(y->z, n) && perp_all_finite(y->w, n);
}

/* Violations in units in which the diagonal is 1, and the rounding of these. */
static void cycle_violations(cycle *y, const unsigned char *states)
{
    y->rounding = 0.0;
    for (size_t i = 0; i < y->p->n; i++) {
        double s = y->s[i];

        switch (states[i]) {
        case PERP_STATE_FREE:
            y->v[i] = s * fmax(y->lo[i] - y->z[i], y->z[i] - y->hi[i]);
            break;
        case PERP_STATE_LOWER:
            y->v[i] = -y->w[i] / s;
            break;
        default:
            y->v[i] = y->w[i] / s;
            break;
        }
        if (y->lo[i] == y->hi[i]) {
            y->v[i] = 0.0;
        }
        y->rounding = fmax(y->rounding, fabs(s * y->z[i]));
        y->rounding =
            fmax(y->rounding, perp_row_load(&y->p->set->blocks[i], s, y->p->b[i]));
    }
    y->rounding *= open_part;
}

/* The state of row i after a change. */
static unsigned char changed(const cycle *y, const unsigned char *states, size_t i)
{
    if (states[i] != PERP_STATE_FREE) {
        return PERP_STATE_FREE;
    }
    return y->lo[i] - y->z[i] >= y->z[i] - y->hi[i] ? PERP_STATE_LOWER : PERP_STATE_UPPER;
}

static bool follows_block(const cycle *y, const unsigned char *now,
                          const unsigned char *next)
{
    for (size_t i = 0; i < y->p->n; i++) {
        bool stays = next[i] == now[i];
        bool moves = next[i] == changed(y, now, i);

        if (y->v[i] > y->rounding ? !moves
                                  : !stays && (!moves || y->v[i] < -y->rounding)) {
            return false;
        }
    }
    return true;
}

/* One row changes: the first of H, or the one with the largest violation. */
static bool follows_single(const cycle *y, const unsigned char *now,
                           const unsigned char *next, bool first)
{
    size_t row = y->p->n;
    double most = 0.0;

    for (size_t i = 0; i < y->p->n; i++) {
        if (next[i] != now[i]) {
            if (row < y->p->n || next[i] != changed(y, now, i)) {
                return false;
            }
            row = i;
        } else if (first && row == y->p->n && y->v[i] > y->rounding) {
            return false;
        }
        most = fmax(most, y->v[i]);
    }
    return row < y->p->n && y->v[row] > -y->rounding &&
           (first || y->v[row] >= most - y->rounding);
}

static bool follows_minmap(const cycle *y, const unsigned char *next)
{
    for (size_t i = 0; i < y->p->n; i++) {
        double s = y->s[i];
        double point = s * y->z[i] - y->w[i] / s;
        double above = point - s * y->lo[i];
        double below = s * y->hi[i] - point;

        if ((next[i] == PERP_STATE_LOWER && above > y->rounding) ||
            (next[i] == PERP_STATE_UPPER && below > y->rounding) ||
            (next[i] == PERP_STATE_FREE &&
             (above < -y->rounding || below < -y->rounding))) {
            return false;
        }
    }
    return true;
}

static bool follows(const cycle *y, const unsigned char *now, const unsigned char *next)
{
    switch (y->c->rule) {
    case PERP_RULE_MINMAP:
        return follows_minmap(y, next);
    case PERP_RULE_LEAST_INDEX:
        return follows_single(y, now, next, true);
    case PERP_RULE_MOST_NEGATIVE:
        return follows_single(y, now, next, false);
    case PERP_RULE_BLOCK:
        return follows_block(y, now, next);
    }
    return false;
}

bool perp_certificate_check_cycle(const perp_certificate *c, const perp_problem *p,
                                  char *why, size_t length)
{
    const unsigned scalar = PERP_SET_FREE | PERP_SET_NONNEG | PERP_SET_BOX;
    cycle y = {.c = c, .p = p};
    bool good = false;

    if (perp_set_kinds(p->set) & ~scalar) {
        return perp_certificate_verdict(
            false, why, length,
            "a cycle of active sets is a certificate for scalar rows only");
    }
    if (c->steps == 0) {
        return perp_certificate_verdict(false, why, length, "the cycle is empty");
    }
    if (!cycle_new(&y)) {
        cycle_free(&y);
        return perp_certificate_verdict(false, why, length, "no memory to check %zu rows",
                                        p->n);
    }
    good = true;
    for (size_t t = 0; good && t < c->steps; t++) {
        const unsigned char *now = c->states + t * c->n;
        const unsigned char *next = c->states + (t + 1) % c->steps * c->n;

        if (memcmp(now, next, c->n) == 0) {
            good = perp_certificate_verdict(
                false, why, length, "set %zu of the cycle is followed by itself", t);
        } else if (!cycle_point(&y, now)) {
            good = perp_certificate_verdict(false, why, length,
                                            "set %zu of the cycle has no point", t);
        } else {
            cycle_violations(&y, now);
            if (!follows(&y, now, next)) {
                good = perp_certificate_verdict(
                    false, why, length, "the successor of set %zu does not obey the rule",
                    t);
            }
        }
    }
    if (good) {
        perp_certificate_verdict(true, why, length,
                                 "%zu active set%s follow from one another indefinitely",
                                 c->steps, perp_plural(c->steps));
    }
    cycle_free(&y);
    return good;
}
