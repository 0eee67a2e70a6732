/* SPDX-License-Identifier: Apache-2.0
 * tests/scenes/scenes_granular.c: scenes of grains, with few of them: they settle, run
 * out, slump and turn over as is known of all numbers of grains. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact_scene.h"

#define SETS(list) (list), sizeof(list) / sizeof *(list)

static const double g = 9.81;
static const double pi = 3.14159265358979323846;

/* The value in force of a parameter; before the scene begins. */
static double parameter(const show *s, const char *name)
{
    for (size_t k = 0; k < s->scene->parameter_count; k++) {
        if (strcmp(s->scene->parameters[k].name, name) == 0) {
            return s->scene->parameters[k].value;
        }
    }
    CU_FAIL_FATAL("no such parameter");
    return 0.0;
}

/* Bodies that move. */
static bool is_grain(const perp_world *w, size_t k)
{
    return w->motion[k] == PERP_MOTION_DYNAMIC;
}

static double total_mass(const perp_world *w)
{
    double m = 0.0;

    for (size_t k = 0; k < w->body_count; k++) {
        m += is_grain(w, k) ? w->mass[k] : 0.0;
    }
    return m;
}

/* Least and greatest coordinate of a centre. */
static void extent(const perp_world *w, size_t axis, double range[2])
{
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (size_t k = 0; k < w->body_count; k++) {
        if (is_grain(w, k)) {
            range[0] = fmin(range[0], perp_body_pose(w->start, k)[axis]);
            range[1] = fmax(range[1], perp_body_pose(w->start, k)[axis]);
        }
    }
}

static double center(const perp_world *w, size_t axis)
{
    double sum = 0.0;

    for (size_t k = 0; k < w->body_count; k++) {
        sum += is_grain(w, k) ? w->mass[k] * perp_body_pose(w->start, k)[axis] : 0.0;
    }
    return sum / total_mass(w);
}

TEST(spheres_settle_in_their_box)
{
    static const perp_scene_set sets[] = {{"count", "20"}};
    show s = show_open_with("sphere-pack", SETS(sets));
    double side = parameter(&s, "side") * parameter(&s, "pitch");
    double least = parameter(&s, "radius") * (1.0 - parameter(&s, "spread"));
    double m = total_mass(s.world);
    double range[2];
    double high = 0.0;

    extent(s.world, 2, range);
    high = range[1];
    show_begin(&s, NULL);
    show_for(&s, show_seconds(&s, 0.2));
    for (size_t axis = 0; axis < 3; axis++) {
        extent(s.world, axis, range);
        CU_ASSERT(range[0] >= least - 1e-5); /* a fall of a step at 0.5 m/s is more */
        CU_ASSERT(axis == 2 || range[1] <= side - least + 1e-5);
    }
    CU_ASSERT(s.rise <= 1e-6 * m * g * high);
    if (!play_brief()) {
        /* all that fell came to a stop: of some 10 mm of fall, 0.1 mm is left */
        CU_ASSERT(s.play.run.report.kinetic <= 1e-2 * m * g * 0.01);
        page_says("sphere-pack", "kinetic energy after 0.2 s, 20 spheres [J]",
                  s.play.run.report.kinetic);
        page_says("sphere-pack", "contacts after 0.2 s, 20 spheres",
                  (double)s.play.run.report.contacts);
        page_says("sphere-pack", "highest centre [m]", range[1]);
    }
    page_says("sphere-pack", "energy ever above the first [J]", fmax(0.0, s.rise));
    show_end(&s);
}

/* Two runs of a seed have the same bits, another seed has others. */
TEST(a_seed_decides_on_the_pack)
{
    static const char *const seeds[] = {"5", "5", "6"};
    double poses[3][7 * 9];

    for (size_t k = 0; k < 3; k++) {
        const perp_scene_set sets[] = {{"count", "8"}, {"seed", seeds[k]}};
        show s = show_open_with("sphere-pack", SETS(sets));

        show_begin(&s, NULL);
        show_steps(&s, 60);
        memcpy(poses[k], s.world->start->s, 7 * 8 * sizeof(double));
        show_end(&s);
    }
    CU_ASSERT_EQUAL(memcmp(poses[0], poses[1], 7 * 8 * sizeof(double)), 0);
    CU_ASSERT_NOT_EQUAL(memcmp(poses[0], poses[2], 7 * 8 * sizeof(double)), 0);
}

/* How many lie below the slot after a time. */
static double passed(const char *outlet, double seconds)
{
    const perp_scene_set sets[] = {
        {"count", "12"}, {"depth", "12 mm"}, {"wall", "4 cm"}, {"outlet", outlet}};
    show s = show_open_with("hopper", SETS(sets));
    double below = parameter(&s, "below");
    double count = 0.0;

    show_begin(&s, NULL);
    show_for(&s, show_seconds(&s, seconds));
    for (size_t k = 0; k < s.world->body_count; k++) {
        const double *p = perp_body_pose(s.world->start, k);

        count += is_grain(s.world, k) && p[2] < below;
        CU_ASSERT(!is_grain(s.world, k) || p[2] > 4.9e-3); /* above the floor */
    }
    show_end(&s);
    return count;
}

/* Spheres of 10 mm before a slot of 9.5 and of 30 mm. */
TEST(a_narrow_slot_lets_none_and_a_wide_one_all_pass)
{
    double none = passed("9.5 mm", 0.2);
    double all = passed("30 mm", 0.4);

    CU_ASSERT_EQUAL(none, 0.0);
    page_says("hopper", "of 12 spheres, through a slot of 0.95 of their diameter", none);
    if (!play_brief()) {
        CU_ASSERT_EQUAL(all, 12.0);
        page_says("hopper", "of 12 spheres, through a slot of 3 of their diameters", all);
    }
}

/* Where the foot of the heap is: nine in ten lie behind; single spheres roll on. */
static double front(const perp_world *w)
{
    double best = INFINITY;
    size_t grains = 0;

    for (size_t k = 0; k < w->body_count; k++) {
        grains += is_grain(w, k);
    }
    for (size_t k = 0; k < w->body_count; k++) {
        double x = perp_body_pose(w->start, k)[0];
        size_t behind = 0;

        for (size_t i = 0; i < w->body_count; i++) {
            behind += is_grain(w, i) && perp_body_pose(w->start, i)[0] <= x;
        }
        best = is_grain(w, k) && 10 * behind >= 9 * grains ? fmin(best, x) : best;
    }
    return best;
}

TEST(a_column_runs_out_along_the_floor)
{
    static const perp_scene_set sets[] = {{"base", "4"}, {"height", "6"}, {"rows", "1"}};
    show s = show_open_with("column-collapse", SETS(sets));
    double range[2];
    double first = 0.0;
    double height = 0.0;
    double aspect = 0.0;

    extent(s.world, 2, range);
    height = range[1] + parameter(&s, "radius");
    extent(s.world, 0, range);
    first = range[1] + parameter(&s, "radius");
    aspect = height / first;
    show_begin(&s, NULL);
    show_for(&s, show_seconds(&s, 0.4));
    extent(s.world, 0, range);
    CU_ASSERT(s.rise <= 1e-9); /* of 1e-3 J */
    CU_ASSERT(range[0] >= 5e-3 - 1e-6);
    if (!play_brief()) {
        double out = (front(s.world) + 5e-3 - first) / first;

        CU_ASSERT(out >= 0.3 * aspect && out <= 2.5 * aspect);
        page_says("column-collapse", "height over base of 4 x 6 spheres", aspect);
        page_says("column-collapse", "run-out after 0.4 s, in bases", out);
        extent(s.world, 2, range);
        CU_ASSERT(range[1] < 0.7 * height);
        page_says("column-collapse", "height after 0.4 s over that at first",
                  (range[1] + 5e-3) / height);
    }
    page_says("column-collapse", "energy ever above the first [J]", fmax(0.0, s.rise));
    show_end(&s);
}

/* About +y the lowest stave moves to -x: the filling leans to that side. */
TEST(a_drum_lifts_its_filling)
{
    static const perp_scene_set sets[] = {{"count", "24"}, {"rows", "1"}};
    show s = show_open_with("drum", SETS(sets));
    double radius = parameter(&s, "radius");
    double lean = 0.0;
    size_t steps = play_brief() ? 100 : 600;

    show_begin(&s, NULL);
    for (size_t k = 0; k < steps; k++) {
        show_steps(&s, 1);
        if (2 * k >= steps) {
            lean +=
                atan2(-center(s.world, 0), -center(s.world, 2)) / (0.5 * (double)steps);
        }
    }
    for (size_t k = 0; k < s.world->body_count; k++) {
        const double *p = perp_body_pose(s.world->start, k);

        /* in the drum: its staves are flat, and reach 1/cos(pi/24) of the radius */
        CU_ASSERT(hypot(p[0], p[2]) <= radius / cos(pi / 24.0));
    }
    if (!play_brief()) {
        CU_ASSERT(lean >= 10.0 * pi / 180.0 && lean <= 45.0 * pi / 180.0);
        page_says("drum", "lean of 24 spheres, 0.3 s to 0.6 s [deg]", lean * 180.0 / pi);
        CU_ASSERT_DOUBLE_EQUAL(play_angle(&s.play, "drum"),
                               -remainder(0.6 * 2.0 * pi / 3.0, 2.0 * pi), 1e-9);
    }
    show_end(&s);
}

/* The floor and the friction of the walls carry the weight of all; walls push back what they
 * are pushed. */
TEST(gravel_settles_in_its_box)
{
    static const perp_scene_set sets[] = {{"count", "8"}};
    show s = show_open_with("gravel", SETS(sets));
    double side = parameter(&s, "side") * parameter(&s, "pitch");
    double weight = total_mass(s.world) * g;
    double carried = 0.0;
    double range[2];
    double push[3];

    show_begin(&s, NULL);
    show_for(&s, show_seconds(&s, 1.0));
    for (size_t k = 0; k < s.world->body_count; k++) {
        if (is_grain(s.world, k)) {
            show_push(&s, show_body(&s, "world"), k, true, push);
            carried += push[2] / s.play.scheme.dt;
        }
    }
    for (size_t axis = 0; axis < 2; axis++) {
        extent(s.world, axis, range);
        CU_ASSERT(range[0] > 0.0 && range[1] < side);
    }
    CU_ASSERT(s.rise <= 1e-6 * weight * side);
    if (!play_brief()) {
        CU_ASSERT(s.play.run.report.kinetic <= 1e-6 * weight * side);
        CU_ASSERT_DOUBLE_EQUAL(carried, weight, 1e-3 * weight);
        page_says("gravel", "kinetic energy after 1 s, 8 stones [J]",
                  s.play.run.report.kinetic);
        page_says("gravel", "force of floor and walls, 8 stones [N]", carried);
        page_says("gravel", "weight of 8 stones [N]", weight);
    }
    show_end(&s);
}

TEST(rocks_come_to_rest)
{
    static const perp_scene_set sets[] = {{"count", "8"}};
    show s = show_open_with("rocks", SETS(sets));
    double weight = total_mass(s.world) * g;
    double push[3];
    double floor = 0.0;

    show_begin(&s, NULL);
    show_for(&s, show_seconds(&s, 3.0));
    for (size_t k = 0; k < s.world->body_count; k++) {
        const double *p = perp_body_pose(s.world->start, k);

        if (is_grain(s.world, k)) {
            CU_ASSERT(p[2] > 0.0);
            show_push(&s, show_body(&s, "world"), k, true, push);
            floor += push[2] / s.play.scheme.dt;
        }
    }
    if (!play_brief()) {
        CU_ASSERT_DOUBLE_EQUAL(floor, weight, 1e-3 * weight);
        CU_ASSERT(s.play.run.report.kinetic <= 1e-4); /* of 1e4 J that they had */
        page_says("rocks", "kinetic energy after 3 s, 8 rocks [J]",
                  s.play.run.report.kinetic);
        page_says("rocks", "force of the floor [N]", floor);
        page_says("rocks", "weight of all [N]", weight);
    }
    show_end(&s);
}

/* No two rocks are alike: twelve corners of each, all its own. */
TEST(no_two_rocks_are_alike)
{
    perp_scene *s = play_read("rocks");
    const perp_world *w = s->world;

    CU_ASSERT_EQUAL(w->shape_count, 13); /* of twelve rocks and the floor */
    for (size_t a = 0; a < w->body_count; a++) {
        for (size_t b = 0; b < a; b++) {
            CU_ASSERT(!is_grain(w, a) || !is_grain(w, b) || w->mass[a] != w->mass[b]);
        }
    }
}
