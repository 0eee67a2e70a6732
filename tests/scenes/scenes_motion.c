/* SPDX-License-Identifier: Apache-2.0
 * tests/scenes/scenes_motion.c: scenes of one contact or a few that move as a formula
 * says. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "contact_scene.h"
#include "math/vec3.h"

static const double g = 9.81;

/* x = v t, z = v t - g t^2/2, which velocity Verlet meets but for roundings of some
 * metres in 128 steps. */
TEST(a_projectile_flies_a_parabola)
{
    const double rounding = 1e-13;
    show s = show_open("projectile");
    const double *x = NULL;
    double highest = 0.0;

    show_begin(&s, NULL);
    x = show_pose(&s, "ball");
    for (int k = 1; k <= 128; k++) {
        double t = k / 64.0;

        show_steps(&s, 1);
        highest = fmax(highest, x[2]);
        CU_ASSERT_DOUBLE_EQUAL(x[0], 3.0 * t, rounding);
        CU_ASSERT_EQUAL(x[1], 0.0);
        CU_ASSERT_DOUBLE_EQUAL(x[2], g * t - 0.5 * g * t * t, rounding);
    }
    CU_ASSERT_DOUBLE_EQUAL(x[0], 6.0, rounding);
    CU_ASSERT_DOUBLE_EQUAL(x[2], 0.0, rounding);
    CU_ASSERT_DOUBLE_EQUAL(show_twist(&s, "ball")[4], 20.0, rounding);
    page_says("projectile", "highest [m]", highest);
    page_says("projectile", "where it is back at its height [m]", x[0]);
    page_says("projectile", "height at 2 s [m]", x[2]);
    page_says("projectile", "spin [rad/s]", show_twist(&s, "ball")[4]);
    show_end(&s);
}

/* The ball slides for 2 |v - R w|/(7 mu g) and rolls with (5 v + 2 R w)/7: in each step
 * the slip loses 7/2 mu g dt, until what is left is less than that. */
static void roll(double mu, double spin)
{
    const double R = 0.1;
    const double v = 2.0;
    double dt = 0.0;
    double lasts = 2.0 * (v - R * spin) / (7.0 * mu * g);
    double rolls = (5.0 * v + 2.0 * R * spin) / 7.0;
    double slides = 0.0;
    show s = show_open("rolling");
    const double *u = NULL;

    dt = s.scene->scheme.dt;
    show_friction(&s, mu);
    perp_body_velocity(s.world->start, show_body(&s, "ball"))[4] = spin;
    show_begin(&s, "nsgs tolerance=1e-12");
    u = show_twist(&s, "ball");
    while (u[0] - R * u[4] > 1e-9 && slides < 2.0 * lasts) {
        double slip = u[0] - R * u[4];
        double left = fmax(0.0, slip - 3.5 * mu * g * dt);

        show_steps(&s, 1);
        slides += dt;
        CU_ASSERT_DOUBLE_EQUAL(u[0] - R * u[4], left, 1e-10); /* solved to 1e-12 */
    }
    CU_ASSERT(slides >= lasts && slides < lasts + dt);
    show_for(&s, 0.2);
    /* the moment of momentum about the floor stays but for the height, 1e-12 of it */
    CU_ASSERT_DOUBLE_EQUAL(u[0], rolls, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(R * u[4], rolls, 1e-9);
    CU_ASSERT(s.rise <= 1e-9); /* friction takes; 10 J */
    if (mu == 0.3 && spin == 0.0) {
        page_says("rolling", "it slides for [s]", slides);
        page_says("rolling", "speed when it rolls [m/s]", u[0]);
        page_says("rolling", "slip when it rolls [m/s]", u[0] - R * u[4]);
    }
    show_end(&s);
}

TEST(a_sliding_ball_rolls_at_five_sevenths_whatever_the_friction)
{
    roll(0.3, 0.0);
    roll(0.1, 0.0);
    roll(0.3, -15.0); /* backspin */
}

/* Down the slope, along it, and what the slope gives. */
static void incline_check(show *s, double a, double t)
{
    const double down[3] = {0.8, 0.0, -0.6};
    const double up[3] = {0.6, 0.0, 0.8};
    const double m = 2.0;
    const double dt = s->play.scheme.dt;
    size_t block = show_body(s, "block");
    const double *u = show_twist(s, "block");
    double way[3];
    double push[3];

    vec3_subtract(show_pose(s, "block"), s->start + 7 * block, way);
    show_push(s, show_body(s, "world"), block, true, push);
    /* velocities are solved to 1e-12, positions sum 500 of them times dt */
    CU_ASSERT_DOUBLE_EQUAL(vec3_dot(u, down), a * t, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(vec3_dot(way, down), 0.5 * a * t * (t + dt), 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(vec3_dot(way, up), 0.0, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(vec3_length(u + 3), 0.0, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(vec3_dot(push, up), dt * m * g * 0.8, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(-vec3_dot(push, down), dt * m * (g * 0.6 - a), 1e-9);
}

static void incline(const char *name, double mu)
{
    show s = show_open(name);
    double t = show_seconds(&s, 2.0);
    bool own = mu == 0.0;

    if (mu > 0.0) {
        show_friction(&s, mu);
    } else {
        mu = s.world->materials[1].mu;
    }
    show_begin(&s, "nsgs+newton tolerance=1e-12");
    show_for(&s, t);
    incline_check(&s, fmax(0.0, g * (0.6 - mu * 0.8)), t);
    if (own) {
        page_says(name, "acceleration [m/s^2]", vec3_length(show_twist(&s, "block")) / t);
        page_says(name, "spin [rad/s]", vec3_length(show_twist(&s, "block") + 3));
    }
    show_end(&s);
}

TEST(a_block_sticks_or_slips_on_an_incline_about_its_threshold)
{
    incline("incline-stick", 0.0);
    incline("incline-slip", 0.0);
    incline("incline-stick", 0.75 + 1e-6);
    incline("incline-stick", 0.75 - 1e-6); /* 7.8e-6 m/s^2 */
}

/* n = 5 equal balls that touch: impulses (1 + e)(n - k)/n, velocities in one step. */
static void cradle(double e)
{
    show s = show_open("cradle");
    char name[2][24];

    s.world->materials[1].restitution = e;
    show_begin(&s, "lemke tolerance=1e-14");
    show_steps(&s, 1);
    for (int k = 1; k <= 5; k++) {
        double push[3];
        double v = (1.0 + e) / 5.0;

        snprintf(name[0], sizeof name[0], "ball-%d", k);
        snprintf(name[1], sizeof name[1], "ball-%d", k + 1);
        v = k == 1 ? 1.0 - 4.0 * v : v;
        /* a handful of roundings of numbers below 2 */
        CU_ASSERT_DOUBLE_EQUAL(show_twist(&s, name[0])[0], v, 1e-14);
        if (k < 5) {
            show_push(&s, show_body(&s, name[0]), show_body(&s, name[1]), false, push);
            CU_ASSERT_DOUBLE_EQUAL(push[0], (1.0 + e) * (5 - k) / 5.0, 1e-14);
        }
    }
    CU_ASSERT_DOUBLE_EQUAL(s.play.run.report.momentum[0], 1.0, 1e-14);
    if (e == 1.0) {
        page_says("cradle", "first ball [m/s]", show_twist(&s, "ball-1")[0]);
        page_says("cradle", "last ball [m/s]", show_twist(&s, "ball-5")[0]);
        show_for(&s, 1.0);
        CU_ASSERT_DOUBLE_EQUAL(s.play.run.report.kinetic, 0.5, 1e-14);
        page_says("cradle", "kinetic energy after 1 s [J]", s.play.run.report.kinetic);
    }
    show_end(&s);
}

TEST(the_balls_of_a_cradle_that_touch_share_the_impact)
{
    cradle(1.0); /* the scene: -3/5, 2/5, 2/5, 2/5, 2/5 */
    cradle(0.5);
    /* from 0 on they stay together: no row pushes, none is needed */
    cradle(0.0);
}

TEST(the_balls_of_a_cradle_with_gaps_hand_the_velocity_on)
{
    show s = show_open("cradle-gaps");

    show_begin(&s, NULL);
    show_for(&s, 1.0);
    for (int k = 1; k <= 5; k++) {
        char name[24];

        snprintf(name, sizeof name, "ball-%d", k);
        CU_ASSERT_DOUBLE_EQUAL(show_twist(&s, name)[0], k == 5 ? 1.0 : 0.0, 1e-14);
    }
    CU_ASSERT_DOUBLE_EQUAL(s.play.run.report.kinetic, 0.5, 1e-14);
    page_says("cradle-gaps", "first ball [m/s]", show_twist(&s, "ball-1")[0]);
    page_says("cradle-gaps", "fourth ball [m/s]", show_twist(&s, "ball-4")[0]);
    page_says("cradle-gaps", "last ball [m/s]", show_twist(&s, "ball-5")[0]);
    page_says("cradle-gaps", "kinetic energy after 1 s [J]", s.play.run.report.kinetic);
    show_end(&s);
}

/* A peak after a fall from h is e^2 h: the impact is felt up to v dt below the floor,
 * where the energy that comes back is e^2 (h + depth) - depth;
 * a step sees a peak to g dt^2/8. */
TEST(a_ball_bounces_to_the_heights_of_its_restitution)
{
    static const char *const rows[] = {"first height [m]", "second height [m]",
                                       "third height [m]", "fourth height [m]"};
    const double e = 0.5;
    double peak = 1.0;
    double top = 0.0;
    double dt = 0.0;
    int bounces = 0;
    show s = show_open("bouncing-ball");
    const double *x = NULL;
    const double *u = NULL;

    show_begin(&s, NULL);
    dt = s.play.scheme.dt;
    x = show_pose(&s, "ball");
    u = show_twist(&s, "ball");
    while (bounces < 4 && s.world->start->t < 1.5) {
        bool rose = u[2] > 0.0;

        show_steps(&s, 1);
        top = fmax(top, u[2] > 0.0 ? x[2] - 0.05 : 0.0);
        if (rose && u[2] <= 0.0) {
            double slack = (1.0 - e * e) * sqrt(2.0 * g * peak) * dt + g * dt * dt / 8.0;

            CU_ASSERT_DOUBLE_EQUAL(top, e * e * peak, slack);
            peak = top;
            top = 0.0;
            bounces++;
            page_says("bouncing-ball", rows[bounces - 1], peak);
        }
    }
    CU_ASSERT_EQUAL(bounces, 4);
    CU_ASSERT_DOUBLE_EQUAL(peak, pow(e, 8.0), 2e-3); /* half a step of the first fall */
    /* rest after (1 + e)/(1 - e) sqrt(2 h/g); each of a dozen impacts a step late at
     * most */
    show_for(&s, 1.3546 + 12.0 * dt - s.world->start->t);
    CU_ASSERT_DOUBLE_EQUAL(u[2], 0.0, 0.01); /* the threshold of restitution */
    CU_ASSERT_DOUBLE_EQUAL(x[2], 0.05, sqrt(2.0 * g) * dt);
    page_says("bouncing-ball", "speed after 1.36 s [m/s]", u[2]);
    CU_ASSERT(s.rise <= 1e-12); /* 1 J */
    show_end(&s);
}

/* At rest the sum of the impulses is dt m g up and -dt F along the floor, and their
 * moment about the centre, 0.7 m up, is none. */
TEST(a_table_pushed_below_its_friction_stays)
{
    const double f[2] = {40.0, 30.0};
    double sum[3] = {0.0, 0.0, 0.0};
    double moment[2] = {0.0, 0.0};
    show s = show_open("table-holds");
    double dt = s.scene->scheme.dt;
    const perp_contacts *c = NULL;
    const double *z = NULL;

    show_begin(&s, "nsgs+newton tolerance=1e-12");
    show_for(&s, show_seconds(&s, 1.0));
    show_push(&s, show_body(&s, "world"), show_body(&s, "table"), true, sum);
    c = perp_stepper_contacts(s.play.run.stepper);
    z = perp_stepper_result(s.play.run.stepper)->z;
    CU_ASSERT_EQUAL_FATAL(c->count, 4);
    for (size_t k = 0; k < 4; k++) {
        moment[0] += z[3 * k] * c->at[k].point[0];
        moment[1] += z[3 * k] * c->at[k].point[1];
        CU_ASSERT(z[3 * k] >= 0.0 &&
                  hypot(z[3 * k + 1], z[3 * k + 2]) <= 0.6 * z[3 * k] + 1e-12);
    }
    /* impulses near 1, solved to 1e-12 */
    CU_ASSERT_DOUBLE_EQUAL(sum[0], -dt * f[0], 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(sum[1], -dt * f[1], 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(sum[2], dt * 10.0 * g, 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(moment[0], dt * 0.7 * f[0], 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(moment[1], dt * 0.7 * f[1], 1e-9);
    CU_ASSERT(show_drift(&s) <= 1e-10);
    page_says("table-holds", "movement [m]", show_drift(&s));
    page_says("table-holds", "normal force of all feet [N]", sum[2] / dt);
    page_says("table-holds", "friction of all feet [N]", hypot(sum[0], sum[1]) / dt);
    show_end(&s);
}

TEST(a_table_pushed_above_its_friction_slides_without_turning)
{
    const double size = hypot(90.0, 40.0);
    const double a = size / 10.0 - 0.6 * g;
    show s = show_open("table-slides");
    double t = show_seconds(&s, 1.0);
    const double *u = NULL;

    show_begin(&s, "nsgs+newton tolerance=1e-12");
    u = show_twist(&s, "table");
    show_steps(&s, 1);
    CU_ASSERT_DOUBLE_EQUAL(u[0], 0.0362130522, 1e-10); /* as printed */
    CU_ASSERT_DOUBLE_EQUAL(u[1], 0.0160946899, 1e-10);
    show_for(&s, t - s.play.scheme.dt);
    /* hundreds of steps, 1e-12 each */
    CU_ASSERT_DOUBLE_EQUAL(u[0], a * t * 90.0 / size, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(u[1], a * t * 40.0 / size, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(vec3_length(u + 3), 0.0, 1e-9);
    page_says("table-slides", "acceleration [m/s^2]", vec3_length(u) / t);
    page_says("table-slides", "direction, y/x", u[1] / u[0]);
    page_says("table-slides", "spin [rad/s]", vec3_length(u + 3));
    show_end(&s);
}

/* W = [1.6 -1.2; -1.2 3.4], det 4: sticking has lambda = ((1.2 + 3.4 dt g)/4, (1.6 + 1.2
 * dt g)/4), in its cone since 0.4 < 2 0.3, and sliding has 1.6 - 2 1.2 < 0:
 * no solution. */
static void painleve_strikes(double dt)
{
    show s = show_open("painleve");
    double push[3];

    s.scene->scheme.dt = dt;
    show_begin(&s, "nsgs+newton tolerance=1e-12");
    show_steps(&s, 1);
    show_push(&s, show_body(&s, "world"), show_body(&s, "rod"), true, push);
    /* the disc at the tip, 1e-6 m, is part of the arm */
    CU_ASSERT_DOUBLE_EQUAL(push[1], (1.2 + 3.4 * dt * g) / 4.0, 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(push[0], (1.6 + 1.2 * dt * g) / 4.0, 1e-5);
    if (dt == 1e-3) {
        page_says("painleve", "normal impulse of the first step [N s]", push[1]);
        page_says("painleve", "tangential impulse of the first step [N s]", push[0]);
    } else {
        page_says("painleve", "normal impulse at 0.01 ms [N s]", push[1]);
    }
    show_end(&s);
}

/* After the impact (0.3, 0.4) the rod turns about its tip at w = 0.6 sqrt(5)/2 m/s about
 * its end: from T = m v^2/2 + I w^2/2 = 0.3 J of the 0.5 J it had. */
TEST(painleves_rod_is_struck_without_a_collision)
{
    show s = show_open("painleve");

    painleve_strikes(1e-3);
    painleve_strikes(1e-5); /* the impulse does not vanish with the step */
    show_begin(&s, NULL);
    show_steps(&s, 1);
    CU_ASSERT_DOUBLE_EQUAL(s.play.run.report.kinetic, 0.3, 0.005); /* dt g and the like */
    page_says("painleve", "kinetic energy after it [J]", s.play.run.report.kinetic);
    show_for(&s, s.play.time - s.play.scheme.dt);
    CU_ASSERT(s.rise <= 1e-8); /* solved to 1e-8 */
    show_end(&s);
}

TEST(a_rattleback_turns_back_one_way_only)
{
    show s = show_open("rattleback");
    double spin = -5.0;

    show_begin(&s, NULL);
    show_for(&s, s.play.time);
    spin = show_twist(&s, "rattleback")[5];
    CU_ASSERT(spin > 0.1);
    page_says("rattleback", "spin of -5 rad/s after 5 s [rad/s]", spin);
    page_says("rattleback", "energy ever above the first [J]", fmax(0.0, s.rise));
    /* single steps may gain 1e-3 of it, as the ground turns under the ellipsoid */
    CU_ASSERT(s.rise <= 1e-12);
    show_end(&s);

    s = show_open("rattleback");
    perp_body_velocity(s.world->start, show_body(&s, "rattleback"))[5] = 5.0;
    show_begin(&s, NULL);
    show_for(&s, s.play.time);
    CU_ASSERT(show_twist(&s, "rattleback")[5] > 4.9);
    page_says("rattleback", "spin of +5 rad/s after 5 s [rad/s]",
              show_twist(&s, "rattleback")[5]);
    CU_ASSERT(s.rise <= 1e-12);
    show_end(&s);
}
