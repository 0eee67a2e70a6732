/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_parts.h: the readers of the parts of a suite. Private to runner/suite*.c. */
#ifndef PERP_RUNNER_SUITE_PARTS_H
#define PERP_RUNNER_SUITE_PARTS_H

#include "experiments/runner/document.h"
#include "experiments/runner/suite.h"

/** "instances": files, globs, calls; `folder` is that of the suite. */
perp_status suite_read_instances(suite_set *set, const char *folder, const document *d,
                                 perp_error *err);
/** "sequences": files, folders, globs, calls. */
perp_status suite_read_sequences(suite_set *set, const char *folder, const document *d,
                                 perp_error *err);
/** "solvers": names, and objects whose options may be lists of values. */
perp_status suite_read_solvers(suite_set *set, const document *d, perp_error *err);

/** Room for one more of `size` bytes in an array; zeroed. NULL: no memory. */
void *suite_grow(void **items, size_t *count, size_t *room, size_t size);

#endif
