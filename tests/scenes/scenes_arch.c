/* SPDX-License-Identifier: Apache-2.0
 * tests/scenes/scenes_arch.c: an arch stands when a line of thrust fits into it.
 *
 * Statics alone [heyman-1969]: joints that cannot pull nor slide hold where at each of
 * them the thrust passes between intrados and extrados. By symmetry the crown has a
 * horizontal thrust H with a moment M = H y about the centre; the part of the arch from
 * the crown to the joint at the angle p, of weight W and moment X = sum W_j x_j, turns
 * about the point (r sin p, r cos p) with
 *
 *     M - H r cos p - (W r sin p - X)  >= 0 about the intrados,  <= 0 about the extrados
 *
 * which are half planes of (H, M): the arch stands when they have a point in common,
 * looked for among the corners where two of their edges meet.
 * No part of the engine is in this. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact_scene.h"

static const double pi = 3.14159265358979323846;

/* a H + b M + c >= 0. */
typedef struct half_plane {
    double a, b, c;
} half_plane;

enum { VOUSSOIRS = 16, PLANES = VOUSSOIRS + 2 };

static bool holds(const half_plane *planes, size_t count, double H, double M)
{
    for (size_t k = 0; k < count; k++) {
        /* corners lie on two edges, to rounding of terms of size 10 */
        if (planes[k].a * H + planes[k].b * M + planes[k].c < -1e-10) {
            return false;
        }
    }
    return H > 0.0;
}

static bool have_a_point(const half_plane *planes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            const half_plane *p = &planes[i];
            const half_plane *q = &planes[j];
            double det = p->a * q->b - q->a * p->b;

            if (det != 0.0 && holds(planes, count, (p->b * q->c - q->b * p->c) / det,
                                    (p->c * q->a - q->c * p->a) / det)) {
                return true;
            }
        }
    }
    return false;
}

/* n voussoirs of an arch of radius 1 and that thickness,
 * flat or curved between their joints. */
static bool thrust_fits(int n, double thickness, bool flat)
{
    const double alpha = pi / n;
    const double r[2] = {1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness};
    double area = 0.5 * (r[1] * r[1] - r[0] * r[0]);
    double center = (r[1] * r[1] * r[1] - r[0] * r[0] * r[0]) / (3.0 * area);
    half_plane planes[PLANES];
    size_t count = 0;
    double X = 0.0;

    /* of a sector, and of the triangle in it: area alpha/2 and sin(alpha)/2 of r^2,
     * centre 2/3 r sin(alpha/2)/(alpha/2) and 2/3 r cos(alpha/2) */
    area *= flat ? sin(alpha) : alpha;
    center *= flat ? cos(0.5 * alpha) : sin(0.5 * alpha) / (0.5 * alpha);
    for (int k = 0; k <= n / 2; k++) {
        for (int side = 0; side < 2; side++) {
            double sign = side == 0 ? 1.0 : -1.0;
            double x = r[side] * sin(k * alpha);

            planes[count++] = (half_plane){-sign * r[side] * cos(k * alpha), sign,
                                           -sign * (k * area * x - X)};
        }
        X += area * center * sin((k + 0.5) * alpha);
    }
    return have_a_point(planes, count);
}

static double least_thickness(int n, bool flat)
{
    double low = 0.05;
    double high = 0.2;

    for (int k = 0; k < 50; k++) {
        double middle = 0.5 * (low + high);

        *(thrust_fits(n, middle, flat) ? &high : &low) = middle;
    }
    return high;
}

/* Known values of the first two; half a unit of the last digit. */
TEST(lines_of_thrust_know_the_least_thickness)
{
    CU_ASSERT_DOUBLE_EQUAL(least_thickness(8, false), 0.10086, 5e-6);
    CU_ASSERT_DOUBLE_EQUAL(least_thickness(16, false), 0.10724, 5e-6);
    CU_ASSERT_DOUBLE_EQUAL(least_thickness(8, true), 0.09997, 5e-6);
    CU_ASSERT_DOUBLE_EQUAL(least_thickness(16, true), 0.10708, 5e-6);
    page_says("arch-thick", "least t/R, 8 curved voussoirs", least_thickness(8, false));
    page_says("arch-thick", "least t/R, 16 curved voussoirs", least_thickness(16, false));
    page_says("arch-thick", "least t/R, 8 flat voussoirs", least_thickness(8, true));
    page_says("arch-thick", "least t/R, 16 flat voussoirs", least_thickness(16, true));
}

TEST(the_thick_arch_stands)
{
    show s = show_open("arch-thick");

    CU_ASSERT(thrust_fits(16, 0.115, true));
    show_begin(&s, NULL);
    show_for(&s, show_seconds(&s, 1.0));
    page_says("arch-thick", "penetration [m]", s.play.penetration);
    page_says("arch-thick", "farthest movement [m]", show_drift(&s));
    page_says("arch-thick", "contacts", (double)s.play.run.report.contacts);
    /* 1e-8 of a voussoir's weight, on its way through the arch: 1e-9 m a second */
    CU_ASSERT(show_drift(&s) <= 1e-7);
    CU_ASSERT(s.play.penetration <= 1e-9);
    CU_ASSERT(s.play.run.report.kinetic <= 1e-10); /* of 4e4 kg */
    show_end(&s);
}

TEST(the_thin_arch_falls)
{
    show s = show_open("arch-thin");
    const double *crown = show_pose(&s, "voussoir-8");
    double height = crown[2];

    CU_ASSERT_FALSE(thrust_fits(16, 0.1, true));
    show_begin(&s, NULL);
    show_for(&s, play_long() ? s.play.time : 0.5);
    if (!play_long()) {
        page_says("arch-thin", "crown after 0.5 s, lower by [m]", height - crown[2]);
    }
    page_says("arch-thin", "energy ever above the first [J]", fmax(0.0, s.rise));
    CU_ASSERT(crown[2] < height - 0.01);
    CU_ASSERT(s.rise <= 1e-3); /* of 1e6 J, pressed to 1e-10 m */
    show_end(&s);
}

static void arch_text(int n, double thickness, char *text, size_t length)
{
    const double alpha = pi / n;
    const double r[2] = {1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness};
    size_t used = 0;

    used += (size_t)snprintf(
        text, length,
        "{\"scheme\": {\"dt\": 0.01}, \"combine\": {\"friction\": \"geometric-mean\"}, "
        "\"ground\": {}, \"bodies\": [{\"density\": 1000, \"name\": \"v-{k}\", "
        "\"repeat\": "
        "{\"count\": %d, \"turn\": {\"axis\": [0, -1, 0], \"angle\": \"%.17g rad\"}}, "
        "\"shapes\": [{\"type\": \"hull\", \"corners\": [",
        n, alpha);
    for (int k = 0; k < 8; k++) {
        double angle = (k & 1) ? alpha : 0.0;
        double radius = r[(k >> 1) & 1];

        used += (size_t)snprintf(text + used, length - used, "%s[%.17g, %g, %.17g]",
                                 k == 0 ? "" : ", ", radius * cos(angle),
                                 (k & 4) ? 0.1 : -0.1, radius * sin(angle));
    }
    used += (size_t)snprintf(text + used, length - used, "]}]}]}");
    CU_ASSERT_FATAL(used < length);
}

/* A step from rest, a thousandth above and below: nothing moves, or something does. */
TEST(an_arch_begins_to_fall_where_no_line_of_thrust_fits)
{
    static const int counts[] = {8, 16};
    char text[4096];
    char row[80];

    for (size_t k = 0; k < 2; k++) {
        double least = least_thickness(counts[k], true);

        for (int above = 0; above < 2; above++) {
            show s;

            arch_text(counts[k], least * (above ? 1.001 : 0.999), text, sizeof text);
            s = show_parse("arch", text);
            show_friction(&s, 0.8);
            show_begin(&s, "nsgs+newton tolerance=1e-10");
            show_steps(&s, 5);
            snprintf(row, sizeof row, "speed after 50 ms, %d flat voussoirs, %s [m/s]",
                     counts[k], above ? "0.1 % above" : "0.1 % below");
            page_says("arch-thin", row, s.play.run.report.speed);
            /* a thousandth of g dt = 0.1 m/s, against 1e-10 of it */
            CU_ASSERT(above ? s.play.run.report.speed <= 1e-8
                            : s.play.run.report.speed >= 1e-5);
            show_end(&s);
        }
    }
}
