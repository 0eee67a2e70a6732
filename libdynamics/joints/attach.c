/* SPDX-License-Identifier: Apache-2.0
 * joints/attach.c: the body-axes data of a joint from the present poses.
 *
 *     a = R^T (p - r),   s_i = R_i^T s,   rest_i = R_i^T (r_j - r_i),
 *     q_rest = q_i* q_j */
#include <config.h>

#include <perp/dynamics/rotation.h>

#include "base/base.h"
#include "joints/joints.h"

static const double out_of_plane[3] = {0.0, 0.0, 1.0};

static perp_status attach_axis(const perp_joint *joint, const double q[4],
                               const double along[3], char side, double axis[3],
                               perp_error *err)
{
    if (along) {
        perp_quat_rotate_back(q, along, axis);
    }
    if (!math_finite(axis, 3)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "joint \"%s\": axis on body %c is not finite", joint->name,
                         side);
    }
    if (!((along ? vec3_normalize(axis) : vec3_settle(axis)) > 0.0)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "joint \"%s\": axis on body %c has length zero, expected a "
                         "direction",
                         joint->name, side);
    }
    return PERP_OK;
}

/* Set the axes that the type needs; an axis that is not given is unchanged, or becomes z
 * if the joint rotates in the plane. */
static perp_status attach_axes(perp_joint *joint, const joint_frame *f,
                               const double *along_i, const double *along_j, bool plane,
                               perp_error *err)
{
    unsigned data = joint->type->needs;
    perp_status status = PERP_OK;

    if (data & PERP_JOINT_AXIS_I) {
        if (!along_i && plane && joint->type->plane_turns &&
            vec3_length(joint->axis_i) == 0.0) {
            along_i = out_of_plane;
        }
        status = attach_axis(joint, f->q_i, along_i, 'i', joint->axis_i, err);
    }
    if (status == PERP_OK && (data & PERP_JOINT_AXIS_J)) {
        status = attach_axis(joint, f->q_j, along_j ? along_j : along_i, 'j',
                             joint->axis_j, err);
    }
    return status;
}

static void attach_anchor(const perp_state *state, int32_t k, const double at[3],
                          double anchor[3])
{
    const double *pose = perp_body_pose(state, (size_t)k);

    vec3_subtract(at, pose, anchor);
    perp_quat_rotate_back(pose + 3, anchor, anchor);
}

static void attach_rest(perp_joint *joint, const perp_state *state)
{
    joint_frame f;
    double back[4];

    joint_frame_now(joint, state, &f);
    perp_quat_rotate_back(f.q_i, f.c, joint->rest_i);
    perp_quat_conjugate(f.q_i, back);
    perp_quat_multiply(back, f.q_j, joint->q_rest);
}

/* Set angle and length from the attached geometry; the largest angle of a cone and the
 * angle to hold are given by the caller. */
static void attach_measures(perp_joint *joint, const perp_state *state)
{
    joint_frame f;

    joint_frame_now(joint, state, &f);
    if (joint->type->axes_apart) {
        joint->theta = atan2(vec3_length(f.u), vec3_dot(f.s, f.s_j));
    }
    if ((joint->type->needs & PERP_JOINT_LENGTH) && joint->length == 0.0) {
        joint->length = vec3_length(f.gap);
    }
}

static perp_status attach_bodies(const perp_joint *joint, const perp_world *world,
                                 perp_error *err)
{
    if (!joint->type) {
        return perp_fail(err, PERP_ERR_DATA, "joint \"%s\": no type", joint->name);
    }
    return joint_check_bodies(joint, world, err);
}

perp_status perp_joint_attach(perp_joint *joint, const perp_world *world,
                              const perp_state *state, const double at[3],
                              const double along_i[3], const double along_j[3],
                              perp_error *err)
{
    perp_status status = attach_bodies(joint, world, err);
    bool plane = world->dimension == 2;
    joint_frame f;

    if (status != PERP_OK) {
        return status;
    }
    if (at && !math_finite(at, 3)) {
        return perp_fail(err, PERP_ERR_DATA, "joint \"%s\": its point is not finite",
                         joint->name);
    }
    joint_frame_now(joint, state, &f);
    TRY(attach_axes(joint, &f, along_i, along_j, plane, err));
    if (at && (joint->type->needs & PERP_JOINT_ANCHORS)) {
        attach_anchor(state, joint->i, at, joint->anchor_i);
        /* the ends of a rope or rod differ: the caller gives the one on j */
        if (!(joint->type->needs & PERP_JOINT_LENGTH)) {
            attach_anchor(state, joint->j, at, joint->anchor_j);
        }
    }
    attach_rest(joint, state);
    attach_measures(joint, state);
    return PERP_OK;
}
