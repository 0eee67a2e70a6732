/* SPDX-License-Identifier: Apache-2.0
 * joints/state.c: coordinates, errors and stored energy of joints.
 *
 *     V = sum of k phi^2/2 over soft rows and gears
 *         + sum of k (q - rest)^2/2 over sprung axes
 *
 * A unilateral row stores energy only if it is violated. */
#include <config.h>

#include <perp/dynamics/force.h>

#include "joints/joints.h"

void perp_joint_anchors(const perp_joint *joint, const perp_state *state, double p_i[3],
                        double p_j[3])
{
    static const double centre[3] = {0};
    bool anchors = (joint->type->needs & PERP_JOINT_ANCHORS) != 0;

    perp_body_point(state, (size_t)joint->i, anchors ? joint->anchor_i : centre, p_i);
    perp_body_point(state, (size_t)joint->j, anchors ? joint->anchor_j : centre, p_j);
}

/* What is wrong in a row: of one that only pushes, the violation. */
static double row_error(const perp_joint *joint, const perp_row *row)
{
    return joint->type->unilateral ? fmin(row->phi, 0.0) : row->phi;
}

void perp_joint_drift(const perp_joint *joint, const perp_world *world,
                      const perp_state *state, double *length, double *angle)
{
    perp_row rows[PERP_JOINT_ROWS] = {{.phi = 0.0}};
    unsigned count = joint_rows_now(joint, world, state, rows);

    *length = *angle = 0.0;
    for (unsigned k = 0; k < count; k++) {
        double *most = rows[k].angular ? angle : length;

        *most = fmax(*most, fabs(row_error(joint, &rows[k])));
    }
    for (unsigned k = 0; k < joint->type->axes; k++) {
        double *most = joint->type->axis_unit[k] == PERP_AXIS_ANGLE ? angle : length;
        const int32_t index = joint->axes[k].gear.ratio != 0.0
                                  ? perp_world_find_joint(world, joint->name)
                                  : -1;

        if (index >= 0) {
            const double *axes = perp_joint_axes_of(state, (size_t)index);

            *most = fmax(*most, fabs(joint_gear_error(joint, world, state, axes, k)));
        }
    }
}

void perp_joint_track(const perp_joint *joint, const perp_world *world,
                      const perp_state *state, double axes[PERP_JOINT_AXES])
{
    for (unsigned k = 0; k < joint->type->axes; k++) {
        perp_row row;

        if (joint_axis(joint, world, state, axes, k, &row)) {
            axes[k] = row.phi;
        }
    }
}

double perp_joint_energy(const perp_joint *joint, const perp_world *world,
                         const perp_state *state, const double axes[PERP_JOINT_AXES])
{
    double sum = 0.0;

    if (!joint_is_enabled(joint, world)) {
        return 0.0;
    }
    if (joint->stiffness > 0.0 || joint->angular_stiffness > 0.0) {
        perp_row rows[PERP_JOINT_ROWS] = {{.phi = 0.0}};
        unsigned count = joint_rows_now(joint, world, state, rows);

        for (unsigned k = 0; k < count; k++) {
            double phi = row_error(joint, &rows[k]);

            sum += 0.5 * joint_softness_of(joint, rows[k].angular).stiffness * phi * phi;
        }
    }
    for (unsigned k = 0; k < joint->type->axes; k++) {
        const perp_axis *a = &joint->axes[k];
        perp_row row;

        if (a->stiffness > 0.0 && joint_axis(joint, world, state, axes, k, &row)) {
            sum += 0.5 * a->stiffness * (row.phi - a->rest) * (row.phi - a->rest);
        }
        if (a->gear.stiffness > 0.0) {
            const double phi = joint_gear_error(joint, world, state, axes, k);

            sum += 0.5 * a->gear.stiffness * phi * phi;
        }
    }
    return sum;
}

double perp_world_stored(const perp_world *world, const perp_state *state)
{
    double sum = 0.0;

    for (size_t k = 0; k < world->force_count; k++) {
        const perp_force *force = &world->forces[k];

        sum += force->type->energy ? force->type->energy(force, world, state) : 0.0;
    }
    for (size_t k = 0; k < world->joint_count; k++) {
        sum += perp_joint_energy(&world->joints[k], world, state,
                                 perp_joint_axes_of(state, k));
    }
    return sum;
}
