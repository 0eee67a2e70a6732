/* SPDX-License-Identifier: Apache-2.0
 * judge/check.h: the checkers of single kinds of certificates. Private. */
#ifndef PERP_CORE_PROOF_H
#define PERP_CORE_PROOF_H

#include "core/solvers.h"

/** The verdict, told in `why` (NULL: not told) with its numbers. */
bool perp_proof_says(bool verdict, char *why, size_t length, const char *format, ...)
    PERP_PRINTF(4, 5);

/** Whether the active sets of c follow from one another by its rule. */
bool perp_proof_of_cycle(const perp_certificate *c, const perp_problem *p, char *why,
                         size_t length);

#endif
