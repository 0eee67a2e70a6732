/* SPDX-License-Identifier: Apache-2.0
 * joints/fixed.c: two bodies as one.
 *
 *     phi = (r_i + R_i c0 - r_j, -e),   J = ((E, -[R_i c0]x, -E, 0); (0, E, 0, -E))
 *
 * with c0 = rest_i and e the rotation by which j leads i: a spherical joint at the centre
 * of j, and no rotation [erleben-2005]. The exact joint has the angle itself in e, so
 * that a motion along e shrinks an error of any size at the prescribed rate. In the
 * plane: three rows. */
#include <config.h>

#include <perp/dynamics/mobilizer.h>
#include <perp/dynamics/rotation.h>

#include "articulation/mobilizers.h"
#include "joints/joints.h"

static unsigned fixed_write(const perp_joint *joint, const perp_world *world,
                            const perp_state *state, perp_row rows[PERP_JOINT_ROWS])
{
    static const double none[3] = {0};
    joint_frame f;
    double offset[3];
    double gap[3];

    (void)world;
    joint_frame_now(joint, state, &f);
    joint_rest_offset(joint, &f, offset);
    vec3_subtract(offset, f.c, gap);
    joint_rows_point(rows, gap, offset, none);
    joint_rows_turn(joint, &f, rows + 3);
    return 6;
}

static bool fixed_reduce(const perp_joint *joint, const perp_world *world, bool turned,
                         bool euler, perp_link *link, perp_joint_axes *axes)
{
    static const double centre[3] = {0};
    joint_move m = {.type = &mobilizer_fixed, .at_i = joint->rest_i, .at_j = centre};

    (void)world;
    (void)euler;
    perp_rotation_matrix(joint->q_rest, m.rest);
    joint_mobilize(&m, turned, link, axes);
    return true;
}

const perp_joint_type joint_fixed = {
    .name = "fixed",
    .summary = "two bodies as one: no translation, no rotation",
    .reference = "erleben-2005",
    .picture = "   .--------..--------.\n"
               "   |        ||        |\n"
               "   | body i XX body j |     moves: none\n"
               "   |        ||        |     turns: none\n"
               "   '--------''--------'\n"
               "          welded\n",
    .needs = PERP_JOINT_REST,
    .rows = 6,
    .row_name = {"x", "y", "z", "turn x", "turn y", "turn z"},
    .write = fixed_write,
    .reduce = fixed_reduce,
};
