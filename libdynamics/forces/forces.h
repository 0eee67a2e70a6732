/* SPDX-License-Identifier: Apache-2.0
 * forces/forces.h: the force types of the registry,
 * and what their files share. Private. */
#ifndef PERP_FORCES_FORCES_H
#define PERP_FORCES_FORCES_H

#include <perp/dynamics/force.h>

#include "core.h"

extern const perp_force_type force_spring;
extern const perp_force_type force_torsion_spring;
extern const perp_force_type force_damper;
extern const perp_force_type force_drag;
extern const perp_force_type force_constant;
extern const perp_force_type force_user;

/** What messages call it: its own name, or that of its type. */
const char *force_name(const perp_force *force);
/** PERP_ERR_DATA unless the first `count` parameters are >= 0. */
perp_status force_check_signs(const perp_force *force, int count, perp_error *err);
/** PERP_ERR_DATA when the axis has length zero. */
perp_status force_check_axis(const perp_force *force, perp_error *err);
/** f += force F [N] on body k at the world point p. */
void force_add_at(const perp_state *state, int32_t k, const double F[3],
                  const double p[3], double *f);
/** Velocity of the point of body k that is at p now [m/s]. */
void force_point_velocity(const perp_state *state, int32_t k, const double p[3],
                          double v[3]);

#endif
