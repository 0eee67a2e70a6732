/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/reduced_same.c: the same world in maximal and in reduced coordinates: a
 * step makes an error of order dt in each, so that they meet at that order. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "forest.h"
#include "play.h"

/* How far apart they are at time T. */
static double apart(perp_world *(*make)(void), double dt, double T)
{
    perp_scheme scheme = run_scheme(dt);
    perp_world *reduced = make();
    perp_world *maximal = make();
    size_t steps = (size_t)lround(T / dt);
    double distance = 0.0;
    run r;

    forest_reduce(reduced, NULL);
    /* what joints allow of the velocities that were asked for */
    for (size_t c = 0; c < 6 * maximal->body_count; c++) {
        maximal->u[c] = reduced->u[c];
    }
    scheme.stabilize = PERP_STABILIZE_PROJECT;
    r = run_begin(maximal, &scheme, "auto", true);
    run_steps(&r, steps);
    forest_fly(reduced, PERP_INTEGRATOR_SEMI_IMPLICIT, dt, steps);
    distance = forest_distance(r.world, reduced);
    run_end(&r);
    perp_world_free(reduced);
    return distance;
}

/* Half the step, half the distance; its next term is below a tenth at these steps. */
static void they_meet(const char *name, perp_world *(*make)(void), double T)
{
    double coarse = apart(make, 2e-3, T);
    double fine = apart(make, 1e-3, T);

    if (getenv("PERP_TEST_NOTES")) {
        test_note("%s: %.3e, %.3e, ratio %.3f", name, coarse, fine, coarse / fine);
    }
    CU_ASSERT(fine < 0.1);
    CU_ASSERT_DOUBLE_EQUAL(coarse / fine, 2.0, 0.2);
}

static void trees_meet_at_first_order(void)
{
    they_meet("double pendulum", forest_pendulum, 0.4);
    they_meet("ball chain", forest_chain, 0.4);
    they_meet("floating tree", forest_floating, 0.4);
}

static perp_world *double_pendulum(void)
{
    perp_scene *scene = play_read("double-pendulum");
    perp_world *w = scene->world;

    scene->world = NULL;
    perp_scene_free(scene);
    return w;
}

static void scenes_meet_at_first_order(void)
{
    they_meet("double-pendulum", double_pendulum, 0.5);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(trees_meet_at_first_order),
        TEST(scenes_meet_at_first_order),
        TEST_END,
    };

    return test_run(argc, argv, "dynamics/reduced-same", cases);
}
