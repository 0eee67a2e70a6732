/* SPDX-License-Identifier: Apache-2.0
 * tests/scenes/scenes_masonry.c: a tower of planks, arches and bridges of any number of
 * stones.
 *
 * The bridge by statics alone [heyman-1969]: joints that cannot pull nor slide hold where
 * at each of them the thrust passes between intrados and extrados. Of the half from the
 * crown to the joint at the angle p, of weight W (half of the load counted in) and moment
 * X = sum W_j x_j, the moment about the point (r sin p, r cos p) is
 *
 *     M - H r cos p - (W r sin p - X)  >= 0 about the intrados,  <= 0 about the extrados
 *
 * with the thrust H at the crown and a moment M. For each H these bound M from both
 * sides; the greatest room over H is found by trisection, since it is concave. No part of
 * the engine is in this. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact_scene.h"

#define SETS(list) (list), sizeof(list) / sizeof *(list)

static const double g = 9.81;
static const double pi = 3.14159265358979323846;

TEST(a_tower_of_planks_stands_and_carries_itself)
{
    static const perp_scene_set sets[] = {{"levels", "4"}};
    show s = show_open_with("kapla", SETS(sets));
    double m = 600.0 * 0.12 * 0.04 * 0.015;
    double push[3];

    show_begin(&s, NULL);
    show_for(&s, show_seconds(&s, 0.2));
    /* as of the other stacks: solved to 1e-8, a pressing of 1e-9 m or so */
    CU_ASSERT(s.play.penetration <= 1e-9);
    CU_ASSERT(show_drift(&s) <= 1e-7);
    for (size_t level = 0; level < 4; level++) {
        double sum = 0.0;
        char above[32];
        char below[32];

        for (int k = 0; k < 9; k++) {
            snprintf(above, sizeof above, "plank-%zu-%d", level + 1, k / 3 + 1);
            snprintf(below, sizeof below, "plank-%zu-%d", level, k % 3 + 1);
            if (level > 0 || k % 3 == 0) {
                show_push(&s, show_body(&s, level > 0 ? below : "world"),
                          show_body(&s, above), true, push);
                sum += push[2] / s.play.scheme.dt;
            }
        }
        /* solved to 1e-8 of what a step brings, over a dozen planks */
        CU_ASSERT_DOUBLE_EQUAL(sum, 3.0 * (4.0 - (double)level) * m * g, 1e-5 * m * g);
        if (level == 0) {
            page_says("kapla", "force of the floor, four levels [N]", sum);
        }
    }
    page_says("kapla", "penetration [m]", s.play.penetration);
    page_says("kapla", "farthest movement [m]", show_drift(&s));
    page_says("kapla", "contacts, four levels", (double)s.play.run.report.contacts);
    show_end(&s);
}

/* Speed after five steps from rest. */
static double speed_of(const char *scene, const perp_scene_set *sets, size_t count)
{
    show s = show_open_with(scene, sets, count);
    double speed = 0.0;

    show_begin(&s, NULL);
    show_steps(&s, 5);
    speed = s.play.run.report.speed;
    show_end(&s);
    return speed;
}

static double arch_speed(const char *stones, double thickness)
{
    char text[32];
    const perp_scene_set sets[] = {{"stones", stones}, {"thickness", text}};

    snprintf(text, sizeof text, "%.9g", thickness);
    return speed_of("masonry-arch", SETS(sets));
}

/* A half of a percent to either side of what scenes_arch.c finds by statics. */
TEST(an_arch_of_any_number_of_stones_falls_below_its_least_thickness)
{
    static const struct {
        const char *stones;
        double least;
    } arches[] = {{"8", 0.09997}, {"16", 0.10708}};

    for (size_t k = 0; k < 2; k++) {
        double above = arch_speed(arches[k].stones, 1.005 * arches[k].least);
        double below = arch_speed(arches[k].stones, 0.995 * arches[k].least);
        char row[80];

        CU_ASSERT(above <= 1e-7); /* solved to 1e-8 of g dt = 0.1 m/s, through the arch */
        CU_ASSERT(below >= 1e-4); /* five thousandths of g dt */
        snprintf(row, sizeof row, "speed after 50 ms, %s stones, 0.5 %% above [m/s]",
                 arches[k].stones);
        page_says("masonry-arch", row, above);
        snprintf(row, sizeof row, "speed after 50 ms, %s stones, 0.5 %% below [m/s]",
                 arches[k].stones);
        page_says("masonry-arch", row, below);
    }
}

/* What arch-thick.json has in digits, this one computes: 17 digits of 5 m. */
TEST(its_stones_are_those_of_the_arch_in_digits)
{
    static const perp_scene_set sets[] = {{"thickness", "0.115"}};
    perp_scene *one = play_read_with("masonry-arch", SETS(sets));
    perp_scene *two = play_read("arch-thick");

    CU_ASSERT_EQUAL_FATAL(one->world->body_count, two->world->body_count);
    for (size_t k = 0; k < 7 * one->world->body_count; k++) {
        CU_ASSERT_DOUBLE_EQUAL(one->world->start->s[k], two->world->start->s[k], 1e-13);
    }
    for (size_t k = 0; k < 16; k++) {
        CU_ASSERT_DOUBLE_EQUAL(one->world->mass[k], two->world->mass[k], 1e-9);
    }
}

/* The room that M has between its bounds at a thrust H: negative, no line fits. All in
 * units of the radius and of the weight of a square of it. */
static double room(int n, double thickness, double half, double load, double H)
{
    const double alpha = 2.0 * half / n;
    const double r[2] = {1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness};
    const double area = 0.5 * (r[1] * r[1] - r[0] * r[0]) * sin(alpha);
    const double center = 2.0 / 3.0 * (r[1] * r[1] + r[1] * r[0] + r[0] * r[0]) /
                          (r[0] + r[1]) * cos(0.5 * alpha);
    double low = -INFINITY;
    double high = INFINITY;
    double W = 0.5 * load;
    double X = 0.0;

    for (int k = 0; k <= n / 2; k++) {
        double p = (k + 0.5) * alpha;

        /* half of the keystone has its centre off the crown, and the moment of that is
         * the same at every joint: it is part of M */
        W += k == 0 ? 0.5 * area : area;
        X += k == 0 ? 0.0 : area * center * sin(k * alpha);
        low = fmax(low, H * r[0] * cos(p) + W * r[0] * sin(p) - X);
        high = fmin(high, H * r[1] * cos(p) + W * r[1] * sin(p) - X);
    }
    return high - low;
}

static bool stands(int n, double thickness, double half, double load)
{
    double low = 0.0;
    double high = 100.0; /* far more than any arch of thickness 0.05 or more can have */

    for (int k = 0; k < 200; k++) {
        double a = low + (high - low) / 3.0;
        double b = high - (high - low) / 3.0;

        if (room(n, thickness, half, load, a) < room(n, thickness, half, load, b)) {
            low = a;
        } else {
            high = b;
        }
    }
    return room(n, thickness, half, load, low) >= 0.0;
}

/* The greatest load on the crown, in units of the weight of a square of the radius. */
static double greatest_load(int n, double thickness, double half)
{
    double low = 0.0;
    double high = 1.0;

    CU_ASSERT_FATAL(stands(n, thickness, half, low) && !stands(n, thickness, half, high));
    for (int k = 0; k < 50; k++) {
        double middle = 0.5 * (low + high);

        *(stands(n, thickness, half, middle) ? &low : &high) = middle;
    }
    return low;
}

static double bridge_speed(double load)
{
    char text[32];
    const perp_scene_set sets[] = {{"load", text}};

    snprintf(text, sizeof text, "%.12g", load);
    return speed_of("masonry-bridge", SETS(sets));
}

/* Fifteen stones, thickness 0.1, 60 degrees to either side, radius 4 m, 2000 kg/m^3. */
TEST(a_bridge_carries_the_load_that_statics_says)
{
    double most = greatest_load(15, 0.1, pi / 3.0) * 2000.0 * 16.0;
    double above = bridge_speed(1.01 * most);
    double below = bridge_speed(0.99 * most);

    test_note("%g kg: speed %g above, %g below", most, above, below);
    CU_ASSERT(below <= 1e-7);
    CU_ASSERT(above >= 1e-4);
    page_says("masonry-bridge", "greatest load by statics [kg]", most);
    page_says("masonry-bridge", "speed after 50 ms, load 1 % less [m/s]", below);
    page_says("masonry-bridge", "speed after 50 ms, load 1 % more [m/s]", above);
}
