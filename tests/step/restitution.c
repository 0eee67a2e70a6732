/* SPDX-License-Identifier: Apache-2.0
 * tests/step/restitution.c: Newton's, Moreau's and Poisson's law against closed
 * forms. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "world_run.h"

static const perp_restitution laws[] = {PERP_RESTITUTION_NEWTON, PERP_RESTITUTION_MOREAU,
                                        PERP_RESTITUTION_POISSON};

/* A model of friction, and who solves it. */
typedef struct friction_case {
    perp_model model;
    const char *solver;
} friction_case;

/* n balls of 1 kg touching each other in a row along x, the first one at 1 m/s, after a
 * step without gravity; the last ball has restitution `last`, the others e, and the
 * larger of two holds. */
static void cradle(size_t n, double e, double last, perp_restitution law, double *v)
{
    perp_scheme scheme = run_scheme(0.001);
    perp_world *world = test_world(3, 0.0);
    perp_material m = {.name = "last", .restitution = last};
    run r;

    scheme.restitution = law;
    scheme.model = PERP_MODEL_FRICTIONLESS;
    run_material(world, 0.0, e);
    world->combine_restitution = PERP_COMBINE_MAX;
    for (size_t k = 0; k < n; k++) {
        char name[32];

        snprintf(name, sizeof name, "ball %zu", k);
        run_ball(world, name, 1.0, 0.5, (double)k, 0.0, 0.0);
    }
    OK(perp_world_add_material(world, &m, NULL, NULL));
    world->shapes[n - 1].material = 1;
    world->start->u[0] = 1.0;
    r = run_begin(world, &scheme, "dantzig tolerance=1e-13", true);
    run_steps(&r, 1);
    CU_ASSERT_EQUAL(r.report.outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r.report.contacts, n - 1);
    for (size_t k = 0; k < n; k++) {
        v[k] = world->start->u[6 * k];
    }
}

/* All contacts at once, e at the one that approaches: v_1 = 1 - (1+e)(n-1)/n, others
 * (1+e)/n. Newton's and Poisson's laws agree, for what is passed on is given back in
 * proportion. */
TEST(cradles_of_equal_balls_have_their_closed_form)
{
    for (size_t law = 0; law < 3; law++) {
        for (size_t n = 2; n <= 7; n++) {
            for (int half = 0; half <= 2; half++) {
                double e = 0.5 * half;
                double v[7];
                double expected[7];

                for (size_t k = 0; k < n; k++) {
                    expected[k] = (1.0 + e) / (double)n;
                }
                expected[0] -= e; /* 1 - (1+e)(n-1)/n */
                cradle(n, e, e, laws[law], v);
                /* 1e-13 of impulses of 1 N s, condition n^2 */
                test_agree("v", v, expected, n, 1e-11);
            }
        }
    }
}

/* e = 0 at the first contact, 1 at the second, three balls. Newton sees no approach at
 * the second one: all move at 1/3. Poisson: compression gives the impulses 2/3 and 1/3;
 * the second is given back, which pushes the middle ball into the first by 1/3 m/s;
 * they share it. */
TEST(poisson_gives_back_what_was_passed_through_a_contact_at_rest)
{
    const double newton[3] = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
    const double poisson[3] = {1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0};

    for (size_t law = 0; law < 3; law++) {
        double v[3];

        cradle(3, 0.0, 1.0, laws[law], v);
        test_agree(perp_restitution_names[laws[law]], v,
                   laws[law] == PERP_RESTITUTION_POISSON ? poisson : newton, 3, 1e-11);
    }
}

/* A ball dropped from 1 m: each impact has v+ = -e v-, where v- is known before the step;
 * so the height follows e^2 h but for what one step of fall is worth,
 * v dt = 4.4e-3 m a bounce. */
TEST(bounces_rise_to_e_squared_of_the_height)
{
    const double e = 0.8;

    for (size_t law = 0; law < 3; law++) {
        perp_scheme scheme = run_scheme(0.001);
        perp_world *world = test_world(3, 9.81);
        double height = 1.0;
        double expected = 1.0;
        double before = 0.0;
        int bounces = 0;
        run r;

        scheme.restitution = laws[law];
        scheme.margin = 0.0; /* an impact is met when it has happened */
        run_ground(world);
        run_ball(world, "ball", 1.0, 0.1, 0.0, 0.0, 1.1);
        run_material(world, 0.0, e);
        r = run_begin(world, &scheme, "nsgs tolerance=1e-13", true);
        for (int k = 0; k < 3000 && bounces < 4; k++) {
            before = world->start->u[8];
            run_steps(&r, 1);
            if (before < 0.0 && world->start->u[8] > 0.0) {
                CU_ASSERT_DOUBLE_EQUAL(world->start->u[8], -e * before, 1e-12);
                bounces++;
                expected *= e * e;
                height = 0.0;
            }
            if (before > 0.0 && world->start->u[8] <= 0.0) {
                height = world->start->s[9] - 0.1;
                CU_ASSERT_DOUBLE_EQUAL(height, expected, 5e-3 * bounces);
            }
        }
        CU_ASSERT_EQUAL(bounces, 4);
    }
}

/* Seen a little above the ground, at a speed that closes the gap within the step, a ball
 * rebounds at once; a slider at its limit, too. */
TEST(a_body_that_arrives_within_the_step_rebounds_at_once)
{
    for (size_t law = 0; law < 3; law++) {
        perp_scheme scheme = run_scheme(0.01);
        perp_world *world = test_world(3, 0.0);
        perp_axis *axis = NULL;
        run r;

        scheme.restitution = laws[law];
        run_ground(world);
        run_ball(world, "ball", 1.0, 0.5, 0.0, 0.0, 0.505);
        run_material(world, 0.0, 0.5);
        world->start->u[8] = -2.0;
        test_ball(world, "slide", 1.0, 0.1, 9.0, 0.0, 0.0);
        axis = run_joint(world, "prismatic", 0, 2, (const double[3]){9, 0, 0},
                         (const double[3]){1, 0, 0})
                   ->axes;
        axis->has_upper = true;
        axis->upper = 0.0;
        axis->restitution = 0.25;
        world->start->u[12] = 2.0;
        r = run_begin(world, &scheme, "nsgs tolerance=1e-13", true);
        run_steps(&r, 1);
        CU_ASSERT_DOUBLE_EQUAL(world->start->u[8], 1.0, 1e-11);
        CU_ASSERT_DOUBLE_EQUAL(world->start->u[12], -0.5, 1e-11);
    }
}

/* A ball that lies still under gravity stays there under all laws, since its approach,
 * the speed of one step's fall, is undone in the same step. */
TEST(a_ball_at_rest_stays_at_rest_under_all_laws)
{
    for (size_t law = 0; law < 3; law++) {
        perp_scheme scheme = run_scheme(1.0 / 60.0);
        perp_world *world = test_world(3, 9.81);
        run r;

        scheme.restitution = laws[law];
        run_ground(world);
        run_ball(world, "lower", 1.0, 0.5, 0.0, 0.0, 0.5);
        run_ball(world, "upper", 1.0, 0.5, 0.0, 0.0, 1.5);
        run_material(world, 0.0, 0.9);
        r = run_begin(world, &scheme, "nsgs tolerance=1e-12", true);
        run_steps(&r, 60);
        CU_ASSERT_DOUBLE_EQUAL(r.report.kinetic, 0.0, 1e-18);
        CU_ASSERT_DOUBLE_EQUAL(world->start->s[9], 0.5, 1e-9);
    }
}

/* Slower than the threshold there is no restitution. */
TEST(slow_approaches_do_not_rebound)
{
    for (size_t law = 0; law < 3; law++) {
        for (int fast = 0; fast < 2; fast++) {
            perp_scheme scheme = run_scheme(0.01);
            perp_world *world = test_world(3, 0.0);
            run r;

            scheme.restitution = laws[law];
            scheme.threshold = 0.1;
            run_ground(world);
            run_ball(world, "ball", 1.0, 0.5, 0.0, 0.0, 0.5);
            run_material(world, 0.0, 0.5);
            world->start->u[8] = fast ? -0.12 : -0.08;
            r = run_begin(world, &scheme, "nsgs tolerance=1e-14", true);
            run_steps(&r, 1);
            CU_ASSERT_DOUBLE_EQUAL(world->start->u[8], fast ? 0.06 : 0.0, 1e-13);
        }
    }
}

/* Moreau's law is c+ + e c- complementary to the impulse, also where the contact
 * separates before; a third body pushing back shows the difference: Newton stops at 0. */
TEST(moreau_lets_a_separating_contact_reverse)
{
    for (size_t law = 0; law < 2; law++) {
        perp_scheme scheme = run_scheme(0.01);
        perp_world *world = test_world(3, 0.0);
        run r;

        scheme.restitution = laws[law];
        run_ground(world);
        run_ball(world, "ball", 1.0, 0.5, 0.0, 0.0, 0.5);
        run_material(world, 0.0, 0.5);
        world->start->u[8] = 1.0;
        world->start->load[8] = -120.0; /* c_free = -0.2 */
        r = run_begin(world, &scheme, "nsgs tolerance=1e-14", true);
        run_steps(&r, 1);
        CU_ASSERT_DOUBLE_EQUAL(world->start->u[8], law == 0 ? 0.0 : -0.2, 1e-13);
    }
}

/* A sliding ball's friction goes on while the normal is given back: mu (1 + e) m c_n in
 * all. Where it sticks before, nothing more happens along the ground. */
TEST(friction_goes_on_while_poisson_gives_back)
{
    static const friction_case models[] = {
        {PERP_MODEL_CONE, "nsgs tolerance=1e-13"},
        {PERP_MODEL_CONE, "ds:mpgp tolerance=1e-12"},
        {PERP_MODEL_ASSOCIATED, "nsgs tolerance=1e-13"},
        {PERP_MODEL_PYRAMID, "lemke tolerance=1e-13"},
        {PERP_MODEL_BOX, "tresca:dantzig tolerance=1e-13"},
        {PERP_MODEL_BOX, NULL},
    };

    for (size_t m = 0; m < 2 * sizeof models / sizeof *models; m++) {
        const friction_case *model = &models[m / 2];
        unsigned dimension = m % 2 ? 2 : 3;
        perp_scheme scheme = run_scheme(0.001);
        perp_world *world = test_world(dimension, 0.0);
        size_t up = 6 + dimension - 1;
        run r;

        scheme.restitution = PERP_RESTITUTION_POISSON;
        scheme.model = model->model;
        run_ground(world);
        run_ball(world, "ball", 1.0, 0.5, 0.0, m % 2 ? 0.5 : 0.0, m % 2 ? 0.0 : 0.5);
        run_material(world, 0.1, 0.5);
        world->start->u[6] = 5.0;
        world->start->u[up] = -2.0;
        r = run_begin(world, &scheme, model->solver, true);
        run_steps(&r, 1);
        if (model->model != PERP_MODEL_ASSOCIATED) { /* which lifts */
            CU_ASSERT_DOUBLE_EQUAL(world->start->u[up], 1.0, 1e-9);
            CU_ASSERT_DOUBLE_EQUAL(world->start->u[6], 5.0 - 0.1 * 1.5 * 2.0, 1e-9);
        }
        CU_ASSERT(r.report.kinetic < 0.5 * (25.0 + 4.0));
        CU_ASSERT_EQUAL(r.report.outcome, PERP_SOLVED);
    }
}
