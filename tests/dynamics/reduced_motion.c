/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/reduced_motion.c: integrators on coordinates of trees, against GSL's
 * method of order 8: each has its order in poses, velocities and energy. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "forest.h"
#include "run.h"

enum { METHODS = PERP_INTEGRATOR_MOMENTUM + 1 };

/* semi-implicit, explicit, implicit, three forms of Verlet's, midpoint, RK4 */
static const double order[METHODS] = {1, 1, 1, 2, 2, 2, 2, 4, 2};

/* A scene, and how it is reduced. */
typedef struct motion {
    const char *name;
    perp_world *(*make)(void);
    const perp_reduction *how, *reference; /* NULL: the usual way */
    bool conserves;                        /* energy is a measure as well */
    double T; /* [s], in so many steps and twice as many; 0: 0.4 s, 160 steps */
    size_t steps;
} motion;

static double time_of(const motion *m)
{
    return m->T > 0.0 ? m->T : 0.4;
}

static size_t steps_of(const motion *m)
{
    return m->steps > 0 ? m->steps : 160;
}

static perp_world *begin(const motion *m, const perp_reduction *how)
{
    perp_world *w = m->make();

    forest_reduce(w, how);
    return w;
}

/* Errors at the end after `steps` steps, of the state and of energy on the way. */
static void errors_of(const motion *m, const perp_world *reference, int method,
                      size_t steps, double error[2])
{
    perp_world *w = begin(m, m->how);

    error[1] = forest_fly(w, (perp_integrator)method, time_of(m) / (double)steps, steps);
    error[0] = forest_distance(w, reference);
    perp_world_free(w);
}

/* The error of order p over half the step falls by 2^p; the next term of its series
 * shifts the exponent by a part that halves, too: a quarter is left at these steps.
 * Energy may do better than its method. */
static void has_its_order(const motion *m, const perp_world *reference, int method)
{
    static const char *const what[2] = {"state", "energy"};
    double coarse[2];
    double fine[2];

    errors_of(m, reference, method, steps_of(m), coarse);
    errors_of(m, reference, method, 2 * steps_of(m), fine);
    for (int k = 0; k < (m->conserves ? 2 : 1); k++) {
        double slope = log2(coarse[k] / fine[k]);
        bool good =
            fabs(slope - order[method]) < 0.25 || (k == 1 && slope > order[method]);

        if (!good || getenv("PERP_TEST_NOTES")) {
            test_note("%s, %s, %s: %.3e, %.3e, slope %.3f", m->name,
                      perp_integrator_names[method], what[k], coarse[k], fine[k], slope);
        }
        CU_ASSERT(good);
    }
}

static void all_have_their_order(const motion *m)
{
    perp_world *reference = begin(m, m->reference);

    forest_reference(reference, time_of(m));
    for (int method = 0; method < METHODS; method++) {
        has_its_order(m, reference, method);
    }
    perp_world_free(reference);
}

TEST(a_double_pendulum_moves_at_the_order_of_each_integrator)
{
    all_have_their_order(
        &(motion){.name = "double pendulum", .make = forest_pendulum, .conserves = true});
}

TEST(a_chain_of_balls_moves_at_the_order_of_each_integrator)
{
    all_have_their_order(
        &(motion){.name = "ball chain", .make = forest_chain, .conserves = true});
}

TEST(a_floating_tree_moves_at_the_order_of_each_integrator)
{
    all_have_their_order(
        &(motion){.name = "floating tree", .make = forest_floating, .conserves = true});
}

TEST(euler_angles_do_as_well)
{
    static const perp_reduction how = {.euler = true};

    all_have_their_order(&(motion){.name = "chain by Euler angles",
                                   .make = forest_chain,
                                   .how = &how,
                                   .conserves = true});
}

/* A rod on a ball joint at its end that goes around five times about its axis, which
 * itself swings. */
static perp_world *spinning(void)
{
    perp_world *w = test_world(3, 9.81);
    int32_t base = test_ball(w, "base", 0.0, 0.1, 0, 0, 0);
    int32_t rod = forest_rod(w, "rod", 1.0, 0, 0.5, 0, 0);
    double *u = perp_body_velocity(w->start, (size_t)rod);

    run_joint(w, "spherical", base, rod, (const double[]){0, 0, 0}, NULL);
    u[3] = 25.0;
    u[4] = 1.0;
    u[5] = -2.0;
    return w;
}

TEST(balls_spin_through_many_turns)
{
    all_have_their_order(&(motion){
        .name = "spin", .make = spinning, .conserves = true, .T = 1.2, .steps = 2000});
}

/* Between them |q| is at most pi and what a step adds: 25 rad/s for 1 ms. */
TEST(coordinates_are_exchanged_on_the_way)
{
    perp_world *w = spinning();
    const double *q = NULL;
    double before[3] = {0.0, 0.0, 0.0};
    int exchanges = 0;

    forest_reduce(w, NULL);
    q = w->start->trees->q;
    for (int k = 0; k < 1200; k++) {
        double jump = 0.0;

        forest_fly(w, PERP_INTEGRATOR_RK4, 1e-3, 1);
        for (int c = 0; c < 3; c++) {
            jump = fmax(jump, fabs(q[c] - before[c]));
            before[c] = q[c];
        }
        exchanges += jump > 1.0;
        CU_ASSERT(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) < 3.1416 + 0.03);
    }
    CU_ASSERT(exchanges >= 4); /* 30 rad: one in each turn */
    perp_world_free(w);
}

/* Velocity terms of the middle of a step: at 1/60 s a chain that swings, its links
 * turning at some 10 rad/s, neither gains nor loses for good. 40 J are exchanged; the
 * change met is 7 J in 10 s, and twice that is allowed, since the motion is chaotic. Of
 * the 1.2 J of a floating tree without weight 0.07 come and go. */
TEST(semi_implicit_trees_keep_their_energy_at_coarse_steps)
{
    double T = getenv("PERP_TEST_LONG") ? 100.0 : 10.0;
    perp_world *chain = forest_chain();
    perp_world *floating = forest_floating();

    forest_reduce(chain, NULL);
    CU_ASSERT(forest_fly(chain, PERP_INTEGRATOR_SEMI_IMPLICIT, 1.0 / 60.0,
                         (size_t)lround(60.0 * T)) < 15.0);
    floating->gravity[2] = 0.0;
    forest_reduce(floating, NULL);
    CU_ASSERT(forest_fly(floating, PERP_INTEGRATOR_SEMI_IMPLICIT, 1.0 / 60.0, 600) <
              0.15);
    perp_world_free(chain);
    perp_world_free(floating);
}

/* A chain on a platform that moves and turns, a load, a spring and a damper between its
 * links, and drag. */
static perp_world *driven(void)
{
    perp_world *w = forest_chain();
    perp_force spring = {.type = perp_force_type_find("spring"),
                         .i = 0,
                         .j = 3,
                         .anchor_i = {0.0, 0.5, 0.0},
                         .anchor_j = {0.2, 0.0, 0.0},
                         .value = {15.0, 0.4, 1.0}};
    perp_force drag = {
        .type = perp_force_type_find("drag"), .i = 2, .j = -1, .value = {0.2, 0.1, 0.05}};
    double *u = perp_body_velocity(w->start, 0);

    w->motion[0] = PERP_MOTION_KINEMATIC;
    u[0] = 0.5;
    u[4] = -1.5;
    u[5] = 2.0;
    w->start->load[6 * 2 + 1] = 3.0;
    w->start->load[6 * 3 + 4] = 0.5;
    CU_ASSERT_EQUAL_FATAL(perp_world_add_force(w, &spring, NULL), PERP_OK);
    CU_ASSERT_EQUAL_FATAL(perp_world_add_force(w, &drag, NULL), PERP_OK);
    return w;
}

TEST(driven_trees_follow_forces_and_what_they_hang_on)
{
    all_have_their_order(&(motion){.name = "driven chain", .make = driven});
}

/* A pendulum and a body without joints, drawn together by a spring. */
static perp_world *attracted(void)
{
    perp_world *w = forest_pendulum();
    int32_t alone = forest_rod(w, "alone", 0.8, 1, 2.5, 0.5, 0.2);
    perp_force spring = {.type = perp_force_type_find("spring"),
                         .i = 2,
                         .j = alone,
                         .anchor_i = {0.0, 0.0, -0.4},
                         .anchor_j = {0.0, 0.4, 0.0},
                         .value = {5.0, 0.0, 0.3}};
    double *u = perp_body_velocity(w->start, (size_t)alone);

    u[0] = 0.4;
    u[3] = 0.7;
    u[4] = -1.1;
    CU_ASSERT_EQUAL_FATAL(perp_world_add_force(w, &spring, NULL), PERP_OK);
    return w;
}

TEST(trees_and_free_bodies_move_each_other)
{
    static const perp_reduction all = {.free_bodies = true};

    all_have_their_order(&(motion){
        .name = "a body alone", .make = attracted, .reference = &all, .conserves = true});
    all_have_their_order(&(motion){.name = "all in coordinates",
                                   .make = attracted,
                                   .how = &all,
                                   .reference = &all,
                                   .conserves = true});
}

TEST_MAIN("dynamics/reduced-motion")
