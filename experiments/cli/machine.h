/* SPDX-License-Identifier: Apache-2.0
 * cli/machine.h: what made the numbers: version, build, processor, BLAS. */
#ifndef PERP_CLI_MACHINE_H
#define PERP_CLI_MACHINE_H

#include <jansson.h>

/** One BLAS thread unless OPENBLAS_NUM_THREADS says otherwise: the same bits for the same
 *  input, and no second thread that waits in a loop while small matrices are multiplied. */
void machine_threads(void);

/** {"version","commit","compiler","flags","cpu","blas","threads"}; no name of the host.
 *  A new reference, or NULL when there is no memory. */
json_t *machine_json(void);
/** The commit this was built from, "unknown" outside a repository. */
const char *machine_commit(void);

#endif
