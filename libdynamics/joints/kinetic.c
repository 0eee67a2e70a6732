/* SPDX-License-Identifier: Apache-2.0
 * joints/kinetic.c: the kinetic energy of bodies and of the rotors that turn with joints.
 *
 *     T = sum of (m v.v + w.I w)/2 + sum of I_r (J_a u)^2/2
 *
 * with the armature I_r of an axis and the gradient J_a of its coordinate. It is a
 * function of any velocities u of bodies, as the ledger of a step requires. The momentum
 * of rotors is neglected. */
#include <config.h>

#include "joints/joints.h"
#include "world/trees.h"

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

/* Of a world in reduced coordinates. */
static double rotors_energy(const perp_world *world, const perp_state *state)
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

double perp_world_kinetic(const perp_world *w, const perp_state *state)
{
    double sum = rotors_energy(w, state);

    for (size_t k = 0; k < w->body_count; k++) {
        if (w->motion[k] == PERP_MOTION_DYNAMIC) {
            const double *u = perp_body_velocity(state, k);
            double L[3];

            world_spin(w, state, k, L);
            sum += 0.5 * (w->mass[k] * vec3_dot(u, u) + vec3_dot(u + 3, L));
        }
    }
    return sum;
}
