/* SPDX-License-Identifier: Apache-2.0
 * tests/scenes/scenes_solvers.c: scenes of joints move alike by every solver. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene_run.h"

static const char *const names[] = {
    "t-handle-1",      "t-handle-2",       "t-handle-3", "heavy-top",  "pendulum",
    "slider-crank",    "double-pendulum",  "four-bar",   "gear-motor", "servo-arm",
    "two-wheeled-car", "four-wheeled-car", "chain",      "bridge",     "rag-doll",
};

typedef struct by {
    const char *solver;
    perp_model model;
} by;

/* Poses after n steps; the caller frees them. */
static double *state_after(const char *name, const by *method, size_t n, size_t *size)
{
    perp_scene *scene = play_read(name);
    perp_world *w = NULL;
    double *out = NULL;
    play p;

    scene->scheme.model = method->model;
    p = play_start(scene, method->solver);
    play_steps(&p, n);
    w = play_world(&p);
    *size = 13 * w->body_count;
    out = malloc(*size * sizeof *out);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    memcpy(out, w->start->s, 7 * w->body_count * sizeof *out);
    memcpy(out + 7 * w->body_count, w->start->u, 6 * w->body_count * sizeof *out);
    play_end(&p);
    return out;
}

/* Every solver from the same start against the first one. */
static void moves_alike(const char *name, const by *methods, size_t count, size_t steps,
                        double tolerance)
{
    size_t size = 0;
    double *first = state_after(name, &methods[0], steps, &size);

    for (size_t k = 1; k < count; k++) {
        double *other = state_after(name, &methods[k], steps, &size);
        double worst = 0.0;

        for (size_t i = 0; i < size; i++) {
            worst = fmax(worst, fabs(other[i] - first[i]));
        }
        if (!(worst <= tolerance)) {
            test_note("%s: %s is %.2e from %s", name, methods[k].solver, worst,
                      methods[0].solver);
        }
        CU_ASSERT(worst <= tolerance);
        free(other);
    }
    free(first);
}

#define ALIKE(name, methods, steps, tolerance)                                           \
    moves_alike(name, methods, sizeof(methods) / sizeof *(methods), steps, tolerance)

/* Without contacts the model of friction says nothing. */
static const by of_joints[] = {
    {"lemke", PERP_MODEL_CONE},    {"dantzig", PERP_MODEL_CONE},
    {"nsgs", PERP_MODEL_CONE},     {"pgs", PERP_MODEL_CONE},
    {"admm-ncp", PERP_MODEL_CONE}, {"ds:mpgp", PERP_MODEL_CONE},
    {"auto", PERP_MODEL_CONE},
};

/* Tolerances: velocities of 1 m/s solved to RES 1e-8, over at most 100 steps, with
 * impulses that are not unique where rows are redundant. */
TEST(closed_loops_move_alike_by_every_solver)
{
    ALIKE("four-bar", of_joints, 60, 1e-5);
    ALIKE("slider-crank", of_joints, 60, 1e-5);
}

TEST(limits_and_motors_move_alike_by_every_solver)
{
    ALIKE("gear-motor", of_joints, 300, 1e-5);
    ALIKE("servo-arm", of_joints, 60, 1e-5);
}

/* Each by the model it takes: wheels that stick do so in all of them. Three points of
 * support share the weight in one way only. On four, all normal impulses may stand on
 * three wheels and the fourth one spin in the air: those solutions are other motions,
 * found by lemke and tresca:dantzig, and sweeps that begin at 0 or equal shares do not. */
TEST(cars_move_alike_by_every_solver)
{
    static const by three[] = {
        {"auto", PERP_MODEL_CONE},
        {"lemke", PERP_MODEL_PYRAMID},
        {"tresca:dantzig", PERP_MODEL_BOX},
        {"nsgs", PERP_MODEL_CONE},
        {"pgs", PERP_MODEL_BOX},
        {"admm-ncp", PERP_MODEL_CONE},
        {"ds:mpgp", PERP_MODEL_CONE},
    };
    static const by four[] = {
        {"auto", PERP_MODEL_CONE},    {"nsgs", PERP_MODEL_CONE},
        {"pgs", PERP_MODEL_BOX},      {"admm-ncp", PERP_MODEL_CONE},
        {"ds:mpgp", PERP_MODEL_CONE},
    };

    ALIKE("two-wheeled-car", three, 60, 1e-5);
    ALIKE("four-wheeled-car", four, 60, 1e-5);
}

/* Every step solved to 1e-8, joints within a hundredth of a metre: to the end with
 * PERP_TEST_LONG, else for a while. */
TEST(scenes_run_to_their_ends)
{
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        play p = play_scene(names[k]);

        play_until(&p, play_long() ? p.time : 0.02 * p.time);
        CU_ASSERT(p.drift_length < 0.01);
        play_end(&p);
    }
}
