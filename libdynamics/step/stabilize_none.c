/* SPDX-License-Identifier: Apache-2.0
 * step/stabilize_none.c: position errors stay, and grow with those of the velocities. */
#include <config.h>

#include "step/stepper.h"

const step_stabilizer step_stabilize_none = {
    .method = PERP_STABILIZE_NONE,
};
