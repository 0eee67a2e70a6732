/* SPDX-License-Identifier: Apache-2.0
 * tests/reform/directions.c: cones as pyramids, friction rows as two directions. */
#include <config.h>

#include "helpers.h"

/* Sums of some ten products of numbers up to a few: rounding stays below 1e-14 */
static const double rounding = 1e-13;

/* Cones of dimension 3 (one without friction) and 2, with scalar rows between them. */
static perp_problem *mixed(uint64_t seed, perp_law law)
{
    perp_random g = {seed};
    perp_set *set = test_new_set(7);

    perp_set_add_free(set);           /* row 0 */
    perp_set_add_cone(set, 3, 0.5);   /* 1 */
    perp_set_add_cone(set, 3, 0.0);   /* 4 */
    perp_set_add_box(set, -1.0, 2.0); /* 7 */
    perp_set_add_cone(set, 2, 0.3);   /* 8 */
    perp_set_add_nonneg(set);         /* 10 */
    perp_set_add_cone(set, 3, 1.2);   /* 11 */
    return test_problem(test_spd(14, seed), set, law, &g);
}

/* w' of the pyramid, written out from the definition, in the order of the rows. */
static void expected_w(const perp_problem *p, size_t eta, const double *zz, double *ww)
{
    double z[64] = {0};
    double w[64];
    size_t at = 0;
    const double turn = 2.0 * acos(-1.0);

    for (int pass = 0; pass < 2; pass++) { /* first z, then w' */
        at = 0;
        for (size_t k = 0; k < p->set->count; k++) {
            const perp_block *c = &p->set->blocks[k];
            size_t m = c->dim == 3 ? eta : 2;
            double sum = 0.0;

            if (c->kind != PERP_SET_CONE || c->mu == 0.0) {
                if (pass == 0) {
                    z[c->first] = zz[at];
                } else {
                    ww[at] = w[c->first];
                }
                at++;
                continue;
            }
            if (pass == 0) {
                z[c->first] = zz[at];
            } else {
                double law = p->law == PERP_LAW_ASSOCIATED ? c->mu * zz[at + 1 + m] : 0.0;

                ww[at] = w[c->first] - law;
            }
            for (size_t d = 0; d < m; d++) {
                double cosine = cos(turn * (double)d / (double)m);
                double sine = sin(turn * (double)d / (double)m);

                sum += zz[at + 1 + d];
                if (pass == 0) {
                    z[c->first + 1] += cosine * zz[at + 1 + d];
                    z[c->first + 2] += c->dim == 3 ? sine * zz[at + 1 + d] : 0.0;
                } else {
                    ww[at + 1 + d] = cosine * w[c->first + 1] + zz[at + 1 + m];
                    ww[at + 1 + d] += c->dim == 3 ? sine * w[c->first + 2] : 0.0;
                }
            }
            if (pass == 1) {
                ww[at + 1 + m] = c->mu * zz[at] - sum;
            }
            at += m + 2;
        }
        test_w(p, z, w);
    }
}

TEST(the_pyramid_says_what_its_formulas_say)
{
    static const size_t etas[] = {4, 6, 8, 16};

    for (size_t e = 0; e < 4; e++) {
        for (int law = 0; law < 2; law++) {
            perp_problem *p = mixed(e + 1, (perp_law)law);
            perp_reform *t = NULL;
            perp_random g = {e + 10};
            double zz[64];
            double ww[64];
            double expected[64];

            OK(perp_reform_pyramid(&t, p, etas[e], NULL));
            CU_ASSERT_EQUAL_FATAL(t->to->n, 3 + 1 + 4 + 2 * (etas[e] + 2));
            OK(perp_problem_check(t->to, NULL));
            CU_ASSERT_EQUAL(perp_set_count(t->to->set, PERP_SET_CONE), 0);
            CU_ASSERT_EQUAL(perp_set_count(t->to->set, PERP_SET_BOX), 1);
            CU_ASSERT_EQUAL(perp_set_count(t->to->set, PERP_SET_FREE), 1);
            CU_ASSERT_EQUAL(t->to->A->type->storage, PERP_STORAGE_DENSE);
            for (size_t i = 0; i < t->to->n; i++) {
                zz[i] = perp_random_uniform(&g, 0.0, 1.0);
            }
            test_w(t->to, zz, ww);
            expected_w(p, etas[e], zz, expected);
            for (size_t i = 0; i < t->to->n; i++) {
                CU_ASSERT(fabs(ww[i] - expected[i]) <= rounding);
            }
        }
    }
}

TEST(a_guess_goes_there_and_back)
{
    perp_problem *p = mixed(3, PERP_LAW_COULOMB);
    perp_random g = {4};

    for (int trial = 0; trial < 50; trial++) {
        perp_reform *t = NULL;
        double z[14];
        double zz[64];
        double back[14];

        OK(perp_reform_pyramid(&t, p, 4 + 2 * (size_t)(trial % 5), NULL));
        for (size_t i = 0; i < p->n; i++) {
            z[i] = perp_random_uniform(&g, -1.0, 1.0);
        }
        z[5] = z[6] = 0.0; /* the contact without friction keeps its normal only */
        t->type->map(t->state, p, z, zz);
        t->type->unmap(t->state, p, zz, back);
        for (size_t i = 0; i < p->n; i++) {
            CU_ASSERT(fabs(back[i] - z[i]) <= rounding);
        }
        for (size_t k = 0; k < t->to->n; k++) {
            const perp_block *block = &t->to->set->blocks[k];

            /* directions and multipliers; normals were drawn with any sign */
            CU_ASSERT(block->kind != PERP_SET_NONNEG || k == 1 || zz[k] >= -1.0);
        }
    }
}

/* A solution of the LCP is found by trying all active sets; its contact point in 2D must
 * be one of the cone problem, and forth must lead back to it. */
TEST(in_the_plane_the_pyramid_is_exact)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        const double mu[2] = {0.4, 0.8};
        perp_random g = {seed};
        perp_reform *t = NULL;
        double zz[8];
        double z[4];
        double again[8];
        perp_set *set = test_new_cones(2, 2, mu);
        perp_problem *p = test_problem(test_spd(4, seed), set, PERP_LAW_COULOMB, &g);

        p->b[0] = -1.0; /* at least one contact presses */
        OK(perp_reform_pyramid(&t, p, 4, NULL));
        CU_ASSERT_FATAL(helper_enumerate(t->to, zz));
        t->type->unmap(t->state, p, zz, z);
        CU_ASSERT(perp_residual(p, z) <= 1e-9);
        t->type->map(t->state, p, z, again);
        CU_ASSERT(perp_residual(t->to, again) <= 1e-9);
    }
}

/* Golden rows: normals, then four directions a contact, then multipliers. */
static size_t golden_row(size_t row, size_t nc)
{
    size_t contact = row / 6;
    size_t part = row % 6;

    if (part == 0) {
        return contact;
    }
    return part <= 4 ? nc + 4 * contact + part - 1 : 5 * nc + contact;
}

static void equals_golden(const char *cones, const char *lcp)
{
    perp_problem *p = test_golden_problem(cones);
    const perp_problem *expected = test_golden_problem(lcp);
    const size_t n = expected->n, nc = p->set->count;
    perp_reform *t = NULL;

    OK(perp_reform_pyramid(&t, p, 4, NULL));
    CU_ASSERT_EQUAL_FATAL(t->to->n, n);
    for (size_t i = 0; i < n; i++) {
        size_t row = golden_row(i, nc);

        CU_ASSERT_EQUAL(t->to->b[i], expected->b[row]);
        for (size_t j = 0; j < n; j++) {
            double a = perp_operator_entry(expected->A, row, golden_row(j, nc));

            /* computed from J M^-1 J^T there, from W here; some rounding of order-1
             * data */
            CU_ASSERT(fabs(perp_operator_entry(t->to->A, i, j) - a) <= rounding);
        }
    }
}

TEST(four_directions_give_the_golden_matrices)
{
    equals_golden("rand_fc_8", "st_pyramid_rand8");
    equals_golden("table_push_slide", "st_pyramid_table_slide");
}

TEST(golden_solutions_map_back_and_forth)
{
    perp_problem *p = test_golden_problem("table_push_slide");
    const perp_problem *pyramid = test_golden_problem("st_pyramid_table_slide");
    const double *golden = pyramid->solution->z;
    const size_t n = pyramid->n, nc = p->set->count;
    perp_reform *t = NULL;
    double zz[24];
    double z[12];
    double sum = 0.0;

    OK(perp_reform_pyramid(&t, p, 4, NULL));
    for (size_t i = 0; i < n; i++) {
        zz[i] = golden[golden_row(i, nc)];
    }
    CU_ASSERT(perp_residual(t->to, zz) <= 1e-12); /* as stored: solved to rounding */
    t->type->unmap(t->state, p, zz, z);
    for (size_t k = 0; k < nc; k++) {
        sum += z[3 * k];
        CU_ASSERT(hypot(z[3 * k + 1], z[3 * k + 2]) <= 0.6 * z[3 * k] + 1e-12);
    }
    CU_ASSERT_DOUBLE_EQUAL(sum, 0.981, 1e-12); /* the weight times the step, worked out */
    t->type->map(t->state, p, z, zz);
    CU_ASSERT(perp_residual(t->to, zz) <= 1e-12);
}

TEST(sparse_problems_stay_sparse_and_equal)
{
    const perp_storage storages[] = {PERP_STORAGE_CSR, PERP_STORAGE_BSR};
    perp_problem *p = mixed(9, PERP_LAW_COULOMB);
    perp_reform *dense = NULL;

    p->A->x[3 + 9 * p->A->ld] = p->A->x[9 + 3 * p->A->ld] = 0.0;
    OK(perp_reform_pyramid(&dense, p, 6, NULL));
    for (int k = 0; k < 2; k++) {
        perp_problem *q = test_stored(p, storages[k], 2);
        perp_reform *t = NULL;

        OK(perp_reform_pyramid(&t, q, 6, NULL));
        CU_ASSERT_EQUAL_FATAL(t->to->n, dense->to->n);
        CU_ASSERT_EQUAL(t->to->A->type->storage, PERP_STORAGE_CSR);
        for (size_t i = 0; i < t->to->n; i++) {
            CU_ASSERT(fabs(t->to->b[i] - dense->to->b[i]) <= rounding);
            for (size_t j = 0; j < t->to->n; j++) {
                CU_ASSERT(fabs(perp_operator_entry(t->to->A, i, j) -
                               perp_operator_entry(dense->to->A, i, j)) <= rounding);
            }
        }
        perp_operator_add_diagonal(t->to->A, 1.0); /* every diagonal entry is stored */
    }
}

/* Friction rows before and after the normals they belong to, one without friction. */
static perp_problem *box_friction(uint64_t seed)
{
    perp_random g = {seed};
    perp_set *set = test_set("row:0.5:2,free,nonneg,row:0.7:2,row:0.0:5,nonneg");

    return test_problem(test_spd(6, seed), set, PERP_LAW_COULOMB, &g);
}

TEST(friction_rows_become_two_directions_exactly)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        perp_problem *p = box_friction(seed);
        perp_reform *t = NULL;
        perp_reform *lcp = NULL;
        double zz[16];
        double xx[16];
        double z[6];

        p->b[2] = -1.0;
        OK(perp_reform_friction_to_lcp(&t, p, NULL));
        CU_ASSERT_EQUAL(t->to->n, 3 + 1 + 1 + 3 + 0 + 1);
        CU_ASSERT_EQUAL(perp_problem_kind(t->to), PERP_KIND_MLCP);
        CU_ASSERT(!t->type->changes_physics);
        OK(perp_reform_eliminate_free(&lcp, t->to, NULL, NULL));
        CU_ASSERT_FATAL(helper_enumerate(lcp->to, xx));
        lcp->type->unmap(lcp->state, t->to, xx, zz);
        CU_ASSERT(perp_residual(t->to, zz) <= 1e-9);
        t->type->unmap(t->state, p, zz, z);
        CU_ASSERT(perp_residual(p, z) <= 1e-9);
        t->type->map(t->state, p, z, zz);
        CU_ASSERT(perp_residual(t->to, zz) <= 1e-9);
    }
}

/* A contact that presses with w_N = -1 whatever z is: no solution, y = normal. */
TEST(a_certificate_of_the_pyramid_proves_the_cone_problem_infeasible)
{
    const double rows[9] = {0};
    const double b[3] = {-1.0, 0.5, 0.0};
    const double mu = 0.5;
    perp_problem *p = test_cones(3, 1, rows, b, &mu);
    perp_reform *t = NULL;
    double yy[6] = {1.0, 1e-14, 0, 0, 0, 0};
    double y[3];

    OK(perp_reform_pyramid(&t, p, 4, NULL));
    t->type->certificate(t->state, p, yy, y);
    CU_ASSERT(perp_certificate_infeasible(p, y));
    CU_ASSERT_EQUAL(y[0], 1.0);
    CU_ASSERT_EQUAL(y[1], 0.0);
}

TEST(an_odd_or_small_number_of_directions_is_refused)
{
    static const size_t bad[] = {0, 2, 3, 5, SIZE_MAX - 1};
    perp_problem *p = mixed(1, PERP_LAW_COULOMB);

    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        perp_reform *t = NULL;
        perp_error err = {0};

        CU_ASSERT_EQUAL(perp_reform_pyramid(&t, p, bad[k], &err), PERP_ERR_OPTION);
        CU_ASSERT_PTR_NULL(t);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "expected an even number"));
    }
}
