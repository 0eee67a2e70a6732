/* SPDX-License-Identifier: Apache-2.0
 * joints/cone.c: a limit of swing: the angle between s = R_i s_i and s' = R_j s_j is at
 * most theta.
 *
 *     C = s.s' - cos theta >= 0,   J = (0, u, 0, -u),   u = s x s'
 *
 * exact for every pose [erleben-2005]. If the axes are parallel to 1e-6 the row is
 * undefined and left out: s' is then well inside the cone, or exactly opposite. */
#include <config.h>

#include "joints/joints.h"

static unsigned cone_write(const perp_joint *joint, const perp_world *world,
                           const perp_state *state, perp_row rows[PERP_JOINT_ROWS])
{
    joint_frame f;

    (void)world;
    joint_frame_now(joint, state, &f);
    if (vec3_length(f.u) <= joint_parallel) {
        return 0;
    }
    joint_row_turn(rows, 1.0, f.u, vec3_dot(f.s, f.s_j) - cos(joint->theta));
    return 1;
}

const perp_joint_type joint_cone = {
    .name = "cone",
    .summary = "a limit of swing: the angle between s and s' at most theta",
    .reference = "erleben-2005",
    .picture = "      \\     s     /\n"
               "       \\    |    /\n"
               "        \\   |   /  s' on j stays inside\n"
               "         \\  |  /\n"
               "          \\ | / theta      turns: 3 free, swing <= theta\n"
               "           \\|/             moves: 3 free\n"
               "          body i\n",
    .needs = PERP_JOINT_AXIS_I | PERP_JOINT_AXIS_J | PERP_JOINT_ANGLE,
    .rows = 1,
    .unilateral = true,
    .row_name = {"swing"},
    .write = cone_write,
};
