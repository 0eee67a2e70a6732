/* SPDX-License-Identifier: Apache-2.0
 * joints/user.c: a limit C(s) >= 0 of the user's own.
 *
 *     J = dC/ds S,   dC/dt = J u
 *
 * as the callback gives them. Anchors, axes and rest pose are there for it to read. A row
 * of zeros, which no impulse can change, is left out. */
#include <config.h>

#include "joints/joints.h"

static unsigned user_write(const perp_joint *joint, const perp_world *world,
                           const perp_state *state, perp_row rows[PERP_JOINT_ROWS])
{
    bool zero = true;

    memset(rows, 0, sizeof *rows);
    rows->phi = joint->call(joint->context, world, state, joint, rows->J);
    for (int k = 0; k < 12; k++) {
        zero = zero && rows->J[k] == 0.0;
    }
    rows->angular = true;
    for (int k = 0; k < 3; k++) {
        rows->angular = rows->angular && rows->J[k] == 0.0 && rows->J[6 + k] == 0.0;
    }
    return zero ? 0 : 1;
}

const perp_joint_type joint_user = {
    .name = "user",
    .summary = "a limit C >= 0 that a user's function evaluates with its row",
    .reference = "erleben-2005",
    .picture = "      C < 0  |  C > 0\n"
               "      .......|                 turns: 3 free\n"
               "      .......|   o body j      moves: 3 free, C >= 0\n"
               "      .......|     seen from i\n"
               "      .......|\n"
               "           C = 0\n",
    .needs = PERP_JOINT_CALL,
    .rows = 1,
    .unilateral = true,
    .row_name = {"limit"},
    .write = user_write,
};
