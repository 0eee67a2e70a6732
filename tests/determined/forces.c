/* SPDX-License-Identifier: Apache-2.0
 * tests/determined/forces.c: ranges of forces worked by hand, golden ones, and answers compared. */
#include <config.h>

#include <jansson.h>
#include <stdio.h>

#include "answers.h"
#include "scarce.h"

static const double range_err =
    1e-6; /* relative; a bound is outside by 1e-6 of the range */

static perp_determined *determined_of(const perp_problem *p, const double *z)
{
    perp_determined *d = NULL;

    OK(perp_determined_new(&d, p, z, NULL));
    return d;
}

/* The range of a row; infinite ends are compared as they are. */
static void has_range(perp_determined *d, size_t row, double lo, double hi)
{
    perp_interval range;

    OK(perp_determined_rows(d, 1, &row, &range, NULL));
    if (!(range.lo == lo || fabs(range.lo - lo) <= range_err) ||
        !(range.hi == hi || fabs(range.hi - hi) <= range_err)) {
        test_note("row %zu: [%.10g, %.10g] %s, expected [%.10g, %.10g]", row, range.lo,
                  range.hi, perp_determinacy_name(range.kind), lo, hi);
        CU_FAIL("a range");
    }
    CU_ASSERT_EQUAL(range.kind, hi - lo <= range_err     ? PERP_DETERMINED
                                : isinf(lo) || isinf(hi) ? PERP_UNLIMITED
                                                         : PERP_INDETERMINATE);
}

/* W = J J^T and b = -J f of rows J (n x m). */
static perp_problem *resting(size_t n, size_t m, const double *J, const double *f,
                             perp_set *set, perp_law law)
{
    double *W = test_alloc(n * n, sizeof *W);
    double *b = test_alloc(n, sizeof *b);
    perp_problem *p = NULL;

    for (size_t i = 0; i < n; i++) {
        for (size_t a = 0; a < m; a++) {
            b[i] -= J[i * m + a] * f[a];
            for (size_t j = 0; j < n; j++) {
                W[i + j * n] += J[i * m + a] * J[j * m + a];
            }
        }
    }
    OK(perp_problem_new_dense(&p, n, W, n, b, set, law, PERP_COPY, NULL));
    return p;
}

static void check_table(const json_t *c)
{
    const json_t *legs = json_object_get(c, "legs");
    size_t n = json_array_size(legs);
    double *J = test_alloc(3 * n, sizeof *J);
    double load[3] = {1.0, 0.0, 0.0};

    for (size_t i = 0; i < n; i++) {
        J[3 * i] = 1.0;
        for (size_t a = 0; a < 2; a++) {
            J[3 * i + 1 + a] =
                json_number_value(json_array_get(json_array_get(legs, i), a));
            load[1 + a] =
                json_number_value(json_array_get(json_object_get(c, "load"), a));
        }
    }
    for (int factors = 0; factors < 2; factors++) {
        perp_problem *p = resting(n, 3, J, load, NULL, PERP_LAW_COULOMB);
        perp_result *r = test_solve(p, "auto", NULL);
        perp_determined *d = NULL;

        if (factors) {
            test_store_as_factors(p);
        }
        test_note("%s", json_string_value(json_object_get(c, "name")));
        d = determined_of(p, r->z);
        CU_ASSERT_EQUAL(perp_determined_degree(d),
                        json_integer_value(json_object_get(c, "degrees")));
        for (size_t i = 0; i < n; i++) {
            const json_t *range = json_array_get(json_object_get(c, "normal"), i);

            has_range(d, i, json_number_value(json_array_get(range, 0)),
                      json_number_value(json_array_get(range, 1)));
        }
        perp_determined_free(d);
    }
}

TEST(legs_of_a_plate_have_the_golden_ranges)
{
    char path[1024];
    json_t *root = NULL;

    snprintf(path, sizeof path, "%s/force_tables.json", test_golden());
    root = json_load_file(path, 0, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    for (size_t i = 0; i < json_array_size(json_object_get(root, "cases")); i++) {
        check_table(json_array_get(json_object_get(root, "cases"), i));
    }
    json_decref(root);
}

/* A block of weight 1 between two walls, held by friction: N_1 = N_2 = N, T_1 + T_2 = 1,
 * |T| <= mu N, no turning: N >= 1/(2 mu), without an upper bound. */
TEST(a_block_between_walls_has_no_largest_force_but_equal_forces)
{
    const double mu = 0.25;
    const double J[] = {1, 0, 0, 0, 1, -1, -1, 0, 0, 0, 1, 1}; /* N, T of both */
    const double weight[] = {0, 1, 0};
    const double z[] = {4, 0.5, 4, 0.5};
    const size_t normals[] = {0, 2};
    const double difference[] = {1, -1};
    perp_interval range;
    perp_set *set = NULL;
    perp_problem *p = NULL;
    perp_determined *d = NULL;

    OK(perp_set_new_cones(&set, 2, 2, (const double[]){mu, mu}, NULL));
    p = resting(4, 3, J, weight, set, PERP_LAW_COULOMB);
    d = determined_of(p, z);
    CU_ASSERT_EQUAL(perp_determined_degree(d), 1);
    has_range(d, 0, 1.0 / (2.0 * mu), INFINITY);
    has_range(d, 2, 1.0 / (2.0 * mu), INFINITY);
    has_range(d, 1, 0.5, 0.5);
    OK(perp_determined_function(d, 2, normals, difference, &range, NULL, NULL));
    CU_ASSERT_EQUAL(range.kind, PERP_DETERMINED);
    CU_ASSERT_DOUBLE_EQUAL(range.lo, 0.0, 1e-12);
    perp_determined_free(d);
    perp_set_free(set);
}

/* A sphere of weight 1 in a V of 60 degrees without friction: both forces are 1. */
TEST(a_sphere_in_a_v_is_determined)
{
    const double c = 0.5, s = 0.8660254037844386;
    const double J[] = {s, c, -s, c}; /* normals at 60 degrees to the vertical */
    const double weight[] = {0, 1};
    const double z[] = {1, 1};
    perp_problem *p = resting(2, 2, J, weight, NULL, PERP_LAW_COULOMB);
    perp_determined *d = determined_of(p, z);

    CU_ASSERT_EQUAL(perp_determined_degree(d), 0);
    has_range(d, 0, 1.0, 1.0);
    has_range(d, 1, 1.0, 1.0);
    perp_determined_free(d);
}

/* Two joints that hold the same: z_1 + z_2 = 1, each any number. */
TEST(a_redundant_joint_has_no_bounds_and_its_sum_is_determined)
{
    const double J[] = {1, 1};
    const double z[] = {0.25, 0.75};
    const size_t both[] = {0, 1};
    const double sum[] = {1, 1};
    perp_interval range;
    perp_set *set = NULL;
    perp_problem *p = NULL;
    perp_determined *d = NULL;

    OK(perp_set_new_uniform(&set, PERP_SET_FREE, 2, NULL));
    p = resting(2, 1, J, (const double[]){1}, set, PERP_LAW_COULOMB);
    d = determined_of(p, z);
    has_range(d, 0, -INFINITY, INFINITY);
    OK(perp_determined_function(d, 2, both, sum, &range, NULL, NULL));
    CU_ASSERT_EQUAL(range.kind, PERP_DETERMINED);
    CU_ASSERT_DOUBLE_EQUAL(range.lo, 1.0, 1e-12);
    perp_determined_free(d);
    perp_set_free(set);
}

/* Two plates' worth of normals between which a motor of at most 1/4 helps: N in [3/4, 1]. */
TEST(a_motor_at_rest_has_the_range_of_its_box)
{
    const double J[] = {1, 1};
    const double z[] = {1, 0};
    perp_set *set = NULL;
    perp_problem *p = NULL;
    perp_determined *d = NULL;

    OK(perp_set_new(&set, 2, NULL));
    OK(perp_set_add_nonneg(set));
    OK(perp_set_add_box(set, -0.125, 0.25));
    p = resting(2, 1, J, (const double[]){1}, set, PERP_LAW_COULOMB);
    d = determined_of(p, z);
    has_range(d, 0, 0.75, 1.125);
    has_range(d, 1, -0.125, 0.25);
    perp_determined_free(d);
    perp_set_free(set);
}

/* Two contacts at one place slide together: N_1 + N_2 = 1, T = -mu N along the velocity. */
TEST(sliding_contacts_share_a_load_along_their_rays)
{
    const double mu = 0.5;
    const double J[] = {0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0};
    const double pushed[] = {-3, -4, 1}; /* b_T = (3, 4): it slides along (3, 4)/5 */
    const double z[] = {0.25, -0.075, -0.1, 0.75, -0.225, -0.3};
    perp_set *set = NULL;
    perp_problem *p = NULL;
    perp_determined *d = NULL;

    OK(perp_set_new_cones(&set, 3, 2, (const double[]){mu, mu}, NULL));
    p = resting(6, 3, J, pushed, set, PERP_LAW_COULOMB);
    CU_ASSERT(perp_residual(p, z) <= 1e-14);
    d = determined_of(p, z);
    CU_ASSERT_EQUAL(perp_determined_freedom(d)[0], PERP_FREEDOM_RAY);
    CU_ASSERT_EQUAL(perp_determined_degree(d), 1);
    has_range(d, 0, 0.0, 1.0);
    has_range(d, 1, -0.3, 0.0);
    has_range(d, 2, -0.4, 0.0);
    perp_determined_free(d);
    perp_set_free(set);
}

/* Under the associated law a contact that lifts off along its cone is on the dual boundary. */
TEST(an_associated_contact_that_lifts_has_the_ray_of_its_boundary)
{
    const double mu = 0.5;
    const double J[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double pushed[] = {1, -2, 0};
    perp_set *set = NULL;
    perp_problem *p = NULL;
    perp_result *r = NULL;
    perp_determined *d = NULL;
    double sum = 0.0;

    OK(perp_set_new_cones(&set, 3, 2, (const double[]){mu, mu}, NULL));
    p = resting(6, 3, J, pushed, set, PERP_LAW_ASSOCIATED);
    r = test_solve(p, "ipm-socp", "tolerance=1e-12", NULL);
    test_solved(p, r, 1e-10);
    d = determined_of(p, r->z);
    sum = r->z[0] + r->z[3];
    CU_ASSERT_EQUAL(perp_determined_freedom(d)[0], PERP_FREEDOM_RAY);
    has_range(d, 0, 0.0, sum);
    has_range(d, 1, -mu * sum, 0.0);
    perp_determined_free(d);
    perp_set_free(set);
}

/* A rolling contact at rest beside a normal row: the load goes to either; moments need a load. */
TEST(a_rolling_contact_at_rest_is_two_cones_with_one_normal)
{
    double J[6 * 5] = {0};
    const double loads[] = {1, 0.1, 0, 0.02, 0};
    perp_set *set = NULL;
    perp_problem *p = NULL;
    perp_determined *d = NULL;
    double z[6] = {1, 0.1, 0, 0.02, 0, 0};

    for (size_t i = 0; i < 5; i++) {
        J[6 * i] = 1.0;
    }
    J[25] = 1.0; /* the row beside it pushes along the normal */
    OK(perp_set_new(&set, 2, NULL));
    OK(perp_set_add_rolling(set, 0.5, 0.04));
    OK(perp_set_add_nonneg(set));
    p = resting(6, 5, J, loads, set, PERP_LAW_COULOMB);
    CU_ASSERT(perp_residual(p, z) <= 1e-14);
    d = determined_of(p, z);
    CU_ASSERT_EQUAL(perp_determined_freedom(d)[0], PERP_FREEDOM_SET);
    CU_ASSERT_EQUAL(perp_determined_degree(d), 1);
    has_range(d, 0, 0.5, 1.0); /* 0.02/0.04 holds the moment; 0.1/0.5 the tangent */
    has_range(d, 5, 0.0, 0.5);
    has_range(d, 3, 0.02, 0.02);
    perp_determined_free(d);
    perp_set_free(set);
}

TEST(answers_of_two_solvers_are_equal_up_to_what_is_determined)
{
    const double legs[] = {1, 1, 1, 1, -1, 1, 1, -1, -1, 1, 1, -1};
    const double z[] = {0.5, 0, 0.5, 0}, y[] = {0.25, 0.25, 0.25, 0.25};
    const double other[] = {0.5, 0, 0.5, 1e-3};
    perp_problem *p =
        resting(4, 3, legs, (const double[]){1, 0, 0}, NULL, PERP_LAW_COULOMB);
    perp_determined *d = determined_of(p, z);
    size_t row = 0;
    double part = 0.0;
    double least[4], spread[4];

    CU_ASSERT(perp_determined_same(d, y, &row, &part));
    CU_ASSERT(!perp_determined_same(d, other, &row, &part));
    CU_ASSERT_EQUAL(row, 3);
    OK(perp_determined_least(d, least, NULL));
    OK(perp_determined_spread(d, spread, NULL));
    CU_ASSERT(test_distance(4, least, y) <= 1e-6);
    CU_ASSERT(test_distance(4, spread, y) <= 1e-6);
    perp_determined_free(d);
}

TEST(an_answer_that_is_not_good_enough_has_no_ranges)
{
    const double one[] = {2}, b[] = {-1}, z[] = {0.4};
    perp_problem *p = test_lcp(1, one, b);
    perp_determined *d = NULL;
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_determined_new(&d, p, z, &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NULL(d);
    CU_ASSERT_STRING_EQUAL(
        err.text, "the residual of the answer is 2.0e-01: expected at most 1e-06");
}

TEST(no_rows_and_a_problem_that_zero_solves)
{
    const double A[] = {1}, b[] = {1}, zero[] = {0};
    perp_problem *empty = test_lcp(0, NULL, NULL);
    perp_problem *open = test_lcp(1, A, b);
    perp_determined *d = determined_of(empty, zero);

    CU_ASSERT_EQUAL(perp_determined_degree(d), 0);
    perp_determined_free(d);
    d = determined_of(open, zero);
    CU_ASSERT_EQUAL(perp_determined_freedom(d)[0], PERP_FREEDOM_NONE);
    has_range(d, 0, 0.0, 0.0);
    perp_determined_free(d);
}

typedef struct trial {
    const perp_problem *p;
    const double *z;
} trial;

static perp_status find_all(void *context, perp_error *err)
{
    const trial *t = context;
    perp_determined *d = NULL;
    const size_t rows[] = {0, 1, 2, 3};
    perp_interval range[4];
    double y[4];
    perp_status status = perp_determined_new(&d, t->p, t->z, err);

    CU_ASSERT_EQUAL(status == PERP_OK, d != NULL);
    if (status == PERP_OK) {
        status = perp_determined_rows(d, 4, rows, range, err);
    }
    if (status == PERP_OK) {
        status = perp_determined_spread(d, y, err);
    }
    perp_determined_free(d);
    return status;
}

TEST(failing_memory_is_survived)
{
    const double legs[] = {1, 1, 1, 1, -1, 1, 1, -1, -1, 1, 1, -1};
    const double z[] = {0.5, 0, 0.5, 0};
    perp_problem *p =
        resting(4, 3, legs, (const double[]){1, 0, 0}, NULL, PERP_LAW_COULOMB);
    trial t = {p, z};

    scarce_everywhere(find_all, &t, "perp_determined");
}
