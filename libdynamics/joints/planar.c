/* SPDX-License-Identifier: Apache-2.0
 * joints/planar.c: moves in a plane of body i with the normal s = R_i s_i, and the turn
 * about it.
 *
 *     phi = (s.(p_i - p_j), -t1.u, -t2.u),   u = s x s'
 *     J   = ((s, (p_j - r_i) x s, -s, -(rho_j x s)); (0, t1, 0, -t1); (0, t2, 0, -t2))
 *
 * The first row is the gradient of its error at every pose; those of swing are those of a revolute joint
 * [erleben-2005].
 *
 * Coordinates: x = e1.(p_j - p_i) and y = e2.(p_j - p_i) along axes of the plane, e1
 * the x axis of body i brought into it (or its y axis, see joint_plane), e2 = s x e1, and
 * the angle of j about +s, 0 at rest. A two-dimensional world is such a plane: no row is
 * left there, the coordinates are. */
#include <config.h>

#include <perp/dynamics/mobilizer.h>
#include <perp/dynamics/rotation.h>

#include "articulation/mobilizers.h"
#include "joints/joints.h"

static unsigned planar_write(const perp_joint *joint, const perp_world *world,
                             const perp_state *state, perp_row rows[PERP_JOINT_ROWS])
{
    joint_frame f;

    (void)world;
    joint_frame_now(joint, state, &f);
    joint_row_slide(&f, 1.0, f.s, &rows[0]);
    joint_rows_swing(joint, &f, &rows[1]);
    return 3;
}

static bool planar_coordinate(const perp_joint *joint, const perp_world *world,
                              const perp_state *state, unsigned k, perp_row *row)
{
    joint_frame f;

    joint_frame_now(joint, state, &f);
    if (k == 2) {
        joint_twist(joint, &f, row);
    } else {
        double e[2][3];

        joint_plane(joint->axis_i, e[0], e[1]);
        perp_quat_rotate(f.q_i, e[k], e[k]);
        joint_row_slide(&f, -1.0, e[k], row);
    }
    return joint_row_stays(world, row);
}

/* Seen from j, the moves of i are along axes that turn: other coordinates. */
static bool planar_reduce(const perp_joint *joint, const perp_world *world, bool turned,
                          bool euler, perp_link *link, perp_joint_axes *axes)
{
    joint_move m = {.type = &mobilizer_planar,
                    .at_i = joint->anchor_i,
                    .at_j = joint->anchor_j,
                    .axis = {joint->axis_i}};
    double e2[3];

    (void)world;
    (void)euler;
    if (!joint_rest_turn(joint, joint->axis_i, m.rest)) {
        return false;
    }
    joint_mobilize(&m, turned, link, axes);
    joint_plane(joint->axis_i, link->axes + 3, e2);
    axes->coordinate[0] = turned ? -1 : 0;
    axes->coordinate[1] = turned ? -1 : 1;
    axes->coordinate[2] = 2;
    return true;
}

const perp_joint_type joint_planar = {
    .name = "planar",
    .summary = "translations in a plane of i with normal s, and rotation about s, free",
    .reference = "erleben-2005",
    .picture = "               s\n"
               "               ^  body j\n"
               "            .--|-----.\n"
               "       ____/___|____/|_____\n"
               "      /   '--------'/     /    turns: 1 free, j about +s\n"
               "     /  body i   '-'     /     moves: 2 free, j across s\n"
               "    /___________________/\n",
    .needs = PERP_JOINT_ANCHORS | PERP_JOINT_AXIS_I | PERP_JOINT_AXIS_J | PERP_JOINT_REST,
    .rows = 3,
    .axes = 3,
    .axis_unit = {PERP_AXIS_LENGTH, PERP_AXIS_LENGTH, PERP_AXIS_ANGLE},
    .plane_turns = true,
    .must_face = true,
    .row_name = {"normal", "swing 1", "swing 2"},
    .write = planar_write,
    .coordinate = planar_coordinate,
    .reduce = planar_reduce,
};
