/* SPDX-License-Identifier: Apache-2.0
 * joints/gear.c: gears between axes, q = ratio q_other + offset.
 *
 * An axis follows at most one other axis, so that gears without a cycle are trees and never
 * contradict each other. */
#include <config.h>

#include "base/base.h"
#include "joints/joints.h"

double joint_gear_error(const perp_joint *joint, const perp_world *world,
                        const perp_state *state, const double *axes, unsigned k)
{
    const perp_gear *gear = &joint->axes[k].gear;
    const perp_joint *other = &world->joints[gear->joint];
    perp_row row;
    perp_row row_other;

    if (!joint_is_enabled(joint, world) || !joint_is_enabled(other, world) ||
        !joint_axis(joint, world, state, axes, k, &row) ||
        !joint_axis(other, world, state, perp_joint_axes_of(state, (size_t)gear->joint),
                    gear->axis, &row_other)) {
        return 0.0;
    }
    return row.phi - gear->ratio * row_other.phi - gear->offset;
}

/* Whether the gear of axis k of `joint` leads, by other gears, back to that axis. */
static bool gear_is_cyclic(const perp_world *world, int32_t joint, unsigned k,
                           const perp_gear *gear)
{
    for (size_t n = 0; gear->ratio != 0.0 && n <= PERP_JOINT_AXES * world->joint_count;
         n++) {
        if (gear->joint == joint && gear->axis == k) {
            return true;
        }
        gear = &world->joints[gear->joint].axes[gear->axis].gear;
    }
    return false;
}

/* Whether axis k of this joint is one that a gear can hold. */
static perp_status gear_check_axis(const perp_world *world, int32_t joint, unsigned k,
                                   perp_error *err)
{
    const perp_joint *j = NULL;
    double axes[PERP_JOINT_AXES] = {0.0};
    perp_row row;

    if (joint < 0 || (size_t)joint >= world->joint_count) {
        return perp_fail(err, PERP_ERR_DATA,
                         "gear: joint is number %d, expected one of %zu joint%s, from 0",
                         (int)joint, world->joint_count, perp_plural(world->joint_count));
    }
    j = &world->joints[joint];
    if (k >= j->type->axes || j->type->rotation_vector ||
        !joint_axis(j, world, world->start, axes, k, &row)) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "joint \"%s\": axis %u of a %s joint cannot have a gear, expected "
            "an angle or length of its own",
            j->name, k + 1, j->type->name);
    }
    return PERP_OK;
}

static perp_status gear_check_numbers(const perp_joint *joint, const perp_gear *gear,
                                      perp_error *err)
{
    const double numbers[] = {gear->cfm, gear->stiffness, gear->damping};
    static const char *const names[] = {"cfm", "stiffness", "damping"};

    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        if (!(numbers[n] >= 0.0) || isinf(numbers[n])) {
            return perp_fail(err, PERP_ERR_DATA,
                             "joint \"%s\": %s of the gear is %g, expected a number >= 0",
                             joint->name, names[n], numbers[n]);
        }
    }
    if (!isfinite(gear->ratio) || !isfinite(gear->offset)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "joint \"%s\": %s of the gear is %g, expected a finite number",
                         joint->name, isfinite(gear->ratio) ? "offset" : "ratio",
                         isfinite(gear->ratio) ? gear->offset : gear->ratio);
    }
    return PERP_OK;
}

perp_status perp_world_set_gear(perp_world *world, int32_t joint, unsigned k,
                                const perp_gear *gear, perp_error *err)
{
    TRY(gear_check_axis(world, joint, k, err));
    if (gear->ratio != 0.0) {
        TRY(gear_check_axis(world, gear->joint, gear->axis, err));
    }
    TRY(gear_check_numbers(&world->joints[joint], gear, err));
    if (gear->joint == joint && gear->axis == k && gear->ratio != 0.0) {
        return perp_fail(err, PERP_ERR_DATA,
                         "joint \"%s\": its axis %u has a gear with itself, expected "
                         "another axis",
                         world->joints[joint].name, k + 1);
    }
    if (gear_is_cyclic(world, joint, k, gear)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "joint \"%s\": its gear with joint \"%s\" closes a cycle of "
                         "gears, expected none",
                         world->joints[joint].name, world->joints[gear->joint].name);
    }
    world->joints[joint].axes[k].gear = *gear;
    return PERP_OK;
}
