/* SPDX-License-Identifier: Apache-2.0
 * tests/scenes/scenes_motors.c: the scenes of motors: a gear motor, servos, cars. */
#include <config.h>

#include <math.h>

#include "math/vec3.h"
#include "scene_run.h"

static const double pi = 3.14159265358979323846;
/* Motions and torques of size 1 to 10 by a solver that stops at RES 1e-8, over hundreds
 * of steps. */
static const double solved = 1e-6;

TEST(a_gear_motor_meets_its_limit)
{
    play p = play_scene("gear-motor");
    double torque = 0.0;

    play_until(&p, 0.5);
    play_force(&p, "shaft", PERP_ROLE_MOTOR, 1, &torque);
    CU_ASSERT_DOUBLE_EQUAL(torque, 5.0, solved);
    /* (5 - 2)/1.5 = 2 rad/s^2: sums of constant accelerations are exact */
    CU_ASSERT_DOUBLE_EQUAL(play_velocity(&p, "drum")[5], 1.0, solved);
    page_says("gear-motor", "speed after 0.5 s [rad/s]", play_velocity(&p, "drum")[5]);
    play_until(&p, 1.5);
    CU_ASSERT_DOUBLE_EQUAL(play_velocity(&p, "drum")[5], 2.0, solved);
    play_force(&p, "shaft", PERP_ROLE_MOTOR, 1, &torque);
    page_says("gear-motor", "motor torque at constant speed [N m]", torque);
    CU_ASSERT_DOUBLE_EQUAL(torque, 2.0, 100.0 * solved); /* impulse over dt */
    play_until(&p, p.time);
    play_force(&p, "shaft", PERP_ROLE_MOTOR, 1, &torque);
    page_says("gear-motor", "motor torque at the stop [N m]", torque);
    CU_ASSERT_DOUBLE_EQUAL(torque, 5.0, 100.0 * solved);
    play_force(&p, "shaft", PERP_ROLE_LIMIT, 1, &torque);
    page_says("gear-motor", "torque of the stop [N m]", torque);
    CU_ASSERT_DOUBLE_EQUAL(torque, 3.0, 100.0 * solved);
    CU_ASSERT_DOUBLE_EQUAL(play_axis(&p, "shaft"), pi, solved);
    page_says("gear-motor", "angle at the stop [rad]", play_axis(&p, "shaft"));
    play_end(&p);
}

TEST(a_servo_shrinks_its_error_by_a_share_a_step)
{
    play p = play_scene("servo-arm");
    const double e0 = 0.5 * pi;
    double worst = 0.0;

    for (int n = 1; n <= 120; n++) {
        double e = 0.0;

        play_steps(&p, 1);
        e = e0 - play_axis(&p, "strong");
        worst = fmax(worst, fabs(e - e0 * pow(0.95, n)));
    }
    CU_ASSERT(worst < solved);
    page_says("servo-arm", "strong: off (1 - erp)^n in 120 steps [rad]", worst);
    /* an arm that turns by 0.0785 rad along its tangent leaves its circle of 0.5 m by
     * 0.5 x 0.0785^2/2 = 1.5 mm */
    page_says("servo-arm", "drift of the hinges [m]", p.drift_length);
    play_end(&p);
}

TEST(a_servo_of_too_little_torque_sags)
{
    play p = play_scene("servo-arm");
    double torque = 0.0;

    play_until(&p, p.time);
    play_force(&p, "weak", PERP_ROLE_MOTOR, 1, &torque);
    CU_ASSERT_DOUBLE_EQUAL(torque, 4.905, solved);
    page_says("servo-arm", "weak: torque of the motor [N m]", torque);
    /* m g d sin(q) = 4.905; the swing about it has died out to e^(-1.5 x 10) */
    CU_ASSERT_DOUBLE_EQUAL(play_axis(&p, "weak"), pi / 6.0, 1e-5);
    page_says("servo-arm", "weak: angle [deg]", play_axis(&p, "weak") * 180.0 / pi);
    play_end(&p);
}

TEST(a_four_wheeled_car_reaches_its_speed)
{
    play p = play_scene("four-wheeled-car");

    play_until(&p, 1.0);
    /* 4 M/r over m + 4 (m_w + I_w/r^2) = 80/34, no wheel slips */
    CU_ASSERT_DOUBLE_EQUAL(play_velocity(&p, "chassis")[0], 80.0 / 34.0, solved);
    page_says("four-wheeled-car", "speed after 1 s [m/s]",
              play_velocity(&p, "chassis")[0]);
    play_until(&p, play_brief() ? 1.5 : p.time);
    CU_ASSERT_DOUBLE_EQUAL(play_velocity(&p, "chassis")[0], 3.0, solved);
    CU_ASSERT_DOUBLE_EQUAL(play_velocity(&p, "rear left wheel")[4], 20.0, 10.0 * solved);
    CU_ASSERT_DOUBLE_EQUAL(play_pose(&p, "chassis")[1], 0.0, solved);
    page_says("four-wheeled-car", "speed in the end [m/s]",
              play_velocity(&p, "chassis")[0]);
    page_says("four-wheeled-car", "drift of the joints [m]", p.drift_length);
    play_end(&p);
}

TEST(wheels_that_slip_pull_with_mu_times_the_weight)
{
    perp_scene *scene = play_read("four-wheeled-car");
    play p;

    for (size_t k = 0; k < scene->world->joint_count; k++) {
        scene->world->joints[k].axes[1].max_force = 20.0;
    }
    p = play_start(scene, NULL);
    play_until(&p, 0.25);
    /* every wheel turns faster than it rolls: a = mu g, whatever the motors have */
    CU_ASSERT_DOUBLE_EQUAL(play_velocity(&p, "chassis")[0], 0.8 * 9.81 * 0.25, solved);
    CU_ASSERT(play_velocity(&p, "rear left wheel")[4] * 0.15 > 2.1);
    page_says("four-wheeled-car", "speed after 0.25 s, slipping [m/s]",
              play_velocity(&p, "chassis")[0]);
    play_until(&p, 0.75);
    CU_ASSERT_DOUBLE_EQUAL(play_velocity(&p, "chassis")[0], 3.0, solved);
    play_end(&p);
}

/* Middle of the axle. */
static void axle(const play *p, double r[3], double v[3])
{
    vec3_scale(0.5, play_pose(p, "left wheel"), r);
    vec3_add(r, 0.5, play_pose(p, "right wheel"), r);
    vec3_scale(0.5, play_velocity(p, "left wheel"), v);
    vec3_add(v, 0.5, play_velocity(p, "right wheel"), v);
}

TEST(a_two_wheeled_car_drives_its_circle)
{
    play p = play_scene("two-wheeled-car");
    double r[3];
    double far[3];
    double v[3];
    /* an axle that yaws while its wheel spins tilts by w Omega dt^2/2 a step, 1e-4 rad */
    const double tilt = 1e-4;

    play_until(&p, 1.5);
    axle(&p, r, v);
    CU_ASSERT_DOUBLE_EQUAL(vec3_length(v), 1.0, tilt);
    CU_ASSERT_DOUBLE_EQUAL(play_velocity(&p, "chassis")[5], 1.0, tilt);
    page_says("two-wheeled-car", "speed of the axle [m/s]", vec3_length(v));
    page_says("two-wheeled-car", "yaw rate [rad/s]", play_velocity(&p, "chassis")[5]);
    if (!play_brief()) {
        play_until(&p,
                   1.5 + pi); /* to half a step, which moves the far side by its square */
        axle(&p, far, v);
        vec3_subtract(far, r, far);
        /* and the projection pulls the tilted wheels back, by as much again */
        CU_ASSERT_DOUBLE_EQUAL(0.5 * vec3_length(far), 1.0, 2.0 * tilt);
        page_says("two-wheeled-car", "radius of the circle [m]", 0.5 * vec3_length(far));
        page_says("two-wheeled-car", "drift of the joints [m]", p.drift_length);
    }
    play_end(&p);
}
