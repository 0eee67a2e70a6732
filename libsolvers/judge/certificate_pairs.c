/* SPDX-License-Identifier: Apache-2.0
 * judge/certificate_pairs.c: whether A is positive definite, by a factor in pairs of doubles.
 *
 *     H - c I = L E L^T,   E > 0,   c = gamma trace(H),   gamma = (n + 4) 2^-98
 *
 * H = D (A + A^T)/2 D is exact in pairs. A sum, a product and a quotient of pairs have an error
 * below 2^-100 of their size [joldes-muller-popescu-2017], which is the unit of the bound
 * [rump-2006]. This decides for matrices that doubles cannot distinguish from singular ones.
 *
 * Cost: n^3/6 products of pairs, up to 200 rows. */
#include <config.h>

#include "judge/certificate_private.h"
#include "judge/pair.h"

enum { PAIRS_ROWS = 200 };

typedef struct pairs_real {
    double high, low;
} pairs_real;

static pairs_real pairs_sum(double a, double b)
{
    double sum = a + b, part = sum - a;

    return (pairs_real){sum, (a - (sum - part)) + (b - part)};
}

static pairs_real pairs_add(pairs_real a, pairs_real b)
{
    pairs_real high = pairs_sum(a.high, b.high), low = pairs_sum(a.low, b.low);

    high = pairs_sum(high.high, high.low + low.high);
    return pairs_sum(high.high, high.low + low.low);
}

static pairs_real pairs_times(pairs_real a, pairs_real b)
{
    double product = a.high * b.high, lost = fma(a.high, b.high, -product);

    return pairs_sum(product, lost + (a.high * b.low + a.low * b.high));
}

/* a - b c */
static pairs_real pairs_less(pairs_real a, pairs_real b, pairs_real c)
{
    pairs_real product = pairs_times(b, c);

    return pairs_add(a, (pairs_real){-product.high, -product.low});
}

static pairs_real pairs_over(pairs_real a, pairs_real b)
{
    pairs_real first = {a.high / b.high, 0.0}, rest = pairs_less(a, first, b);
    pairs_real second = {rest.high / b.high, 0.0};

    rest = pairs_less(rest, second, b);
    return pairs_add(pairs_sum(first.high, second.high),
                     (pairs_real){rest.high / b.high, 0.0});
}

typedef struct pairs_matrix {
    pairs_real *H;
    size_t n;
} pairs_matrix;

static void pairs_add_half(void *context, size_t i, size_t j, double half)
{
    pairs_matrix *m = context;
    pairs_real *at = &m->H[i + j * m->n];

    *at = pairs_add(*at, (pairs_real){half, 0.0});
}

/* The lower triangle of H becomes that of L, its diagonal E. False where E is not positive. */
static bool pairs_factor(pairs_real *H, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        pairs_real *column = H + k * n, pivot = column[k];

        if (!(pivot.high > 0.0)) {
            return false;
        }
        for (size_t j = k + 1; j < n; j++) {
            pairs_real share = pairs_over(column[j], pivot);

            for (size_t i = j; i < n && column[j].high != 0.0; i++) {
                H[i + j * n] = pairs_less(H[i + j * n], column[i], share);
            }
        }
    }
    return true;
}

bool perp_certificate_definite_pairs(const perp_operator *A, const double *D)
{
    size_t n = A->rows;
    pairs_real *H = n <= PAIRS_ROWS ? calloc(n * n + 1, sizeof *H) : NULL;
    double trace = 0.0, shift = 0.0;
    bool definite = H != NULL;

    if (definite) {
        perp_certificate_halves(A, D, pairs_add_half, &(pairs_matrix){H, n});
    }
    for (size_t i = 0; definite && i < n; i++) {
        trace = perp_up(trace + fabs(H[i + i * n].high));
    }
    shift = (double)(n + 4) * 0x1p-98 * trace + (double)n * DBL_MIN;
    for (size_t i = 0; definite && i < n; i++) {
        H[i + i * n] = pairs_add(H[i + i * n], (pairs_real){-shift, 0.0});
    }
    definite = definite && isfinite(shift) && pairs_factor(H, n);
    free(H);
    return definite;
}
