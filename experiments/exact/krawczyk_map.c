/* SPDX-License-Identifier: Apache-2.0
 * exact/krawczyk_map.c: complementarity conditions as equations with enclosed slopes.
 *
 * Each block of K is a product of intervals and of disks whose radius may be mu times the impulse
 * of a normal row: a contact is z_N >= 0 with |z_T| <= mu z_N. One parameter per row describes
 * the pairs (z, w) that obey the conditions: of an interval
 *
 *     z = P(x),  w = P(x) - x,  P the projection onto [lo, hi],
 *
 * of a disk the same with the projection onto the disk of radius r(x). The associated law adds
 * mu |w_T| to w_N. So each zero of F(x) = A Z(x) + b - W(x) is a solution: there is no list of
 * sticking and sliding contacts that could be wrong. F is the normal map [robinson-1992] up to
 * the choice of the projections.
 *
 * Over a box the slopes of Z are a number each, where the box lies on one side of the kinks of
 * a piece, or an interval that contains all slopes. As W = Z - y with y(x) smooth, those of F are
 *
 *     S = (A - I) dZ + dy,
 *
 * so that an interval enters once, times what couples the rows. Where |w_T| is added to w_N,
 * |w_T| = |y| - t'z_T with t = y/|y|: row N of A - I has mu t' more, and dy -mu d|y|. A disk whose
 * edge the box meets has polar coordinates, in which one column only has intervals:
 *
 *     x = (e, a):  y = (r + e) (cos a, sin a),  z = (r + min(e, 0)) (cos a, sin a). */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "experiments/exact/krawczyk.h"

/* Row i: += v in column j. A row of a contact depends on five columns at most. */
static void map_slope_add(krawczyk_slopes *s, slong i, slong j, const arb_t v, slong prec)
{
    slong k = 0, from = i * KRAWCZYK_WIDTH;

    while (k < s->count[i] && s->col[from + k] != j) {
        k++;
    }
    if (k == s->count[i]) {
        s->col[from + k] = j;
        s->count[i]++;
        arb_set(s->value + from + k, v);
        return;
    }
    arb_add(s->value + from + k, s->value + from + k, v, prec);
}

/* ------------------------------------------------------------- kinked functions */

/* y := max(x, 0) and t := its slopes over the ball x. */
static void map_positive_part(arb_t y, arb_t t, const arb_t x, slong prec)
{
    arb_t zero;

    if (arb_is_nonnegative(x)) {
        arb_set(y, x);
        arb_one(t);
        return;
    }
    if (arb_is_nonpositive(x)) {
        arb_zero(y);
        arb_zero(t);
        return;
    }
    arb_init(zero);
    arb_max(y, x, zero, prec);
    arb_clear(zero);
    arb_unit_interval(t);
}

/* ----------------------------------------------------------------- intervals */

/* z = lo + max(x - lo, 0) - max(x - hi, 0), w = z - x, each side only where it has a bound. */
static void map_interval(krawczyk_map *map, const krawczyk_piece *q, arb_srcptr x)
{
    slong i = q->row, prec = map->prec;
    arb_t below, above, t, u, v;

    arb_init(below), arb_init(above), arb_init(t), arb_init(u), arb_init(v);
    arb_one(u); /* slope of z */
    if (q->low) {
        arb_sub(v, q->lo, x + i, prec);
        map_positive_part(below, t, v, prec);
        arb_sub(u, u, t, prec);
    }
    if (q->high) {
        arb_sub(v, x + i, q->hi, prec);
        map_positive_part(above, t, v, prec);
        arb_sub(u, u, t, prec);
    }
    if (q->low && q->high && arb_equal(q->lo, q->hi)) {
        arb_zero(u);
    }
    if (q->low && arb_is_positive(below)) {
        arb_set(map->Z + i, q->lo);
    } else if (q->high && arb_is_positive(above)) {
        arb_set(map->Z + i, q->hi);
    } else {
        arb_set(map->Z + i, x + i);
        if (q->low) {
            arb_max(map->Z + i, map->Z + i, q->lo, prec);
        }
        if (q->high) {
            arb_min(map->Z + i, map->Z + i, q->hi, prec);
        }
        if (arb_is_zero(below) && arb_is_zero(above)) {
            arb_set(map->Z + i, x + i);
        }
    }
    arb_sub(map->W + i, below, above, prec);
    map_slope_add(&map->dZ, i, i, u, prec);
    arb_one(v);
    map_slope_add(&map->dy, i, i, v, prec);
    arb_clear(below), arb_clear(above), arb_clear(t), arb_clear(u), arb_clear(v);
}

/* ------------------------------------------------------------------------ disks */

/* What the formulas of a disk share. */
typedef struct map_disk {
    const krawczyk_piece *q;
    slong i, dim, prec;
    arb_t r;               /* radius */
    arb_t out;             /* |y| - r */
    arb_t size;            /* |y| */
    arb_struct t[2];       /* y/|y| */
    arb_struct z[2], w[2]; /* values */
    arb_struct v[2][2];    /* dz/dx, of the own rows */
    arb_struct y[2][2];    /* dy/dx */
    arb_struct to[2];      /* dz/dr; of polar ones also dy/dr */
    arb_t lift;            /* |w| */
} map_disk;

static void map_disk_each(map_disk *d, void (*call)(arb_t))
{
    call(d->r), call(d->out), call(d->size), call(d->lift);
    for (int i = 0; i < 2; i++) {
        call(d->t + i), call(d->z + i), call(d->w + i), call(d->to + i);
        call(&d->y[i][0]), call(&d->y[i][1]), call(&d->v[i][0]), call(&d->v[i][1]);
    }
}

static void map_disk_start(map_disk *d, const krawczyk_map *map, const krawczyk_piece *q)
{
    *d = (map_disk){.q = q, .i = q->row, .dim = q->dim, .prec = map->prec};
    map_disk_each(d, arb_init);
    arb_set(d->r, q->mu);
    if (q->normal != KRAWCZYK_NO_ROW) {
        arb_t t;

        arb_init(t); /* impulses of normal rows are never negative */
        map_positive_part(t, d->out, map->Z + q->normal, d->prec);
        arb_mul(d->r, q->mu, t, d->prec);
        arb_clear(t);
    }
}

/* |y|, y/|y| and |y| - r. */
static void map_disk_measure(map_disk *d, arb_srcptr x)
{
    arb_srcptr y = x + d->i;

    if (d->dim == 1) {
        arb_abs(d->size, y);
    } else {
        arb_hypot(d->size, y, y + 1, d->prec);
    }
    for (slong i = 0; i < d->dim; i++) {
        arb_div(d->t + i, y + i, d->size, d->prec);
        if (!arb_is_positive(d->size)) {
            arb_zero_pm_one(d->t + i);
        }
    }
    arb_sub(d->out, d->size, d->r, d->prec);
}

/* y inside: z = y, w = 0. Of r = 0: z = 0, w = -y. */
static void map_disk_identity(map_disk *d, arb_srcptr x, bool inside)
{
    for (slong i = 0; i < d->dim; i++) {
        if (inside) {
            arb_set(d->z + i, x + d->i + i);
            arb_one(&d->v[i][i]);
        } else {
            arb_neg(d->w + i, x + d->i + i);
        }
    }
    if (!inside) {
        arb_set(d->lift, d->size);
    }
}

/* y outside: z = r y/|y|, dz/dy = (r/|y|) (I - t t'), dz/dr = t. */
static void map_disk_outside(map_disk *d)
{
    slong prec = d->prec;
    arb_t part;

    arb_init(part);
    arb_div(part, d->r, d->size, prec);
    for (slong i = 0; i < d->dim; i++) {
        arb_mul(d->z + i, d->r, d->t + i, prec);
        arb_mul(d->w + i, d->out, d->t + i, prec);
        arb_neg(d->w + i, d->w + i);
        arb_set(d->to + i, d->t + i);
        for (slong j = 0; j < d->dim && d->dim == 2; j++) {
            /* I - t t' = s s', s = (-t_2, t_1) */
            arb_mul(&d->v[i][j], d->t + 1 - i, d->t + 1 - j, prec);
            arb_mul(&d->v[i][j], &d->v[i][j], part, prec);
            if (i != j) {
                arb_neg(&d->v[i][j], &d->v[i][j]);
            }
        }
    }
    arb_set(d->lift, d->out);
    arb_clear(part);
}

/* Both are possible: z = min(1, r/|y|) y. The slopes dz/dy are symmetric with eigenvalues in
 * [0, 1], and |dz/dr| <= 1. */
static void map_disk_any(map_disk *d, arb_srcptr x)
{
    slong prec = d->prec;
    arb_t part, t;

    arb_init(part), arb_init(t);
    if (arb_is_positive(d->r)) {
        arb_max(part, d->size, d->r, prec);
        arb_div(part, d->r, part, prec);
    } else {
        arb_unit_interval(part);
    }
    for (slong i = 0; i < d->dim; i++) {
        arb_mul(d->z + i, part, x + d->i + i, prec);
        arb_sub(d->w + i, d->z + i, x + d->i + i, prec);
        arb_zero_pm_one(d->to + i);
        for (slong j = 0; j < d->dim; j++) {
            if (i == j) {
                arb_unit_interval(&d->v[i][j]);
            } else {
                arb_zero_pm_one(&d->v[i][j]);
                arb_mul_2exp_si(&d->v[i][j], &d->v[i][j], -1);
            }
        }
    }
    map_positive_part(d->lift, t, d->out, prec);
    arb_clear(part), arb_clear(t);
}

/* x = (e, a), or (e) with the side: y = (r + e) t, z = (r + min(e, 0)) t, w = -max(e, 0) t. */
static void map_disk_polar(map_disk *d, arb_srcptr x)
{
    slong prec = d->prec;
    arb_t over, slope, under;

    arb_init(over), arb_init(slope), arb_init(under);
    arb_set_si(d->t, d->q->sign);
    if (d->dim == 2) {
        arb_sin_cos(d->t + 1, d->t, x + d->i + 1, prec);
    }
    map_positive_part(over, slope, x + d->i, prec);
    arb_neg(under, x + d->i);
    map_positive_part(under, slope, under, prec); /* slope of min(e, 0) */
    arb_sub(under, d->r, under, prec);            /* |z| */
    arb_add(d->size, d->r, x + d->i, prec);       /* |y| */
    for (slong i = 0; i < d->dim; i++) {
        arb_mul(d->z + i, under, d->t + i, prec);
        arb_mul(d->w + i, over, d->t + i, prec);
        arb_neg(d->w + i, d->w + i);
        arb_set(d->to + i, d->t + i);
        arb_mul(&d->v[i][0], slope, d->t + i, prec);
        arb_set(&d->y[i][0], d->t + i);
        if (d->dim == 2) {
            arb_mul(&d->v[i][1], under, d->t + 1 - i, prec);
            arb_mul(&d->y[i][1], d->size, d->t + 1 - i, prec);
        }
    }
    arb_neg(&d->v[0][1], &d->v[0][1]);
    arb_neg(&d->y[0][1], &d->y[0][1]);
    arb_set(d->lift, over);
    arb_clear(over), arb_clear(slope), arb_clear(under);
}

/* Slopes v of the own rows, and v times dr/dx_N in the column of the normal row. */
static void map_disk_store_slopes(const map_disk *d, krawczyk_slopes *s,
                                  arb_struct v[2][2], const arb_t by, bool radial)
{
    arb_t t;

    arb_init(t);
    for (slong i = 0; i < d->dim; i++) {
        for (slong j = 0; j < d->dim; j++) {
            if (!arb_is_zero(&v[i][j])) {
                map_slope_add(s, d->i + i, d->i + j, &v[i][j], d->prec);
            }
        }
        arb_mul(t, by, d->to + i, d->prec);
        if (radial && !arb_is_zero(t)) {
            map_slope_add(s, d->i + i, d->q->normal, t, d->prec);
        }
    }
    arb_clear(t);
}

/* w_N += mu |w_T|, dy_N -= mu d|y|; the rest of the slopes is made of `tangent`. */
static void map_disk_lift(const map_disk *d, krawczyk_map *map, const arb_t by)
{
    slong N = d->q->normal, prec = d->prec;
    arb_t v;

    arb_init(v);
    arb_addmul(map->W + N, d->q->mu, d->lift, prec);
    for (slong j = 0; j < d->dim; j++) {
        arb_mul(map->tangent + d->i + j, d->q->mu, d->t + j, prec);
        if (!d->q->polar) {
            arb_neg(v, map->tangent + d->i + j);
            map_slope_add(&map->dy, N, d->i + j, v, prec);
        }
    }
    if (d->q->polar) {
        arb_neg(v, d->q->mu);
        map_slope_add(&map->dy, N, d->i, v, prec);
        arb_mul(v, v, by, prec);
        map_slope_add(&map->dy, N, N, v, prec);
    }
    arb_clear(v);
}

static void map_disk_store(map_disk *d, krawczyk_map *map)
{
    slong N = d->q->normal, prec = d->prec;
    bool radial = N != KRAWCZYK_NO_ROW;
    arb_t by, t;

    arb_init(by), arb_init(t);
    if (radial) { /* dr/dx_N; z_N depends on x_N alone */
        map_positive_part(t, by, map->Z + N, prec);
        arb_mul(by, by, d->q->mu, prec);
        arb_mul(by, by, map->dZ.value + N * KRAWCZYK_WIDTH, prec);
    }
    for (slong i = 0; i < d->dim; i++) {
        arb_set(map->Z + d->i + i, d->z + i);
        arb_set(map->W + d->i + i, d->w + i);
        if (!d->q->polar) {
            arb_one(&d->y[i][i]);
        }
    }
    map_disk_store_slopes(d, &map->dZ, d->v, by, radial);
    map_disk_store_slopes(d, &map->dy, d->y, by, radial && d->q->polar);
    if (d->q->lifts) {
        map_disk_lift(d, map, by);
    }
    arb_clear(by), arb_clear(t);
}

static void map_disk_at(krawczyk_map *map, const krawczyk_piece *q, arb_srcptr x)
{
    map_disk d;

    map_disk_start(&d, map, q);
    if (q->polar) {
        map_disk_polar(&d, x);
    } else {
        map_disk_measure(&d, x);
        if (arb_is_zero(d.r)) {
            map_disk_identity(&d, x, false);
        } else if (arb_is_nonpositive(d.out)) {
            map_disk_identity(&d, x, true);
        } else if (arb_is_nonnegative(d.out) && arb_is_positive(d.size)) {
            map_disk_outside(&d);
        } else {
            map_disk_any(&d, x);
        }
    }
    map_disk_store(&d, map);
    map_disk_each(&d, arb_clear);
}

/* ---------------------------------------------------------------------- the map */

void krawczyk_map_at(krawczyk_map *map, arb_srcptr x)
{
    for (slong i = 0; i < map->n; i++) {
        map->dZ.count[i] = map->dy.count[i] = 0;
    }
    for (slong k = 0; k < map->count;
         k++) { /* disks need the impulses of all normal rows */
        if (!map->piece[k].disk) {
            map_interval(map, &map->piece[k], x);
        }
    }
    for (slong k = 0; k < map->count; k++) {
        if (map->piece[k].disk) {
            map_disk_at(map, &map->piece[k], x);
        }
    }
    for (slong i = 0; i < map->n; i++) {
        arb_dot(map->F + i, map->b + i, 0, map->A->rows[i], 1, map->Z, 1, map->n,
                map->prec);
        arb_sub(map->F + i, map->F + i, map->W + i, map->prec);
    }
}

bool krawczyk_map_valid(const krawczyk_map *map, slong *row)
{
    bool valid = true;
    arb_t r;

    arb_init(r);
    for (slong k = 0; k < map->count && valid; k++) {
        const krawczyk_piece *q = &map->piece[k];

        if (q->polar) { /* r + min(e, 0) */
            arb_set(r, q->mu);
            if (q->normal != KRAWCZYK_NO_ROW) {
                arb_mul(r, r, map->Z + q->normal, map->prec);
            }
            if (arb_is_nonnegative(r) && !arb_is_nonnegative(map->x + q->row)) {
                arb_add(r, r, map->x + q->row, map->prec);
            }
            valid = arb_is_nonnegative(r);
            *row = q->row;
        }
    }
    arb_clear(r);
    return valid;
}

/* r, |y| - r and |y| of a disk. */
static bool map_turns(const krawczyk_map *map, const krawczyk_piece *q, arb_srcptr x)
{
    map_disk d;
    bool turns = false;

    map_disk_start(&d, map, q);
    map_disk_measure(&d, x);
    turns = arb_is_positive(d.r) && arb_contains_zero(d.out);
    map_disk_each(&d, arb_clear);
    return turns;
}

/* The point of a disk in polar coordinates. */
static void map_turn(krawczyk_map *map, krawczyk_piece *q)
{
    arb_ptr x = map->x + q->row;
    map_disk d;

    map_disk_start(&d, map, q);
    map_disk_measure(&d, map->x);
    q->polar = true;
    q->sign = arb_is_negative(x) ? -1 : 1;
    if (q->dim == 2) {
        arb_atan2(x + 1, x + 1, x, map->prec);
        arb_get_mid_arb(x + 1, x + 1);
        q->sign = 1;
    }
    arb_get_mid_arb(x, d.out);
    map_disk_each(&d, arb_clear);
}

slong krawczyk_map_turn(krawczyk_map *map, arb_srcptr box)
{
    slong turned = 0;
    bool *turns = calloc((size_t)map->count + 1, sizeof *turns);

    if (!turns) {
        return 0; /* the slopes stay wider */
    }
    krawczyk_map_at(map, box);
    for (slong k = 0; k < map->count; k++) {
        const krawczyk_piece *q = &map->piece[k];

        turns[k] = q->disk && !q->polar && map_turns(map, q, box);
        turned += turns[k];
    }
    krawczyk_map_at(map, map->x);
    for (slong k = 0; k < map->count; k++) {
        if (turns[k]) {
            map_turn(map, &map->piece[k]);
        }
    }
    free(turns);
    return turned;
}

/* b_k := row i of A - I, and mu t' of the disks that are added to w_i. */
static void map_coupling(const krawczyk_map *map, slong i, arb_ptr b)
{
    _arb_vec_set(b, map->A->rows[i], map->n);
    arb_sub_ui(b + i, b + i, 1, map->prec);
    for (slong k = 0; k < map->count; k++) {
        const krawczyk_piece *q = &map->piece[k];

        for (slong j = 0; q->lifts && q->normal == i && j < q->dim; j++) {
            arb_add(b + q->row + j, b + q->row + j, map->tangent + q->row + j, map->prec);
        }
    }
}

/* Row i of (A - I) dZ + dy. */
static void map_slopes_row(const krawczyk_map *map, slong i, arb_ptr row, arb_ptr b)
{
    _arb_vec_zero(row, map->n);
    map_coupling(map, i, b);
    for (slong k = 0; k < map->n; k++) {
        for (slong e = 0; e < map->dZ.count[k] && !arb_is_zero(b + k); e++) {
            const arb_struct *v = map->dZ.value + k * KRAWCZYK_WIDTH + e;
            arb_ptr to = row + map->dZ.col[k * KRAWCZYK_WIDTH + e];

            if (arb_is_one(v)) {
                arb_add(to, to, b + k, map->prec);
            } else if (!arb_is_zero(v)) {
                arb_addmul(to, b + k, v, map->prec);
            }
        }
    }
    for (slong e = 0; e < map->dy.count[i]; e++) {
        arb_ptr to = row + map->dy.col[i * KRAWCZYK_WIDTH + e];

        arb_add(to, to, map->dy.value + i * KRAWCZYK_WIDTH + e, map->prec);
    }
}

void krawczyk_map_slopes(const krawczyk_map *map, slong m, const slong *rows,
                         const slong *cols, arb_mat_t S)
{
    arb_ptr row = _arb_vec_init(map->n), b = _arb_vec_init(map->n);

    for (slong i = 0; i < m; i++) {
        map_slopes_row(map, rows[i], row, b);
        for (slong j = 0; j < m; j++) {
            arb_set(arb_mat_entry(S, i, j), row + cols[j]);
        }
    }
    _arb_vec_clear(row, map->n), _arb_vec_clear(b, map->n);
}

void krawczyk_map_z(const krawczyk_map *map, slong i, arb_t z)
{
    arb_mul_2exp_si(z, map->Z + i, map->size - map->shift[i]);
}
