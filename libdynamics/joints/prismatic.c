/* SPDX-License-Identifier: Apache-2.0
 * joints/prismatic.c: translation along s = R_i s_i free, no rotation.
 *
 *     phi = (-e, -t1.(c - R_i c0), -t2.(c - R_i c0)),   c = r_j - r_i, c0 = rest_i
 *     J   = ((0, E, 0, -E); (t, (c x t)/2, -t, (c x t)/2) for t = t1, t2)
 *
 * e is the rotation by which j leads i. The arm (c x t)/2 on both bodies equals the
 * gradient (t, c x t, -t, 0) up to the first three rows, and both conserve momentum; the
 * exact joint has the gradient, and the angle itself in e [erleben-2005]. The tangents of
 * s_i rotate with body i.
 *
 * Coordinate: d = s.(c - R_i c0), with the row of t = s, negative: j moves along +s. In
 * the plane: the rotation and one tangent. */
#include <config.h>

#include <perp/dynamics/mobilizer.h>
#include <perp/dynamics/rotation.h>

#include "articulation/mobilizers.h"
#include "joints/joints.h"

/* Row of f t.(r_j - r_i), positive f: f times minus its gradient. */
static void prismatic_row(const perp_joint *joint, const joint_frame *f, double factor,
                          const double t[3], perp_row *row)
{
    static const double none[3] = {0};
    double offset[3];
    double lin[3];
    double arm[3];

    joint_rest_offset(joint, f, offset);
    vec3_subtract(f->c, offset, offset);
    vec3_scale(factor, t, lin);
    vec3_cross(f->c, lin, arm);
    if (!joint->exact) {
        vec3_scale(0.5, arm, arm);
    }
    joint_row(row, lin, arm, joint->exact ? none : arm, -vec3_dot(lin, offset));
}

static unsigned prismatic_write(const perp_joint *joint, const perp_world *world,
                                const perp_state *state, perp_row rows[PERP_JOINT_ROWS])
{
    joint_frame f;
    double t1[3];
    double t2[3];

    (void)world;
    joint_frame_now(joint, state, &f);
    joint_tangents(joint, &f, t1, t2);
    joint_rows_turn(joint, &f, rows);
    prismatic_row(joint, &f, 1.0, t1, &rows[3]);
    prismatic_row(joint, &f, 1.0, t2, &rows[4]);
    return 5;
}

static bool prismatic_coordinate(const perp_joint *joint, const perp_world *world,
                                 const perp_state *state, unsigned k, perp_row *row)
{
    joint_frame f;

    (void)k; /* there is one */
    joint_frame_now(joint, state, &f);
    prismatic_row(joint, &f, -1.0, f.s, row);
    return joint_row_stays(world, row);
}

static bool prismatic_reduce(const perp_joint *joint, const perp_world *world,
                             bool turned, bool euler, perp_link *link,
                             perp_joint_axes *axes)
{
    static const double centre[3] = {0};
    joint_move m = {.type = &mobilizer_prismatic,
                    .at_i = joint->rest_i,
                    .at_j = centre,
                    .axis = {joint->axis_i}};

    (void)world;
    (void)euler;
    perp_rotation_matrix(joint->q_rest, m.rest);
    joint_mobilize(&m, turned, link, axes);
    return true;
}

const perp_joint_type joint_prismatic = {
    .name = "prismatic",
    .summary = "translation along s free, no rotation",
    .reference = "erleben-2005",
    .picture = "        .--------.\n"
               "  ======| body j |======     moves: 1 free, j along +s\n"
               "        '--------'    ---> s turns: none\n"
               "  ======================\n"
               "        .--------.\n"
               "        | body i |\n"
               "        '--------'\n",
    .needs = PERP_JOINT_AXIS_I | PERP_JOINT_REST,
    .rows = 5,
    .axes = 1,
    .axis_unit = {PERP_AXIS_LENGTH},
    .row_name = {"turn x", "turn y", "turn z", "across 1", "across 2"},
    .write = prismatic_write,
    .coordinate = prismatic_coordinate,
    .reduce = prismatic_reduce,
};
