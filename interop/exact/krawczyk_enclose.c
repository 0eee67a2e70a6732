/* SPDX-License-Identifier: Apache-2.0
 * exact/krawczyk_enclose.c: a box that contains exactly one zero of F.
 *
 * For a box X around the point m and an approximate inverse Y of the slopes,
 *
 *     K(X) = m - Y F(m) + (I - Y S(X)) (X - m) inside the interior of X
 *
 * proves that X contains exactly one zero [krawczyk-1969; rump-2010; neumaier-1990]. S(X) encloses
 * all slopes of F over X, so that F need not be smooth. S is formed once, for a box that is wide
 * enough; the radii r of the box that is proved solve
 *
 *     |Y F(m)| + |I - Y S| r < r
 *
 * by iteration, in numbers that are rounded upwards. Any Y will do: doubles where they suffice.
 * Cost: an inverse, and n products per nonzero of S. */
#include <config.h>

#include "base/base.h"
#include "interop/exact/krawczyk.h"

/* box := x with radius 2^-bits max(1, |x_i|) in the columns of the part. */
static void enclose_box(const krawczyk_map *map, const krawczyk_part *part, slong bits,
                        arb_ptr box)
{
    mag_t r;

    mag_init(r);
    _arb_vec_set(box, map->x, map->n);
    for (slong i = 0; i < part->m; i++) {
        arb_ptr x = box + part->cols[i];

        arb_get_mag(r, x);
        if (mag_cmp_2exp_si(r, 0) < 0) {
            mag_one(r);
        }
        mag_mul_2exp_si(arb_radref(x), r, -bits);
    }
    mag_clear(r);
}

/* sum := e_i + sum_j |C_ij| r_j, rounded upwards. */
static void enclose_image(mag_t sum, const mag_t e, const mag_struct *C, mag_srcptr r,
                          slong m)
{
    mag_set(sum, e);
    for (slong j = 0; j < m; j++) {
        mag_addmul(sum, C + j, r + j);
    }
}

/* Radii r with e + |C| r < r, at most those of `most`; false where none was found. */
static bool enclose_radii(mag_ptr r, mag_srcptr e, const mag_struct *C, mag_srcptr most,
                          slong m, slong prec)
{
    bool inside = false;
    mag_t sum, extra;

    mag_init(sum), mag_init(extra);
    mag_set_ui_2exp_si(extra, 1, -prec);
    for (slong i = 0; i < m; i++) {
        mag_add(r + i, e + i, extra);
    }
    for (slong k = 0; k < 60 && !inside; k++) {
        inside = true;
        for (slong i = 0; i < m; i++) {
            enclose_image(sum, e + i, C + i * m, r, m);
            if (mag_cmp(sum, r + i) >= 0) {
                inside = false;
                mag_mul_2exp_si(extra, sum, -4); /* by 1/16 wider */
                mag_add(r + i, sum, extra);
            }
        }
    }
    for (slong i = 0; i < m && inside; i++) {
        /* all bounds hold for the last r: radii that grew after row i was tested are tested
         * again */
        enclose_image(sum, e + i, C + i * m, r, m);
        inside = mag_cmp(sum, r + i) < 0 && mag_cmp(r + i, most + i) <= 0;
    }
    mag_clear(sum), mag_clear(extra);
    return inside;
}

/* C := bounds of |I - Y S|, S over the box, and e := bounds of |Y F|, F at the point; false when the
 * time is up. */
static bool enclose_bounds(krawczyk_map *map, const krawczyk_part *part,
                           const krawczyk_factors *inverse, arb_srcptr box, mag_ptr C,
                           mag_ptr e, double until)
{
    slong m = part->m, done = 0;
    arb_ptr y = _arb_vec_init(m), row = _arb_vec_init(map->n), F = _arb_vec_init(m);
    arb_ptr wide = _arb_vec_init(map->n);
    arb_t sum;

    arb_init(sum);
    krawczyk_map_at(map, map->x);
    for (slong k = 0; k < m; k++) {
        arb_set(F + k, map->F + part->rows[k]);
    }
    krawczyk_map_at(map, box);
    for (slong i = 0; i < m && perp_clock() <= until; i++, done++) {
        krawczyk_factors_row(inverse, i, y);
        arb_dot(sum, NULL, 0, y, 1, F, 1, m, map->prec);
        arb_get_mag(e + i, sum);
        for (slong j = 0; j < m; j++) {
            arb_set(wide + part->rows[j], y + j); /* 0 in the other rows */
        }
        krawczyk_map_product(map, wide, row, map->prec / 2);
        arb_sub_ui(row + part->cols[i], row + part->cols[i], 1, map->prec);
        for (slong j = 0; j < m; j++) {
            arb_get_mag(C + i * m + j, row + part->cols[j]);
        }
    }
    arb_clear(sum);
    _arb_vec_clear(y, m), _arb_vec_clear(row, map->n), _arb_vec_clear(F, m);
    _arb_vec_clear(wide, map->n);
    return done == m;
}

/* The unknown of the largest entry of |C|. */
static slong enclose_worst(const krawczyk_part *part, const mag_struct *C)
{
    slong m = part->m, at = 0;

    for (slong k = 0; k < m * m; k++) {
        at = mag_cmp(C + k, C + at) > 0 ? k : at;
    }
    return m > 0 ? part->cols[at / m] : 0;
}

/* The operator with an inverse: x becomes the box. */
static krawczyk_end enclose_apply(krawczyk_map *map, const krawczyk_part *part,
                                  const krawczyk_factors *inverse, arb_srcptr box,
                                  double until)
{
    slong m = part->m;
    mag_ptr r = _mag_vec_init(m), e = _mag_vec_init(m), most = _mag_vec_init(m);
    mag_ptr C = _mag_vec_init(m * m);
    krawczyk_end end = KRAWCZYK_LATE;

    for (slong i = 0; i < m; i++) {
        mag_set(most + i, arb_radref(box + part->cols[i]));
    }
    if (enclose_bounds(map, part, inverse, box, C, e, until)) {
        map->worst = enclose_worst(part, C);
        end = enclose_radii(r, e, C, most, m, map->prec) ? KRAWCZYK_DONE : KRAWCZYK_WIDE;
    }
    for (slong i = 0; i < m && end == KRAWCZYK_DONE; i++) {
        mag_set(arb_radref(map->x + part->cols[i]), r + i);
    }
    krawczyk_map_at(map, map->x);
    _mag_vec_clear(r, m), _mag_vec_clear(e, m), _mag_vec_clear(most, m);
    _mag_vec_clear(C, m * m);
    return end;
}

/* One application of the operator; `box` is where the slopes were taken. */
static krawczyk_end enclose_try(krawczyk_map *map, const krawczyk_part *part,
                                krawczyk_factors *factors, arb_ptr box, double until)
{
    krawczyk_end end = KRAWCZYK_LATE;
    arb_mat_t S;

    arb_mat_init(S, part->m, part->m);
    enclose_box(map, part, map->prec / 2, box);
    if (krawczyk_map_turn(map, box) > 0) {
        enclose_box(map, part, map->prec / 2, box);
    }
    krawczyk_map_at(map, box);
    krawczyk_map_slopes(map, part->m, part->rows, part->cols, S);
    if (!krawczyk_factors_late(factors, until)) {
        end = krawczyk_factors_invert(factors, S, map->prec);
    }
    if (end == KRAWCZYK_DONE) {
        end = enclose_apply(map, part, factors, box, until);
    }
    arb_mat_clear(S);
    return end;
}

krawczyk_end krawczyk_enclose(krawczyk_map *map, const krawczyk_part *part,
                              krawczyk_factors *factors, double until)
{
    const slong rounds = 3;
    arb_ptr box = _arb_vec_init(map->n);
    krawczyk_end end = enclose_try(map, part, factors, box, until);

    for (slong k = 1; k < rounds && end == KRAWCZYK_WIDE; k++) {
        if (krawczyk_map_relax(map, part, factors, box) == 0) {
            break;
        }
        end = enclose_try(map, part, factors, box, until);
    }
    _arb_vec_clear(box, map->n);
    return end;
}
