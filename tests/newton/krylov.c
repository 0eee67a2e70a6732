/* SPDX-License-Identifier: Apache-2.0
 * tests/newton/krylov.c: directions in velocities by the factors of an earlier S. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "answers.h"
#include "newton/krylov.h"

/* A ring of bodies: contact k between the bodies k and k + 1, with random rows. */
enum { BODIES = 30, ROWS = 3 * BODIES, AREA = 9 * BODIES };

typedef struct ring {
    double J[12 * ROWS], inverse_mass[BODIES], inverse_inertia[9 * BODIES];
    int32_t body[2 * ROWS];
    double H[AREA];
    perp_operator *A;
    perp_set *set;
    perp_workspace *ws;
    perp_velocity space;
    perp_krylov krylov;
    perp_work work;
} ring;

static void ring_open(ring *s)
{
    perp_random g = {7};
    const perp_pairs pairs = {.rows = ROWS,
                              .J = s->J,
                              .body = s->body,
                              .bodies = BODIES,
                              .inverse_mass = s->inverse_mass,
                              .inverse_inertia = s->inverse_inertia};

    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < 12 * ROWS; i++) {
        s->J[i] = perp_random_uniform(&g, -1.0, 1.0);
    }
    for (size_t i = 0; i < ROWS; i++) {
        s->body[2 * i] = (int32_t)(i / 3);
        s->body[2 * i + 1] = (int32_t)((i / 3 + 1) % BODIES);
    }
    for (size_t k = 0; k < BODIES; k++) {
        s->inverse_mass[k] = 1.0;
        for (size_t d = 0; d < 3; d++) {
            s->inverse_inertia[9 * k + 4 * d] = 6.0;
        }
    }
    /* sticking, with friction that follows the pressure: unsymmetric */
    for (size_t k = 0; k < BODIES; k++) {
        for (size_t d = 0; d < 3; d++) {
            s->H[9 * k + 4 * d] = 100.0;
        }
        s->H[9 * k + 1] = 30.0;
    }
    OK(perp_operator_new_pairs(&s->A, &pairs, NULL));
    OK(perp_set_new(&s->set, BODIES, NULL));
    for (size_t k = 0; k < BODIES; k++) {
        perp_set_add_cone(s->set, 3, 0.5);
    }
    OK(perp_workspace_new(&s->ws, 0, NULL));
    OK(perp_velocity_setup(&s->space, s->A, s->set, false, s->ws, NULL));
    perp_krylov_alloc(&s->krylov, &s->space, false, s->ws);
    OK(perp_workspace_status(s->ws, NULL));
}

static void ring_close(ring *s)
{
    perp_velocity_close(&s->space);
}

/* |S x - f|/|f| for x = S^-1 f by perp_krylov_direct. */
static double ring_direct(ring *s)
{
    double f[6 * BODIES], x[6 * BODIES], y[6 * BODIES], z[6 * BODIES], rows[ROWS];
    double error = 0.0;
    double size = 0.0;
    bool done = false;

    CU_ASSERT_EQUAL_FATAL(s->space.nv, 6 * BODIES);
    for (size_t i = 0; i < 6 * BODIES; i++) {
        f[i] = x[i] = sin(1.0 + (double)i);
    }
    perp_velocity_set_weight(&s->space, s->H);
    OK(perp_krylov_direct(&s->krylov, x, &s->work, &done, NULL));
    CU_ASSERT(done);
    perp_velocity_rows(&s->space, x, rows);
    perp_velocity_weigh(&s->space, rows, rows);
    perp_velocity_forces(&s->space, rows, y);
    perp_velocity_mass(&s->space, x, z);
    for (size_t i = 0; i < 6 * BODIES; i++) {
        error += (y[i] + z[i] - f[i]) * (y[i] + z[i] - f[i]);
        size += f[i] * f[i];
    }
    return sqrt(error / size);
}

TEST(the_first_direction_is_exact)
{
    static ring s;

    ring_open(&s);
    CU_ASSERT(ring_direct(&s) <= 1e-12); /* the condition of S is some 1e3 */
    CU_ASSERT_EQUAL(s.work.factorizations, 1.0);
    CU_ASSERT(!s.krylov.stale);
    /* the same S again: one step, without a change of rank */
    CU_ASSERT(ring_direct(&s) <= 1e-10);
    CU_ASSERT_EQUAL(s.work.factorizations, 1.0);
    CU_ASSERT(s.krylov.stale);
    ring_close(&s);
}

/* Two contacts that open change S by a matrix of rank 6, which seven steps solve to rounding. The
 * residual of S0^-1 (S x - f) is at most 0.03; S0 enlarges it by its condition at most. */
TEST(contacts_that_open_need_no_factors)
{
    static ring s;

    ring_open(&s);
    ring_direct(&s);
    memset(s.H + 9 * 4, 0, 9 * sizeof *s.H);
    memset(s.H + 9 * 20, 0, 9 * sizeof *s.H);
    CU_ASSERT(ring_direct(&s) <= 1.0);
    CU_ASSERT_EQUAL(s.work.factorizations, 1.0);
    CU_ASSERT(s.krylov.stale);
    CU_ASSERT(s.work.products <= 2.0 * 7.0 + 1.0);
    ring_close(&s);
}

TEST(a_new_metric_is_factored)
{
    static ring s;
    perp_random g = {3};

    ring_open(&s);
    ring_direct(&s);
    for (size_t k = 0; k < BODIES; k++) {
        double scale = exp(perp_random_uniform(&g, -14.0, 14.0));

        for (size_t i = 0; i < 9; i++) {
            s.H[9 * k + i] *= scale;
        }
    }
    CU_ASSERT(ring_direct(&s) <= 1e-6); /* the condition of S is some 1e9 */
    CU_ASSERT_EQUAL(s.work.factorizations, 2.0);
    CU_ASSERT(!s.krylov.stale);
    /* and factors that are given up serve no more */
    s.krylov.factored = false;
    ring_direct(&s);
    CU_ASSERT_EQUAL(s.work.factorizations, 3.0);
    ring_close(&s);
}
