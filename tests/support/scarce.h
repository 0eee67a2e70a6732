/* SPDX-License-Identifier: Apache-2.0
 * tests/support/scarce.h: memory that runs out when a test says so.
 *
 * Programs that use it are linked with $(tests_scarce), by which the linker puts scarce.c
 * in place of malloc and its kin inside the static library. */
#ifndef PERP_TEST_SCARCE_H
#define PERP_TEST_SCARCE_H

#include "support.h"

/** From now on k allocations succeed and the next one fails, once. */
void scarce_begin(long k);
/** Enough memory again; whether an allocation failed since scarce_begin. */
bool scarce_end(void);

/** Run `work` with the k-th allocation failing, for k = 0, 1, ... until none fails any
 *  more. A call whose allocation failed must say so in err,
 *  unless it could do without. */
void scarce_everywhere(perp_status (*work)(void *context, perp_error *err), void *context,
                       const char *name);

#endif
