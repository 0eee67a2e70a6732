/* SPDX-License-Identifier: Apache-2.0
 * joints/angle.c: holds the angle of j about s = R_i s_i, all other motion free.
 *
 *     phi = wrap(angle - theta),   J = (0, -s, 0, s)
 *
 * with the angle of a revolute joint, 0 at rest, theta in (-pi, pi]. The exact joint uses
 * its gradient. In the plane this fixes the orientation of a body that can translate. */
#include <config.h>

#include "joints/joints.h"

static unsigned angle_write(const perp_joint *joint, const perp_world *world,
                            const perp_state *state, perp_row rows[PERP_JOINT_ROWS])
{
    joint_frame f;

    (void)world;
    joint_frame_now(joint, state, &f);
    joint_twist(joint, &f, rows);
    rows->phi = joint_wrap(rows->phi - joint->theta);
    return 1;
}

const perp_joint_type joint_angle = {
    .name = "angle",
    .summary = "holds the angle of j about s at theta, all other motion free",
    .reference = "erleben-2005",
    .picture = "               . body j\n"
               "             .\n"
               "           .   \\\n"
               "         .      | theta       turns: 2 free, not about s\n"
               "       .       /              moves: 3 free\n"
               "      s----------- body i\n",
    .needs = PERP_JOINT_AXIS_I | PERP_JOINT_REST | PERP_JOINT_ANGLE,
    .rows = 1,
    .plane_turns = true,
    .theta_range = PERP_THETA_TURN,
    .row_name = {"angle"},
    .write = angle_write,
};
