/* SPDX-License-Identifier: Apache-2.0
 * joints/mobilize.c: joints as mobilizers of a tree.
 *
 *     E_j = E_i [E a_i] Q(q) [R0 -R0 a_j]      (E_i, E_j body frames, E the identity)
 *
 * The joint frame is at the point a_i of body i, with its axes; R0 are the axes of j
 * relative to i at q = 0. With i on j, the inverse has the same form: the frames are
 * exchanged, and since Q rotates about axes and moves along them,
 *
 *     Q^-1 = (Q_a(q_0) Q_b(q_1))^-1 = Q_-b(q_1) Q_-a(q_0)
 *
 * is a mobilizer of the same type, about the opposite axes in reverse order. Its
 * coordinates are those of the joint, with the same signs. */
#include <config.h>

#include <perp/dynamics/mobilizer.h>
#include <perp/dynamics/rotation.h>

#include "articulation/mobilizers.h"
#include "joints/joints.h"

void joint_mobilize(const joint_move *m, bool turned, perp_link *link,
                    perp_joint_axes *axes)
{
    perp_frame on_i = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0}};
    perp_frame on_j = {{0}, {0}};
    const unsigned last = m->axis[1] ? 1 : 0;

    link->mobilizer = m->type;
    vec3_copy(on_i.p, m->at_i);
    memcpy(on_j.R, m->rest, sizeof on_j.R);
    mat3_apply(on_j.R, m->at_j, on_j.p);
    vec3_scale(-1.0, on_j.p, on_j.p);
    link->Ep = on_i;
    link->Ec = on_j;
    if (turned) {
        perp_frame_invert(&on_j, &link->Ep);
        perp_frame_invert(&on_i, &link->Ec);
    }
    for (unsigned k = 0; k < PERP_JOINT_AXES; k++) {
        axes->coordinate[k] = -1;
        axes->sign[k] = 1.0;
    }
    for (unsigned k = 0; k <= last && m->axis[0]; k++) {
        unsigned at = turned ? last - k : k;

        vec3_scale(turned ? -1.0 : 1.0, m->axis[k], link->axes + (ptrdiff_t)3 * at);
        axes->coordinate[k] = (int32_t)at;
    }
}

bool joint_rest_turn(const perp_joint *joint, const double to[3], double R0[9])
{
    double R[9];
    double least[9];
    double from[3];
    double k[3];
    double cosine = 0.0;

    perp_rotation_matrix(joint->q_rest, R);
    mat3_apply(R, joint->axis_j, from);
    vec3_cross(from, to, k);
    cosine = vec3_dot(from, to);
    if (1.0 + cosine <= joint_parallel) {
        return false;
    }
    /* about k = from x to: E + [k]x + [k]x^2/(1 + cos) */
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            least[3 * r + c] = k[r] * k[c] / (1.0 + cosine);
        }
        least[4 * r] += cosine;
    }
    least[1] -= k[2];
    least[2] += k[1];
    least[3] += k[2];
    least[5] -= k[0];
    least[6] -= k[1];
    least[7] += k[0];
    mat3_multiply(least, R, R0);
    return true;
}

bool joint_cardan_reduce(const perp_joint *joint, double cosine, double sine, bool turned,
                         perp_link *link, perp_joint_axes *axes)
{
    double second[3];
    double along = 0.0;
    joint_move m = {.type = &mobilizer_universal,
                    .at_i = joint->anchor_i,
                    .at_j = joint->anchor_j,
                    .axis = {joint->axis_i, second}};

    /* s' where both coordinates are 0: as at rest, at the angle to s that it keeps */
    perp_quat_rotate(joint->q_rest, joint->axis_j, second);
    along = vec3_dot(joint->axis_i, second);
    vec3_add(second, -along, joint->axis_i, second);
    if (vec3_normalize(second) <= joint_parallel) {
        return false;
    }
    vec3_scale(sine, second, second);
    vec3_add(second, cosine, joint->axis_i, second);
    vec3_normalize(second);
    if (!joint_rest_turn(joint, second, m.rest)) {
        return false;
    }
    joint_mobilize(&m, turned, link, axes);
    return true;
}
