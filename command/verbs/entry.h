/* SPDX-License-Identifier: Apache-2.0
 * verbs/entry.h: perp info NAME, for a name that one of the lists of perp holds. */
#ifndef PERP_VERBS_ENTRY_H
#define PERP_VERBS_ENTRY_H

#include "command/cli/args.h"

/** Whether a list holds `word`. */
bool entry_detect(const char *word);
/** Print each entry of that name: its list, what it is, and its other members. */
perp_status entry_info(const cli_args *args, const char *word, perp_error *err);
/** PERP_ERR_READ: there is neither a file nor an entry of this name; names the nearest. */
perp_status entry_unknown(const char *word, perp_error *err);

#endif
