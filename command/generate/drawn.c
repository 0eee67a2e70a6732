/* SPDX-License-Identifier: Apache-2.0
 * families/drawn.c: random problems whose order of draws is fixed: matrices by rows, the
 * seed is the first state of SplitMix64.
 *
 *     harker-pang  A^T A + B + diag(eta): A, skew B in (-5, 5), eta in (0, 0.3); q in
 *                  (-500, 0), or (-500, 500) when easy [harker-pang-1990]
 *     integer-spd  B B^T + I with integers from -3 to 3; z and w whole: no rounding at all
 *     integer-psd  B B^T with fewer columns: w is unique, z is not
 *     degenerate   integer-spd where about half of the rows have z = w = 0
 *     qp-kkt       [H -A^T; A 0] of a convex quadratic program, bisymmetric */
#include <config.h>

#include "base/base.h"
#include "build.h"
#include "command/cli/take.h"

static perp_random stream(const perp_options *opt)
{
    return (perp_random){(uint64_t)perp_options_integer(opt, "seed")};
}

static void draw_reals(perp_random *g, double *x, size_t count, double a, double b)
{
    for (size_t k = 0; k < count; k++) {
        x[k] = perp_random_uniform(g, a, b);
    }
}

static perp_status harker_pang_make(const perp_options *opt, perp_problem **p,
                                    perp_error *err)
{
    perp_random g = stream(opt);
    size_t n = (size_t)perp_options_integer(opt, "n");
    double *A = take_reals(2 * n * n + n);
    double *B = A + n * n, *eta = B + n * n;
    family_draft d;
    perp_status status = family_dense(&d, n, err);

    if (status != PERP_OK) {
        free(A);
        return status;
    }
    draw_reals(&g, A, n * n, -5.0, 5.0);
    draw_reals(&g, B, n * n, -5.0, 5.0); /* all of it drawn, the upper part used */
    draw_reals(&g, eta, n, 0.0, 0.3);
    draw_reals(&g, d.b, n, -500.0, perp_options_switch(opt, "easy") ? 500.0 : 0.0);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double s = 0.0;

            for (size_t k = 0; k < n; k++) {
                s = fma(A[k * n + i], A[k * n + j],
                        s); /* rounded once: the stored bits */
            }
            *family_at(&d, i, j) = i < j   ? s + B[i * n + j]
                                   : i > j ? s - B[j * n + i]
                                           : s + eta[i];
        }
    }
    free(A);
    return family_finish(&d, FAMILY_NO_ANSWER, p, err);
}

/* B, n x m by rows, integers from -3 to 3; M := B B^T + shift I, exact. */
static perp_status integer_gram(family_draft *d, perp_random *g, size_t n, size_t m,
                                double shift, perp_error *err)
{
    double *B = take(n, m * sizeof *B);
    perp_status status = family_dense(d, n, err);

    if (status != PERP_OK) {
        free(B);
        return status;
    }
    for (size_t k = 0; k < n * m; k++) {
        B[k] = (double)perp_random_integer(g, -3, 3);
    }
    family_gram(d, B, m, 1.0);
    for (size_t i = 0; i < n; i++) {
        *family_at(d, i, i) += shift;
    }
    free(B);
    return PERP_OK;
}

/* For each row: degenerate? active? its value from 1 to 9. */
static void draw_pairs(family_draft *d, perp_random *g, double degenerate)
{
    for (size_t i = 0; i < d->n; i++) {
        if (perp_random_unit(g) < degenerate) {
            continue;
        }
        double *side = perp_random_unit(g) < 0.5 ? d->z : d->w;

        side[i] = (double)perp_random_integer(g, 1, 9);
    }
}

static perp_status integer_make(const perp_options *opt, size_t columns, double shift,
                                double degenerate, perp_problem **p, perp_error *err)
{
    perp_random g = stream(opt);
    size_t n = (size_t)perp_options_integer(opt, "n");
    family_draft d;

    TRY(integer_gram(&d, &g, n, columns ? columns : n, shift, err));
    draw_pairs(&d, &g, degenerate);
    return family_finish(&d, FAMILY_ANSWER_MAKES_B, p, err);
}

static perp_status integer_spd_make(const perp_options *opt, perp_problem **p,
                                    perp_error *err)
{
    return integer_make(opt, 0, 1.0, 0.0, p, err);
}

static perp_status integer_psd_make(const perp_options *opt, perp_problem **p,
                                    perp_error *err)
{
    return integer_make(opt, (size_t)perp_options_integer(opt, "rank"), 0.0, 0.0, p, err);
}

static perp_status degenerate_make(const perp_options *opt, perp_problem **p,
                                   perp_error *err)
{
    return integer_make(opt, 0, 1.0, perp_options_real(opt, "degenerate"), p, err);
}

/* H = B B^T with B variables x (variables/2), A constraints x variables. */
static perp_status qp_matrix(const perp_options *opt, family_draft *d, perp_random *g,
                             perp_error *err)
{
    size_t v = (size_t)perp_options_integer(opt, "variables");
    size_t c = (size_t)perp_options_integer(opt, "constraints");
    family_draft h;
    perp_status status = integer_gram(&h, g, v, (v + 1) / 2, 0.0, err);

    if (status == PERP_OK) {
        status = family_dense(d, v + c, err);
    }
    for (size_t i = 0; status == PERP_OK && i < v; i++) {
        for (size_t j = 0; j < v; j++) {
            *family_at(d, i, j) = *family_at(&h, i, j);
        }
    }
    for (size_t i = 0; status == PERP_OK && i < c; i++) {
        for (size_t j = 0; j < v; j++) {
            double a = (double)perp_random_integer(g, -3, 3);

            *family_at(d, v + i, j) = a;
            *family_at(d, j, v + i) = a == 0.0 ? 0.0 : -a;
        }
    }
    family_drop(&h);
    return status;
}

/* First all z: active with probability 1/2, from 1 to 5; then w of the others. */
static void qp_pairs(family_draft *d, perp_random *g)
{
    for (size_t i = 0; i < d->n; i++) {
        d->z[i] = perp_random_unit(g) < 0.5 ? (double)perp_random_integer(g, 1, 5) : 0.0;
    }
    for (size_t i = 0; i < d->n; i++) {
        d->w[i] = d->z[i] > 0.0 ? 0.0 : (double)perp_random_integer(g, 1, 5);
    }
}

static perp_status qp_kkt_make(const perp_options *opt, perp_problem **p, perp_error *err)
{
    perp_random g = stream(opt);
    family_draft d;

    TRY(qp_matrix(opt, &d, &g, err));
    qp_pairs(&d, &g);
    return family_finish(&d, FAMILY_ANSWER_MAKES_B, p, err);
}

/* The last constraint has no positive coefficient and a negative right-hand side: y = e_n
 * is the certificate. */
static perp_status qp_kkt_infeasible_make(const perp_options *opt, perp_problem **p,
                                          perp_error *err)
{
    perp_random g = stream(opt);
    family_draft d;

    TRY(qp_matrix(opt, &d, &g, err));
    qp_pairs(&d, &g); /* drawn and not used, as in the feasible one */
    for (size_t i = 0; i < d.n; i++) {
        d.b[i] = (double)perp_random_integer(&g, -5, 5);
    }
    for (size_t j = 0; j + 1 < d.n; j++) {
        double a = fabs(*family_at(&d, d.n - 1, j));

        *family_at(&d, d.n - 1, j) = a == 0.0 ? 0.0 : -a;
        *family_at(&d, j, d.n - 1) = a;
    }
    d.b[d.n - 1] = d.b[d.n - 1] == 0.0 ? -1.0 : -fabs(d.b[d.n - 1]);
    return family_finish(&d, FAMILY_NO_ANSWER, p, err);
}

#define SEED PERP_INTEGER("seed", 1, 0, 9e15, "first state of the random stream")

static const perp_option harker_pang_parameters[] = {
    PERP_INTEGER("n", 12, 1, 3000, "rows"),
    SEED,
    PERP_SWITCH("easy", 0, "q of both signs"),
    PERP_OPTION_END,
};

static const perp_option integer_spd_parameters[] = {
    PERP_INTEGER("n", 16, 1, 3000, "rows"),
    SEED,
    PERP_OPTION_END,
};

static const perp_option integer_psd_parameters[] = {
    PERP_INTEGER("n", 16, 1, 3000, "rows"),
    SEED,
    PERP_INTEGER("rank", 6, 1, 3000, "columns of B"),
    PERP_OPTION_END,
};

static const perp_option degenerate_parameters[] = {
    PERP_INTEGER("n", 16, 1, 3000, "rows"),
    SEED,
    PERP_REAL_CLOSED("degenerate", 0.5, 0.0, 1.0, "probability of z = w = 0"),
    PERP_OPTION_END,
};

static const perp_option qp_parameters[] = {
    PERP_INTEGER("variables", 6, 1, 2000, "variables of the program"),
    PERP_INTEGER("constraints", 5, 1, 2000, "its constraints"),
    SEED,
    PERP_OPTION_END,
};

const perp_family perp_family_harker_pang = {
    .name = "harker-pang",
    .summary = "positive definite, not symmetric; hard, or easy",
    .reference = "harker-pang-1990",
    .parameters = harker_pang_parameters,
    .make = harker_pang_make,
};

const perp_family perp_family_integer_spd = {
    .name = "integer-spd",
    .summary = "symmetric positive definite, data and solution whole numbers",
    .reference = "",
    .parameters = integer_spd_parameters,
    .make = integer_spd_make,
};

const perp_family perp_family_integer_psd = {
    .name = "integer-psd",
    .summary = "positive semidefinite of a given rank: w unique, z not",
    .reference = "",
    .parameters = integer_psd_parameters,
    .make = integer_psd_make,
};

const perp_family perp_family_degenerate = {
    .name = "degenerate",
    .summary = "integer-spd with z = w = 0 in about half of the rows",
    .reference = "",
    .parameters = degenerate_parameters,
    .make = degenerate_make,
};

const perp_family perp_family_qp_kkt = {
    .name = "qp-kkt",
    .summary = "KKT conditions of a convex quadratic program, bisymmetric",
    .reference = "cottle-pang-stone-2009",
    .parameters = qp_parameters,
    .make = qp_kkt_make,
};

const perp_family perp_family_qp_kkt_infeasible = {
    .name = "qp-kkt-infeasible",
    .summary = "the same without a feasible point, with a certificate",
    .reference = "cottle-pang-stone-2009",
    .parameters = qp_parameters,
    .make = qp_kkt_infeasible_make,
};
