/* SPDX-License-Identifier: Apache-2.0
 * tests/splitting/local_blocks.c: rolling contacts, disks and Newton's method on one
 * block. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "answers.h"
#include "judge/judge.h"
#include "splitting/local_cone.h"
#include "splitting/local_newton.h"
#include "splitting/local_rolling.h"

enum { DRAWS = 400 };

/* W = B B^T + a little of the identity, a part of it skew: positive, not symmetric. */
static void draw_block(perp_random *g, unsigned dim, double skew, double *W)
{
    double B[25];

    for (unsigned i = 0; i < dim * dim; i++) {
        B[i] = perp_random_uniform(g, -1.0, 1.0);
    }
    for (unsigned i = 0; i < dim; i++) {
        for (unsigned j = 0; j < dim; j++) {
            W[i + j * dim] = i == j ? 0.05 : 0.0;
            for (unsigned k = 0; k < dim; k++) {
                W[i + j * dim] += B[i + k * dim] * B[j + k * dim];
            }
        }
    }
    for (unsigned i = 0; i < dim; i++) {
        for (unsigned j = 0; j < i; j++) {
            double s = skew * perp_random_uniform(g, -1.0, 1.0);

            W[i + j * dim] += s;
            W[j + i * dim] -= s;
        }
    }
}

/* |r - P(r - uhat)| with u = W r + q: zero exactly at solutions. */
static double residual(const perp_block *block, perp_law law, const double *W,
                       const double *q, const double *r)
{
    double u[5];

    for (unsigned i = 0; i < block->dim; i++) {
        u[i] = q[i];
        for (unsigned j = 0; j < block->dim; j++) {
            u[i] += W[i + j * block->dim] * r[j];
        }
    }
    return perp_natural_map(block, law, 1.0, r, u);
}

static void draw_velocity(perp_random *g, unsigned dim, double *q)
{
    for (unsigned i = 0; i < dim; i++) {
        q[i] = perp_random_uniform(g, -1.0, 1.0);
    }
}

TEST(elimination_solves_small_systems)
{
    perp_random g = {5};

    for (unsigned n = 1; n <= LOCAL_DIM_MAX; n++) {
        double M[25], copy[25], x[5], b[5];

        for (unsigned i = 0; i < n * n; i++) {
            M[i] = copy[i] = perp_random_uniform(&g, -1.0, 1.0);
        }
        M[0] = copy[0] = 0.0; /* needs a pivot, but for n = 1 */
        draw_velocity(&g, n, b);
        memcpy(x, b, sizeof b);
        CU_ASSERT_EQUAL(perp_local_eliminate(n, M, x), n > 1);
        for (unsigned i = 0; i < n && n > 1; i++) {
            double sum = 0.0;

            for (unsigned j = 0; j < n; j++) {
                sum += copy[i + j * n] * x[j];
            }
            CU_ASSERT_DOUBLE_EQUAL(sum, b[i], 1e-12); /* condition below 1e3 */
        }
    }
}

/* W = diag(2, 1, 1, 4, 4), pressed with 2 and pushed by (3, 4) along and (0, 8) in
 * rolling: n = 1, sliding t = -0.5 (0.6, 0.8), rolling m = -0.3 (0, 1). */
TEST(a_rolling_contact_worked_by_hand)
{
    const double D[25] = {2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1,
                          0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 4};
    const double q[5] = {-2, 3, 4, 0, 8};
    const double expected[5] = {1, -0.3, -0.4, 0, -0.3};
    double r[5] = {0}, open[5] = {1, 0, 0, 0, 0}, u[5] = {3, 0, 0, 0, 0};
    local_rolling k = {0};

    perp_local_rolling_init(&k, 0.5, 0.3, PERP_LAW_COULOMB, D, 0.0);
    CU_ASSERT(perp_local_rolling_solve(&k, q, r));
    CU_ASSERT(test_distance(5, r, expected) <= 1e-15); /* a few roundings of 1 */

    CU_ASSERT(
        perp_local_rolling_solve(&k, u, open)); /* q_n = u_n - W_nn r_n = 1: it opens */
    CU_ASSERT_EQUAL(test_largest(5, open), 0.0);
}

/* Solved from the last impulse, as three sweeps would. */
TEST(rolling_contacts_are_solved_to_rounding)
{
    perp_random g = {17};
    double worst = 0.0;

    for (int draw = 0; draw < DRAWS; draw++) {
        perp_block block = {.kind = PERP_SET_ROLLING, .dim = 5};
        double W[25], q[5], r[5] = {0};
        local_rolling k = {0};

        block.mu = perp_random_uniform(&g, 0.0, 1.0);
        block.mu_rolling = perp_random_uniform(&g, 0.0, 0.5);
        draw_block(&g, 5, draw % 2 ? 0.2 : 0.0, W);
        draw_velocity(&g, 5, q);
        perp_local_rolling_init(&k, block.mu, block.mu_rolling, PERP_LAW_COULOMB, W, 0.0);
        for (int sweep = 0; sweep < 3; sweep++) {
            double u[5];

            for (unsigned i = 0; i < 5; i++) {
                u[i] = q[i];
                for (unsigned j = 0; j < 5; j++) {
                    u[i] += W[i + 5 * j] * r[j];
                }
            }
            CU_ASSERT(perp_local_rolling_solve(&k, u, r));
        }
        worst = fmax(worst, residual(&block, PERP_LAW_COULOMB, W, q, r));
    }
    if (!(worst <= 1e-11)) { /* |r| up to 20, |W| up to 10: 1e5 roundings */
        test_note("worst residual %.1e", worst);
    }
    CU_ASSERT(worst <= 1e-11);
}

/* Every way moves towards the solution and stays in the set: many steps of one block. */
TEST(cheap_steps_of_rolling_contacts_lead_to_the_same)
{
    perp_random g = {23};

    for (int draw = 0; draw < 20; draw++) {
        perp_law law = draw % 2 ? PERP_LAW_ASSOCIATED : PERP_LAW_COULOMB;
        perp_block block = {.kind = PERP_SET_ROLLING, .dim = 5, .mu = 0.4};
        double W[25], q[5];
        local_rolling k = {0};

        block.mu_rolling = 0.2;
        draw_block(&g, 5, 0.0, W);
        draw_velocity(&g, 5, q);
        q[0] = -fabs(q[0]) - 0.1;
        perp_local_rolling_init(&k, block.mu, block.mu_rolling, law, W, 0.0);
        for (int way = 0; way < 3; way++) {
            double r[5] = {0}, x[5];

            /* of two-step nothing is promised under the associated law */
            for (int step = 0; step < 20000 && !(way == 2 && law == PERP_LAW_ASSOCIATED);
                 step++) {
                double u[5];

                for (unsigned i = 0; i < 5; i++) {
                    u[i] = q[i];
                    for (unsigned j = 0; j < 5; j++) {
                        u[i] += W[i + 5 * j] * r[j];
                    }
                }
                if (way == 0) {
                    perp_local_rolling_solve(&k, u, r);
                } else if (way == 1) {
                    perp_local_rolling_project(&k, u, r);
                } else {
                    perp_local_rolling_two_step(&k, u, r);
                }
                memcpy(x, r, sizeof x);
                perp_project_rolling(block.mu, block.mu_rolling, x);
                CU_ASSERT(test_distance(5, x, r) <= 1e-14 * (1.0 + r[0]));
            }
            if (way < 2 || law == PERP_LAW_COULOMB) {
                CU_ASSERT(residual(&block, law, W, q, r) <= 1e-9);
            }
        }
    }
}

TEST(disks_are_solved_to_rounding)
{
    perp_random g = {29};

    for (int draw = 0; draw < DRAWS; draw++) {
        perp_block block = {.kind = PERP_SET_DISK, .dim = 2};
        double W[4], q[2], t[2] = {0}, guess = 0.0;
        local_disk d;

        block.radius = draw % 8 ? perp_random_uniform(&g, 0.0, 2.0) : 0.0;
        draw_block(&g, 2, draw % 2 ? 0.3 : 0.0, W);
        draw_velocity(&g, 2, q);
        perp_local_disk_init(&d, W, 2, 0.0);
        perp_local_disk_solve(&d, block.radius, q, &guess, t);
        /* |W| <= 5, |t| <= 2: roundings of 10 */
        CU_ASSERT(residual(&block, PERP_LAW_COULOMB, W, q, t) <= 1e-13);
    }
}

TEST(a_disk_without_mass_or_push_stays_where_it_must)
{
    const double none[4] = {0, 0, 0, 0}, q[2] = {3, 4}, rest[2] = {0, 0};
    double t[2] = {9, 9}, guess = 0.0;
    local_disk d;

    perp_local_disk_init(&d, none, 2, 0.0);
    perp_local_disk_solve(&d, 2.0, q, &guess, t); /* slips: t = -2 q/|q| */
    CU_ASSERT_DOUBLE_EQUAL(t[0], -1.2, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(t[1], -1.6, 1e-14);
    perp_local_disk_solve(&d, 2.0, rest, &guess, t);
    CU_ASSERT_EQUAL(t[0], 0.0);
    CU_ASSERT_EQUAL(t[1], 0.0);
}

/* Against the exact solver: two ways to one answer, in the plane and in space. */
TEST(newton_agrees_with_the_exact_solver)
{
    perp_random g = {31};
    int solved = 0;

    for (int draw = 0; draw < DRAWS; draw++) {
        unsigned dim = draw % 2 ? 3 : 2;
        perp_block block = {.kind = PERP_SET_CONE, .dim = dim};
        double mu[2] = {perp_random_uniform(&g, 0.0, 1.0), 0.0};
        double W[9], q[3], r[3] = {0}, exact[3] = {0}, guess = 0.0;
        local_cone k;

        block.mu = mu[0];
        draw_block(&g, dim, draw % 3 ? 0.0 : 0.2, W);
        draw_velocity(&g, dim, q);
        perp_local_cone_init(&k, dim, mu[0], PERP_LAW_COULOMB, W, 0.0);
        CU_ASSERT(perp_local_cone_solve(&k, q, &guess, exact));
        CU_ASSERT(residual(&block, PERP_LAW_COULOMB, W, q, exact) <= 1e-12);
        if (perp_local_newton(dim, W, mu, q, r)) {
            solved++;
            CU_ASSERT(residual(&block, PERP_LAW_COULOMB, W, q, r) <= 1e-12);
        } else {
            CU_ASSERT_EQUAL(test_largest(dim, r), 0.0); /* left alone */
        }
    }
    CU_ASSERT(solved >= DRAWS * 9 / 10);
    if (solved < DRAWS * 9 / 10) {
        test_note("%d of %d", solved, DRAWS);
    }
}

/* mu = 0: r = (-q_n/W_nn, 0, 0), from a start with tangents. */
TEST(newton_without_friction_drops_the_tangents)
{
    const double mu[2] = {0.0, 0.0};
    perp_random g = {37};

    for (int draw = 0; draw < 100; draw++) {
        unsigned dim = draw % 2 ? 3 : 2;
        double W[9], q[3], r[3] = {0.5, 0.3, -0.2};

        draw_block(&g, dim, 0.0, W);
        draw_velocity(&g, dim, q);
        CU_ASSERT(perp_local_newton(dim, W, mu, q, r));
        CU_ASSERT_DOUBLE_EQUAL(r[0], fmax(0.0, -q[0] / W[0]), 1e-12 * (1.0 + r[0]));
        CU_ASSERT(fabs(r[1]) + (dim == 3 ? fabs(r[2]) : 0.0) <= 1e-12 * (1.0 + r[0]));
    }
}

TEST(newton_refuses_what_has_no_mass)
{
    const double none[9] = {0}, mu[2] = {0.5, 0.0}, q[3] = {-1, 0, 0};
    double r[3] = {0};

    CU_ASSERT_FALSE(perp_local_newton(3, none, mu, q, r));
    CU_ASSERT_EQUAL(test_largest(3, r), 0.0);
}

/* D_nn = 0 and pressed: no impulse helps; not pressed: none is needed. */
TEST(a_rolling_contact_without_mass_is_refused)
{
    const double D[25] = {0};
    double r[5] = {0}, u[5] = {-1, 0, 0, 0, 0};
    local_rolling k = {0};

    perp_local_rolling_init(&k, 0.5, 0.3, PERP_LAW_COULOMB, D, 0.0);
    CU_ASSERT_FALSE(perp_local_rolling_solve(&k, u, r));
    u[0] = 1.0;
    CU_ASSERT(perp_local_rolling_solve(&k, u, r));
    CU_ASSERT_EQUAL(r[0], 0.0);
}
