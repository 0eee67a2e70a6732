/* SPDX-License-Identifier: Apache-2.0
 * joints/revolute.c: two points together, rotation about s = R_i s_i free.
 *
 *     phi = (p_i - p_j, -t1.u, -t2.u),   u = s x s'
 *     J   = (position rows; (0, t1, 0, -t1); (0, t2, 0, -t2))
 *
 * u is the axis of the rotation of i that maps s to s', |u| the sine of the error. The
 * last two rows are exact at alignment and correct to first order in the error elsewhere;
 * exact ones, for -t1.u = t2.s' and -t2.u = -t1.s', have t2 x s' and -(t1 x s') for t1
 * and t2 [erleben-2005]. u = 0 for opposite axes as well, which the correction would not
 * change: the axes must have the same direction at the start. Tangents (t1, t2) of s_i
 * rotate with body i.
 *
 * Coordinate: the angle of j about +s, 0 at rest. In the plane: two rows, a pin. */
#include <config.h>

#include <perp/dynamics/mobilizer.h>

#include "articulation/mobilizers.h"
#include "joints/joints.h"

static unsigned revolute_write(const perp_joint *joint, const perp_world *world,
                               const perp_state *state, perp_row rows[PERP_JOINT_ROWS])
{
    joint_frame f;

    (void)world;
    joint_frame_now(joint, state, &f);
    joint_rows_point(rows, f.gap, f.rho_i, f.rho_j);
    joint_rows_swing(joint, &f, &rows[3]);
    return 5;
}

static bool revolute_coordinate(const perp_joint *joint, const perp_world *world,
                                const perp_state *state, unsigned k, perp_row *row)
{
    joint_frame f;

    (void)k; /* there is one */
    joint_frame_now(joint, state, &f);
    joint_twist(joint, &f, row);
    return joint_row_stays(world, row);
}

static bool revolute_reduce(const perp_joint *joint, const perp_world *world, bool turned,
                            bool euler, perp_link *link, perp_joint_axes *axes)
{
    joint_move m = {.type = &mobilizer_revolute,
                    .at_i = joint->anchor_i,
                    .at_j = joint->anchor_j,
                    .axis = {joint->axis_i}};

    (void)world;
    (void)euler;
    if (!joint_rest_turn(joint, joint->axis_i, m.rest)) {
        return false;
    }
    joint_mobilize(&m, turned, link, axes);
    return true;
}

const perp_joint_type joint_revolute = {
    .name = "revolute",
    .summary = "two points together, rotation about s free",
    .reference = "erleben-2005",
    .picture = "            s\n"
               "            ^\n"
               "           _|_\n"
               "   .------|   |\n"
               "   | body |   |------.     turns: 1 free, j about +s\n"
               "   |  i   |   | body |     moves: none\n"
               "   '------|   |  j   |\n"
               "          |___|------'\n",
    .needs = PERP_JOINT_ANCHORS | PERP_JOINT_AXIS_I | PERP_JOINT_AXIS_J | PERP_JOINT_REST,
    .rows = 5,
    .axes = 1,
    .axis_unit = {PERP_AXIS_ANGLE},
    .plane_turns = true,
    .must_face = true,
    .row_name = {"x", "y", "z", "swing 1", "swing 2"},
    .write = revolute_write,
    .coordinate = revolute_coordinate,
    .reduce = revolute_reduce,
};
