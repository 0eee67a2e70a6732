/* SPDX-License-Identifier: Apache-2.0
 * exact/krawczyk_disk.c: the formulas of disks: values and slopes of z and w, which are functions
 * of the own rows of x and of the impulse of the normal row. */
#include <config.h>

#include "interop/exact/krawczyk.h"

/* What the formulas of a disk share. */
typedef struct disk_part {
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
} disk_part;

static void disk_each(disk_part *d, void (*call)(arb_t))
{
    call(d->r), call(d->out), call(d->size), call(d->lift);
    for (int i = 0; i < 2; i++) {
        call(d->t + i), call(d->z + i), call(d->w + i), call(d->to + i);
        call(&d->y[i][0]), call(&d->y[i][1]), call(&d->v[i][0]), call(&d->v[i][1]);
    }
}

static void disk_start(disk_part *d, const krawczyk_map *map, const krawczyk_piece *q)
{
    *d = (disk_part){.q = q, .i = q->row, .dim = q->dim, .prec = map->prec};
    disk_each(d, arb_init);
    arb_set(d->r, q->mu);
    if (q->normal != KRAWCZYK_NO_ROW) {
        arb_t t;

        arb_init(t); /* impulses of normal rows are never negative */
        krawczyk_positive_part(t, d->out, map->Z + q->normal, d->prec);
        arb_mul(d->r, q->mu, t, d->prec);
        arb_clear(t);
    }
}

/* |y|, y/|y| and |y| - r. */
static void disk_measure(disk_part *d, arb_srcptr x)
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
static void disk_identity(disk_part *d, arb_srcptr x, bool inside)
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
static void disk_outside(disk_part *d)
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
static void disk_any(disk_part *d, arb_srcptr x)
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
    krawczyk_positive_part(d->lift, t, d->out, prec);
    arb_clear(part), arb_clear(t);
}

/* x = (e, a), or (e) with the side: y = (r + e) t, z = (r + min(e, 0)) t, w = -max(e, 0) t. */
static void disk_polar(disk_part *d, arb_srcptr x)
{
    slong prec = d->prec;
    arb_t over, slope, under;

    arb_init(over), arb_init(slope), arb_init(under);
    arb_set_si(d->t, d->q->sign);
    if (d->dim == 2) {
        arb_sin_cos(d->t + 1, d->t, x + d->i + 1, prec);
    }
    krawczyk_positive_part(over, slope, x + d->i, prec);
    arb_neg(under, x + d->i);
    krawczyk_positive_part(under, slope, under, prec); /* slope of min(e, 0) */
    arb_sub(under, d->r, under, prec);                 /* |z| */
    arb_add(d->size, d->r, x + d->i, prec);            /* |y| */
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
static void disk_store_slopes(const disk_part *d, krawczyk_slopes *s, arb_struct v[2][2],
                              const arb_t by, bool radial)
{
    arb_t t;

    arb_init(t);
    for (slong i = 0; i < d->dim; i++) {
        for (slong j = 0; j < d->dim; j++) {
            if (!arb_is_zero(&v[i][j])) {
                krawczyk_slope_add(s, d->i + i, d->i + j, &v[i][j], d->prec);
            }
        }
        arb_mul(t, by, d->to + i, d->prec);
        if (radial && !arb_is_zero(t)) {
            krawczyk_slope_add(s, d->i + i, d->q->normal, t, d->prec);
        }
    }
    arb_clear(t);
}

/* w_N += mu |w_T|, D dy_N -= mu d d|y|; the rest of the slopes is made of `tangent`. */
static void disk_lift(const disk_part *d, krawczyk_map *map, const arb_t by)
{
    slong N = d->q->normal, prec = d->prec;
    arb_t mu, v;

    arb_init(mu), arb_init(v);
    arb_mul(mu, d->q->mu, map->d + d->i, prec);
    arb_addmul(map->W + N, mu, d->lift, prec);
    for (slong j = 0; j < d->dim; j++) {
        arb_mul(map->tangent + d->i + j, mu, d->t + j, prec);
        if (!d->q->polar) {
            arb_neg(v, map->tangent + d->i + j);
            krawczyk_slope_add(&map->dy, N, d->i + j, v, prec);
        }
    }
    if (d->q->polar) {
        arb_neg(v, mu);
        krawczyk_slope_add(&map->dy, N, d->i, v, prec);
        arb_mul(v, v, by, prec);
        krawczyk_slope_add(&map->dy, N, N, v, prec);
    }
    arb_clear(mu), arb_clear(v);
}

static void disk_store(disk_part *d, krawczyk_map *map)
{
    slong N = d->q->normal, prec = d->prec;
    bool radial = N != KRAWCZYK_NO_ROW;
    arb_t by, t;

    arb_init(by), arb_init(t);
    if (radial) { /* dr/dx_N; z_N depends on x_N alone */
        krawczyk_positive_part(t, by, map->Z + N, prec);
        arb_mul(by, by, d->q->mu, prec);
        arb_mul(by, by, map->dZ.value + N * KRAWCZYK_WIDTH, prec);
    }
    for (slong i = 0; i < d->dim; i++) {
        arb_set(map->Z + d->i + i, d->z + i);
        arb_mul(map->W + d->i + i, d->w + i, map->d + d->i, prec);
        if (!d->q->polar) {
            arb_one(&d->y[i][i]);
        }
        arb_mul(&d->y[i][0], &d->y[i][0], map->d + d->i, prec);
        arb_mul(&d->y[i][1], &d->y[i][1], map->d + d->i, prec);
    }
    disk_store_slopes(d, &map->dZ, d->v, by, radial);
    if (d->q->lifts) {
        disk_lift(d, map, by);
    }
    arb_mul(by, by, map->d + d->i, prec);
    disk_store_slopes(d, &map->dy, d->y, by, radial && d->q->polar);
    arb_clear(by), arb_clear(t);
}

void krawczyk_disk_at(krawczyk_map *map, const krawczyk_piece *q, arb_srcptr x)
{
    disk_part d;

    disk_start(&d, map, q);
    if (q->polar) {
        disk_polar(&d, x);
    } else {
        disk_measure(&d, x);
        if (arb_is_zero(d.r)) {
            disk_identity(&d, x, false);
        } else if (arb_is_nonpositive(d.out)) {
            disk_identity(&d, x, true);
        } else if (arb_is_nonnegative(d.out) && arb_is_positive(d.size)) {
            disk_outside(&d);
        } else {
            disk_any(&d, x);
        }
    }
    disk_store(&d, map);
    disk_each(&d, arb_clear);
}

/* r, |y| - r and |y| of a disk. */
bool krawczyk_disk_meets(const krawczyk_map *map, const krawczyk_piece *q, arb_srcptr x)
{
    disk_part d;
    bool turns = false;

    disk_start(&d, map, q);
    disk_measure(&d, x);
    turns = arb_is_positive(d.r) && arb_contains_zero(d.out);
    disk_each(&d, arb_clear);
    return turns;
}

/* The point of a disk in polar coordinates. */
void krawczyk_disk_turn(krawczyk_map *map, krawczyk_piece *q)
{
    arb_ptr x = map->x + q->row;
    disk_part d;

    disk_start(&d, map, q);
    disk_measure(&d, map->x);
    q->polar = true;
    q->sign = arb_is_negative(x) ? -1 : 1;
    if (q->dim == 2) {
        arb_atan2(x + 1, x + 1, x, map->prec);
        arb_get_mid_arb(x + 1, x + 1);
        q->sign = 1;
    }
    arb_get_mid_arb(x, d.out);
    disk_each(&d, arb_clear);
}
