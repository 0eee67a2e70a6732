/* SPDX-License-Identifier: Apache-2.0
 * joints/spherical.c: two points together, all rotations free.
 *
 *     phi = p_i - p_j,   J = (E, -[rho_i]x, -E, [rho_j]x)
 *
 * exact for every pose [erleben-2005]. Coordinates: the rotation vector theta =
 * log(delta) of j from its rest pose, in axes of i, |theta| <= pi [grassia-1998];
 * coordinate k is its component along axis k of body i. Its row is its gradient,
 *
 *     J_k = (0, -g_k, 0, g_k),   g_k = R_i A^T e_k,
 *     A = E - [theta]x/2 + f [theta]x^2,   f = 1/t^2 - cot(t/2)/(2 t),   t = |theta|,
 *
 * exact as well; for small rotations it is R_i e_k. In the plane: two rows and the third
 * coordinate, the angle. At half a turn the vector jumps to its opposite, so its
 * components are not unwrapped. */
#include <config.h>

#include <perp/dynamics/mobilizer.h>
#include <perp/dynamics/rotation.h>

#include "articulation/mobilizers.h"
#include "joints/joints.h"

/* Below this angle f = 1/12 + t^2/720: the next term is t^4/30240. */
static const double small_angle = 1e-3;

static unsigned spherical_write(const perp_joint *joint, const perp_world *world,
                                const perp_state *state, perp_row rows[PERP_JOINT_ROWS])
{
    joint_frame f;

    (void)world;
    joint_frame_now(joint, state, &f);
    joint_rows_point(rows, f.gap, f.rho_i, f.rho_j);
    return 3;
}

/* g := A^T e_k = e_k + theta x e_k/2 + f theta x (theta x e_k). */
static void spherical_gradient(const double theta[3], unsigned k, double g[3])
{
    double t = vec3_length(theta);
    double f = t < small_angle ? 1.0 / 12.0 + t * t / 720.0
                               : 1.0 / (t * t) - 0.5 / (t * tan(0.5 * t));
    double once[3];
    double twice[3];

    vec3_set(g, k == 0, k == 1, k == 2);
    vec3_cross(theta, g, once);
    vec3_cross(theta, once, twice);
    vec3_add(g, 0.5, once, g);
    vec3_add(g, f, twice, g);
}

static bool spherical_coordinate(const perp_joint *joint, const perp_world *world,
                                 const perp_state *state, unsigned k, perp_row *row)
{
    joint_frame f;
    double delta[4];
    double theta[3];
    double g[3];

    joint_frame_now(joint, state, &f);
    joint_turned(joint, &f, delta);
    perp_quat_log(delta, theta);
    spherical_gradient(theta, k, g);
    perp_quat_rotate(f.q_i, g, g);
    joint_row_turn(row, -1.0, g, theta[k]);
    return joint_row_stays(world, row);
}

/* In space, exponential coordinates are the rotation vector, that of i against j its
 * opposite; Euler angles are other coordinates. In the plane, the turn about z. */
static bool spherical_reduce(const perp_joint *joint, const perp_world *world,
                             bool turned, bool euler, perp_link *link,
                             perp_joint_axes *axes)
{
    static const double z[3] = {0.0, 0.0, 1.0};
    const bool plane = world->dimension == 2;
    joint_move m = {.type = plane   ? &mobilizer_revolute
                            : euler ? &mobilizer_spherical_euler
                                    : &mobilizer_spherical,
                    .at_i = joint->anchor_i,
                    .at_j = joint->anchor_j,
                    .axis = {plane ? z : NULL}};

    perp_rotation_matrix(joint->q_rest, m.rest);
    joint_mobilize(&m, turned, link, axes);
    if (plane) {
        axes->coordinate[2] = axes->coordinate[0];
        axes->coordinate[0] = -1;
    } else if (!euler) {
        for (int k = 0; k < 3; k++) {
            axes->coordinate[k] = k;
            axes->sign[k] = turned ? -1.0 : 1.0;
        }
    }
    return true;
}

const perp_joint_type joint_spherical = {
    .name = "spherical",
    .summary = "two points together, all rotations free; in the plane a pin",
    .reference = "erleben-2005",
    .picture = "        \\  | body j\n"
               "         \\ |\n"
               "        .-\\|-.        turns: 3 free, the rotation\n"
               "       (   o   )      vector in axes of i\n"
               "        '-----'       moves: none\n"
               "           |\n"
               "           | body i\n",
    .needs = PERP_JOINT_ANCHORS | PERP_JOINT_REST,
    .rows = 3,
    .axes = 3,
    .axis_unit = {PERP_AXIS_ANGLE, PERP_AXIS_ANGLE, PERP_AXIS_ANGLE},
    .rotation_vector = true,
    .row_name = {"x", "y", "z"},
    .write = spherical_write,
    .coordinate = spherical_coordinate,
    .reduce = spherical_reduce,
};
