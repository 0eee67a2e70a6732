/* SPDX-License-Identifier: Apache-2.0
 * joints/rope.c: two points at most a length apart (rope), or always (rod).
 *
 *     C = L - |p_j - p_i|,   n = (p_j - p_i)/|p_j - p_i|
 *     J = (n, rho_i x n, -n, -(rho_j x n))
 *
 * exact for every pose [erleben-2005]; C >= 0 of a rope, = 0 of a rod. Where the points
 * meet there is no direction and the row is left out. */
#include <config.h>

#include "joints/joints.h"

static unsigned rope_write(const perp_joint *joint, const perp_world *world,
                           const perp_state *state, perp_row rows[PERP_JOINT_ROWS])
{
    joint_frame f;
    double n[3];
    double distance = 0.0;

    (void)world;
    joint_frame_now(joint, state, &f);
    vec3_scale(-1.0, f.gap, n);
    distance = vec3_normalize(n);
    if (distance <= joint_parallel * joint->length) {
        return 0;
    }
    joint_row_points(rows, 1.0, n, f.rho_i, f.rho_j, joint->length - distance);
    return 1;
}

const perp_joint_type joint_rope = {
    .name = "rope",
    .summary = "two points at most a length apart",
    .reference = "erleben-2005",
    .picture = "    .--------.              .--------.\n"
               "    | body i o~~._    _.~~~~o body j |\n"
               "    '--------'   '~~~'      '--------'\n"
               "             |<-- <= L ---->|\n"
               "    turns: 3 free\n"
               "    moves: 3 free, distance <= length\n",
    .needs = PERP_JOINT_ANCHORS | PERP_JOINT_LENGTH,
    .rows = 1,
    .unilateral = true,
    .row_name = {"length"},
    .write = rope_write,
};

const perp_joint_type joint_rod = {
    .name = "rod",
    .summary = "two points always a length apart: a rod without mass",
    .reference = "erleben-2005",
    .picture = "    .--------.              .--------.\n"
               "    | body i o==============o body j |\n"
               "    '--------'              '--------'\n"
               "             |<---- L ----->|\n"
               "    turns: 3 free\n"
               "    moves: 2 free, j on a sphere about i\n",
    .needs = PERP_JOINT_ANCHORS | PERP_JOINT_LENGTH,
    .rows = 1,
    .row_name = {"length"},
    .write = rope_write,
};
