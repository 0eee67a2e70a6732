/* SPDX-License-Identifier: Apache-2.0
 * exact/krawczyk_relax.c: units of velocities in which contacts on two boundaries are decoupled.
 *
 * Over a box that meets a kink, a column of the slopes of F lies between u, that of A, and d v,
 * that of w = d (z - y). With Y the inverse for the midpoint, (Y u)_k + (Y d v)_k = 2. The d that
 * makes both 1 leaves no width in the diagonal of Y S: it is a diagonal entry of the Schur
 * complement. A proof does not depend on how good it is. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "interop/exact/krawczyk.h"

/* Narrower slopes than this, and changes of d below 1 + this, are left alone. */
static const double relax_least = 0.05;

/* Whether the slopes of Z of the piece are wide. */
static bool relax_wide(const krawczyk_map *map, const krawczyk_piece *q)
{
    for (slong i = q->row; i < q->row + q->dim; i++) {
        for (slong e = 0; e < map->dZ.count[i]; e++) {
            const arb_struct *v = map->dZ.value + i * KRAWCZYK_WIDTH + e;

            if (map->dZ.col[i * KRAWCZYK_WIDTH + e] == q->row &&
                mag_cmp_2exp_si(arb_radref(v), -4) > 0) {
                return true;
            }
        }
    }
    return false;
}

/* (A - D)_jl, with the share of w_N of the disk. */
static double relax_coupling(const krawczyk_map *map, const krawczyk_piece *q, slong j,
                             slong l)
{
    double a = arf_get_d(arb_midref(arb_mat_entry(map->A, j, l)), ARF_RND_NEAR);

    a -= j == l ? q->d : 0.0;
    if (q->lifts && j == q->normal) {
        a += arf_get_d(arb_midref(map->tangent + l), ARF_RND_NEAR);
    }
    return a;
}

/* (Y u - Y d v)_k of the first unknown of the piece. */
static double relax_width(const krawczyk_map *map, const krawczyk_part *part,
                          const krawczyk_piece *q, arb_srcptr y)
{
    double t[2] = {1.0, 0.0}, sum = 0.0;

    if (q->polar) {
        double a = arf_get_d(arb_midref(map->x + q->row + q->dim - 1), ARF_RND_NEAR);

        t[0] = q->dim == 2 ? cos(a) : q->sign;
        t[1] = sin(a);
    }
    for (slong j = 0; j < part->m; j++) {
        double column = 0.0;

        for (slong l = 0; l < q->dim; l++) {
            column += relax_coupling(map, q, part->rows[j], q->row + l) * t[l];
        }
        sum += arf_get_d(arb_midref(y + j), ARF_RND_NEAR) * column;
    }
    return sum;
}

/* x for the new d: y = z + (y - z) d/new. */
static void relax_move(krawczyk_map *map, krawczyk_piece *q, double d)
{
    arb_t ratio, step;

    arb_init(ratio), arb_init(step);
    arb_set_d(ratio, q->d);
    arb_set_d(step, d);
    arb_div(ratio, ratio, step, map->prec);
    for (slong i = q->row; i < q->row + q->dim; i++) {
        arb_ptr x = map->x + i;

        if (!q->polar) {
            arb_sub(step, x, map->Z + i, map->prec);
            arb_mul(step, step, ratio, map->prec);
            arb_add(x, map->Z + i, step, map->prec);
        } else if (i == q->row && arb_is_positive(x)) {
            arb_mul(x, x, ratio, map->prec);
        }
        arb_get_mid_arb(x, x);
    }
    q->d = d;
    arb_clear(ratio), arb_clear(step);
}

/* The new d of each piece, 0 where it stays. */
static void relax_choose(const krawczyk_map *map, const krawczyk_part *part,
                         const krawczyk_factors *inverse, double *d)
{
    arb_ptr y = _arb_vec_init(part->m);

    for (slong k = 0; k < map->count; k++) {
        const krawczyk_piece *q = &map->piece[k];
        slong at = 0;
        double width = 0.0, ratio = 1.0;

        while (at < part->m && part->cols[at] != q->row) {
            at++;
        }
        if (at == part->m || !relax_wide(map, q)) {
            continue;
        }
        krawczyk_factors_row(inverse, at, y);
        width = relax_width(map, part, q, y) / 2.0;
        ratio = (1.0 + width) / (1.0 - width);
        if (fabs(width) < 1.0 && fabs(width) > relax_least) {
            d[k] = q->d * ratio;
        }
    }
    _arb_vec_clear(y, part->m);
}

slong krawczyk_map_relax(krawczyk_map *map, const krawczyk_part *part,
                         const krawczyk_factors *inverse, arb_srcptr box)
{
    slong changed = 0;
    double *d = calloc((size_t)map->count + 1, sizeof *d);

    if (!d) {
        return 0; /* the slopes stay wide */
    }
    krawczyk_map_at(map, box);
    relax_choose(map, part, inverse, d);
    krawczyk_map_at(map, map->x);
    for (slong k = 0; k < map->count; k++) {
        if (d[k] > 0.0) {
            relax_move(map, &map->piece[k], d[k]);
            changed++;
        }
    }
    free(d);
    return changed;
}
