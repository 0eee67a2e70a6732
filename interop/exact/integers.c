/* SPDX-License-Identifier: Apache-2.0
 * exact/integers.c: doubles of a problem as whole numbers, row by row. */
#include <config.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include <perp/judge.h>

#include "base/base.h"
#include "interop/exact/integers.h"

void integers_split(double x, int64_t *m, slong *e)
{
    int exponent = 0;

    *m = (int64_t)ldexp(frexp(x, &exponent), DBL_MANT_DIG);
    *e = 0;
    if (*m != 0) {
        int zeros = __builtin_ctzll((unsigned long long)*m);

        *m /= INT64_C(1) << zeros;
        *e = exponent - DBL_MANT_DIG + zeros;
    }
}

void integers_set(fmpz_t v, double x, slong shift)
{
    int64_t m = 0;
    slong e = 0;

    integers_split(x, &m, &e);
    fmpz_set_si(v, m);
    if (m != 0) {
        fmpz_mul_2exp(v, v, (flint_bitcnt_t)(e + shift));
    }
}

/* The least power of two that makes x whole is the largest of these. */
static slong integers_power(double x, slong most)
{
    int64_t m = 0;
    slong e = 0;

    integers_split(x, &m, &e);
    return m != 0 && -e > most ? -e : most;
}

/* Nonzeros of one row, as doubles. */
typedef struct integers_row {
    size_t *col;
    double *a;
    size_t count;
    slong shift;
} integers_row;

static void integers_visit(void *context, size_t j, double a)
{
    integers_row *row = context;

    if (a != 0.0) {
        row->col[row->count] = j;
        row->a[row->count++] = a;
        row->shift = integers_power(a, row->shift);
    }
}

/* Room for `more` nonzeros. */
static bool integers_grow(exact_integers *k, size_t more)
{
    size_t room = k->room, bytes = 0;
    size_t *col = NULL;
    fmpz *value = NULL;

    if (k->count + more <= room) {
        return true;
    }
    room = 2 * room + more;
    col = perp_mul(room, sizeof *col, &bytes) ? realloc(k->col, bytes) : NULL;
    k->col = col ? col : k->col;
    value = col ? realloc(k->value, room * sizeof *value) : NULL;
    if (!value) {
        return false;
    }
    for (size_t e = k->room; e < room; e++) {
        fmpz_init(value + e);
    }
    k->value = value;
    k->room = room;
    return true;
}

static bool integers_read_row(exact_integers *k, size_t i, integers_row *row)
{
    const perp_problem *p = k->p;

    row->count = 0;
    row->shift = -DBL_MAX_EXP;
    perp_operator_row_visit(p->A, i, integers_visit, row);
    row->shift = integers_power(p->b[i], row->shift);
    if (!integers_grow(k, row->count)) {
        return false;
    }
    for (size_t e = 0; e < row->count; e++, k->count++) {
        k->col[k->count] = row->col[e];
        integers_set(k->value + k->count, row->a[e], row->shift);
        if (fmpz_bits(k->value + k->count) > k->bits) {
            k->bits = fmpz_bits(k->value + k->count);
        }
    }
    k->ptr[i + 1] = k->count;
    k->shift[i] = row->shift;
    integers_set(k->b + i, p->b[i], row->shift);
    return true;
}

static bool integers_read_matrix(exact_integers *k)
{
    integers_row row = {.col = calloc(k->n + 1, sizeof *row.col),
                        .a = calloc(k->n + 1, sizeof *row.a)};
    bool done = row.col && row.a;

    for (size_t i = 0; done && i < k->n; i++) {
        done = integers_read_row(k, i, &row);
    }
    free(row.col);
    free(row.a);
    return done;
}

static void integers_read_bounds(exact_integers *k, const double *z)
{
    const perp_set *set = k->p->set;

    for (size_t i = 0; i < set->count; i++) {
        k->low[i] = set->blocks[i].lo;
        k->high[i] = set->blocks[i].hi;
    }
    for (size_t i = 0; i < k->n; i++) {
        k->scale = integers_power(z[i], k->scale);
        k->scale = isfinite(k->low[i]) ? integers_power(k->low[i], k->scale) : k->scale;
        k->scale = isfinite(k->high[i]) ? integers_power(k->high[i], k->scale) : k->scale;
    }
    for (size_t i = 0; i < k->n; i++) {
        integers_set(k->z + i, z[i], k->scale);
        integers_set(k->lo + i, isfinite(k->low[i]) ? k->low[i] : 0.0, k->scale);
        integers_set(k->hi + i, isfinite(k->high[i]) ? k->high[i] : 0.0, k->scale);
    }
}

perp_status integers_new(exact_integers *k, const perp_problem *p, const double *z,
                         perp_error *err)
{
    size_t n = p->n;
    double *reals = perp_reals_new(3 * n);

    *k = (exact_integers){.p = p, .n = n};
    k->ptr = calloc(n + 1, sizeof *k->ptr);
    k->shift = calloc(n + 1, sizeof *k->shift);
    k->b = _fmpz_vec_init((slong)(4 * n));
    k->lo = k->b + n;
    k->hi = k->lo + n;
    k->z = k->hi + n;
    k->low = reals;
    if (!reals || !k->ptr || !k->shift) {
        integers_clear(k);
        return perp_fail(err, PERP_ERR_MEMORY, "exact: no memory for %zu rows", n);
    }
    k->high = reals + n;
    k->s = reals + 2 * n;
    integers_read_bounds(k, z);
    if (perp_row_scales(p, k->s, NULL) != PERP_OK || !integers_read_matrix(k)) {
        integers_clear(k);
        return perp_fail(err, PERP_ERR_MEMORY,
                         "exact: no memory for the matrix of %zu rows", n);
    }
    return PERP_OK;
}

void integers_clear(exact_integers *k)
{
    if (k->b) {
        _fmpz_vec_clear(k->b, (slong)(4 * k->n));
    }
    for (size_t e = 0; e < k->room; e++) {
        fmpz_clear(k->value + e);
    }
    free(k->value);
    free(k->col);
    free(k->ptr);
    free(k->shift);
    free(k->low);
    *k = (exact_integers){0};
}

void integers_point_init(exact_point *x, size_t n)
{
    x->n = n;
    x->X = _fmpz_vec_init((slong)(2 * n));
    x->W = x->X + n;
    fmpz_init(x->D);
    fmpz_init(x->den);
    x->held = 0;
}

void integers_point_clear(exact_point *x)
{
    if (x->X) {
        _fmpz_vec_clear(x->X, (slong)(2 * x->n));
        fmpz_clear(x->D);
        fmpz_clear(x->den);
    }
    x->X = NULL;
}

/* The sign of x_i - bound. */
static int integers_sign(const exact_point *x, size_t i, const fmpz_t bound)
{
    fmpz_t scaled;
    int sign = 0;

    fmpz_init(scaled);
    fmpz_mul(scaled, bound, x->den);
    sign = fmpz_cmp(x->X + i, scaled);
    fmpz_clear(scaled);
    return sign;
}

int integers_above(const exact_integers *k, const exact_point *x, size_t i)
{
    return integers_sign(x, i, k->lo + i);
}

int integers_below(const exact_integers *k, const exact_point *x, size_t i)
{
    return -integers_sign(x, i, k->hi + i);
}

/* a/(b 2^shift), rounded as asked. */
static double integers_ratio(const fmpz_t a, const fmpz_t b, slong shift, arf_rnd_t round)
{
    arf_t ratio;
    double value = 0.0;

    arf_init(ratio);
    arf_fmpz_div_fmpz(ratio, a, b, 2 * DBL_MANT_DIG, round);
    arf_mul_2exp_si(ratio, ratio, -shift);
    value = arf_get_d(ratio, round);
    arf_clear(ratio);
    return value;
}

double integers_x(const exact_point *x, size_t i)
{
    return integers_ratio(x->X + i, x->D, 0, ARF_RND_NEAR);
}

double integers_w(const exact_integers *k, const exact_point *x, size_t i)
{
    return integers_ratio(x->W + i, x->D, k->shift[i], ARF_RND_NEAR);
}

double integers_distance(const exact_integers *k, const exact_point *x, size_t i)
{
    fmpz_t difference;
    double bound = 0.0;

    fmpz_init(difference);
    fmpz_mul(difference, k->z + i, x->den);
    fmpz_sub(difference, difference, x->X + i);
    fmpz_abs(difference, difference);
    bound = integers_ratio(difference, x->D, 0, ARF_RND_UP);
    fmpz_clear(difference);
    return bound;
}

double integers_velocity(const exact_integers *k, const exact_point *x, size_t i)
{
    fmpz_t size;
    double bound = 0.0;

    fmpz_init(size);
    fmpz_abs(size, x->W + i);
    bound = integers_ratio(size, x->D, k->shift[i], ARF_RND_UP);
    fmpz_clear(size);
    return bound;
}
