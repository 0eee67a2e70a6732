/* SPDX-License-Identifier: Apache-2.0
 * tests/derivative/sensitivity.c: derivatives of scalar rows: by hand, against differences
 * of solutions, adjoint against forward, singular blocks, failing memory. */
#include <config.h>

#include "derivative/derivative.h"
#include "differences.h"
#include "scarce.h"

/* Central differences over 1e-5 of solutions to some 1e-14: 1e-10 by the third derivative
 * of A^-1, whose entries are up to about 2, 1e-9 by rounding. */
static const double step = 1e-5;
static const double differences_err = 1e-7;
/* Sums of up to n^2 products of numbers of size one. */
static const double rounding = 1e-11;

/* A = [2 1; 1 2], b = (-1, 1): z = (1/2, 0), w = (0, 3/2). Along b_1, z_1 moves by -1/2
 * and w_2 by -1/2; along b_2 only w_2 moves. */
TEST(a_problem_worked_by_hand)
{
    const double rows[] = {2, 1, 1, 2}, q[] = {-1, 1};
    const double z[] = {0.5, 0.0};
    perp_problem *p = test_lcp(2, rows, q);
    perp_sensitivity *g = sensitivity_of(p, z, NULL);
    const double first[] = {1, 0}, second[] = {0, 1};
    double dz[2], dw[2], matrix[4];
    size_t directions = 0;

    OK(perp_sensitivity_forward(g, first, NULL, dz, dw, NULL));
    CU_ASSERT_DOUBLE_EQUAL(dz[0], -0.5, 1e-15);
    CU_ASSERT_EQUAL(dz[1], 0.0);
    CU_ASSERT_DOUBLE_EQUAL(dw[0], 0.0, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(dw[1], -0.5, 1e-15);
    OK(perp_sensitivity_forward(g, second, NULL, dz, NULL, NULL));
    CU_ASSERT_EQUAL(dz[0], 0.0);
    perp_sensitivity_matrix(g, matrix);
    CU_ASSERT_DOUBLE_EQUAL(matrix[0], -0.5, 1e-15);
    CU_ASSERT(matrix[1] == 0.0 && matrix[2] == 0.0 && matrix[3] == 0.0);
    CU_ASSERT_EQUAL(perp_sensitivity_state(g, 0), PERP_ACTIVE_FREE);
    CU_ASSERT_EQUAL(perp_sensitivity_state(g, 1), PERP_ACTIVE_OPEN);
    CU_ASSERT_EQUAL(perp_sensitivity_rank(g, &directions), 1);
    CU_ASSERT_EQUAL(directions, 1);
}

/* Sets of 12 rows: all that scalar rows can be. */
static perp_set *drawn_set(int family, perp_random *g)
{
    perp_set *set = NULL;

    OK(perp_set_new(&set, 12, NULL));
    for (size_t i = 0; i < 12; i++) {
        double lo = perp_random_uniform(g, -0.4, 0.1);

        if (family == 0 || (family == 1 && i % 3 > 0) || (family == 3 && i % 3 == 0)) {
            perp_set_add_nonneg(set);
        } else if (family == 1) {
            perp_set_add_free(set);
        } else if (family == 3) {
            perp_set_add_friction(set, i % 2 ? 0.6 : 0.3, i / 3 * 3);
        } else if (i % 4 == 0) {
            perp_set_add_box(set, i == 0 ? lo : -INFINITY, lo);
        } else {
            perp_set_add_box(set, lo, i % 2 ? INFINITY : lo + 0.2);
        }
    }
    return set;
}

static const char *const family_names[] = {"lcp", "mlcp", "boxes", "box friction"};
enum { families = 4 };

static perp_problem *drawn(int family, uint64_t seed)
{
    perp_random g = {seed};

    return test_problem(asymmetric(12, seed), drawn_set(family, &g), PERP_LAW_COULOMB,
                        &g);
}

TEST(forward_is_the_limit_of_differences)
{
    for (int family = 0; family < families; family++) {
        size_t compared = 0;
        size_t of_state[PERP_ACTIVE_STATES] = {0};

        for (uint64_t seed = 1; seed <= 8; seed++) {
            perp_problem *p = drawn(family, seed);
            double *z = solved(p, "lemke");
            perp_sensitivity *g = sensitivity_of(p, z, NULL);
            perp_random draw = {seed + 50};
            direction d = direction_draw(12, &draw);
            double dz[12];

            for (int s = 0; s < PERP_ACTIVE_STATES; s++) {
                of_state[s] += perp_sensitivity_count(g, (perp_active)s);
            }
            OK(perp_sensitivity_forward(g, d.db, d.dA, dz, NULL, NULL));
            if (same_piece(p, g, &d, step, "lemke")) {
                double *expected = difference(p, &d, step, step, "lemke");

                compared++;
                if (!agrees(dz, expected, 12, differences_err)) {
                    test_note("%s, seed %d", family_names[family], (int)seed);
                    CU_FAIL("dz differs from the differences");
                }
            }
            direction_free(&d);
        }
        CU_ASSERT(compared >= 7); /* a tie within 1e-5 is rare */
        CU_ASSERT(of_state[PERP_ACTIVE_FREE] >= 8);
        CU_ASSERT(of_state[PERP_ACTIVE_OPEN] >= 8);
        CU_ASSERT_EQUAL(of_state[PERP_ACTIVE_TIED], 0);
        CU_ASSERT(family < 3 || of_state[PERP_ACTIVE_SLIDING] >= 8);
    }
}

/* Each entry of A alone: dz = -(dz/db)_i z_j, so bbar z^T is what the adjoint says. */
TEST(entries_of_A_move_z_as_the_outer_product_says)
{
    perp_problem *p = drawn(2, 3);
    double *z = solved(p, "lemke");
    perp_sensitivity *g = sensitivity_of(p, z, NULL);
    double zbar[12], bbar[12];
    perp_random draw = {9};

    for (size_t i = 0; i < 12; i++) {
        zbar[i] = perp_random_uniform(&draw, -1.0, 1.0);
    }
    perp_sensitivity_adjoint(g, zbar, NULL, bbar);
    for (size_t k = 0; k < 144; k += 5) {
        direction d = direction_draw(12, &draw);
        double *dz = NULL;
        double sum = 0.0;

        memset(d.db, 0, 12 * sizeof *d.db);
        memset(d.dA->x, 0, d.dA->ld * 12 * sizeof *d.dA->x);
        d.dA->x[k % 12 + k / 12 * d.dA->ld] = 1.0;
        dz = difference(p, &d, step, step, "lemke");
        for (size_t i = 0; i < 12; i++) {
            sum += zbar[i] * dz[i];
        }
        CU_ASSERT_DOUBLE_EQUAL(sum, bbar[k % 12] * z[k / 12], differences_err);
        direction_free(&d);
    }
}

static double dot(const double *x, const double *y, size_t n)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* <zbar, dz> + <wbar, dw> = <bbar, db> + <bbar z^T, dA>; the matrix is the same map. */
TEST(the_adjoint_is_that_of_forward)
{
    for (int family = 0; family < families; family++) {
        perp_problem *p = drawn(family, 11);
        double *z = solved(p, "lemke");
        perp_sensitivity *g = sensitivity_of(p, z, NULL);
        perp_random draw = {5};
        direction d = direction_draw(12, &draw);
        direction bars = direction_draw(12, &draw);
        double dz[12], dw[12], bbar[12], dAz[12], matrix[144], again[12] = {0};
        const double *wbar = bars.dA->x;

        OK(perp_sensitivity_forward(g, d.db, d.dA, dz, dw, NULL));
        perp_sensitivity_adjoint(g, bars.db, wbar, bbar);
        perp_operator_apply(d.dA, z, dAz);
        CU_ASSERT_DOUBLE_EQUAL(dot(bars.db, dz, 12) + dot(wbar, dw, 12),
                               dot(bbar, d.db, 12) + dot(bbar, dAz, 12), rounding);
        perp_sensitivity_matrix(g, matrix);
        for (size_t j = 0; j < 12; j++) {
            for (size_t i = 0; i < 12; i++) {
                again[i] += matrix[i + 12 * j] * (d.db[j] + dAz[j]);
            }
        }
        CU_ASSERT(agrees(again, dz, 12, rounding));
        perp_sensitivity_adjoint(g, NULL, NULL, bbar);
        CU_ASSERT_EQUAL(dot(bbar, bbar, 12), 0.0);
        direction_free(&d);
        direction_free(&bars);
    }
}

/* Units of rows change nothing but the units. */
TEST(storages_and_units_do_not_matter)
{
    perp_problem *p = drawn(3, 4);
    perp_problem *sparse = test_stored(p, PERP_STORAGE_CSR, 1);
    perp_problem *blocks = test_stored(p, PERP_STORAGE_BSR, 3);
    double *z = solved(p, "lemke");
    const perp_problem *all[] = {p, sparse, blocks};
    double dz[3][12];
    double scale[12];

    for (int k = 0; k < 3; k++) {
        perp_sensitivity *g = sensitivity_of(all[k], z, NULL);

        OK(perp_sensitivity_forward(g, p->b, NULL, dz[k], NULL, NULL));
    }
    CU_ASSERT(agrees(dz[1], dz[0], 12, rounding));
    CU_ASSERT(agrees(dz[2], dz[0], 12, rounding));
    for (size_t i = 0; i < 12; i++) { /* a contact keeps one unit: mu has none */
        scale[i] = pow(10.0, (double)(i / 3) - 2.0);
    }
    perp_operator_scale(p->A, scale, scale);
    for (size_t i = 0; i < 12; i++) {
        p->b[i] *= scale[i];
        z[i] /= scale[i];
    }
    {
        perp_sensitivity *g = sensitivity_of(p, z, NULL);

        OK(perp_sensitivity_forward(g, p->b, NULL, dz[1], NULL, NULL));
    }
    for (size_t i = 0; i < 12; i++) {
        dz[1][i] *= scale[i];
    }
    CU_ASSERT(agrees(dz[1], dz[0], 12, rounding));
}

/* The same contact twice: z_1 + z_2 = 1 in every solution. Least norm shares alike. */
TEST(a_singular_block_is_named_or_shared)
{
    const double rows[] = {2, 2, 0, 2, 2, 0, 0, 0, 1}, q[] = {-2, -2, 1};
    const double z[] = {0.25, 0.75, 0.0}, db[] = {-1, -1, 0}, apart[] = {-1, 1, 0};
    const perp_sensitivity_options share = {.least_norm = true};
    perp_problem *p = test_lcp(3, rows, q);
    perp_sensitivity *g = NULL;
    perp_error err = {0};
    double dz[3], dw[3], matrix[9];
    size_t directions = 0;

    CU_ASSERT_EQUAL(perp_sensitivity_new(&g, p, z, NULL, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NULL(g);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "row 1 depends on those before it"));
    g = sensitivity_of(p, z, &share);
    CU_ASSERT_EQUAL(perp_sensitivity_rank(g, &directions), 1);
    CU_ASSERT_EQUAL(directions, 2);
    OK(perp_sensitivity_forward(g, db, NULL, dz, dw, NULL));
    CU_ASSERT_DOUBLE_EQUAL(dz[0], 0.25, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(dz[1], 0.25, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(dw[0], 0.0, 1e-14);
    /* what both cannot meet stays in dw */
    OK(perp_sensitivity_forward(g, apart, NULL, dz, dw, NULL));
    CU_ASSERT_DOUBLE_EQUAL(dz[0], 0.0, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(dw[0], -1.0, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(dw[1], 1.0, 1e-14);
    perp_sensitivity_matrix(g, matrix);
    CU_ASSERT_DOUBLE_EQUAL(matrix[0], -0.125, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(matrix[3], -0.125, 1e-14);
}

TEST(what_has_no_derivative_is_refused)
{
    const double rows[] = {2, 1, 1, 2}, q[] = {-1, 1}, half[] = {0.4, 0.0};
    const double z[] = {0.5, 0.0}, bad[] = {NAN, 0.0};
    const perp_sensitivity_options wide = {.tie = 2.0}, loose = {.rank = -1.0};
    perp_problem *p = test_lcp(2, rows, q);
    static const perp_problem global;
    perp_operator *dA = NULL;
    perp_sensitivity *g = NULL;
    perp_error err = {0};
    perp_set *set = NULL;
    double dz[5];

    CU_ASSERT_EQUAL(perp_sensitivity_new(&g, p, half, NULL, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "z is no solution"));
    CU_ASSERT_EQUAL(perp_sensitivity_new(&g, p, bad, NULL, NULL), PERP_ERR_DATA);
    CU_ASSERT_EQUAL(perp_sensitivity_new(&g, p, z, &wide, NULL), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_sensitivity_new(&g, p, z, &loose, NULL), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_sensitivity_new(&g, &global, z, NULL, NULL), PERP_ERR_ARGUMENT);
    g = sensitivity_of(p, z, NULL);
    OK(perp_operator_new_dense(&dA, 3, 2, NULL));
    CU_ASSERT_EQUAL(perp_sensitivity_forward(g, NULL, dA, dz, NULL, NULL),
                    PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_sensitivity_forward(g, bad, NULL, dz, NULL, NULL),
                    PERP_ERR_DATA);
    perp_operator_free(dA);
    perp_sensitivity_free(NULL);
    p->b[0] = NAN;
    CU_ASSERT_EQUAL(perp_sensitivity_new(&g, p, z, NULL, NULL), PERP_ERR_DATA);

    perp_random draw = {1};
    OK(perp_set_new(&set, 1, NULL));
    perp_set_add_rolling(set, 0.5, 0.1);
    p = test_problem(test_spd(5, 1), set, PERP_LAW_COULOMB, &draw);
    memset(dz, 0, sizeof dz);
    memset(p->b, 0, 5 * sizeof *p->b);
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_sensitivity_new(&g, p, dz, NULL, &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "rolling"));
}

TEST(a_problem_without_rows_has_an_empty_sensitivity)
{
    perp_problem *p = test_lcp(0, NULL, NULL);
    perp_sensitivity *g = sensitivity_of(p, NULL, NULL);
    size_t directions = 1;

    OK(perp_sensitivity_forward(g, NULL, NULL, NULL, NULL, NULL));
    CU_ASSERT_EQUAL(perp_sensitivity_rank(g, &directions), 0);
    CU_ASSERT_EQUAL(directions, 0);
}

typedef struct trial {
    const perp_problem *p;
    const double *z;
    const perp_sensitivity_options *options;
} trial;

static perp_status differentiate(void *context, perp_error *err)
{
    const trial *t = context;
    perp_sensitivity *g = NULL;
    double dz[12], bbar[12];
    perp_status status = perp_sensitivity_new(&g, t->p, t->z, t->options, err);

    CU_ASSERT_EQUAL(status == PERP_OK, g != NULL);
    if (status == PERP_OK) {
        status = perp_sensitivity_forward(g, t->p->b, NULL, dz, NULL, err);
        perp_sensitivity_adjoint(g, t->z, NULL, bbar);
    }
    return status;
}

TEST(failing_memory_is_survived)
{
    const double rows[] = {2, 2, 0, 2, 2, 0, 0, 0, 1}, q[] = {-2, -2, 0};
    const double z[] = {0.5, 0.5, 0.0};
    const perp_sensitivity_options share = {.least_norm = true, .ties = PERP_TIES_FREE};
    perp_problem *p = test_lcp(3, rows, q);
    trial t = {p, z, &share};

    scarce_everywhere(differentiate, &t, "perp_sensitivity");
}
