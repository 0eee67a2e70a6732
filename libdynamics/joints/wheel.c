/* SPDX-License-Identifier: Apache-2.0
 * joints/wheel.c: two points together and two rotations free: about s on i, the steering
 * axis, and about s' on j, the axle; also called hinge-2.
 *
 *     phi = (p_i - p_j, a - theta),   a = atan2(|u|, s.s'),   u = s x s'
 *     J   = (position rows; (0, -u/|u|, 0, u/|u|))
 *
 * exact for every pose: the gradient of the angle between the axes is the unit vector
 * along u [erleben-2005]. If the axes are parallel to 1e-6 it is undefined and the fourth
 * row is left out.
 *
 * Coordinates: steering, the angle of s' about s, and spin, the angle of j about s', both
 * from the rest pose. Their rows are (0, -s, 0, s) and (0, -s', 0, s'), pure rates where
 * the axes are perpendicular; the exact joint has their gradients. */
#include <config.h>

#include <perp/dynamics/mobilizer.h>

#include "joints/joints.h"

static unsigned wheel_write(const perp_joint *joint, const perp_world *world,
                            const perp_state *state, perp_row rows[PERP_JOINT_ROWS])
{
    joint_frame f;
    double sine = 0.0;

    (void)world;
    joint_frame_now(joint, state, &f);
    joint_rows_point(rows, f.gap, f.rho_i, f.rho_j);
    sine = vec3_length(f.u);
    if (sine <= joint_parallel) {
        return 3;
    }
    joint_row_turn(&rows[3], -1.0 / sine, f.u,
                   atan2(sine, vec3_dot(f.s, f.s_j)) - joint->theta);
    return 4;
}

static bool wheel_reduce(const perp_joint *joint, const perp_world *world, bool turned,
                         bool euler, perp_link *link, perp_joint_axes *axes)
{
    (void)world;
    (void)euler;
    return joint_cardan_reduce(joint, cos(joint->theta), sin(joint->theta), turned, link,
                               axes);
}

const perp_joint_type joint_wheel = {
    .name = "wheel",
    .summary = "a wheel that steers about s on i and spins about s' on j (hinge-2)",
    .reference = "erleben-2005",
    .picture = "          s  steering, on i\n"
               "          ^\n"
               "     .----|----.\n"
               "     |  body i |\n"
               "     '----|----'    _\n"
               "          |        | |     turns: 2 free, of s' about s\n"
               "          o--------| |--> s'      and of j about s'\n"
               "          axle     |_|     moves: none\n"
               "                  body j\n",
    .needs = PERP_JOINT_ANCHORS | PERP_JOINT_AXIS_I | PERP_JOINT_AXIS_J |
             PERP_JOINT_REST | PERP_JOINT_ANGLE,
    .rows = 4,
    .spins = true,
    .axes = 2,
    .axis_unit = {PERP_AXIS_ANGLE, PERP_AXIS_ANGLE},
    .axes_apart = true,
    .row_name = {"x", "y", "z", "camber"},
    .write = wheel_write,
    .coordinate = joint_cardan,
    .reduce = wheel_reduce,
};
