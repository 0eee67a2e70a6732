/* SPDX-License-Identifier: Apache-2.0
 * tests/pivoting/lemke.c: Lemke's method by hand, on golden instances, at its limits. */
#include <config.h>

#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static const char *const forms[] = {"form=tableau", "form=kernel"};

/* Pivoting ends in a fresh factorisation: RES is rounding, 10 eps per unit of growth. */
static const double exact = 1e-12;

static void check_solved(const perp_problem *p, const perp_result *r)
{
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT(perp_residual(p, r->z) <= exact);
    if (r->outcome != PERP_SOLVED || !(r->residual <= exact)) {
        test_note("%s: %s, RES = %.2e", p->name ? p->name : "problem", r->reason,
                  r->residual);
    }
}

/* ---- golden instances ---- */

static void fill(const json_t *data, double *x, size_t n)
{
    CU_ASSERT_EQUAL_FATAL(json_array_size(data), n);
    for (size_t i = 0; i < n; i++) {
        x[i] = json_number_value(json_array_get(data, i));
    }
}

static perp_problem *golden_problem(const json_t *root)
{
    size_t n = (size_t)json_integer_value(json_object_get(root, "n"));
    const json_t *m = json_object_get(root, "M");
    const char *layout = json_string_value(json_object_get(m, "layout"));
    double *M = perp_reals_new(n * n);
    double *q = perp_reals_new(n);
    perp_problem *p = NULL;

    CU_ASSERT_FATAL(M && q && layout);
    fill(json_object_get(root, "q"), q, n);
    if (strcmp(layout, "dense-row-major") == 0) {
        fill(json_object_get(m, "data"), M, n * n);
    } else {
        const json_t *rows = json_object_get(m, "i"), *columns = json_object_get(m, "j");

        for (size_t k = 0; k < json_array_size(rows); k++) {
            size_t i = (size_t)json_integer_value(json_array_get(rows, k));
            size_t j = (size_t)json_integer_value(json_array_get(columns, k));

            CU_ASSERT_FATAL(i < n && j < n);
            M[i * n + j] += json_number_value(json_array_get(json_object_get(m, "v"), k));
        }
    }
    p = test_lcp(n, M, q);
    p->name = perp_text_new(json_string_value(json_object_get(root, "id")));
    free(M);
    free(q);
    return p;
}

static json_t *golden_read(const char *name)
{
    char path[1200];

    snprintf(path, sizeof path, "%s/solvers/%s", test_golden(), name);
    return json_load_file(path, 0, NULL);
}

/* Call visit on every golden LCP; their number. */
static size_t each_golden(void (*visit)(const json_t *expect, const perp_problem *p))
{
    char path[1200];
    DIR *folder = NULL;
    size_t count = 0;

    snprintf(path, sizeof path, "%s/solvers", test_golden());
    folder = opendir(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        json_t *root = strstr(entry->d_name, ".json") ? golden_read(entry->d_name) : NULL;
        const char *kind = json_string_value(json_object_get(root, "kind"));

        if (kind && strcmp(kind, "lcp") == 0) {
            perp_problem *p = golden_problem(root);

            visit(json_object_get(root, "expect"), p);
            perp_problem_free(p);
            count++;
        }
        json_decref(root);
    }
    closedir(folder);
    return count;
}

static perp_problem *golden_named(const char *name)
{
    json_t *root = golden_read(name);
    perp_problem *p = NULL;

    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    p = golden_problem(root);
    json_decref(root);
    return p;
}

static void check_expected(const json_t *expect, const perp_problem *p,
                           const perp_result *r)
{
    const char *status = json_string_value(json_object_get(expect, "status"));
    bool meets_ray = json_object_get(expect, "lemke") != NULL;

    CU_ASSERT_PTR_NOT_NULL_FATAL(status);
    if (strcmp(status, "solved") == 0 && meets_ray && r->outcome == PERP_RAY) {
        return; /* outside the classes that Lemke's method is complete for */
    }
    if (strcmp(status, "solved") == 0) {
        check_solved(p, r);
    } else if (strcmp(status, "infeasible") == 0) {
        CU_ASSERT_EQUAL(r->outcome, PERP_INFEASIBLE);
        CU_ASSERT_TRUE(r->has_certificate);
        CU_ASSERT_TRUE(perp_certificate_infeasible(p, r->certificate));
    } else {
        CU_ASSERT_STRING_EQUAL(status, "no-solution");
        CU_ASSERT_EQUAL(r->outcome, PERP_RAY);
        CU_ASSERT_FALSE(r->has_certificate);
    }
}

static void check_golden(const json_t *expect, const perp_problem *p)
{
    for (size_t k = 0; k < 2; k++) {
        perp_result *r = test_solve(p, "lemke", forms[k], NULL);

        check_expected(expect, p, r);
        perp_result_free(r);
    }
}

static void every_golden_lcp_ends_as_it_should(void)
{
    CU_ASSERT(each_golden(check_golden) > 0);
}

/* The published counts are for d = e on the matrix as it stands. */
static void check_pivots(const json_t *expect, const perp_problem *p)
{
    const json_t *pivots = json_object_get(json_object_get(expect, "pivots"), "lemke");

    for (size_t k = 0; pivots && k < 2; k++) {
        perp_result *r = test_solve(p, "lemke", "scale=off", forms[k], NULL);

        CU_ASSERT_EQUAL(r->work.pivots, json_number_value(pivots));
        perp_result_free(r);
    }
}

static void exponential_paths_have_their_published_length(void)
{
    CU_ASSERT(each_golden(check_pivots) > 0);
}

/* ---- by hand ---- */

/* 2 z - 4 >= 0: z0 enters with w out, then z with z0 out. */
static void solves_one_row(void)
{
    perp_problem *p = test_lcp(1, (double[]){2}, (double[]){-4});
    perp_result *r = test_solve(p, "lemke", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->z[0], 2.0);
    CU_ASSERT_EQUAL(r->w[0], 0.0);
    CU_ASSERT_EQUAL(r->work.pivots, 2.0);
    perp_result_free(r);
    perp_problem_free(p);
}

/* A = [2 1; 1 2], b = (-1, 1). Row 1 active, row 2 not: z = (1/2, 0), w = (0, 3/2). */
static void solves_two_rows(void)
{
    perp_problem *p = test_lcp(2, (double[]){2, 1, 1, 2}, (double[]){-1, 1});

    for (size_t k = 0; k < 2; k++) {
        perp_result *r = test_solve(p, "lemke", forms[k], NULL);

        CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
        CU_ASSERT_EQUAL(r->z[0], 0.5);
        CU_ASSERT_EQUAL(r->z[1], 0.0);
        CU_ASSERT_EQUAL(r->w[1], 1.5);
        perp_result_free(r);
    }
    perp_problem_free(p);
}

/* The circulant with q = -e: z = e/3. All rows tie at once; taking the first of a tie
 * visits the same basis again after 6 pivots. */
static void breaks_ties_lexicographically(void)
{
    perp_problem *p =
        test_lcp(3, (double[]){1, 2, 0, 0, 1, 2, 2, 0, 1}, (double[]){-1, -1, -1});

    for (size_t k = 0; k < 2; k++) {
        perp_result *r = test_solve(p, "lemke", forms[k], NULL);

        check_solved(p, r);
        CU_ASSERT_EQUAL(r->work.pivots, 4.0);
        CU_ASSERT_DOUBLE_EQUAL(r->z[0], 1.0 / 3.0, 4e-16); /* a few roundings */
        CU_ASSERT_DOUBLE_EQUAL(r->z[1], 1.0 / 3.0, 4e-16);
        CU_ASSERT_DOUBLE_EQUAL(r->z[2], 1.0 / 3.0, 4e-16);
        perp_result_free(r);
    }
    perp_problem_free(p);
}

static void needs_no_pivot_where_q_is_nonnegative(void)
{
    perp_problem *p = test_lcp(2, (double[]){-1, 5, 0, -2}, (double[]){0, 3});
    const double start[] = {1.0, 0.0}; /* not a solution: w = (-1, 3) */
    perp_result *r = NULL;
    perp_options opt;

    CU_ASSERT_EQUAL_FATAL(perp_result_new(&r, 2, NULL), PERP_OK);
    memcpy(r->z, start, sizeof start);
    perp_options_init(&opt, perp_solver_find("lemke"), NULL);
    CU_ASSERT_EQUAL(perp_options_set(&opt, "warm", "off", NULL), PERP_OK);
    CU_ASSERT_EQUAL(perp_solve(perp_solver_find("lemke"), p, &opt, r, NULL), PERP_OK);
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->work.pivots, 0.0);
    CU_ASSERT_EQUAL(r->z[0], 0.0);
    CU_ASSERT_EQUAL(r->z[1], 0.0);
    perp_result_free(r);
    perp_problem_free(p);
}

static void solves_the_empty_problem(void)
{
    perp_problem *p = test_lcp(0, NULL, NULL);

    for (size_t k = 0; k < 2; k++) {
        perp_result *r = test_solve(p, "lemke", forms[k], NULL);

        CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
        CU_ASSERT_EQUAL(r->work.pivots, 0.0);
        perp_result_free(r);
    }
    perp_problem_free(p);
}

/* ---- rays ---- */

/* Feasible, yet without a solution: every path ends on a ray, and none proves anything. */
static void a_ray_without_proof_is_only_a_ray(void)
{
    perp_problem *p = golden_named("feasible_unsolvable.json");
    perp_result *r = test_solve(p, "lemke", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_RAY);
    CU_ASSERT_FALSE(r->has_certificate);
    CU_ASSERT_PTR_NOT_NULL(strstr(r->reason, "entering"));
    CU_ASSERT_EQUAL(r->work.rounds, 5.0); /* the ladder has six rungs */
    CU_ASSERT(r->ran.count >= 6);
    perp_result_free(r);
    perp_problem_free(p);
}

static void attempts_are_the_same_for_the_same_seed(void)
{
    perp_problem *p = golden_named("lemke_ray_but_solvable.json");
    perp_result *a = test_solve(p, "lemke", "seed=7", NULL);
    perp_result *b = test_solve(p, "lemke", "seed=7", NULL);

    CU_ASSERT_EQUAL(a->outcome, b->outcome);
    CU_ASSERT_EQUAL(a->work.pivots, b->work.pivots);
    CU_ASSERT_EQUAL(memcmp(a->z, b->z, 2 * sizeof *a->z), 0);
    perp_result_free(a);
    perp_result_free(b);
    perp_problem_free(p);
}

/* ---- limits ---- */

static void limits_leave_a_finite_point(void)
{
    perp_problem *p = golden_named("murty_lower_8.json");
    perp_result *r = test_solve(p, "lemke", "max-iterations=20", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_ITERATION_LIMIT);
    CU_ASSERT_EQUAL(r->work.pivots, 20.0);
    CU_ASSERT(isfinite(r->residual));
    perp_result_free(r);

    /* 256 pivots are needed on the constant covering vector; every attempt gets 3. */
    r = test_solve(p, "lemke", "max-pivots=3", NULL);
    CU_ASSERT_EQUAL(r->outcome, PERP_ITERATION_LIMIT);
    CU_ASSERT_EQUAL(r->work.rounds, 5.0);
    CU_ASSERT_EQUAL(r->work.pivots, 18.0);
    CU_ASSERT(isfinite(r->residual));
    perp_result_free(r);
    perp_problem_free(p);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(solves_one_row),
        TEST(solves_two_rows),
        TEST(breaks_ties_lexicographically),
        TEST(needs_no_pivot_where_q_is_nonnegative),
        TEST(solves_the_empty_problem),
        TEST(every_golden_lcp_ends_as_it_should),
        TEST(exponential_paths_have_their_published_length),
        TEST(a_ray_without_proof_is_only_a_ray),
        TEST(attempts_are_the_same_for_the_same_seed),
        TEST(limits_leave_a_finite_point),
        TEST_END,
    };

    return test_run(argc, argv, "lemke", cases);
}
