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
 * sticking and sliding contacts that could be wrong. F is a normal map [robinson-1992];
 * enclosures of such maps are those of [alefeld-chen-potra-1999].
 *
 * Over a box the slopes of Z are a number each, where the box lies on one side of the kinks of
 * a piece, or an interval that contains all slopes. W = D (Z - y) with y(x) smooth and D diagonal,
 * the identity unless krawczyk_map_relax has changed it: the slopes of F are
 *
 *     S = (A - D) dZ + D dy,
 *
 * so that an interval enters once, times what couples the rows. Where |w_T| is added to w_N,
 * |w_T| = d (|y| - t'z_T) with t = y/|y|: row N of A - D has mu d t' more, and D dy -mu d d|y|. A disk whose
 * edge the box meets has polar coordinates, in which one column only has intervals:
 *
 *     x = (e, a):  y = (r + e) (cos a, sin a),  z = (r + min(e, 0)) (cos a, sin a). */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "interop/exact/krawczyk.h"

/* Row i: += v in column j. A row of a contact depends on five columns at most. */
void krawczyk_slope_add(krawczyk_slopes *s, slong i, slong j, const arb_t v, slong prec)
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
void krawczyk_positive_part(arb_t y, arb_t t, const arb_t x, slong prec)
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
        krawczyk_positive_part(below, t, v, prec);
        arb_sub(u, u, t, prec);
    }
    if (q->high) {
        arb_sub(v, x + i, q->hi, prec);
        krawczyk_positive_part(above, t, v, prec);
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
    arb_mul(map->W + i, map->W + i, map->d + i, prec);
    krawczyk_slope_add(&map->dZ, i, i, u, prec);
    krawczyk_slope_add(&map->dy, i, i, map->d + i, prec);
    arb_clear(below), arb_clear(above), arb_clear(t), arb_clear(u), arb_clear(v);
}

/* ---------------------------------------------------------------------- the map */

void krawczyk_map_at(krawczyk_map *map, arb_srcptr x)
{
    for (slong i = 0; i < map->n; i++) {
        map->dZ.count[i] = map->dy.count[i] = 0;
    }
    for (slong k = 0; k < map->count; k++) {
        for (slong i = 0; i < map->piece[k].dim; i++) {
            arb_set_d(map->d + map->piece[k].row + i, map->piece[k].d);
        }
    }
    /* disks need the impulses of all normal rows */
    for (slong k = 0; k < map->count; k++) {
        if (!map->piece[k].disk) {
            map_interval(map, &map->piece[k], x);
        }
    }
    for (slong k = 0; k < map->count; k++) {
        if (map->piece[k].disk) {
            krawczyk_disk_at(map, &map->piece[k], x);
        }
    }
    for (slong i = 0; i < map->n; i++) {
        arb_dot(map->F + i, map->b + i, 0, arb_mat_entry(map->A, i, 0), 1, map->Z, 1,
                map->n, map->prec);
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

        turns[k] = q->disk && !q->polar && krawczyk_disk_meets(map, q, box);
        turned += turns[k];
    }
    krawczyk_map_at(map, map->x);
    for (slong k = 0; k < map->count; k++) {
        if (turns[k]) {
            krawczyk_disk_turn(map, &map->piece[k]);
        }
    }
    free(turns);
    return turned;
}

/* b_k := row i of A - D, and mu d t' of the disks that are added to w_i. */
static void map_coupling(const krawczyk_map *map, slong i, arb_ptr b)
{
    _arb_vec_set(b, arb_mat_entry(map->A, i, 0), map->n);
    arb_sub(b + i, b + i, map->d + i, map->prec);
    for (slong k = 0; k < map->count; k++) {
        const krawczyk_piece *q = &map->piece[k];

        for (slong j = 0; q->lifts && q->normal == i && j < q->dim; j++) {
            arb_add(b + q->row + j, b + q->row + j, map->tangent + q->row + j, map->prec);
        }
    }
}

/* Row i of (A - D) dZ + D dy. */
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

/* row += p_k times row k of the slopes. */
static void map_add_slopes(arb_ptr row, const arb_t p, const krawczyk_slopes *s, slong k,
                           slong prec)
{
    for (slong e = 0; e < s->count[k] && !arb_is_zero(p); e++) {
        arb_addmul(row + s->col[k * KRAWCZYK_WIDTH + e], p,
                   s->value + k * KRAWCZYK_WIDTH + e, prec);
    }
}

void krawczyk_map_product(const krawczyk_map *map, arb_srcptr y, arb_ptr row, slong prec)
{
    slong n = map->n;
    arb_ptr p = _arb_vec_init(n);

    for (slong i = 0; i < n; i++) {
        arb_submul(p + i, y + i, map->d + i, prec);
        for (slong k = 0; k < n && !arb_is_zero(y + i); k++) {
            const arb_struct *a = arb_mat_entry(map->A, i, k);

            if (!arb_is_zero(a)) {
                arb_addmul(p + k, y + i, a, prec);
            }
        }
    }
    _arb_vec_zero(row, n);
    for (slong k = 0; k < n; k++) {
        map_add_slopes(row, p + k, &map->dZ, k, prec);
        map_add_slopes(row, y + k, &map->dy, k, prec);
    }
    for (slong k = 0; k < map->count; k++) {
        const krawczyk_piece *q = &map->piece[k];

        for (slong j = q->row; q->lifts && j < q->row + q->dim; j++) {
            /* slopes of w_N, which may be those of another point than those of z */
            arb_mul(p, y + q->normal, map->tangent + j, prec);
            map_add_slopes(row, p, &map->dZ, j, prec);
        }
    }
    _arb_vec_clear(p, n);
}

void krawczyk_map_z(const krawczyk_map *map, slong i, arb_t z)
{
    arb_mul_2exp_si(z, map->Z + i, map->size - map->shift[i]);
}
