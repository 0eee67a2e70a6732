/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/reduced_same.c: the same world in maximal and in reduced coordinates: a
 * step makes an error of order dt in each, so that they meet at that order. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "forest.h"
#include "play.h"

/* A run of steps by a direct or precise solver, errors of positions projected. */
static run moved(perp_world *w, double dt, double T)
{
    perp_scheme scheme = run_scheme(dt);
    run r;

    scheme.stabilize = PERP_STABILIZE_PROJECT;
    r = run_begin(w, &scheme, "auto", true);
    run_steps(&r, (size_t)lround(T / dt));
    CU_ASSERT_EQUAL(r.unsolved, 0);
    return r;
}

/* How far apart they are at time T. */
static double apart(perp_world *(*make)(void), double dt, double T)
{
    perp_world *reduced = make();
    perp_world *maximal = make();
    double distance = 0.0;
    run a;
    run b;

    forest_reduce(reduced, NULL);
    /* what joints allow of the velocities that were asked for */
    for (size_t c = 0; c < 6 * maximal->body_count; c++) {
        maximal->start->u[c] = reduced->start->u[c];
    }
    a = moved(maximal, dt, T);
    b = moved(reduced, dt, T);
    distance = forest_distance(maximal, reduced);
    run_end(&a);
    run_end(&b);
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

TEST(trees_meet_at_first_order)
{
    they_meet("double pendulum", forest_pendulum, 0.4);
    they_meet("ball chain", forest_chain, 0.4);
    they_meet("floating tree", forest_floating, 0.4);
}

static perp_world *scene_world(const char *name)
{
    perp_scene *scene = play_read(name);
    perp_world *w = scene->world;

    scene->world = NULL;
    perp_scene_free(scene);
    return w;
}

static perp_world *double_pendulum(void)
{
    return scene_world("double-pendulum");
}

static perp_world *four_bar(void)
{
    return scene_world("four-bar");
}

static perp_world *chain(void)
{
    return scene_world("chain");
}

/* The rag doll above the ground, thrown: all its joints and cones, no contact. */
static perp_world *doll(void)
{
    perp_world *w = scene_world("rag-doll");

    for (size_t k = 0; k < w->body_count; k++) {
        if (w->motion[k] == PERP_MOTION_DYNAMIC) {
            double *omega = perp_body_velocity(w->start, k) + 3;

            perp_body_pose(w->start, k)[2] += 3.0;
            omega[0] = 0.5;
            omega[1] = -1.0 + 0.2 * (double)(k % 3);
            omega[2] = 2.0;
        }
    }
    perp_world_refresh(w, w->start);
    return w;
}

TEST(scenes_meet_at_first_order)
{
    they_meet("double-pendulum", double_pendulum, 0.5);
    they_meet("four-bar", four_bar, 0.3);
    if (!play_brief()) {
        they_meet("chain", chain, 0.2);
    }
    they_meet("rag-doll", doll, 0.2);
}

TEST_MAIN("dynamics/reduced-same")
