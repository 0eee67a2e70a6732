/* SPDX-License-Identifier: Apache-2.0
 * reduced/rotors.c: rotors that turn with the axes of joints.
 *
 *     T = sum of I_r (J_a u)^2/2
 *
 * with the armature I_r of an axis and the gradient J_a of its coordinate. It is a
 * function of any velocities u of bodies, as the ledger of a step requires. The momentum
 * of rotors is neglected. */
#include <config.h>

#include "joints/joints.h"
#include "reduced/reduced.h"

perp_status reduced_rotors(const perp_joint *joint, const perp_joint_axes *axes,
                           perp_link *link, bool *rotors, perp_error *err)
{
    for (unsigned k = 0; k < PERP_JOINT_AXES; k++) {
        const double armature = joint->axes[k].armature;

        if (armature > 0.0 && axes->coordinate[k] < 0) {
            return perp_fail(err, PERP_ERR_UNSUITABLE,
                             "joint \"%s\": armature of axis %u, but mobilizer %s has no "
                             "such coordinate",
                             joint->name, k, link->mobilizer->name);
        }
        if (armature > 0.0) {
            link->armature[axes->coordinate[k]] = armature;
            *rotors = true;
        }
    }
    return PERP_OK;
}

static double rotor_energy(const perp_world *world, const perp_state *state,
                           const perp_joint *joint, unsigned k)
{
    perp_joint exact = *joint;
    perp_row row;
    double rate = 0.0;

    exact.exact = true; /* its rows are gradients also where axes are not square */
    if (joint->axes[k].armature == 0.0 ||
        !joint_coordinate(&exact, world, state, k, &row)) {
        return 0.0;
    }
    rate = perp_row_rate(row.J, perp_body_velocity(state, (size_t)joint->i),
                         perp_body_velocity(state, (size_t)joint->j));
    return 0.5 * joint->axes[k].armature * rate * rate;
}

double reduced_rotor_energy(const perp_world *world, const perp_state *state)
{
    const perp_reduced *r = world->reduced;
    double sum = 0.0;

    if (!r || !reduced_mine(r)->rotors) {
        return 0.0;
    }
    for (size_t j = 0; j < r->joints; j++) {
        const perp_joint *joint = &world->joints[j];

        for (unsigned k = 0; r->joint_link[j] >= 0 && k < joint->type->axes; k++) {
            sum += rotor_energy(world, state, joint, k);
        }
    }
    return sum;
}
