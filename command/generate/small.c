/* SPDX-License-Identifier: Apache-2.0
 * families/small.c: problems of two and three rows with one point each: existence,
 * uniqueness, certificates, and the sets at their ends. */
#include <config.h>

#include "base/base.h"
#include "build.h"

/* A problem written down: M by rows, q, and a solution where it has one. */
typedef struct written {
    size_t n;
    double M[9], q[3], z[3];
    bool solvable;
} written;

static perp_status written_make(const written *t, perp_problem **p, perp_error *err)
{
    family_draft d;

    TRY(family_dense(&d, t->n, err));
    for (size_t i = 0; i < t->n; i++) {
        d.b[i] = t->q[i];
        d.z[i] = t->z[i];
        d.w[i] = t->q[i];
        for (size_t j = 0; j < t->n; j++) {
            *family_at(&d, i, j) = t->M[i * t->n + j];
            d.w[i] += t->M[i * t->n + j] * t->z[j];
        }
    }
    return family_finish(&d, t->solvable ? FAMILY_ANSWER : FAMILY_NO_ANSWER, p, err);
}

/* Each by its name: a function and the family. */
#define WRITTEN(symbol, title, text, key, ...)                                           \
    static perp_status symbol##_make(const perp_options *opt, perp_problem **p,          \
                                     perp_error *err)                                    \
    {                                                                                    \
        static const written t = {__VA_ARGS__};                                          \
        (void)opt;                                                                       \
        return written_make(&t, p, err);                                                 \
    }                                                                                    \
    const perp_family perp_family_##symbol = {                                           \
        .name = title,                                                                   \
        .summary = text,                                                                 \
        .reference = key,                                                                \
        .parameters = none,                                                              \
        .make = symbol##_make,                                                           \
    }

static const perp_option none[] = {PERP_OPTION_END};

WRITTEN(kostreva, "kostreva", "Lemke with first-index ties cycles, Gauss-Seidel too",
        "kostreva-1979", 3, {1, 2, 0, 0, 1, 2, 2, 0, 1}, {-1, -1, -1},
        {1.0 / 3, 1.0 / 3, 1.0 / 3}, true);
WRITTEN(infeasible_zero, "infeasible-zero", "M = 0 and a negative q: infeasible",
        "cottle-pang-stone-2009", 2, {0, 0, 0, 0}, {-1, 1}, {0}, false);
WRITTEN(feasible_unsolvable, "feasible-unsolvable",
        "feasible, and yet no point is complementary", "cottle-pang-stone-2009", 2,
        {0, 1, 0, 0}, {-1, 1}, {0}, false);
WRITTEN(three_solutions, "three-solutions", "strictly copositive, three solutions",
        "cottle-pang-stone-2009", 2, {1, 2, 2, 1}, {-1, -1}, {1, 0}, true);
WRITTEN(copositive_plus, "copositive-plus",
        "copositive-plus, not symmetric, three solutions", "cottle-pang-stone-2009", 2,
        {1, 4, 2, 1}, {-1, -1}, {1, 0}, true);
WRITTEN(skew_rotation, "skew-rotation", "zero diagonal: 1 x 1 pivots cannot start", "", 2,
        {0, 1, -1, 0}, {-1, 1}, {1, 1}, true);

/* [-1 1; c d], q = (-1, 1): with (-1, 0) the solution is (1, 2), with the others (0, 1);
 * Lemke from e ends on a ray all the same. */
static perp_status lemke_ray_make(const perp_options *opt, perp_problem **p,
                                  perp_error *err)
{
    static const written variants[] = {
        {2, {-1, 1, -1, 0}, {-1, 1}, {1, 2}, true},
        {2, {-1, 1, -1, -1}, {-1, 1}, {0, 1}, true},
        {2, {-1, 1, 0, -1}, {-1, 1}, {0, 1}, true},
        {2, {-1, 1, 1, -1}, {-1, 1}, {0, 1}, true},
    };

    return written_make(&variants[perp_options_integer(opt, "variant")], p, err);
}

static const perp_option lemke_ray_parameters[] = {
    PERP_INTEGER("variant", 0, 0, 3, "second row (-1 0), (-1 -1), (0 -1) or (1 -1)"),
    PERP_OPTION_END,
};

const perp_family perp_family_lemke_ray = {
    .name = "lemke-ray",
    .summary = "solvable, yet Lemke ends on a ray: a ray proves nothing here",
    .reference = "cottle-pang-stone-2009",
    .parameters = lemke_ray_parameters,
    .make = lemke_ray_make,
};

/* tridiag(-1, 4, -1) with a set of its own; z = (1, -1, 1, ...) or the fixed values. */
static perp_status ends_make(const perp_options *opt, bool fixed, perp_problem **p,
                             perp_error *err)
{
    size_t n = (size_t)perp_options_integer(opt, "n");
    family_draft d;
    perp_status status = family_dense(&d, n, err);

    if (status == PERP_OK) {
        status = perp_set_new(&d.set, n, err);
    }
    if (status != PERP_OK) {
        family_drop(&d);
        return status;
    }
    for (size_t i = 0; i < n; i++) {
        *family_at(&d, i, i) = 4.0;
        if (i > 0) {
            *family_at(&d, i, i - 1) = -1.0;
            *family_at(&d, i - 1, i) = -1.0;
        }
        d.z[i] = i % 2 ? -1.0 : 1.0;
        if (fixed) { /* any w will do */
            d.w[i] = (double)i - 1.0;
            perp_set_add_box(d.set, d.z[i], d.z[i]);
        } else {
            perp_set_add_free(d.set);
        }
    }
    return family_finish(&d, FAMILY_ANSWER_MAKES_B, p, err);
}

static perp_status all_free_make(const perp_options *opt, perp_problem **p,
                                 perp_error *err)
{
    return ends_make(opt, false, p, err);
}

static perp_status all_fixed_make(const perp_options *opt, perp_problem **p,
                                  perp_error *err)
{
    return ends_make(opt, true, p, err);
}

static perp_status empty_make(const perp_options *opt, perp_problem **p, perp_error *err)
{
    family_draft d;
    perp_status status = family_dense(&d, 0, err);

    (void)opt;
    return status == PERP_OK ? family_finish(&d, FAMILY_ANSWER, p, err) : status;
}

static const perp_option ends_parameters[] = {
    PERP_INTEGER("n", 5, 1, 20000, "rows"),
    PERP_OPTION_END,
};

const perp_family perp_family_all_free = {
    .name = "all-free",
    .summary = "every row FREE: a linear system",
    .reference = "",
    .parameters = ends_parameters,
    .make = all_free_make,
};

const perp_family perp_family_all_fixed = {
    .name = "all-fixed",
    .summary = "every row a BOX of one point",
    .reference = "",
    .parameters = ends_parameters,
    .make = all_fixed_make,
};

const perp_family perp_family_empty = {
    .name = "empty",
    .summary = "no rows at all",
    .reference = "",
    .parameters = none,
    .make = empty_make,
};
