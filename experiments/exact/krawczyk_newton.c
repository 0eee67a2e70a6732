/* SPDX-License-Identifier: Apache-2.0
 * exact/krawczyk_newton.c: a point near a zero of F, and a box that contains one.
 *
 * Newton's method with one element of the slopes, at high precision; then, for a box X around the
 * point m and an approximate inverse Y of the slopes,
 *
 *     K(X) = m - Y F(m) + (I - Y S(X)) (X - m) inside the interior of X
 *
 * proves that X contains exactly one zero [krawczyk-1969; rump-2010, section 13]. S(X) encloses
 * all slopes of F over X, so that F need not be smooth. S is formed once, for a box that is wide
 * enough; the radii r of the box that is proved solve
 *
 *     |Y F(m)| + |I - Y S| r < r
 *
 * by iteration, in numbers that are rounded upwards. Cost: a factorisation of n rows per step of
 * Newton, an inverse and a product. */
#include <config.h>

#include "base/base.h"
#include "experiments/exact/krawczyk.h"

/* More bits than this between the pivots: no digit of a double is left in the solution. */
static slong newton_singular_bits(slong prec)
{
    return prec / 2;
}

/* x := x - t dx for the columns of the part. */
static void newton_move(krawczyk_map *map, const krawczyk_part *part, arb_srcptr from,
                        const arb_mat_t dx, slong halvings)
{
    arb_t step;

    arb_init(step);
    for (slong i = 0; i < part->m; i++) {
        arb_mul_2exp_si(step, arb_mat_entry(dx, i, 0), -halvings);
        arb_sub(map->x + part->cols[i], from + part->cols[i], step, map->prec);
        arb_get_mid_arb(map->x + part->cols[i], map->x + part->cols[i]);
    }
    arb_clear(step);
}

/* max |F| of the part. */
static void newton_size(const krawczyk_map *map, const krawczyk_part *part, mag_t size)
{
    mag_t one;

    mag_init(one);
    mag_zero(size);
    for (slong i = 0; i < part->m; i++) {
        arb_get_mag(one, map->F + part->rows[i]);
        mag_max(size, size, one);
    }
    mag_clear(one);
}

/* Whether the factors have pivots of similar size. */
static bool newton_regular(const arb_mat_t LU, slong m, slong bits)
{
    fmpz_t least, most, e;
    bool regular = true;

    fmpz_init(least), fmpz_init(most), fmpz_init(e);
    for (slong i = 0; i < m && regular; i++) {
        const arf_struct *pivot = arb_midref(arb_mat_entry(LU, i, i));

        regular = arf_is_finite(pivot) && !arf_is_zero(pivot);
        if (regular) {
            arf_abs_bound_lt_2exp_fmpz(e, pivot);
            fmpz_set(least, i == 0 || fmpz_cmp(e, least) < 0 ? e : least);
            fmpz_set(most, i == 0 || fmpz_cmp(e, most) > 0 ? e : most);
        }
    }
    fmpz_sub(e, most, least);
    regular = regular && fmpz_cmp_si(e, bits) < 0;
    fmpz_clear(least), fmpz_clear(most), fmpz_clear(e);
    return regular;
}

/* dx := S^-1 F at map->x. */
static krawczyk_end newton_direction(krawczyk_map *map, const krawczyk_part *part,
                                     arb_mat_t S, arb_mat_t dx, slong *perm)
{
    krawczyk_map_slopes(map, part->m, part->rows, part->cols, S);
    for (slong i = 0; i < part->m; i++) {
        arb_get_mid_arb(arb_mat_entry(dx, i, 0), map->F + part->rows[i]);
    }
    arb_mat_get_mid(S, S);
    if (!arb_mat_approx_lu(perm, S, S, map->prec) ||
        !newton_regular(S, part->m, newton_singular_bits(map->prec))) {
        return KRAWCZYK_SINGULAR;
    }
    arb_mat_approx_solve_lu_precomp(dx, perm, S, dx, map->prec);
    return KRAWCZYK_DONE;
}

/* Steps of length 1, 1/2, ... until |F| decreases; if it does not, the full step. */
static void newton_search(krawczyk_map *map, const krawczyk_part *part, arb_srcptr from,
                          const arb_mat_t dx, bool damped)
{
    mag_t before, after;

    mag_init(before), mag_init(after);
    newton_size(map, part, before);
    newton_move(map, part, from, dx, 0);
    krawczyk_map_at(map, map->x);
    newton_size(map, part, after);
    for (slong k = 1; damped && k < 12 && mag_cmp(after, before) >= 0; k++) {
        newton_move(map, part, from, dx, k);
        krawczyk_map_at(map, map->x);
        newton_size(map, part, after);
    }
    if (damped && mag_cmp(after, before) >= 0) {
        newton_move(map, part, from, dx, 0);
        krawczyk_map_at(map, map->x);
    }
    mag_clear(before), mag_clear(after);
}

/* max |dx| < 2^-bits. */
static bool newton_settled(const arb_mat_t dx, slong m, slong bits)
{
    bool settled = true;
    mag_t one;

    mag_init(one);
    for (slong i = 0; i < m && settled; i++) {
        arb_get_mag(one, arb_mat_entry(dx, i, 0));
        settled = mag_cmp_2exp_si(one, -bits) < 0;
    }
    mag_clear(one);
    return settled;
}

static krawczyk_end newton_iterate(krawczyk_map *map, const krawczyk_part *part,
                                   bool damped, slong steps, double until)
{
    slong m = part->m;
    slong *perm = flint_calloc((size_t)m + 1, sizeof *perm);
    arb_ptr from = _arb_vec_init(map->n);
    krawczyk_end end = KRAWCZYK_WANDERS;
    double started = perp_clock(), now = started;
    arb_mat_t S, dx;

    arb_mat_init(S, m, m), arb_mat_init(dx, m, 1);
    krawczyk_map_at(map, map->x);
    for (slong k = 0; k < steps && end == KRAWCZYK_WANDERS; k++) {
        krawczyk_end direction = newton_direction(map, part, S, dx, perm);

        if (direction != KRAWCZYK_DONE) {
            end = direction;
            break;
        }
        _arb_vec_set(from, map->x, map->n);
        newton_search(map, part, from, dx, damped);
        if (newton_settled(dx, m, 3 * map->prec / 4)) {
            end = KRAWCZYK_DONE;
        }
        now = perp_clock();
        if (end != KRAWCZYK_DONE && now + (now - started) / (double)(k + 1) > until) {
            end = KRAWCZYK_LATE;
        }
    }
    arb_mat_clear(S), arb_mat_clear(dx);
    _arb_vec_clear(from, map->n);
    flint_free(perm);
    return end;
}

krawczyk_end krawczyk_newton(krawczyk_map *map, const krawczyk_part *part, double until)
{
    arb_ptr start = _arb_vec_init(map->n);
    krawczyk_end end = KRAWCZYK_DONE;

    _arb_vec_set(start, map->x, map->n);
    end = newton_iterate(map, part, false, 30, until);
    if (end == KRAWCZYK_WANDERS || end == KRAWCZYK_SINGULAR) {
        _arb_vec_set(map->x, start, map->n);
        end = newton_iterate(map, part, true, 60, until);
    }
    if (end != KRAWCZYK_DONE) {
        _arb_vec_set(map->x, start, map->n);
    }
    _arb_vec_clear(start, map->n);
    return end;
}

/* --------------------------------------------------------------------- Krawczyk */

/* box := x with radius 2^-bits max(1, |x_i|) in the columns of the part. */
static void newton_box(const krawczyk_map *map, const krawczyk_part *part, slong bits,
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

/* C := bounds of |I - Y S|, as balls around 0. */
static krawczyk_end newton_contraction(arb_mat_t C, arb_mat_t Y, const arb_mat_t S,
                                       slong prec)
{
    arb_mat_get_mid(C, S);
    if (!arb_mat_approx_inv(Y, C, prec)) {
        return KRAWCZYK_SINGULAR;
    }
    arb_mat_get_mid(Y, Y);
    arb_mat_mul(C, Y, S, prec);
    for (slong i = 0; i < arb_mat_nrows(C); i++) {
        arb_sub_ui(arb_mat_entry(C, i, i), arb_mat_entry(C, i, i), 1, prec);
    }
    return KRAWCZYK_DONE;
}

/* sum := e_i + sum_j |C_ij| r_j, rounded upwards. */
static void newton_image(mag_t sum, const mag_t e, const mag_struct *C, mag_srcptr r,
                         slong m)
{
    mag_set(sum, e);
    for (slong j = 0; j < m; j++) {
        mag_addmul(sum, C + j, r + j);
    }
}

/* Radii r with e + |C| r < r, at most those of `most`; false where none was found. */
static bool newton_radii(mag_ptr r, mag_srcptr e, const mag_struct *C, mag_srcptr most,
                         slong m, slong prec)
{
    bool inside = false;
    mag_t sum, extra;

    mag_init(sum), mag_init(extra);
    mag_set_ui_2exp_si(extra, 1, -prec);
    for (slong i = 0; i < m; i++) {
        mag_add(r + i, e + i, extra);
    }
    for (slong k = 0; k < 200 && !inside; k++) {
        inside = true;
        for (slong i = 0; i < m; i++) {
            newton_image(sum, e + i, C + i * m, r, m);
            if (mag_cmp(sum, r + i) >= 0) {
                inside = false;
                mag_mul_2exp_si(extra, sum, -4); /* widen by 1/16 */
                mag_add(r + i, sum, extra);
            }
        }
    }
    for (slong i = 0; i < m && inside; i++) {
        /* all bounds hold for the last r: radii that grew after row i was tested are tested
         * again */
        newton_image(sum, e + i, C + i * m, r, m);
        inside = mag_cmp(sum, r + i) < 0 && mag_cmp(r + i, most + i) <= 0;
    }
    mag_clear(sum), mag_clear(extra);
    return inside;
}

/* Y F(m) as bounds. */
static void newton_residual(mag_ptr e, const krawczyk_map *map, const krawczyk_part *part,
                            const arb_mat_t Y)
{
    arb_mat_t F;

    arb_mat_init(F, part->m, 1);
    for (slong i = 0; i < part->m; i++) {
        arb_set(arb_mat_entry(F, i, 0), map->F + part->rows[i]);
    }
    arb_mat_mul(F, Y, F, map->prec);
    for (slong i = 0; i < part->m; i++) {
        arb_get_mag(e + i, arb_mat_entry(F, i, 0));
    }
    arb_mat_clear(F);
}

/* The operator with the matrices made: x becomes the box. */
static krawczyk_end newton_apply(krawczyk_map *map, const krawczyk_part *part,
                                 arb_srcptr box, const arb_mat_t Y, const arb_mat_t C)
{
    slong m = part->m;
    mag_ptr r = _mag_vec_init(m), e = _mag_vec_init(m), most = _mag_vec_init(m);
    mag_ptr size = _mag_vec_init(m * m);
    krawczyk_end end = KRAWCZYK_WIDE;

    for (slong i = 0; i < m; i++) {
        mag_set(most + i, arb_radref(box + part->cols[i]));
        for (slong j = 0; j < m; j++) {
            arb_get_mag(size + i * m + j, arb_mat_entry(C, i, j));
        }
    }
    krawczyk_map_at(map, map->x);
    newton_residual(e, map, part, Y);
    map->worst = part->cols[0]; /* of the largest entry of |C| */
    for (slong i = 0, at = 0; i < m; i++) {
        for (slong j = 0; j < m; j++) {
            if (mag_cmp(size + i * m + j, size + at) > 0) {
                at = i * m + j;
                map->worst = part->cols[i];
            }
        }
    }
    if (newton_radii(r, e, size, most, m, map->prec)) {
        for (slong i = 0; i < m; i++) {
            mag_set(arb_radref(map->x + part->cols[i]), r + i);
        }
        krawczyk_map_at(map, map->x);
        end = KRAWCZYK_DONE;
    }
    _mag_vec_clear(r, m), _mag_vec_clear(e, m), _mag_vec_clear(most, m);
    _mag_vec_clear(size, m * m);
    return end;
}

krawczyk_end krawczyk_enclose(krawczyk_map *map, const krawczyk_part *part, double until)
{
    slong m = part->m;
    arb_ptr box = _arb_vec_init(map->n);
    krawczyk_end end = KRAWCZYK_DONE;
    arb_mat_t S, Y, C;

    arb_mat_init(S, m, m), arb_mat_init(Y, m, m), arb_mat_init(C, m, m);
    newton_box(map, part, map->prec / 2, box);
    if (krawczyk_map_turn(map, box) > 0) {
        newton_box(map, part, map->prec / 2, box);
    }
    krawczyk_map_at(map, box);
    krawczyk_map_slopes(map, m, part->rows, part->cols, S);
    end = perp_clock() > until ? KRAWCZYK_LATE : newton_contraction(C, Y, S, map->prec);
    if (end == KRAWCZYK_DONE) {
        end = newton_apply(map, part, box, Y, C);
    }
    arb_mat_clear(S), arb_mat_clear(Y), arb_mat_clear(C);
    _arb_vec_clear(box, map->n);
    return end;
}
