/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_parts.h: the readers of the parts of a suite. Private to runner/suite*.c. */
#ifndef PERP_RUNNER_SUITE_PARTS_H
#define PERP_RUNNER_SUITE_PARTS_H

#include "experiments/runner/suite.h"

/** Keys of a set that suite_read_rules reads. */
#define SUITE_RULES                                                                      \
    "limits|tolerances|repeats|seed|start|history|formulation|law|policies|noise|"       \
    "coordinates|integrators|scheme|dt|time|steps"

/** What stands in d over the rules that are there. */
perp_status suite_read_rules(suite_rules *rules, const document *d, perp_error *err);

/** "instances": files, globs, calls; `folder` is that of the suite. */
perp_status suite_read_instances(suite_set *set, const char *folder, const document *d,
                                 perp_error *err);
/** "sequences": files, folders, globs, calls. */
perp_status suite_read_sequences(suite_set *set, const char *folder, const document *d,
                                 perp_error *err);
/** "scenes": names, files, each with parameters, and objects whose parameters may be
 *  lists of values. Each is read, and its settings are checked. */
perp_status suite_read_scenes(suite_set *set, const char *folder, const document *d,
                              perp_error *err);
/** "solvers": names, and objects whose options may be lists of values. */
perp_status suite_read_solvers(suite_set *set, const document *d, perp_error *err);

/** Add one; `shown` is the path as in the suite, `file` from where we are; `name` NULL:
 *  by the file. */
perp_status suite_add_instance(suite_set *set, const document *d, const char *shown,
                               const char *file, const perp_read_options *read,
                               const char *name, perp_error *err);
/** Add what a call stands for. */
typedef perp_status suite_add_call(suite_set *set, const char *folder, const document *d,
                                   const char *call, perp_error *err);
/** {"generate": "spd", "n": [50, 100], "seed": 7}: add the call of each combination;
 *  `key` is the member with its name, "generate" or "scene". */
perp_status suite_sweep_calls(suite_set *set, const char *folder, const document *d,
                              const char *key, suite_add_call *add, perp_error *err);

/** Room for one more of `size` bytes in an array; zeroed. NULL: no memory. */
void *suite_grow(void **items, size_t *count, size_t *room, size_t size);

#endif
