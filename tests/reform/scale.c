/* SPDX-License-Identifier: Apache-2.0
 * tests/reform/scale.c: scaling, storage, box friction, laws, and formulations by
 * name. */
#include <config.h>

#include "helpers.h"

/* Every kind of block, with an A whose diagonal spans 1e-9 .. 1e9. */
static perp_problem *all_blocks(uint64_t seed)
{
    perp_random g = {seed};
    perp_operator *A = test_spd(17, seed);
    double D[17];
    perp_set *set = test_new_set(8);

    perp_set_add_free(set);                /* 0 */
    perp_set_add_nonneg(set);              /* 1 */
    perp_set_add_friction(set, 0.5, 1);    /* 2 */
    perp_set_add_box(set, -1.0, INFINITY); /* 3 */
    perp_set_add_cone(set, 3, 0.7);        /* 4 */
    perp_set_add_rolling(set, 0.4, 0.01);  /* 7 */
    perp_set_add_disk(set, 2.0);           /* 12 */
    perp_set_add_cone(set, 3, 0.0);        /* 14 */
    for (size_t i = 0; i < 17; i++) {
        D[i] = pow(10.0, perp_random_uniform(&g, -4.5, 4.5));
    }
    perp_operator_scale(A, D, D);
    return test_problem(A, set, PERP_LAW_COULOMB, &g);
}

TEST(scaling_is_by_powers_of_two_and_comes_near_one)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        perp_problem *p = all_blocks(seed);
        perp_reform *t = NULL;
        double ones[17];
        double D[17];
        double s[17];

        OK(perp_reform_scale(&t, p, NULL));
        OK(perp_problem_check(t->to, NULL));
        for (int i = 0; i < 17; i++) {
            ones[i] = 1.0;
        }
        t->type->unmap(t->state, p, ones, D);
        OK(perp_row_scales(t->to, s, NULL));
        for (size_t i = 0; i < 17; i++) {
            int e = 0;

            CU_ASSERT_EQUAL(frexp(D[i], &e), 0.5);
            /* rounded to the nearest power by ratio: within sqrt 2 of 1 */
            CU_ASSERT(s[i] >= 0.7071067 && s[i] <= 1.4142137);
            CU_ASSERT_EQUAL(t->to->b[i], D[i] * p->b[i]);
            for (size_t j = 0; j < 17; j++) {
                CU_ASSERT_EQUAL(perp_operator_entry(t->to->A, i, j),
                                D[i] * perp_operator_entry(p->A, i, j) * D[j]);
            }
        }
        for (size_t k = 0; k < p->set->count; k++) { /* one factor a contact */
            const perp_block *block = &p->set->blocks[k];

            for (size_t i = 1; i < block->dim; i++) {
                CU_ASSERT_EQUAL(D[block->first + i], D[block->first]);
            }
        }
    }
}

TEST(scaling_there_and_back_keeps_every_bit_and_the_set)
{
    perp_problem *p = all_blocks(7);
    perp_reform *t = NULL;
    perp_random g = {77};
    double z[17];
    double zz[17];
    double back[17];

    OK(perp_reform_scale(&t, p, NULL));
    for (int trial = 0; trial < 50; trial++) {
        for (size_t i = 0; i < 17; i++) {
            z[i] = perp_random_uniform(&g, -3.0, 3.0);
        }
        t->type->map(t->state, p, z, zz);
        t->type->unmap(t->state, p, zz, back);
        CU_ASSERT_EQUAL(memcmp(z, back, sizeof z), 0);
        /* projecting here and there is the same but for rounding in the cones */
        for (size_t k = 0; k < p->set->count; k++) {
            perp_set_project(p->set, k, z);
            perp_set_project(t->to->set, k, zz);
        }
        t->type->unmap(t->state, p, zz, back);
        for (size_t i = 0; i < 17; i++) {
            CU_ASSERT_DOUBLE_EQUAL(back[i], z[i], 1e-14);
        }
    }
}

TEST(the_residual_does_not_see_the_scaling)
{
    perp_problem *p = all_blocks(9);
    perp_reform *t = NULL;
    perp_random g = {99};
    double z[17];
    double zz[17];

    OK(perp_reform_scale(&t, p, NULL));
    for (size_t i = 0; i < 17; i++) {
        z[i] = perp_random_uniform(&g, -1.0, 1.0);
    }
    t->type->map(t->state, p, z, zz);
    double here = perp_residual(p, z);
    double there = perp_residual(t->to, zz);
    /* the same numbers but for roots of scaled diagonals: a few rounding errors */
    CU_ASSERT(fabs(here - there) <= 1e-13 * here);
}

/* A problem of 30 rows, boxes or contacts of three, in units that differ by up to 2^16. */
static perp_problem *mixed_units(bool contacts, uint64_t seed)
{
    enum { N = 30 };
    perp_random g = {seed};
    perp_operator *A = test_spd(N, seed + 7);
    double D[N];
    perp_set *set = test_new_set(N);

    for (int i = 0; i < N; i++) {
        if (!contacts) {
            perp_set_add_box(set, -0.01, 0.02 * i);
        } else if (i % 3 == 0) {
            perp_set_add_cone(set, 3, 0.5);
        }
        D[i] = ldexp(1.0, (contacts ? i / 3 : i) % 17 - 8);
    }
    perp_operator_scale(A, D, D);
    return test_problem(A, set, PERP_LAW_COULOMB, &g);
}

/* A solver that says so takes the same steps to the same bits with and without the scaled
 * copy. */
static void takes_the_same_steps(const char *name, perp_problem *p)
{
    perp_reform *t = NULL;
    perp_result *here = test_solve(p, name, NULL), *there = NULL;
    double z[30];

    CU_ASSERT_EQUAL_FATAL(p->n, 30);
    OK(perp_reform_scale(&t, p, NULL));
    there = test_solve(t->to, name, "scale=off", NULL);
    t->type->unmap(t->state, p, there->z, z);
    CU_ASSERT_EQUAL(here->outcome, PERP_SOLVED);
    CU_ASSERT(here->iterations > 0);
    CU_ASSERT_EQUAL(here->iterations, there->iterations);
    CU_ASSERT_EQUAL(memcmp(here->z, z, sizeof z), 0);
    for (size_t k = 0; k < here->path.count; k++) {
        CU_ASSERT(!strstr(here->path.step[k], "scaled by"));
    }
    test_note("%s: %zu iterations", name, here->iterations);
}

TEST(some_solvers_take_the_same_steps_in_any_units)
{
    static const char *const of_boxes[] = {
        "pgs", "psor", "nsgs", "nncg", "anderson", "minmap", "bpp on-singular=none"};
    static const char *const of_contacts[] = {"pgs", "nsgs", "nncg", "anderson"};

    for (size_t s = 0; s < sizeof of_boxes / sizeof *of_boxes; s++) {
        takes_the_same_steps(of_boxes[s], mixed_units(false, s + 1));
    }
    for (size_t s = 0; s < sizeof of_contacts / sizeof *of_contacts; s++) {
        takes_the_same_steps(of_contacts[s], mixed_units(true, s + 1));
    }
}

/* w_0 = -1e-6 whatever z: y = 1 proves it, and so does its image. */
TEST(certificates_scale_back)
{
    const double rows[] = {0, 0, 0, 1e6};
    const double q[] = {-1e-6, -1};
    perp_problem *p = test_lcp(2, rows, q);
    perp_reform *t = NULL;
    const double yy[2] = {1.0, 0.0};
    double y[2];

    p->b[1] = 0.0;
    OK(perp_reform_scale(&t, p, NULL));
    CU_ASSERT(perp_certificate_infeasible(t->to, yy));
    t->type->certificate(t->state, p, yy, y);
    CU_ASSERT(perp_certificate_infeasible(p, y));
}

TEST(storing_changes_the_storage_only)
{
    const double mu[3] = {0.5, 0.6, 0.7};
    perp_random g = {5};
    perp_reform *t = NULL;
    perp_set *set = test_new_cones(3, 3, mu);
    perp_problem *p = test_problem(test_spd(9, 5), set, PERP_LAW_ASSOCIATED, &g);

    p->name = perp_text_new("nine");
    OK(perp_reform_store(&t, p, PERP_STORAGE_BSR, NULL));
    CU_ASSERT_EQUAL(t->to->A->type->storage, PERP_STORAGE_BSR);
    CU_ASSERT_EQUAL(t->to->A->block_size, 3);
    CU_ASSERT_EQUAL(perp_problem_hash(t->to), perp_problem_hash(p));
    CU_ASSERT_EQUAL(t->to->law, PERP_LAW_ASSOCIATED);
    CU_ASSERT_STRING_EQUAL(t->to->name, "nine");
}

TEST(box_friction_keeps_rows_and_couples_tangents)
{
    const double mu[2] = {0.5, 0.6};
    perp_random g = {6};
    perp_reform *t = NULL;
    perp_set *set = test_new_cones(3, 2, mu);
    perp_problem *p = test_problem(test_spd(6, 6), set, PERP_LAW_COULOMB, &g);

    OK(perp_reform_box_friction(&t, p, NULL));
    CU_ASSERT(t->type->changes_physics);
    CU_ASSERT_EQUAL(perp_problem_kind(t->to), PERP_KIND_FINDEX);
    OK(perp_problem_check(t->to, NULL));
    CU_ASSERT_EQUAL(t->to->set->blocks[5].kind, PERP_SET_FRICTION);
    CU_ASSERT_EQUAL(t->to->set->blocks[5].normal, 3);
    CU_ASSERT_EQUAL(t->to->set->blocks[5].mu, 0.6);
    p->law = PERP_LAW_ASSOCIATED;
    CU_ASSERT_EQUAL(perp_reform_box_friction(&t, p, NULL), PERP_ERR_UNSUITABLE);
}

TEST(formulations_are_found_by_name)
{
    static const char *const good[] = {"associated", "box", "pyramid:4", "pyramid:16"};
    static const char *const bad[] = {"pyramid",
                                      "pyramid:",
                                      "pyramid:7",
                                      "pyramid:2",
                                      "pyramid:8x",
                                      "pyramid:-8",
                                      "cone",
                                      "pyramid:999999999999999999999",
                                      ""};
    perp_problem *p = all_blocks(1);
    perp_problem *lcp = test_lcp(1, (const double[]){1}, (const double[]){1});
    perp_reform *t = NULL;

    OK(perp_reform_named(&t, p, "natural", NULL));
    CU_ASSERT_PTR_NULL(t);
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
        OK(perp_reform_named(&t, p, good[k], NULL));
        CU_ASSERT_PTR_NOT_NULL_FATAL(t);
        CU_ASSERT(t->type->changes_physics);
        CU_ASSERT(strncmp(t->type->name, good[k], strlen(t->type->name)) == 0);
        CU_ASSERT(strlen(t->what) > 10);
        /* without cones there is nothing to do */
        OK(perp_reform_named(&t, lcp, good[k], NULL));
        CU_ASSERT_PTR_NULL(t);
    }
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        perp_error err = {0};

        CU_ASSERT_EQUAL(perp_reform_named(&t, p, bad[k], &err), PERP_ERR_OPTION);
        CU_ASSERT_PTR_NULL(t);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "expected"));
    }
}
