/* SPDX-License-Identifier: Apache-2.0
 * linear/velocity_private.h: what the files of linear/velocity.h share. Private. */
#ifndef PERP_LINEAR_VELOCITY_PRIVATE_H
#define PERP_LINEAR_VELOCITY_PRIVATE_H

#include "velocity.h"

/** M from the blocks of M^-1. Directions of infinite mass, on which M^-1 is zero, leave J. */
perp_status perp_velocity_invert_masses(perp_velocity *s, perp_error *err);

/** S for the present H; its part above the diagonal where it is unsymmetric. What has changed is
 *  added to s->changed. */
void perp_velocity_fill(perp_velocity *s, bool unsymmetric);

#endif
