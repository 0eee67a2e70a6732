/* SPDX-License-Identifier: Apache-2.0
 * exact/krawczyk_factors.c: factors and an approximate inverse of the Jacobian, in doubles or in
 * numbers of high precision. Nothing here is a bound: what is proved does not depend on it. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include <lapacke.h>

#include "base/base.h"
#include "interop/exact/krawczyk.h"

/* Pivots of doubles that differ by more leave less than three digits to the factors. */
static const double factors_least_pivot = 1e-13;

/* A factorisation of high precision takes about this many seconds per n^3: when it would not end in
 * time it is not begun. */
static const double factors_seconds = 3e-8;

bool krawczyk_factors_init(krawczyk_factors *f, slong m, bool doubles)
{
    size_t count = (size_t)m + 1;

    *f = (krawczyk_factors){.m = m, .doubles = doubles};
    arb_mat_init(f->LU, doubles ? 0 : m, doubles ? 0 : m);
    f->perm = calloc(count, sizeof *f->perm);
    f->pivot = calloc(count, sizeof *f->pivot);
    f->x = calloc(count, sizeof *f->x);
    f->a = calloc(doubles ? count * count : 1, sizeof *f->a);
    return f->perm && f->pivot && f->x && f->a;
}

void krawczyk_factors_clear(krawczyk_factors *f)
{
    arb_mat_clear(f->LU);
    free(f->perm);
    free(f->pivot);
    free(f->x);
    free(f->a);
}

bool krawczyk_factors_late(const krawczyk_factors *f, double until)
{
    double m = (double)f->m;

    return perp_clock() + (f->doubles ? 0.0 : factors_seconds * m * m * m) > until;
}

/* ---------------------------------------------------------------------- doubles */

static krawczyk_end factors_make_doubles(krawczyk_factors *f, const arb_mat_t S)
{
    lapack_int m = (lapack_int)f->m;
    double least = INFINITY, most = 0.0;

    for (slong j = 0; j < f->m; j++) {
        for (slong i = 0; i < f->m; i++) {
            f->a[i + j * f->m] =
                arf_get_d(arb_midref(arb_mat_entry(S, i, j)), ARF_RND_NEAR);
        }
    }
    if (LAPACKE_dgetrf(LAPACK_COL_MAJOR, m, m, f->a, m, f->pivot) != 0) {
        return KRAWCZYK_SINGULAR;
    }
    for (slong i = 0; i < f->m; i++) {
        least = fmin(least, fabs(f->a[i + i * f->m]));
        most = fmax(most, fabs(f->a[i + i * f->m]));
    }
    return least > factors_least_pivot * most ? KRAWCZYK_DONE : KRAWCZYK_SINGULAR;
}

/* The right side may be smaller than any double: it is scaled by a power of two. */
static void factors_solve_doubles(krawczyk_factors *f, arb_mat_t x)
{
    slong e = WORD_MIN;
    arb_t t;

    for (slong i = 0; i < f->m; i++) {
        if (!arb_is_zero(arb_mat_entry(x, i, 0))) {
            slong size = arf_abs_bound_lt_2exp_si(arb_midref(arb_mat_entry(x, i, 0)));

            e = size > e ? size : e;
        }
    }
    if (e == WORD_MIN) {
        return;
    }
    arb_init(t);
    for (slong i = 0; i < f->m; i++) {
        arb_mul_2exp_si(t, arb_mat_entry(x, i, 0), -e);
        f->x[i] = arf_get_d(arb_midref(t), ARF_RND_NEAR);
    }
    LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', (lapack_int)f->m, 1, f->a, (lapack_int)f->m,
                   f->pivot, f->x, (lapack_int)f->m);
    for (slong i = 0; i < f->m; i++) {
        arb_set_d(arb_mat_entry(x, i, 0), f->x[i]);
        arb_mul_2exp_si(arb_mat_entry(x, i, 0), arb_mat_entry(x, i, 0), e);
    }
    arb_clear(t);
}

/* ------------------------------------------------------------------------- balls */

/* Whether the factors have pivots of similar size. */
static bool factors_regular(const arb_mat_t LU, slong m, slong bits)
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

/* ---------------------------------------------------------------------- either */

krawczyk_end krawczyk_factors_make(krawczyk_factors *f, const arb_mat_t S, slong prec)
{
    if (f->doubles) {
        return factors_make_doubles(f, S);
    }
    return arb_mat_approx_lu(f->perm, f->LU, S, prec) &&
                   factors_regular(f->LU, f->m, prec / 2)
               ? KRAWCZYK_DONE
               : KRAWCZYK_SINGULAR;
}

void krawczyk_factors_solve(krawczyk_factors *f, arb_mat_t x, slong prec)
{
    if (f->doubles) {
        factors_solve_doubles(f, x);
    } else {
        arb_mat_approx_solve_lu_precomp(x, f->perm, f->LU, x, prec);
    }
}

krawczyk_end krawczyk_factors_invert(krawczyk_factors *f, const arb_mat_t S, slong prec)
{
    krawczyk_end end = KRAWCZYK_DONE;
    arb_mat_t mid;

    if (f->doubles) {
        lapack_int m = (lapack_int)f->m;

        end = factors_make_doubles(f, S);
        if (end == KRAWCZYK_DONE &&
            LAPACKE_dgetri(LAPACK_COL_MAJOR, m, f->a, m, f->pivot) != 0) {
            end = KRAWCZYK_SINGULAR;
        }
        return end;
    }
    arb_mat_init(mid, f->m, f->m);
    arb_mat_get_mid(mid, S);
    end = arb_mat_approx_inv(f->LU, mid, prec) ? KRAWCZYK_DONE : KRAWCZYK_SINGULAR;
    arb_mat_get_mid(f->LU, f->LU);
    arb_mat_clear(mid);
    return end;
}

void krawczyk_factors_row(const krawczyk_factors *f, slong i, arb_ptr row)
{
    for (slong j = 0; j < f->m; j++) {
        if (f->doubles) {
            arb_set_d(row + j, f->a[i + j * f->m]);
        } else {
            arb_set(row + j, arb_mat_entry(f->LU, i, j));
        }
    }
}
