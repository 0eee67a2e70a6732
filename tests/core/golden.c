/* SPDX-License-Identifier: Apache-2.0
 * tests/core/golden.c: values that this code did not make, topic by topic: projections on
 * the cone, contact LCPs, unified boxed problems, the friction laws on one contact.
 *
 * Every case of a file is read; counts and names are not relied on. A folder without one
 * of the files (another set of values) skips that topic. */
#include <config.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"

/* Call `check` with each case of a topic; the file's relative tolerance comes along. */
static void for_each_case(const char *topic,
                          void (*check)(const json_t *in, const json_t *out,
                                        double tolerance, const char *name))
{
    char path[1024];
    json_error_t at;
    const json_t *cases = NULL;

    snprintf(path, sizeof path, "%s/%s.json", test_golden(), topic);
    FILE *there = fopen(path, "r");
    if (!there) {
        test_note("%s is not there", path);
        return;
    }
    fclose(there);
    json_t *root = json_load_file(path, 0, &at);
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    cases = json_object_get(root, "cases");
    CU_ASSERT(json_array_size(cases) > 0);
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *c = json_array_get(cases, i);
        const char *name = json_string_value(json_object_get(c, "name"));

        check(json_object_get(c, "in"), json_object_get(c, "out"),
              json_number_value(json_object_get(root, "rel_tol")), name ? name : "?");
    }
    json_decref(root);
}

/* The numbers of an array; |x| >= 1e300 is infinite. The caller frees. */
static double *numbers(const json_t *array, size_t *count)
{
    double *x = NULL;

    *count = json_array_size(array);
    x = test_alloc(*count + 1, sizeof *x);
    for (size_t i = 0; i < *count; i++) {
        x[i] = json_number_value(json_array_get(array, i));
        x[i] = fabs(x[i]) >= 1e300 ? copysign(INFINITY, x[i]) : x[i];
    }
    return x;
}

static bool near(const double *x, const double *y, size_t n, double tolerance)
{
    for (size_t i = 0; i < n; i++) {
        if (!(fabs(x[i] - y[i]) <= tolerance)) {
            return false;
        }
    }
    return true;
}

static void check_projection(const json_t *in, const json_t *out, double tolerance,
                             const char *name)
{
    size_t n = 0;
    size_t m = 0;
    double *x = numbers(json_object_get(in, "x"), &n);
    double *p = numbers(json_object_get(out, "p"), &m);
    double mu = json_number_value(json_object_get(in, "mu"));
    double scale = test_largest(n, x);

    CU_ASSERT_FATAL(n == m && (n == 2 || n == 3));
    perp_project_cone(mu, (unsigned)n, x);
    if (!near(x, p, n, tolerance * scale)) {
        test_note("projection %s", name);
        CU_FAIL("another projection");
    }
}

TEST(cone_projections_agree)
{
    for_each_case("cone_projection", check_projection);
}

/* A problem from row-major A, b, lo, hi of a case. */
static perp_problem *boxed_problem(const json_t *out)
{
    size_t n = 0;
    size_t nn = 0;
    double *b = numbers(json_object_get(out, "b"), &n);
    double *A = numbers(json_object_get(out, "A"), &nn);
    double *lo = numbers(json_object_get(out, "lo"), &nn);
    double *hi = numbers(json_object_get(out, "hi"), &nn);
    perp_problem *p = test_lcp(n, A, b);

    for (size_t i = 0; i < n; i++) {
        perp_block *k = &p->set->blocks[i];

        k->lo = lo[i];
        k->hi = hi[i];
        k->kind = isfinite(hi[i]) || (isfinite(lo[i]) && lo[i] != 0.0) ? PERP_SET_BOX
                  : isfinite(lo[i])                                    ? PERP_SET_NONNEG
                                                                       : PERP_SET_FREE;
    }
    return p;
}

/* What the impulses of the rows that act on bodies do to these rows; unique where z is
 * not. */
static void effect(const perp_problem *p, size_t rows, const double *z, double *u)
{
    for (size_t i = 0; i < rows; i++) {
        u[i] = 0.0;
        for (size_t j = 0; j < rows; j++) {
            u[i] += perp_operator_entry(p->A, i, j) * z[j];
        }
    }
}

static void check_boxed(const json_t *in, const json_t *out, double tolerance,
                        const char *name)
{
    perp_problem *p = boxed_problem(out);
    size_t rows = (size_t)json_integer_value(json_object_get(out, "nrow"));
    size_t n = 0;
    double *one = numbers(json_object_get(out, "lambda_one"), &n);
    double *expected = test_alloc(rows + 1, sizeof *expected);
    double *found = test_alloc(rows + 1, sizeof *found);
    perp_result *r = test_solve(p, "lemke", NULL);

    (void)in;
    CU_ASSERT_FATAL(expected && found && n == p->n && rows <= n);
    CU_ASSERT(perp_residual(p, one) <= tolerance);
    effect(p, rows, one, expected);
    effect(p, rows, r->z, found);
    if (r->outcome != PERP_SOLVED || r->residual > 1e-12 ||
        !near(found, expected, rows,
              tolerance * fmax(1.0, test_largest(rows, expected)))) {
        test_note("%s: %s, RES %.2e", name, perp_outcome_text(r->outcome), r->residual);
        CU_FAIL("lemke moves the bodies otherwise");
    }
}

TEST(lemke_moves_bodies_in_contact_as_the_values_say)
{
    for_each_case("contact_lcp", check_boxed);
}

TEST(lemke_moves_bodies_with_joints_limits_and_motors_as_the_values_say)
{
    for_each_case("unified", check_boxed);
}

/* u = W r + b of the solver against one of the stored answers. */
static bool agrees(const perp_problem *p, const char *solver, const char *formulation,
                   const json_t *answers, double tolerance)
{
    char setting[64];
    bool good = false;

    snprintf(setting, sizeof setting, "friction=%s", formulation);
    perp_result *r =
        test_solve(p, solver, setting, "tolerance=1e-12", "max-iterations=1000000", NULL);
    for (size_t k = 0; k < json_array_size(answers) && !good; k++) {
        size_t n = 0;
        double *u = numbers(json_array_get(answers, k), &n);

        good =
            n == p->n && near(r->w, u, n, tolerance * fmax(1.0, test_largest(n, p->b)));
    }
    if (!good) {
        test_note("%s with %s: %s, u = (%.9g, %.9g, %.9g)", solver, formulation,
                  perp_outcome_text(r->outcome), r->w[0], r->w[1], r->w[2]);
    }
    return good;
}

static void check_laws(const json_t *in, const json_t *out, double tolerance,
                       const char *name)
{
    static const struct {
        const char *solver, *formulation, *answers;
        bool many;
    } runs[] = {
        {"nsgs", "natural", "coulomb_u", true},
        {"pgs", "natural", "coulomb_u", true},
        {"mpgp", "associated", "ccp_u", false},
        {"nsgs", "associated", "ccp_u", false},
        {"lemke", "pyramid:4", "pyramid4_u", false},
        {"lemke", "pyramid:8", "pyramid8_u", false},
        {"tresca:dantzig", "box", "box_u", false},
        {"prox-newton", "box", "box_u", false},
        {"friction-path", "box", "box_u", false},
        {"pgs", "box", "box_u", false},
    };
    size_t n = 0;
    double *W = numbers(json_object_get(in, "W"), &n);
    double *b = numbers(json_object_get(in, "b"), &n);
    double mu = json_number_value(json_object_get(in, "mu"));
    perp_problem *p = test_cones(3, 1, W, b, &mu);

    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        json_t *stored = json_object_get(out, runs[k].answers);
        json_t *answers = runs[k].many ? json_incref(stored) : json_pack("[O]", stored);

        if (!agrees(p, runs[k].solver, runs[k].formulation, answers, tolerance)) {
            test_note("case %s", name);
            CU_FAIL("another velocity");
        }
        json_decref(answers);
    }
}

TEST(every_friction_law_gives_the_velocities_of_the_values)
{
    for_each_case("friction_models", check_laws);
}
