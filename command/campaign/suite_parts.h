/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_parts.h: the readers of the parts of a suite. Private to runner/suite*.c. */
#ifndef PERP_RUNNER_SUITE_PARTS_H
#define PERP_RUNNER_SUITE_PARTS_H

#include "command/campaign/suite_entries.h"

/** Names of all rules, "limits|tolerances|…", for document_keys; at most `length` bytes. */
void suite_rule_names(char *text, size_t length);
/** The defaults. */
void suite_rules_default(suite_rules *rules);
/** Replace the rules that d gives. */
perp_status suite_read_rules(suite_rules *rules, const document *d, perp_error *err);
/** "plugin": a file or a list of files, relative to the folder of the suite, which are loaded. */
perp_status suite_read_plugins(const suite *s, const document *root, perp_error *err);
/** "solvers": names, and objects whose options may be lists of values. */
perp_status suite_read_solvers(suite_set *set, suite_vary *vary, const document *d,
                               perp_error *err);
/** document_keys; the message names the schema, and the new word for an old one. */
perp_status suite_keys(const document *d, const char *known, perp_error *err);
/** Merge every "quick" of a suite over the object around it, and remove it; with SUITE_FULL
 *  only remove it. */
perp_status suite_merge_quick(json_t *root, suite_size size, const char *file,
                              perp_error *err);

#endif
