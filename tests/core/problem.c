/* SPDX-License-Identifier: Apache-2.0
 * tests/core/problem.c: sets, projections, checks, kinds, hashes. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instances.h"
#include "support.h"

/* x = (1, 2), mu = 1/2: outside K and its polar. n' = (1 + 1)/(1.25) = 1.6, t' = 0.8. */
TEST(projects_on_a_cone_by_hand)
{
    double x[2] = {1.0, 2.0};
    double inside[3] = {2.0, 0.6, 0.8};
    double polar[3] = {-1.0, 0.5, 0.5};

    perp_project_cone(0.5, 2, x);
    CU_ASSERT_DOUBLE_EQUAL(x[0], 1.6, 1e-15); /* one rounding of each operation */
    CU_ASSERT_DOUBLE_EQUAL(x[1], 0.8, 1e-15);
    perp_project_cone(0.5, 3, inside); /* |t| = 1 = mu n: on the boundary, unchanged */
    CU_ASSERT(inside[0] == 2.0 && inside[1] == 0.6 && inside[2] == 0.8);
    perp_project_cone(0.5, 3, polar);
    CU_ASSERT(polar[0] == 0.0 && polar[1] == 0.0 && polar[2] == 0.0);
}

TEST(a_cone_without_friction_keeps_the_normal_part)
{
    double x[3] = {2.0, 1.0, -1.0};

    perp_project_cone(0.0, 3, x);
    CU_ASSERT(x[0] == 2.0 && x[1] == 0.0 && x[2] == 0.0);
    x[0] = -2.0; /* t = 0 <= mu n = -0 here */
    perp_project_cone(0.0, 3, x);
    CU_ASSERT(x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0);
}

/* The projection is the nearest point: no random point of the set is nearer. */
TEST(projects_on_a_rolling_cone_to_the_nearest_point)
{
    perp_random g = {7};

    for (int trial = 0; trial < 2000; trial++) {
        double mu = perp_random_uniform(&g, 0.0, 1.5);
        double mu_r = perp_random_uniform(&g, 0.0, 0.5);
        double x[5], p[5], y[5];
        double to_p = 0.0;
        double to_y = 0.0;

        for (int i = 0; i < 5; i++) {
            x[i] = perp_random_uniform(&g, -1.0, 1.0);
        }
        memcpy(p, x, sizeof p);
        perp_project_rolling(mu, mu_r, p);
        CU_ASSERT(hypot(p[1], p[2]) <= mu * p[0] * (1.0 + 1e-14) + 1e-16);
        CU_ASSERT(hypot(p[3], p[4]) <= mu_r * p[0] * (1.0 + 1e-14) + 1e-16);
        y[0] = perp_random_uniform(&g, 0.0, 1.5);
        for (int i = 1; i < 5; i += 2) {
            double radius = (i == 1 ? mu : mu_r) * y[0] * perp_random_unit(&g);
            double angle = perp_random_uniform(&g, 0.0, 6.283185307179586);

            y[i] = radius * cos(angle);
            y[i + 1] = radius * sin(angle);
        }
        for (int i = 0; i < 5; i++) {
            to_p += (x[i] - p[i]) * (x[i] - p[i]);
            to_y += (x[i] - y[i]) * (x[i] - y[i]);
        }
        CU_ASSERT(to_p <= to_y + 1e-14);
    }
}

TEST(bounds_of_friction_follow_the_normal)
{
    double z[3] = {2.0, -3.0, 0.5};
    perp_set *set = test_set("nonneg,row:0.5:0,row:0.5:0");

    perp_set_project(set, 1, z);
    perp_set_project(set, 2, z);
    CU_ASSERT_EQUAL(z[1], -1.0);
    CU_ASSERT_EQUAL(z[2], 0.5);
    CU_ASSERT_EQUAL(perp_set_kinds(set), PERP_SET_NONNEG | PERP_SET_FRICTION);
}

TEST(a_disk_clips_the_length_only)
{
    double z[2] = {3.0, 4.0};
    perp_set *set = test_new_set(1);

    perp_set_add_disk(set, 2.5);
    perp_set_project(set, 0, z);
    CU_ASSERT(z[0] == 1.5 && z[1] == 2.0);
}

/* Each fault is found, and the message names its place. */
TEST(refuses_bad_data_with_its_place)
{
    const double rows[4] = {2, 1, 1, 2};
    const double q[2] = {-1, 1};
    perp_problem *p = test_lcp(2, rows, q);
    perp_error err = {0};

    OK(perp_problem_check(p, &err));
    p->b[1] = NAN;
    CU_ASSERT_EQUAL(perp_problem_check(p, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "b[1]"));
    p->b[1] = 1.0;
    p->A->x[p->A->ld] = INFINITY;
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_problem_check(p, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "A[0,1]"));
    p->A->x[p->A->ld] = 1.0;
    p->set->blocks[0] =
        (perp_block){.kind = PERP_SET_BOX, .dim = 1, .lo = 2.0, .hi = 1.0};
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_problem_check(p, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "lo = 2, hi = 1"));
    p->set->blocks[0] = (perp_block){.kind = PERP_SET_NONNEG, .dim = 1, .first = 1};
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_problem_check(p, &err), PERP_ERR_DATA);
    p->n = 3;
    CU_ASSERT_NOT_EQUAL(perp_problem_check(p, NULL), PERP_OK);
}

TEST(refuses_a_negative_friction_coefficient)
{
    const double rows[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double b[3] = {-1, 0, 0};
    double mu = -0.25;
    perp_problem *p = test_cones(3, 1, rows, b, &mu);
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_problem_check(p, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "mu[0] is -0.25"));
}

/* Solvers and the judge read these bounds: a free row with a bound would be judged by it. */
TEST(free_and_nonnegative_rows_have_the_bounds_of_their_kind)
{
    const double rows[1] = {1};
    const double b[1] = {1};
    perp_problem *p = test_lcp(1, rows, b);
    perp_error err = {0};

    p->set->blocks[0].lo = -1.0;
    CU_ASSERT_EQUAL(perp_problem_check(p, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "row 0, which is nonneg, are lo = -1"));
    p->set->blocks[0] =
        (perp_block){.kind = PERP_SET_FREE, .dim = 1, .lo = 0.0, .hi = INFINITY};
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_problem_check(p, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "row 0, which is free, are lo = 0"));
    p->set->blocks[0].lo = -INFINITY;
    OK(perp_problem_check(p, NULL));
}

TEST(a_friction_row_needs_a_normal_row)
{
    const double rows[4] = {1, 0, 0, 1};
    const double b[2] = {-1, 0};
    perp_problem *p = test_lcp(2, rows, b);

    p->set->blocks[1] = (perp_block){
        .kind = PERP_SET_FRICTION, .dim = 1, .first = 1, .mu = 0.5, .normal = 0};
    OK(perp_problem_check(p, NULL));
    p->set->blocks[1].normal = 1;
    CU_ASSERT_EQUAL(perp_problem_check(p, NULL), PERP_ERR_DATA);
    p->set->blocks[1].normal = 9;
    CU_ASSERT_EQUAL(perp_problem_check(p, NULL), PERP_ERR_DATA);
}

TEST(kinds_follow_from_the_sets)
{
    const double rows[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double b[3] = {-1, 0, 0};
    double mu = 0.5;
    perp_problem *p = test_lcp(3, rows, b);
    perp_problem *q = test_cones(3, 1, rows, b, &mu);

    CU_ASSERT_EQUAL(perp_problem_kind(p), PERP_KIND_LCP);
    CU_ASSERT_EQUAL(perp_problem_contacts(p), 0);
    CU_ASSERT_EQUAL(perp_problem_kind(q), PERP_KIND_FC3D);
    CU_ASSERT_EQUAL(perp_problem_contacts(q), 1);
    p->set->blocks[0].kind = PERP_SET_FREE;
    CU_ASSERT_EQUAL(perp_problem_kind(p), PERP_KIND_MLCP);
    p->set->blocks[1].kind = PERP_SET_BOX;
    CU_ASSERT_EQUAL(perp_problem_kind(p), PERP_KIND_BLCP);
    p->set->blocks[2].kind = PERP_SET_FRICTION;
    p->set->blocks[2].normal = 1;
    CU_ASSERT_EQUAL(perp_problem_kind(p), PERP_KIND_FINDEX);
    CU_ASSERT_EQUAL(perp_problem_contacts(p), 1);
}

TEST(hashes_agree_between_storages_and_see_every_number)
{
    const double rows[9] = {2, 1, 0, 1, 2, 1, 0, 1, 2};
    const double b[3] = {-1, 0, 3};
    double mu = 0.5;
    perp_problem *p = test_cones(3, 1, rows, b, &mu);
    perp_operator *dense = p->A;
    uint64_t hash = perp_problem_hash(p);

    for (int s = 0; s < 2; s++) {
        perp_operator *A = NULL;

        CU_ASSERT_EQUAL_FATAL(
            perp_operator_convert(&A, dense, s ? PERP_STORAGE_BSR : PERP_STORAGE_CSR,
                                  s ? 3 : 1, NULL),
            PERP_OK);
        p->A = A;
        CU_ASSERT_EQUAL(perp_problem_hash(p), hash);
    }
    p->A = dense;
    p->b[2] = 3.0000000000000004;
    CU_ASSERT_NOT_EQUAL(perp_problem_hash(p), hash);
    p->b[2] = 3.0;
    p->set->blocks[0].mu = 0.25;
    CU_ASSERT_NOT_EQUAL(perp_problem_hash(p), hash);
}

TEST(a_copy_is_the_same_problem_with_memory_of_its_own)
{
    const double rows[4] = {2, 1, 1, 2};
    const double q[2] = {-1, 1};
    perp_problem *p = test_lcp(2, rows, q);

    p->name = perp_text_new("twice");
    p->guesses = calloc(1, sizeof *p->guesses);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->guesses);
    p->guess_count = 1;
    p->guesses[0].z = perp_reals_new(2);
    p->guesses[0].z[1] = 7.0;
    perp_problem *copy = test_copy(p);
    CU_ASSERT_EQUAL(perp_problem_hash(copy), perp_problem_hash(p));
    CU_ASSERT(perp_operator_same(copy->A, p->A));
    CU_ASSERT_STRING_EQUAL(copy->name, "twice");
    CU_ASSERT_EQUAL(copy->guesses[0].z[1], 7.0);
}

/* One body of mass 2 above a floor, one bilateral row beside: M v = H r + G l + f. */
static perp_problem *body_above_a_floor(void)
{
    perp_problem *p = NULL;
    perp_global *g = NULL;

    OK(perp_problem_new(&p, NULL));
    p->n = 2;
    p->b = perp_reals_new(2);
    p->global = g = calloc(1, sizeof *g);
    CU_ASSERT_FATAL(p->b && g);
    OK(perp_operator_new_dense(&g->M, 2, 2, NULL));
    OK(perp_operator_new_dense(&g->H, 2, 1, NULL));
    OK(perp_operator_new_dense(&g->G, 2, 1, NULL));
    OK(perp_set_new(&p->set, 2, NULL));
    g->f = perp_reals_new(2);
    CU_ASSERT_PTR_NOT_NULL_FATAL(g->f);
    g->M->x[0] = g->M->x[3] = 2.0;
    g->H->x[1] = g->G->x[0] = 1.0;
    g->f[1] = -9.81;
    perp_set_add_nonneg(p->set);
    perp_set_add_free(p->set);
    return p;
}

TEST(a_copy_of_a_global_problem_has_its_matrices)
{
    perp_problem *p = body_above_a_floor();
    uint64_t hash = perp_problem_hash(p);

    OK(perp_problem_check(p, NULL));
    perp_problem *copy = test_copy(p);
    CU_ASSERT_EQUAL(perp_problem_hash(copy), hash);
    CU_ASSERT(perp_operator_same(copy->global->M, p->global->M));
    p->global->f[1] = -9.82;
    CU_ASSERT_NOT_EQUAL(perp_problem_hash(p), hash);
    CU_ASSERT_EQUAL(copy->global->f[1], -9.81);
    p->global->f[1] = -9.81;
    p->global->G->x[1] = 1.0;
    CU_ASSERT_NOT_EQUAL(perp_problem_hash(p), hash);
}

static void refuse(const perp_problem *p, perp_status status, const char *message)
{
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_problem_check(p, &err), status);
    CU_ASSERT_STRING_EQUAL(err.text, message);
}

TEST(parts_that_do_not_fit_are_refused)
{
    perp_problem *p = body_above_a_floor();
    perp_operator *H = p->global->H;
    perp_block *first = &p->set->blocks[0];

    p->global->H = p->global->M;
    refuse(
        p, PERP_ERR_DATA,
        "M is 2 x 2 and H 2 x 2, expected a square M, as many rows of H, and 2 columns "
        "of H (and G)");
    p->global->H = H;
    p->A = H;
    refuse(p, PERP_ERR_DATA, "A is 2 x 1, expected 2 x 2");
    p->A = NULL;
    p->global->f[0] = INFINITY;
    refuse(p, PERP_ERR_DATA, "f[0] is inf, expected a finite number");
    p->global->f[0] = 0.0;
    p->n = 3;
    refuse(p, PERP_ERR_DATA, "the set covers 2 rows, expected 3");
    p->n = 2;
    first->kind = (perp_set_kind)0;
    refuse(p, PERP_ERR_DATA, "block 0 has the unknown kind 0");
    first->kind = PERP_SET_NONNEG;
    refuse(&(perp_problem){.n = 2, .set = p->set, .global = p->global}, PERP_ERR_ARGUMENT,
           "a problem needs A or M, b and a set");
    refuse(p, PERP_OK, "");
}

TEST(a_sealed_problem_was_checked_once)
{
    const double rows[4] = {2, 1, 1, 2};
    const double q[2] = {-1, NAN};
    perp_problem *p = test_lcp(2, rows, q);
    perp_error err = {0};

    CU_ASSERT_FALSE(p->sealed);
    CU_ASSERT_EQUAL(perp_problem_seal(p, &err), PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, "b[1] is nan, expected a finite number");
    CU_ASSERT_FALSE(p->sealed);
    p->b[1] = 1.0;
    OK(perp_problem_seal(p, NULL));
    CU_ASSERT(p->sealed);
    perp_problem *copy = test_copy(p);
    CU_ASSERT_FALSE(copy->sealed); /* copies are made to be changed */
    p->b[1] = NAN;
    OK(perp_problem_seal(p, NULL)); /* not checked again */
    CU_ASSERT_EQUAL(perp_problem_check(p, NULL), PERP_ERR_DATA);
    p->sealed = false;
    CU_ASSERT_EQUAL(perp_problem_seal(p, NULL), PERP_ERR_DATA);
}

/* What sealing has found about A lasts until the problem is changed and sealed again; a copy of
 * the struct that is not sealed knows nothing. */
TEST(a_changed_matrix_is_measured_again)
{
    const double rows[4] = {2, 1, 1, 2};
    const double q[2] = {-1, 1};
    perp_problem *p = test_lcp(2, rows, q), hand;
    perp_error err = {0};
    perp_result *r = test_new_result(2);

    OK(perp_problem_seal(p, NULL));
    OK(perp_solve(perp_solver_find("mpgp"), p, NULL, r, NULL));
    p->A->x[1] = 0.0;
    hand = *p;
    hand.sealed = false;
    CU_ASSERT_EQUAL(perp_operator_asymmetry(p->A),
                    0.5); /* an operator is measured at once */
    CU_ASSERT_EQUAL(perp_solve(perp_solver_find("mpgp"), &hand, NULL, r, &err),
                    PERP_ERR_UNSUITABLE);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "mpgp demands a symmetric A, found max|A - A^T| = 0.5 max|A|");
    p->sealed = false;
    OK(perp_problem_seal(p, NULL));
    CU_ASSERT_EQUAL(perp_solve(perp_solver_find("mpgp"), p, NULL, r, NULL),
                    PERP_ERR_UNSUITABLE);
    p->A->x[p->A->ld] = INFINITY;
    p->sealed = false;
    CU_ASSERT_EQUAL(perp_problem_seal(p, &err), PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, "A[0,1] is inf, expected a finite number");
}

TEST(the_random_stream_is_splitmix64)
{
    /* First outputs of the reference implementation for the seed 1234567. */
    const uint64_t known[3] = {UINT64_C(6457827717110365317),
                               UINT64_C(3203168211198807973),
                               UINT64_C(9817491932198370423)};
    perp_random g = {1234567};

    for (int i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(perp_random_next(&g), known[i]);
    }
    for (int i = 0; i < 1000; i++) {
        double x = perp_random_uniform(&g, -2.0, 3.0);
        long k = perp_random_integer(&g, -1, 4);

        CU_ASSERT(-2.0 <= x && x < 3.0);
        CU_ASSERT(-1 <= k && k <= 4);
    }
}
