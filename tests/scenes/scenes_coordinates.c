/* SPDX-License-Identifier: Apache-2.0
 * tests/scenes/scenes_coordinates.c: one scene in maximal and in reduced coordinates.
 *
 * A step makes an error of order dt^2 in each, so that after a time the two are apart by
 * an error of order dt: half the step, half the way between them. (Steps of trees take
 * velocity terms of their middle where they turn by more than 1.4 mrad; both steps of a
 * pair do, or both do not.) The same bodies touch at the same points, and joints of trees
 * hold to rounding. */
#include <config.h>

#include <math.h>

#include "contact_scene.h"
#include "math/vec3.h"

typedef struct twin {
    const char *name;
    double time;            /* [s] */
    double step;            /* the longer one, of the scene's */
    size_t contacts;        /* at its end */
    bool loops;             /* joints that close them keep their rows */
    perp_scene_set sets[2]; /* ends at a name of NULL */
} twin;

static const twin twins[] = {
    {"double-pendulum", 0.2, 1.0, 0, false, {{0}}},
    {"triple-pendulum", 0.2, 1.0, 0, false, {{0}}},
    {"pendulum-chain", 0.1, 0.5, 0, false, {{0}}},
    {"tree", 0.1, 1.0, 0, false, {{"links", "100"}}},
    {"quadruped", 0.2, 1.0, 4, false, {{0}}},
    /* it topples over its toes: the four corners of the heels are 4.4 mm above the floor and
     * rise, so that they cannot touch in the step */
    {"humanoid", 0.2, 1.0, 4, false, {{"push", "150 N"}}},
    {"arm-gripper", 0.3, 1.0, 8, false, {{0}}},
    {"five-bar", 0.2, 1.0, 0, true, {{0}}},
    {"stewart", 0.2, 1.0, 0, true, {{0}}},
    {"hanging-bridge", 0.2, 1.0, 16, true, {{0}}},
};

static show half(const twin *t, perp_coordinates c, double share)
{
    size_t count = 0;
    show s;

    while (count < 2 && t->sets[count].name) {
        count++;
    }
    s = show_open_with(t->name, t->sets, count);
    s.scene->coordinates = c;
    s.scene->scheme.dt *= share;
    show_begin(&s, NULL);
    show_for(&s, t->time);
    return s;
}

/* Farthest that a centre of mass is from where the other coordinates have it. */
static double apart(const twin *t, double share)
{
    show maximal = half(t, PERP_COORDINATES_MAXIMAL, share);
    show reduced = half(t, PERP_COORDINATES_REDUCED, share);
    double most = 0.0;

    for (size_t k = 0; k < maximal.world->body_count; k++) {
        double d[3];

        vec3_subtract(perp_body_pose(maximal.world->start, k),
                      perp_body_pose(reduced.world->start, k), d);
        most = fmax(most, vec3_length(d));
    }
    CU_ASSERT_EQUAL(perp_stepper_contacts(maximal.play.run.stepper)->count, t->contacts);
    CU_ASSERT_EQUAL(perp_stepper_contacts(reduced.play.run.stepper)->count, t->contacts);
    if (!t->loops) {
        show_holds(&reduced);
    }
    show_end(&maximal);
    show_end(&reduced);
    return most;
}

/* Half, and a tenth more for what comes after the first order and for contacts that are
 * solved to 1e-8 of 1 m/s. The humanoid, which topples as if it were stiff, makes the
 * same error of first order in both, and so meets at the second. */
TEST(both_coordinates_meet_at_first_order)
{
    const size_t every = play_brief() ? 3 : 1;

    for (size_t k = 0; k < sizeof twins / sizeof *twins; k += every) {
        double coarse = apart(&twins[k], twins[k].step);
        double fine = apart(&twins[k], 0.5 * twins[k].step);

        if (!(coarse < 1e-3 && fine < 0.6 * coarse)) {
            test_note("%s: %.3g m apart, %.3g m with half the step", twins[k].name,
                      coarse, fine);
        }
        CU_ASSERT(coarse < 1e-3);
        CU_ASSERT(fine < 0.6 * coarse);
    }
}
