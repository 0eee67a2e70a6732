/* SPDX-License-Identifier: Apache-2.0
 * read/urdf/pose.c: frames as a position and a quaternion: x -> r + R(q) x. */
#include <config.h>

#include <math.h>
#include <string.h>

#include <perp/dynamics/rotation.h>

#include "read/urdf/urdf.h"

void urdf_pose_multiply(const urdf_pose *a, const urdf_pose *b, urdf_pose *ab)
{
    perp_quat_rotate(a->q, b->r, ab->r);
    vec3_add(a->r, 1.0, ab->r, ab->r);
    perp_quat_multiply(a->q, b->q, ab->q);
    perp_quat_normalize(ab->q);
}

void urdf_pose_between(const urdf_pose *a, const urdf_pose *b, urdf_pose *out)
{
    double back[4];
    double arm[3];

    vec3_subtract(b->r, a->r, arm);
    perp_quat_rotate_back(a->q, arm, out->r);
    perp_quat_conjugate(a->q, back);
    perp_quat_multiply(back, b->q, out->q);
    perp_quat_normalize(out->q);
}

void urdf_pose_moved(const urdf_joint *j, double value, urdf_pose *out)
{
    urdf_pose move = {.q = {1.0}};

    if (j->moves == URDF_TURNS) {
        move.q[0] = cos(0.5 * value);
        vec3_scale(sin(0.5 * value), j->axis, move.q + 1);
    } else if (j->moves == URDF_SLIDES) {
        vec3_scale(value, j->axis, move.r);
    }
    urdf_pose_multiply(&j->origin, &move, out);
}
