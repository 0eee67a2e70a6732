/* SPDX-License-Identifier: Apache-2.0
 * tests/interior/ipm_coulomb_piles.c: ipm-coulomb on piles of bodies drawn by lot, in which
 * most contacts press. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "core/solvers.h"

enum { BODIES = 17, CONTACTS = 100, ROWS = 3 * CONTACTS };

static const double friction = 1.2;

typedef struct pile {
    perp_pairs pairs;
    double J[12 * ROWS];
    int32_t body[2 * ROWS];
    double inverse_mass[BODIES], inverse_inertia[9 * BODIES];
    double z[ROWS], w[ROWS]; /* a solution */
} pile;

/* Bodies of masses 0.1 to 10, as spheres of radius 0.65. */
static void draw_bodies(pile *s, perp_random *g)
{
    for (size_t k = 0; k < BODIES; k++) {
        s->inverse_mass[k] = pow(10.0, perp_random_uniform(g, -1.0, 1.0));
        for (size_t i = 0; i < 3; i++) {
            s->inverse_inertia[9 * k + 4 * i] = 6.0 * s->inverse_mass[k];
        }
    }
}

static void draw_rows(pile *s, size_t contact, perp_random *g)
{
    size_t first = (size_t)(perp_random_next(g) % BODIES);
    size_t gap = (size_t)(perp_random_next(g) % (BODIES - 1));

    for (size_t i = 3 * contact; i < 3 * contact + 3; i++) {
        s->body[2 * i] = (int32_t)first;
        s->body[2 * i + 1] = (int32_t)((first + 1 + gap) % BODIES);
        for (size_t j = 0; j < 12; j++) {
            s->J[12 * i + j] = perp_random_uniform(g, -1.0, 1.0);
        }
    }
}

/* Of ten contacts four stick, three slide, two are open, one is closed without force. */
static void draw_answer(pile *s, size_t contact, perp_random *g)
{
    double *z = s->z + 3 * contact;
    double *w = s->w + 3 * contact;
    double force = perp_random_uniform(g, 0.5, 1.5);
    double speed = perp_random_uniform(g, 0.5, 1.5);
    double angle = perp_random_uniform(g, 0.0, 6.28);
    double part = perp_random_uniform(g, 0.0, 0.6); /* of the friction that may act */
    size_t role = contact % 10;
    bool slides = role >= 4 && role < 7;

    part = slides ? 1.0 : part;
    z[0] = role < 7 ? force : 0.0;
    z[1] = part * friction * z[0] * cos(angle);
    z[2] = part * friction * z[0] * sin(angle);
    w[0] = role == 7 || role == 8 ? speed : 0.0;
    w[1] = slides ? -speed * cos(angle) : 0.0;
    w[2] = slides ? -speed * sin(angle) : 0.0;
}

/* 300 rows on 102 velocities, b = w - A z. The problem borrows from s. */
static perp_problem *make_pile(pile *s, uint64_t seed)
{
    perp_random g = {seed};
    double mu[CONTACTS];
    double b[ROWS];

    draw_bodies(s, &g);
    for (size_t k = 0; k < CONTACTS; k++) {
        mu[k] = friction;
        draw_rows(s, k, &g);
        draw_answer(s, k, &g);
    }
    s->pairs = (perp_pairs){.rows = ROWS,
                            .J = s->J,
                            .body = s->body,
                            .bodies = BODIES,
                            .inverse_mass = s->inverse_mass,
                            .inverse_inertia = s->inverse_inertia};
    perp_operator *A = test_new_pairs(&s->pairs);
    perp_set *set = test_new_cones(3, CONTACTS, mu);
    perp_problem *p = test_problem(A, set, PERP_LAW_COULOMB, &g);
    perp_operator_apply(A, s->z, b);
    for (size_t i = 0; i < ROWS; i++) {
        p->b[i] = s->w[i] - b[i];
    }
    CU_ASSERT(perp_residual(p, s->z) <= 1e-12); /* rounding of sums of some 20 */
    return p;
}

/* Whether ipm-coulomb solves p; where it does not, it says so. */
static bool is_solved(const perp_problem *p, uint64_t seed)
{
    perp_result *r = test_solve(p, "ipm-coulomb", NULL);
    bool solved = r->outcome == PERP_SOLVED;

    test_note("seed %llu: %zu steps", (unsigned long long)seed, r->iterations);
    if (solved) {
        test_solved(p, r, 1e-8);
    } else {
        CU_ASSERT_PTR_NOT_NULL(strstr(r->reason, "residual"));
    }
    return solved;
}

/* The path has up to a hundred folds, so that which solution is found depends on rounding.
 * A tangent to the wrong side, once, leads back to the start. */
TEST(the_path_is_followed_through_many_folds)
{
    size_t in_factors = 0;
    size_t stored = 0;

    for (uint64_t seed = 1; seed <= 6; seed++) {
        pile *s = test_alloc(1, sizeof *s);
        perp_problem *p = make_pile(s, seed);

        in_factors += is_solved(p, seed);
        if (seed <= 3) {
            perp_problem *q = test_stored(p, PERP_STORAGE_DENSE, 1);

            stored += is_solved(q, seed);
        }
    }
    CU_ASSERT(in_factors >= 5);
    CU_ASSERT(stored >= 2);
}
