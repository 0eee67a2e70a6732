/* SPDX-License-Identifier: Apache-2.0
 * families/classical.c: matrices given by a formula, on which pivoting or splitting methods
 * are known to be slow, to fail or to shine. e is the vector of ones.
 *
 *     murty-lower    1 on, 2 below the diagonal, q = -e: Lemke takes 2^n pivots
 *     murty-upper    1 on, 2 above: least-index takes 2^n - 1
 *     fathi          L L^T of murty-lower: the same for a symmetric positive definite M
 *     csizmadia      1 on, -1 below, q = -M e: the handicap grows like 4^n
 *     ahn            tridiagonal (1, 4, -2): over-relaxation by 1.5 diverges
 *     geiger-kanzow  tridiagonal (-1, 4, -1)
 *     circulant      [1 a 0; 0 1 a; a 0 1]: the radius of Gauss-Seidel is a^1.5
 *     skew2          [1 -a; a 1]: Gauss-Seidel converges for a < 1 only
 *     hilbert        1/(i + j - 1): condition 1e7 at n = 6, beyond 1e16 from n = 13 */
#include <config.h>

#include "base/base.h"
#include "build.h"

static size_t rows_of(const perp_options *opt)
{
    return (size_t)perp_options_integer(opt, "n");
}

/* z = e_k, w = M e_k - e for q = -e; k from 0. */
static void answer_unit(family_draft *d, size_t k)
{
    d->z[k] = 1.0;
    for (size_t i = 0; i < d->n; i++) {
        d->b[i] = -1.0;
        d->w[i] = *family_at(d, i, k) - 1.0;
    }
}

static perp_status triangle_make(const perp_options *opt, bool lower, double off,
                                 family_draft *d, perp_error *err)
{
    perp_status status = family_dense(d, rows_of(opt), err);

    for (size_t i = 0; status == PERP_OK && i < d->n; i++) {
        *family_at(d, i, i) = 1.0;
        for (size_t j = 0; j < i; j++) {
            *family_at(d, lower ? i : j, lower ? j : i) = off;
        }
    }
    return status;
}

static perp_status murty_lower_make(const perp_options *opt, perp_problem **p,
                                    perp_error *err)
{
    family_draft d;

    TRY(triangle_make(opt, true, 2.0, &d, err));
    answer_unit(&d, 0);
    return family_finish(&d, FAMILY_ANSWER, p, err);
}

static perp_status murty_upper_make(const perp_options *opt, perp_problem **p,
                                    perp_error *err)
{
    family_draft d;

    TRY(triangle_make(opt, false, 2.0, &d, err));
    answer_unit(&d, d.n - 1);
    return family_finish(&d, FAMILY_ANSWER, p, err);
}

static perp_status fathi_make(const perp_options *opt, perp_problem **p, perp_error *err)
{
    family_draft d;

    TRY(family_dense(&d, rows_of(opt), err));
    for (size_t i = 0; i < d.n; i++) {
        for (size_t j = 0; j < d.n; j++) {
            double least = (double)(i < j ? i : j);

            *family_at(&d, i, j) = 4.0 * least + (i == j ? 1.0 : 2.0);
        }
    }
    answer_unit(&d, 0);
    return family_finish(&d, FAMILY_ANSWER, p, err);
}

static perp_status csizmadia_make(const perp_options *opt, perp_problem **p,
                                  perp_error *err)
{
    family_draft d;

    TRY(triangle_make(opt, true, -1.0, &d, err));
    for (size_t i = 0; i < d.n; i++) {
        d.z[i] = 1.0;
    }
    return family_finish(&d, FAMILY_ANSWER_MAKES_B, p, err);
}

static perp_status csizmadia_alt_make(const perp_options *opt, perp_problem **p,
                                      perp_error *err)
{
    family_draft d;

    TRY(triangle_make(opt, true, -1.0, &d, err));
    for (size_t i = 0; i < d.n; i++) {
        (i % 2 == 0 ? d.z : d.w)[i] = 1.0;
    }
    return family_finish(&d, FAMILY_ANSWER_MAKES_B, p, err);
}

static perp_status hilbert_make(const perp_options *opt, perp_problem **p,
                                perp_error *err)
{
    family_draft d;

    TRY(family_dense(&d, rows_of(opt), err));
    for (size_t i = 0; i < d.n; i++) {
        for (size_t j = 0; j < d.n; j++) {
            *family_at(&d, i, j) = 1.0 / (double)(i + j + 1);
        }
        if (i % 2 == 0) {
            d.z[i] = 1.0;
        } else {
            d.w[i] = 0.01;
        }
    }
    return family_finish(&d, FAMILY_ANSWER_MAKES_B, p, err);
}

/* (sub, diagonal, super), q = -e; its solution, positive, is not in closed form. */
static perp_status tridiagonal_make(const perp_options *opt, double sub, double diagonal,
                                    double super, perp_problem **p, perp_error *err)
{
    family_draft d;
    size_t n = rows_of(opt);

    family_sparse(&d, n, 3 * n);
    for (size_t i = 0; i < n; i++) {
        if (i > 0) {
            family_entry(&d, i, i - 1, sub);
        }
        family_entry(&d, i, i, diagonal);
        if (i + 1 < n) {
            family_entry(&d, i, i + 1, super);
        }
        d.b[i] = -1.0;
    }
    return family_finish(&d, FAMILY_NO_ANSWER, p, err);
}

static perp_status ahn_make(const perp_options *opt, perp_problem **p, perp_error *err)
{
    return tridiagonal_make(opt, 1.0, 4.0, -2.0, p, err);
}

static perp_status geiger_kanzow_make(const perp_options *opt, perp_problem **p,
                                      perp_error *err)
{
    return tridiagonal_make(opt, -1.0, 4.0, -1.0, p, err);
}

static perp_status circulant_make(const perp_options *opt, perp_problem **p,
                                  perp_error *err)
{
    double a = perp_options_real(opt, "a");
    family_draft d;

    TRY(family_dense(&d, 3, err));
    for (size_t i = 0; i < 3; i++) {
        *family_at(&d, i, i) = 1.0;
        *family_at(&d, i, (i + 1) % 3) = a;
        d.b[i] = -1.0;
        d.z[i] = 1.0 / (1.0 + a);
    }
    return family_finish(&d, FAMILY_ANSWER, p, err);
}

static perp_status skew2_make(const perp_options *opt, perp_problem **p, perp_error *err)
{
    double a = perp_options_real(opt, "a");
    family_draft d;

    TRY(family_dense(&d, 2, err));
    *family_at(&d, 0, 0) = 1.0;
    *family_at(&d, 0, 1) = -a;
    *family_at(&d, 1, 0) = a;
    *family_at(&d, 1, 1) = 1.0;
    d.z[0] = 1.0;
    d.z[1] = 1.0;
    return family_finish(&d, FAMILY_ANSWER_MAKES_B, p, err);
}

/* Dense: 20000 rows are 3 GiB. Sparse: indices have 31 bits, entries three per row. */
static const perp_option dense_rows[] = {
    PERP_INTEGER("n", 8, 1, 20000, "rows"),
    PERP_OPTION_END,
};

static const perp_option sparse_rows[] = {
    PERP_INTEGER("n", 16, 1, 1e8, "rows"),
    PERP_OPTION_END,
};

static const perp_option hilbert_rows[] = {
    PERP_INTEGER("n", 6, 1, 20000, "rows"),
    PERP_OPTION_END,
};

static const perp_option circulant_parameters[] = {
    PERP_REAL_CLOSED("a", 0.5, -0.999, 1e6, "off-diagonal entry; a P-matrix for a > -1"),
    PERP_OPTION_END,
};

static const perp_option skew2_parameters[] = {
    PERP_REAL_CLOSED("a", 2.0, -1e6, 1e6, "off-diagonal entry"),
    PERP_OPTION_END,
};

#define FAMILY(symbol, title, text, key, table)                                          \
    const perp_family perp_family_##symbol = {                                           \
        .name = title,                                                                   \
        .summary = text,                                                                 \
        .reference = key,                                                                \
        .parameters = table,                                                             \
        .make = symbol##_make,                                                           \
    }

FAMILY(murty_lower, "murty-lower", "lower triangle of 2s: Lemke takes 2^n pivots",
       "murty-1978", dense_rows);
FAMILY(murty_upper, "murty-upper", "upper triangle of 2s: least-index takes 2^n - 1",
       "murty-1978", dense_rows);
FAMILY(fathi, "fathi", "symmetric positive definite, Lemke takes 2^n pivots",
       "fathi-1979", dense_rows);
FAMILY(csizmadia, "csizmadia", "lower triangle of -1s: the handicap grows like 4^n",
       "deklerk-nagy-2011", dense_rows);
FAMILY(csizmadia_alt, "csizmadia-alt", "the same with every other row active",
       "deklerk-nagy-2011", dense_rows);
FAMILY(hilbert, "hilbert", "the Hilbert matrix, ill-conditioned", "", hilbert_rows);
FAMILY(ahn, "ahn", "tridiagonal (1, 4, -2), not symmetric", "ahn-1983", sparse_rows);
FAMILY(geiger_kanzow, "geiger-kanzow", "tridiagonal (-1, 4, -1)", "geiger-kanzow-1996",
       sparse_rows);
FAMILY(circulant, "circulant", "3 x 3 circulant: Gauss-Seidel has radius a^1.5",
       "kostreva-1979", circulant_parameters);
FAMILY(skew2, "skew2", "2 x 2 with a skew part: Gauss-Seidel needs a < 1", "",
       skew2_parameters);
