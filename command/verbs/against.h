/* SPDX-License-Identifier: Apache-2.0
 * verbs/against.h: the end of perp compare: the report, and what has changed against other
 * results. */
#ifndef PERP_VERBS_AGAINST_H
#define PERP_VERBS_AGAINST_H

#include "command/cli/args.h"

/** Check the value of --against before anything is run: other results than those of `dir`. */
perp_status against_check(const cli_args *args, const char *dir, perp_error *err);
/** Make the report of `dir`, and with --against print what has changed. Returns an exit status:
 *  CLI_NOT_SOLVED on a regression. */
int against_finish(const cli_args *args, const char *dir, perp_error *err);
/** The same of results that are stored, where nothing is run. */
int against_stored(const cli_args *args, const char *dir, perp_error *err);

#endif
