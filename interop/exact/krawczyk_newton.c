/* SPDX-License-Identifier: Apache-2.0
 * exact/krawczyk_newton.c: a point near a zero of F, by Newton's method in high precision.
 *
 * F is evaluated with all bits. The Jacobian, one element of the slopes, is factored in doubles
 * where these suffice: then each step gains the digits that the factors have, as iterative
 * refinement does. Where the pivots show that no digit is left, the factors have as many bits
 * as F. Cost: a factorisation of n rows per step. */
#include <config.h>

#include "base/base.h"
#include "interop/exact/krawczyk.h"

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

/* dx := S^-1 F at map->x. */
static krawczyk_end newton_direction(krawczyk_map *map, const krawczyk_part *part,
                                     krawczyk_factors *factors, arb_mat_t S, arb_mat_t dx)
{
    krawczyk_end end = KRAWCZYK_DONE;

    krawczyk_map_slopes(map, part->m, part->rows, part->cols, S);
    arb_mat_get_mid(S, S);
    for (slong i = 0; i < part->m; i++) {
        arb_get_mid_arb(arb_mat_entry(dx, i, 0), map->F + part->rows[i]);
    }
    end = krawczyk_factors_make(factors, S, map->prec);
    if (end == KRAWCZYK_DONE) {
        krawczyk_factors_solve(factors, dx, map->prec);
    }
    return end;
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
                                   krawczyk_factors *factors, bool damped, double until)
{
    const slong steps = factors->doubles ? 60 : 20;
    arb_ptr from = _arb_vec_init(map->n);
    krawczyk_end end = KRAWCZYK_WANDERS;
    arb_mat_t S, dx;

    arb_mat_init(S, part->m, part->m), arb_mat_init(dx, part->m, 1);
    krawczyk_map_at(map, map->x);
    for (slong k = 0; k < steps && end == KRAWCZYK_WANDERS; k++) {
        end = krawczyk_factors_late(factors, until)
                  ? KRAWCZYK_LATE
                  : newton_direction(map, part, factors, S, dx);
        if (end == KRAWCZYK_DONE) {
            _arb_vec_set(from, map->x, map->n);
            newton_search(map, part, from, dx, damped);
            end = newton_settled(dx, part->m, 3 * map->prec / 4) ? KRAWCZYK_DONE
                                                                 : KRAWCZYK_WANDERS;
        }
    }
    arb_mat_clear(S), arb_mat_clear(dx);
    _arb_vec_clear(from, map->n);
    return end;
}

krawczyk_end krawczyk_newton(krawczyk_map *map, const krawczyk_part *part,
                             krawczyk_factors *factors, double until)
{
    arb_ptr start = _arb_vec_init(map->n);
    krawczyk_end end = KRAWCZYK_SINGULAR;

    _arb_vec_set(start, map->x, map->n);
    if (part->m > 0) {
        end = newton_iterate(map, part, factors, false, until);
    }
    if (part->m > 0 && (end == KRAWCZYK_WANDERS || end == KRAWCZYK_SINGULAR)) {
        _arb_vec_set(map->x, start, map->n);
        end = newton_iterate(map, part, factors, true, until);
    }
    if (end != KRAWCZYK_DONE) {
        _arb_vec_set(map->x, start, map->n);
    }
    _arb_vec_clear(start, map->n);
    return end;
}
