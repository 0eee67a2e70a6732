/* SPDX-License-Identifier: Apache-2.0
 * tests/scenes/scenes_same.c: one scene, many solvers: the same motion where it is
 * unique, and the same bits from the same solver.
 *
 * A box and a pyramid of four directions hold less than the cone in some directions and
 * more in others. They agree with it where nothing slides nor is near to, and where all
 * slides along a tangent; in the plane always. Scenes are chosen so. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact_scene.h"

typedef struct same_way {
    const char *solver, *model;
} same_way;

/* The first one is what others are compared with. */
static const same_way with_friction[] = {
    {"nsgs+newton", "coulomb"}, {"nsgs", "coulomb"},    {"admm-ncp", "coulomb"},
    {"tresca:dantzig", "box"},  {"lemke", "pyramid:4"}, {"ds:mpgp", "coulomb"},
};
static const same_way without_friction[] = {
    {"nsgs+newton", "none"}, {"nsgs", "none"},  {"admm-ncp", "none"},
    {"dantzig", "none"},     {"lemke", "none"}, {"ds:mpgp", "none"},
};
enum { WAYS = sizeof with_friction / sizeof *with_friction };

/* What one way made of a scene. */
typedef struct same_end {
    double *s, *u;
    double normal[8]; /* impulses of the first contacts */
    size_t bodies;
} same_end;

static same_end follow(const char *name, const same_way *way, double seconds,
                       const char *settings)
{
    char solver[128];
    same_end end = {0};
    size_t bytes = 0;
    show s = show_open(name);

    if (way->solver) {
        snprintf(solver, sizeof solver, "%s %s", way->solver, settings);
        show_model(&s, way->model);
        show_begin(&s, solver);
        show_for(&s, seconds);
    } else {
        show_begin(&s, NULL);
        show_steps(&s, 25);
    }
    end.bodies = s.world->body_count;
    bytes = end.bodies * sizeof(double);
    end.s = malloc(7 * bytes);
    end.u = malloc(6 * bytes);
    CU_ASSERT_FATAL(end.s && end.u);
    memcpy(end.s, s.world->start->s, 7 * bytes);
    memcpy(end.u, s.world->start->u, 6 * bytes);
    for (size_t k = 0; k < 8 && k < s.play.run.report.contacts; k++) {
        const perp_rows *rows = &perp_stepper_system(s.play.run.stepper)->rows;

        end.normal[k] = perp_stepper_result(s.play.run.stepper)->z[rows->blocks[k].first];
    }
    show_end(&s);
    return end;
}

static void forget(same_end *end)
{
    free(end->s);
    free(end->u);
}

static double distance(const double *a, const double *b, size_t n)
{
    double most = 0.0;

    for (size_t k = 0; k < n; k++) {
        most = fmax(most, fabs(a[k] - b[k]));
    }
    return most;
}

/* Ways that are each solved to 1e-10 a step end close together. How far the normal
 * impulses of two ways are apart. */
static double compare(const char *name, const same_way *ways, size_t count,
                      double seconds)
{
    const double slack = 1e-8; /* of a hundred steps at speeds of some m/s */
    same_end first = follow(name, &ways[0], seconds, "tolerance=1e-10");
    double apart = 0.0;

    for (size_t k = 1; k < count; k++) {
        same_end end = follow(name, &ways[k], seconds, "tolerance=1e-10");
        double s = distance(first.s, end.s, 7 * end.bodies);
        double u = distance(first.u, end.u, 6 * end.bodies);

        test_note("%s by %s: poses %.2g, velocities %.2g apart", name, ways[k].solver, s,
                  u);
        CU_ASSERT(s <= slack);
        CU_ASSERT(u <= slack);
        apart = fmax(apart, distance(first.normal, end.normal, 8));
        forget(&end);
    }
    forget(&first);
    return apart;
}

TEST(bodies_that_slide_along_a_tangent_move_alike_by_all_solvers)
{
    compare("rolling", with_friction, WAYS, 0.3);
    /* four corners: the motion is unique, the impulses are not */
    CU_ASSERT(compare("incline-slip", with_friction, WAYS, 0.5) > 1e-4);
}

TEST(standing_scenes_stand_by_all_solvers)
{
    compare("incline-stick", with_friction, WAYS, 0.5);
    compare("arch-thick", with_friction, WAYS, 0.05);
}

TEST(scenes_without_friction_move_alike_by_all_solvers)
{
    compare("cradle", without_friction, WAYS, 0.3);
    compare("cradle-gaps", without_friction, WAYS, 1.0);
    compare("bouncing-ball", without_friction, WAYS, 0.6);
}

/* But for ds, whose rounds repeat mu u_T: with friction 2 they diverge,
 * and it says so. */
TEST(a_rod_in_the_plane_is_struck_alike_by_all_solvers)
{
    compare("painleve", with_friction, WAYS - 1, 0.1);
}

static bool same_bits(const same_end *a, const same_end *b)
{
    return memcmp(a->s, b->s, 7 * a->bodies * sizeof(double)) == 0 &&
           memcmp(a->u, b->u, 6 * a->bodies * sizeof(double)) == 0;
}

/* Runs of one column have the same bits: the same run twice, or colours by several threads. Joints
 * are run by the solvers of their scenes. */
TEST(repeated_runs_have_the_same_bits_with_any_number_of_threads)
{
    static const same_way own = {NULL, NULL}, newton = {"nsgs+newton", "coulomb"},
                          nsgs = {"nsgs", "coulomb"};
    static const char *const twice[] = {"", "", NULL};
    static const char *const threads[] = {
        "order=colored threads=1", "order=colored threads=2", "order=colored threads=3",
        "order=colored threads=7", NULL};
    static const struct {
        const char *name;
        const same_way *way;
        double seconds;
        const char *const *settings;
    } runs[] = {
        {"card-house", &newton, 0.1, twice},    {"stack", &newton, 0.1, twice},
        {"arch-thin", &newton, 0.1, twice},     {"rattleback", &newton, 0.1, twice},
        {"table-slides", &newton, 0.1, twice},  {"stack", &nsgs, 0.1, twice},
        {"wall", &nsgs, 0.03, threads},         {"pyramid", &nsgs, 0.03, threads},
        {"card-house", &nsgs, 0.03, threads},   {"t-handle-1", &own, 0.0, twice},
        {"t-handle-2", &own, 0.0, twice},       {"t-handle-3", &own, 0.0, twice},
        {"heavy-top", &own, 0.0, twice},        {"pendulum", &own, 0.0, twice},
        {"slider-crank", &own, 0.0, twice},     {"double-pendulum", &own, 0.0, twice},
        {"four-bar", &own, 0.0, twice},         {"gear-motor", &own, 0.0, twice},
        {"servo-arm", &own, 0.0, twice},        {"two-wheeled-car", &own, 0.0, twice},
        {"four-wheeled-car", &own, 0.0, twice}, {"chain", &own, 0.0, twice},
        {"bridge", &own, 0.0, twice},           {"rag-doll", &own, 0.0, twice},
    };

    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        same_end first =
            follow(runs[k].name, runs[k].way, runs[k].seconds, runs[k].settings[0]);

        for (size_t t = 1; runs[k].settings[t]; t++) {
            same_end other =
                follow(runs[k].name, runs[k].way, runs[k].seconds, runs[k].settings[t]);

            if (!same_bits(&first, &other)) {
                test_note("%s %s differs from its first run", runs[k].name,
                          runs[k].settings[t]);
                CU_FAIL("the same bits");
            }
            forget(&other);
        }
        forget(&first);
    }
}
