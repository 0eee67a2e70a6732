/* SPDX-License-Identifier: Apache-2.0
 * tests/reform/free.c: free rows eliminated. */
#include <config.h>

#include "helpers.h"

/* n rows of which those with a set bit in `free_rows` are FREE. */
static perp_problem *mixed(size_t n, const double *rows, const double *q,
                           unsigned free_rows)
{
    perp_problem *p = test_lcp(n, rows, q);

    for (size_t i = 0; i < n; i++) {
        if (free_rows >> i & 1u) {
            p->set->blocks[i].kind = PERP_SET_FREE;
            p->set->blocks[i].lo = -INFINITY;
        }
    }
    return p;
}

static perp_reform *eliminated(const perp_problem *p, size_t rows_left)
{
    perp_reform *t = NULL;
    perp_error err = {0};

    if (perp_reform_eliminate_free(&t, p, NULL, &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    CU_ASSERT_EQUAL(t->to->n, rows_left);
    return t;
}

/* Eliminate, try all active sets, map back, and judge on the original. */
static bool solves_through_elimination(const perp_problem *p, size_t rows_left)
{
    perp_reform *t = eliminated(p, rows_left);
    double zz[20] = {0};
    double z[64] = {0};
    bool solved = false;

    CU_ASSERT_EQUAL(perp_set_count(t->to->set, PERP_SET_FREE), 0);
    if (helper_enumerate(t->to, zz)) {
        t->type->unmap(t->state, p, zz, z);
        solved = perp_residual(p, z) <= 1e-9;
        t->type->map(t->state, p, z, zz);
        solved = solved && perp_residual(t->to, zz) <= 1e-9;
    }
    if (!solved) {
        test_note("%s: RES %g", t->what, perp_residual(p, z));
    }
    return solved;
}

/* 2 z_0 + z_1 = 2 (free row), w_1 = z_0 + z_1 - 1/2: z_0 = 1 - z_1/2 gives
 * w_1 = 1/2 + z_1/2, so z = (1, 0), w = (0, 1/2). */
TEST(a_regular_free_row_is_eliminated_by_hand)
{
    const double rows[] = {2, 1, 1, 1};
    const double q[] = {-2, -0.5};
    perp_problem *p = mixed(2, rows, q, 1u);
    perp_reform *t = eliminated(p, 1);
    const double zz[1] = {0.0};
    double z[2];

    CU_ASSERT_EQUAL(perp_operator_entry(t->to->A, 0, 0), 0.5);
    CU_ASSERT_EQUAL(t->to->b[0], 0.5);
    t->type->unmap(t->state, p, zz, z);
    CU_ASSERT_EQUAL(z[0], 1.0);
    CU_ASSERT_EQUAL(z[1], 0.0);
    CU_ASSERT_EQUAL(perp_residual(p, z), 0.0);
}

/* M_FF = 0: z_1 = 1 from the free row, then w_1 = z_0 - 1 + z_1 = 0 or more and
 * complementary to z_1 = 1, so z_0 = 0. Needs the double exchange. */
TEST(a_singular_free_block_goes_through_a_pair)
{
    const double rows[] = {0, 1, 1, 1};
    const double q[] = {-1, -1};
    perp_problem *p = mixed(2, rows, q, 1u);
    perp_reform *t = eliminated(p, 1);
    const double zz[1] = {0.0};
    double z[2];

    CU_ASSERT_PTR_NOT_NULL(strstr(t->what, "1 by double exchange"));
    t->type->unmap(t->state, p, zz, z); /* w_1 = 0 */
    CU_ASSERT_EQUAL(z[0], 0.0);
    CU_ASSERT_EQUAL(z[1], 1.0);
    CU_ASSERT_EQUAL(perp_residual(p, z), 0.0);
}

TEST(random_mixed_problems_are_solved)
{
    for (uint64_t seed = 1; seed <= 30; seed++) {
        enum { n = 9 };
        perp_random g = {seed};
        perp_operator *A = test_spd(n, seed);
        double rows[n * n];
        double q[n];

        for (size_t i = 0; i < n; i++) {
            q[i] = perp_random_uniform(&g, -1.0, 1.0);
            for (size_t j = 0; j < n; j++) {
                rows[i * n + j] = perp_operator_entry(A, i, j);
            }
        }
        /* rows 1, 4, 5, 8 free; a third of the problems with equations (a zero block) */
        for (size_t i = 0; seed % 3 == 0 && i < n; i++) {
            for (size_t j = 0; j < n; j++) {
                if ((i == 4 || i == 8) && (j == 1 || j == 4 || j == 5 || j == 8)) {
                    rows[i * n + j] = rows[j * n + i] = 0.0;
                }
            }
        }
        perp_problem *p = mixed(n, rows, q, 1u << 1 | 1u << 4 | 1u << 5 | 1u << 8);
        if (seed % 3 != 0) { /* positive definite: a solution exists */
            CU_ASSERT(solves_through_elimination(p, 5));
        } else {
            eliminated(p, 5);
        }
    }
}

/* Rows 0 and 1 say the same twice: one is dropped; the point still solves all rows. */
TEST(a_redundant_free_row_is_dropped)
{
    const double rows[] = {1, 2, 1, 2, 4, 2, 1, 2, 3};
    const double q[] = {-1, -2, -2};
    perp_problem *p = mixed(3, rows, q, 3u);

    CU_ASSERT(solves_through_elimination(p, 1));
}

TEST(a_contradiction_comes_with_its_certificate)
{
    const double rows[] = {1, 2, 1, 2, 4, 2, 1, 2, 3};
    const double q[] = {-1, -3, -2};
    perp_problem *p = mixed(3, rows, q, 3u);
    perp_reform *t = NULL;
    perp_error err = {0};
    double y[3] = {0};

    CU_ASSERT_EQUAL(perp_reform_eliminate_free(&t, p, y, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NULL(t);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "contradicts"));
    CU_ASSERT(perp_certificate_infeasible(p, y));
    CU_ASSERT_EQUAL(perp_reform_eliminate_free(&t, p, NULL, NULL), PERP_ERR_DATA);
}

/* Free row: z_1 + z_2 = -1 with z >= 0: no solution, seen from the signs of one row. */
TEST(a_row_of_one_sign_is_a_contradiction)
{
    const double rows[] = {0, 1, 1, 0, 1, 0, 0, 0, 1};
    const double q[] = {1, 0, 0};
    perp_problem *p = mixed(3, rows, q, 1u);
    perp_reform *t = NULL;
    double y[3] = {0};

    CU_ASSERT_EQUAL(perp_reform_eliminate_free(&t, p, y, NULL), PERP_ERR_DATA);
    CU_ASSERT(perp_certificate_infeasible(p, y));
}

/* w_0 = z_0 - z_1 free, w_1 = -z_0 - 1: z_0 = z_1, so w_1 = -z_1 - 1 < 0 whatever z_1.
 * The reduced certificate yy = 1 must become one of the whole. */
TEST(certificates_of_the_reduced_problem_map_back)
{
    const double rows[] = {1, -1, -1, 0};
    const double q[] = {0, -1};
    const double swapped_rows[] = {0, 1, 0, 1, 0, 0, 0, 0, 0};
    const double swapped_q[] = {-1, -3, -1};
    perp_problem *p = mixed(2, rows, q, 1u);
    perp_reform *t = NULL;
    double yy[2] = {1.0, 0.0};
    double y[3];

    OK(perp_reform_eliminate_free(&t, p, NULL, NULL));
    CU_ASSERT(perp_certificate_infeasible(t->to, yy));
    t->type->certificate(t->state, p, yy, y);
    CU_ASSERT(perp_certificate_infeasible(p, y));

    /* with a swapped pair (0, 1), and w_2 = -1 */
    p = mixed(3, swapped_rows, swapped_q, 1u);
    OK(perp_reform_eliminate_free(&t, p, NULL, NULL));
    yy[0] = 0.0;
    yy[1] = 1.0;
    CU_ASSERT(perp_certificate_infeasible(t->to, yy));
    t->type->certificate(t->state, p, yy, y);
    CU_ASSERT(perp_certificate_infeasible(p, y));
}

TEST(rows_of_other_kinds_are_refused_by_name)
{
    perp_problem *p = mixed(2, (const double[]){1, 0, 0, 1}, (const double[]){1, 1}, 1u);
    perp_reform *t = NULL;
    perp_error err = {0};

    p->set->blocks[1].kind = PERP_SET_BOX;
    CU_ASSERT_EQUAL(perp_reform_eliminate_free(&t, p, NULL, &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "box"));
}

TEST(problems_of_free_rows_alone_and_of_none_work)
{
    const double rows[] = {2, 1, 1, 3};
    const double q[] = {-3, -4};
    perp_problem *p = mixed(2, rows, q, 3u);

    CU_ASSERT(solves_through_elimination(p, 0));
    p = mixed(2, rows, q, 0u);
    CU_ASSERT(solves_through_elimination(p, 2));
    p = test_lcp(0, NULL, NULL);
    CU_ASSERT(solves_through_elimination(p, 0));
}

/* Electric circuits; PD and diodeBridge20 have a singular M_FF. */
TEST(circuits_are_solved)
{
    static const struct {
        const char *name;
        size_t left;
    } circuits[] = {{"BuckFirstStep", 12}, {"PD", 4},   {"RCD", 1},
                    {"RLCD", 2},           {"m3n2", 3}, {"relay2", 2},
                    {"diodeBridge20", 20}};

    for (size_t k = 0; k < sizeof circuits / sizeof circuits[0]; k++) {
        char name[100];

        snprintf(name, sizeof name, "siconos-mlcp/%s_mlcp.dat", circuits[k].name);
        perp_problem *p = test_dataset(name);
        CU_ASSERT(solves_through_elimination(p, circuits[k].left));
    }
}
