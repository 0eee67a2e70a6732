/* SPDX-License-Identifier: Apache-2.0
 * joints/cylindrical.c: rotation about s = R_i s_i and translation along s free: a shaft
 * in a long bearing. The point of j stays on the line through that of i.
 *
 *     phi = (t1.(p_i - p_j), t2.(p_i - p_j), -t1.u, -t2.u),   u = s x s'
 *     J   = ((t, (p_j - r_i) x t, -t, -(rho_j x t)) for t = t1, t2; (0, t, 0, -t))
 *
 * The rows across are the gradients of their errors at every pose, because the tangents
 * rotate with body i; the swing rows are those of a revolute joint [erleben-2005].
 *
 * Coordinates: the angle of j about +s, 0 at rest, and d = s.(p_j - p_i). In the plane,
 * with an axis that lies there: two rows of a prismatic joint, and d. */
#include <config.h>

#include <perp/dynamics/mobilizer.h>

#include "articulation/mobilizers.h"
#include "joints/joints.h"

static unsigned cylindrical_write(const perp_joint *joint, const perp_world *world,
                                  const perp_state *state, perp_row rows[PERP_JOINT_ROWS])
{
    joint_frame f;
    double t1[3];
    double t2[3];

    (void)world;
    joint_frame_now(joint, state, &f);
    joint_tangents(joint, &f, t1, t2);
    joint_row_slide(&f, 1.0, t1, &rows[0]);
    joint_row_slide(&f, 1.0, t2, &rows[1]);
    joint_rows_swing(joint, &f, &rows[2]);
    return 4;
}

static bool cylindrical_coordinate(const perp_joint *joint, const perp_world *world,
                                   const perp_state *state, unsigned k, perp_row *row)
{
    joint_frame f;

    joint_frame_now(joint, state, &f);
    if (k == 0) {
        joint_twist(joint, &f, row);
    } else {
        joint_row_slide(&f, -1.0, f.s, row);
    }
    return joint_row_stays(world, row);
}

/* In the plane there is no rotation about s. */
static bool cylindrical_reduce(const perp_joint *joint, const perp_world *world,
                               bool turned, bool euler, perp_link *link,
                               perp_joint_axes *axes)
{
    const bool plane = world->dimension == 2;
    joint_move m = {.type = plane ? &mobilizer_prismatic : &mobilizer_cylindrical,
                    .at_i = joint->anchor_i,
                    .at_j = joint->anchor_j,
                    .axis = {joint->axis_i}};

    (void)euler;
    if (!joint_rest_turn(joint, joint->axis_i, m.rest)) {
        return false;
    }
    joint_mobilize(&m, turned, link, axes);
    axes->coordinate[1] = plane ? 0 : 1;
    axes->coordinate[0] = plane ? -1 : 0;
    return true;
}

const perp_joint_type joint_cylindrical = {
    .name = "cylindrical",
    .summary = "rotation about s and translation along s free",
    .reference = "erleben-2005",
    .picture = "         .----------.\n"
               "         |  body i  |\n"
               "   ______|__________|______\n"
               "  |  body j                |----> s\n"
               "  |________________________|\n"
               "         |          |        turns: 1 free, j about +s\n"
               "         '----------'        moves: 1 free, j along +s\n",
    .needs = PERP_JOINT_ANCHORS | PERP_JOINT_AXIS_I | PERP_JOINT_AXIS_J | PERP_JOINT_REST,
    .rows = 4,
    .axes = 2,
    .axis_unit = {PERP_AXIS_ANGLE, PERP_AXIS_LENGTH},
    .must_face = true,
    .row_name = {"across 1", "across 2", "swing 1", "swing 2"},
    .write = cylindrical_write,
    .coordinate = cylindrical_coordinate,
    .reduce = cylindrical_reduce,
};
