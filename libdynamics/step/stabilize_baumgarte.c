/* SPDX-License-Identifier: Apache-2.0
 * step/stabilize_baumgarte.c: position errors corrected by the velocity itself.
 *
 * Rows have erp phi/dt in their bias [baumgarte-1972]: an error shrinks by 1 - erp a step
 * where rows are met, and the bodies keep the velocity that corrected it, which may add
 * energy: of the order of m (erp phi/dt)^2/2. The rows do all of it;
 * nothing is left to do here. */
#include <config.h>

#include "step/stepper.h"

const step_stabilizer step_stabilize_baumgarte = {
    .method = PERP_STABILIZE_BAUMGARTE,
};
