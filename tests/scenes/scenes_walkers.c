/* SPDX-License-Identifier: Apache-2.0
 * tests/scenes/scenes_walkers.c: the scenes of what stands on legs, in maximal and in
 * reduced coordinates: what is known of them holds in both. */
#include <config.h>

#include <math.h>
#include <stdio.h>

#include "contact_scene.h"
#include "math/vec3.h"

#define SETS(list) (list), sizeof(list) / sizeof *(list)

static const double g = 9.81;
static const double pi = 3.141592653589793;

/* What contacts with the world carry in the last step [N], and the middle of it. */
static double pressure(const show *s, double middle[2])
{
    const perp_contacts *contacts = perp_stepper_contacts(s->play.run.stepper);
    const perp_rows *rows = &perp_stepper_system(s->play.run.stepper)->rows;
    const double *z = perp_stepper_result(s->play.run.stepper)->z;
    const int32_t world = perp_world_find_body(s->world, "world");
    double sum = 0.0;

    middle[0] = middle[1] = 0.0;
    for (size_t b = 0; b < rows->block_count; b++) {
        const perp_row_block *block = &rows->blocks[b];
        const perp_contact *c = contacts->at + block->source;

        if (block->role == PERP_ROLE_CONTACT && (c->i == world || c->j == world)) {
            sum += z[block->first];
            middle[0] += z[block->first] * c->point[0];
            middle[1] += z[block->first] * c->point[1];
        }
    }
    middle[0] /= sum;
    middle[1] /= sum;
    return sum / s->play.scheme.dt;
}

/* Feet are balls of 2 cm on shins that turn by 15 deg: they roll by 2 cm times that, all
 * in one direction, and take the trunk along. */
static void check_quadruped(perp_coordinates c)
{
    show s = show_begin_in("quadruped", c, NULL, 0);
    const double rolled = 0.02 * 15.0 * pi / 180.0;
    const double stands = 0.5 * cos(25.0 * pi / 180.0) + 0.02;
    double off = 0.0;
    double middle[2];

    show_for(&s, play_brief() ? 0.8 : 1.0);
    for (int k = 0; k < 4; k++) {
        char name[32];
        const double at[3] = {k < 2 ? 0.25 : -0.25, k % 2 ? -0.15 : 0.15, 0.02};
        double foot[3];

        snprintf(name, sizeof name, "hip %d", k + 1);
        /* servos keep a fifth of their error in a step: 0.8^100 of it are left */
        CU_ASSERT_DOUBLE_EQUAL(show_pose(&s, name)[2], stands, 1e-6);
        snprintf(name, sizeof name, "shin %d", k + 1);
        show_seen_from(s.start + 7 * show_body(&s, name), at, foot);
        show_point(show_pose(&s, name), foot, foot);
        vec3_subtract(foot, at, foot);
        off = fmax(off, hypot(foot[0] - rolled, hypot(foot[1], foot[2])));
    }
    /* velocities to 1e-8 of 1 m/s in 500 steps; rolling is an arc of steps of 1 mrad */
    CU_ASSERT(off < 2e-5);
    /* 1e-8 of 1 N s in a step of 2 ms */
    CU_ASSERT_DOUBLE_EQUAL(pressure(&s, middle), 20.0 * g, 1e-4);
    CU_ASSERT_EQUAL(perp_stepper_contacts(s.play.run.stepper)->count, 4);
    show_holds(&s);
    if (!play_brief()) {
        show_says(&s, "height of the hips after 1 s [m]", show_pose(&s, "hip 1")[2]);
        show_says(&s, "way of the trunk [mm]", 1e3 * (show_pose(&s, "trunk")[0]));
        show_says(&s, "feet off where they roll to [m]", off);
        show_says(&s, "force of the floor after 1 s [N]", pressure(&s, middle));
        show_says(&s, "drift of the joints [m]", s.play.drift_length);
    }
    show_end(&s);
}

TEST(a_quadruped_rises_on_feet_that_do_not_slip)
{
    show_in_both(check_quadruped);
}

/* Feet are 4 cm in front of the body: so is 2.4 kg of 75 kg. */
static void check_pushed(perp_coordinates c, const char *push, double F)
{
    const perp_scene_set sets[] = {{"push", push}};
    show s = show_begin_in("humanoid", c, SETS(sets));
    const double W = 75.0 * g;
    double middle[2];
    double height = 0.0;

    show_for(&s, play_brief() ? 0.2 : 1.0);
    /* 1e-8 of 3 N s, in a step of 4 ms */
    CU_ASSERT_DOUBLE_EQUAL(pressure(&s, middle), W, 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(middle[0], 2.4 * 0.04 / 75.0 + F * 1.27 / W, 2e-4);
    CU_ASSERT_DOUBLE_EQUAL(middle[1], 0.0, 2e-4);
    height = show_pose(&s, "torso")[2];
    CU_ASSERT_DOUBLE_EQUAL(height, 1.27, 1e-3);
    show_holds(&s);
    if (!play_brief() && F == 40.0) {
        show_says(&s, "force of the floor after 1 s [N]", pressure(&s, middle));
        show_says(&s, "centre of pressure after 1 s [m]", middle[0]);
        show_says(&s, "drift of the joints [m]", s.play.drift_length);
    } else if (!play_brief()) {
        show_says(&s, "height of the torso, pushed by 85 N, after 1 s [m]", height);
    }
    show_end(&s);
}

/* The centre of pressure would be 3 cm before the toes: 16 cm. */
static void check_overthrown(perp_coordinates c)
{
    const perp_scene_set sets[] = {{"push", "110 N"}};
    show s = show_begin_in("humanoid", c, SETS(sets));

    show_for(&s, 1.5);
    CU_ASSERT(show_pose(&s, "torso")[2] < 0.7);
    show_says(&s, "height of the torso, pushed by 110 N, after 1.5 s [m]",
              show_pose(&s, "torso")[2]);
    show_end(&s);
}

static void check_humanoid(perp_coordinates c)
{
    check_pushed(c, "40 N", 40.0);
    check_pushed(c, "85 N", 85.0);
    if (!play_brief()) {
        check_overthrown(c);
    }
}

TEST(a_humanoid_stands_while_its_pressure_is_under_its_soles)
{
    show_in_both(check_humanoid);
}
