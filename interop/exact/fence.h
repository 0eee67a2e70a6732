/* SPDX-License-Identifier: Apache-2.0
 * exact/fence.h: work that ends with a status where FLINT would end the program. */
#ifndef PERP_EXACT_FENCE_H
#define PERP_EXACT_FENCE_H

#include <perp/base.h>

/** Run work(context, err). Where memory is missing, FLINT and GMP end the program; in here the work
 *  ends with PERP_ERR_MEMORY instead. What the work held then is lost, and FLINT is not used again:
 *  later calls are PERP_ERR_MEMORY, too. `work` must not change what the caller reads after a
 *  failure, other than err. One thread at a time; not nested. */
perp_status exact_fenced(perp_status (*work)(void *context, perp_error *err),
                         void *context, perp_error *err);

#endif
