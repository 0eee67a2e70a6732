/* SPDX-License-Identifier: Apache-2.0
 * step/stabilize_baumgarte.c: position errors corrected by the velocity.
 *
 * Rows have erp phi/dt in their bias [baumgarte-1972]: an error shrinks by the factor 1 -
 * erp per step if the rows are satisfied. The bodies keep the correcting velocity, which
 * may add energy of the order of m (erp phi/dt)^2/2. The rows contain the whole method,
 * so its functions are NULL. */
#include <config.h>

#include "step/stepper.h"

const step_stabilizer step_stabilize_baumgarte = {
    .method = PERP_STABILIZE_BAUMGARTE,
};
