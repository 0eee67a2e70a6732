/* SPDX-License-Identifier: Apache-2.0
 * core/proof.h: the checkers of single kinds of certificates. Private. */
#ifndef PERP_CORE_PROOF_H
#define PERP_CORE_PROOF_H

#include "solvers.h"

/** Whether the active sets of c follow from one another by its rule. */
bool perp_proof_of_cycle(const perp_certificate *c, const perp_problem *p, char *why,
                         size_t length);

#endif
