/* SPDX-License-Identifier: Apache-2.0
 * verbs/list.h: entries of lists that other verbs show too. */
#ifndef PERP_VERBS_LIST_H
#define PERP_VERBS_LIST_H

#include <jansson.h>

#include "command/cli/args.h"

/** {"name", "sets", "operators", "options", …} */
json_t *list_solver_json(const perp_solver_type *s);
/** {"name", "kind", "default", "range", "help"} */
json_t *list_option_json(const perp_option *o);

/** {"name", "summary"} of each list. */
json_t *list_lists(void);
/** The entries of `perp info LIST --json`, a new reference; NULL: no such list. */
json_t *list_entries(const char *what);

/** Whether a word is the name of a list. */
bool list_detect(const char *word);
/** Print a list, or with NULL the list of lists. */
perp_status list_print(const cli_args *args, const char *word, perp_error *err);

#endif
