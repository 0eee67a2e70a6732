/* SPDX-License-Identifier: Apache-2.0
 * joints/universal.c: two points together and rotations free about two axes that stay
 * perpendicular: s on i and s' on j; Cardan's joint.
 *
 *     phi = (p_i - p_j, -s.s'),   J = (position rows; (0, -u, 0, u)),   u = s x s'
 *
 * exact for every pose, since d(s.s')/dt = -u.(w_j - w_i) [erleben-2005]. If the axes are
 * parallel to 1e-6 the fourth row is left out.
 *
 * Coordinates: the angle of s' about s and that of j about s', from the rest pose. */
#include <config.h>

#include <perp/dynamics/mobilizer.h>

#include "joints/joints.h"

static unsigned universal_write(const perp_joint *joint, const perp_world *world,
                                const perp_state *state, perp_row rows[PERP_JOINT_ROWS])
{
    joint_frame f;

    (void)world;
    joint_frame_now(joint, state, &f);
    joint_rows_point(rows, f.gap, f.rho_i, f.rho_j);
    if (vec3_length(f.u) <= joint_parallel) {
        return 3;
    }
    joint_row_turn(&rows[3], -1.0, f.u, -vec3_dot(f.s, f.s_j));
    return 4;
}

static bool universal_reduce(const perp_joint *joint, const perp_world *world,
                             bool turned, bool euler, perp_link *link,
                             perp_joint_axes *axes)
{
    (void)world;
    (void)euler;
    return joint_cardan_reduce(joint, 0.0, 1.0, turned, link, axes);
}

const perp_joint_type joint_universal = {
    .name = "universal",
    .summary = "rotations free about perpendicular axes s on i and s' on j (Cardan)",
    .reference = "erleben-2005",
    .picture = "              ^ s on i\n"
               "          .---|---.\n"
               "   body i |   |   |\n"
               "  --------|   +---|---> s' on j\n"
               "          |  /|   |--------     turns: 2 free, of s' about s\n"
               "          '---|---' body j            and of j about s'\n"
               "              |                 moves: none\n",
    .needs = PERP_JOINT_ANCHORS | PERP_JOINT_AXIS_I | PERP_JOINT_AXIS_J | PERP_JOINT_REST,
    .rows = 4,
    .axes = 2,
    .axis_unit = {PERP_AXIS_ANGLE, PERP_AXIS_ANGLE},
    .axes_apart = true,
    .row_name = {"x", "y", "z", "twist"},
    .write = universal_write,
    .coordinate = joint_cardan,
    .reduce = universal_reduce,
};
