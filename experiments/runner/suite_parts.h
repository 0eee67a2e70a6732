/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_parts.h: the readers of the parts of a suite. Private to runner/suite*.c. */
#ifndef PERP_RUNNER_SUITE_PARTS_H
#define PERP_RUNNER_SUITE_PARTS_H

#include "experiments/runner/suite_entries.h"

/** Names of all rules, "limits|tolerances|…", for document_keys; at most `length` bytes. */
void suite_rule_names(char *text, size_t length);
/** The defaults. */
void suite_rules_default(suite_rules *rules);
/** Replace the rules that d gives. */
perp_status suite_read_rules(suite_rules *rules, const document *d, perp_error *err);
/** "solvers": names, and objects whose options may be lists of values. */
perp_status suite_read_solvers(suite_set *set, suite_vary *vary, const document *d,
                               perp_error *err);
/** Merge every "quick" of a suite over the object around it, and remove it; with SUITE_FULL
 *  only remove it. */
perp_status suite_merge_quick(json_t *root, suite_size size, const char *file,
                              perp_error *err);

#endif
