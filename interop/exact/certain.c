/* SPDX-License-Identifier: Apache-2.0
 * exact/certain.c: whether a matrix is certainly a P-matrix. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "interop/exact/integers.h"

enum {
    CERTAIN_CHOLESKY = 600, /* rows; n^2 balls of 48 bytes, a few seconds */
    CERTAIN_BITS = 192,
    CERTAIN_SWEEPS = 200,
};

/* A ball around A_ij/2 is added to both triangles. */
static void certain_add(const exact_integers *k, size_t i, size_t e, arb_mat_t H)
{
    size_t j = k->col[e];
    arb_t half;

    arb_init(half);
    arb_set_fmpz(half, k->value + e);
    arb_mul_2exp_si(half, half, -k->shift[i] - 1);
    arb_add(arb_mat_entry(H, i, j), arb_mat_entry(H, i, j), half, CERTAIN_BITS);
    arb_add(arb_mat_entry(H, j, i), arb_mat_entry(H, j, i), half, CERTAIN_BITS);
    arb_clear(half);
}

static bool certain_is_definite(const exact_integers *k)
{
    slong n = (slong)k->n;
    arb_mat_t H;
    bool definite = false;

    arb_mat_init(H, n, n);
    for (size_t i = 0; i < k->n; i++) {
        for (size_t e = k->ptr[i]; e < k->ptr[i + 1]; e++) {
            certain_add(k, i, e, H);
        }
    }
    definite = arb_mat_cho(H, H, CERTAIN_BITS) != 0;
    arb_mat_clear(H);
    return definite;
}

/* u by sweeps of Gauss-Seidel for A_ii u_i - sum |A_ij| u_j = A_ii: they converge where A is an
 * H-matrix. False where A_ii <= 0 or u leaves the range. */
static bool certain_sweep(const exact_integers *k, double *u)
{
    for (int sweep = 0; sweep < CERTAIN_SWEEPS; sweep++) {
        for (size_t i = 0; i < k->n; i++) {
            double diagonal = 0.0, sum = 0.0;

            for (size_t e = k->ptr[i]; e < k->ptr[i + 1]; e++) {
                double a = fmpz_get_d(k->value + e);

                if (k->col[e] == i) {
                    diagonal = a;
                } else {
                    sum += fabs(a) * u[k->col[e]];
                }
            }
            u[i] = 1.0 + sum / diagonal;
            if (!(diagonal > 0.0) || !(u[i] < 1e100)) {
                return false;
            }
        }
    }
    return true;
}

/* A_ii u_i > sum_j |A_ij| u_j, all i, in whole numbers; u_j >= 1 is a multiple of 2^-52. */
static bool certain_dominates(const exact_integers *k, const double *u)
{
    fmpz_t sum, whole;
    bool dominates = true;

    fmpz_init(sum);
    fmpz_init(whole);
    for (size_t i = 0; dominates && i < k->n; i++) {
        fmpz_zero(sum);
        for (size_t e = k->ptr[i]; e < k->ptr[i + 1]; e++) {
            integers_set(whole, u[k->col[e]], 52);
            fmpz_mul(whole, whole, k->value + e);
            if (k->col[e] != i) {
                fmpz_abs(whole, whole);
                fmpz_neg(whole, whole);
            }
            fmpz_add(sum, sum, whole);
        }
        dominates = fmpz_sgn(sum) > 0;
    }
    fmpz_clear(sum);
    fmpz_clear(whole);
    return dominates;
}

static bool certain_is_h(const exact_integers *k)
{
    double *u = perp_reals_new(k->n);
    bool certain = u;

    for (size_t i = 0; u && i < k->n; i++) {
        u[i] = 1.0;
    }
    certain = certain && certain_sweep(k, u) && certain_dominates(k, u);
    free(u);
    return certain;
}

bool integers_is_p(const exact_integers *k, double until)
{
    return certain_is_h(k) ||
           (k->n <= CERTAIN_CHOLESKY && perp_clock() < until && certain_is_definite(k));
}
