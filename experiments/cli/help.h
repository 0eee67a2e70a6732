/* SPDX-License-Identifier: Apache-2.0
 * cli/help.h: help made from the tables of verbs and solvers. */
#ifndef PERP_CLI_HELP_H
#define PERP_CLI_HELP_H

#include <stdio.h>

#include "experiments/cli/args.h"

/** `perp --help`: the verbs, ended by NULL. */
void help_all(FILE *out, const cli_verb *const *verbs);
/** `perp VERB --help`; with a solver, its options as well. */
void help_verb(FILE *out, const cli_verb *verb, const perp_solver_type *type,
               const perp_solver_type *inner);
/** The rows of one option table: "--name VALUE   help [default; range]"; without those that
 *  a verb has under the same name. `verb` may be NULL. */
void help_options(FILE *out, const perp_option *table, const cli_verb *verb);
/** Is there an option of that name among the verb's own? `verb` may be NULL. */
bool help_has(const cli_verb *verb, const char *name);
/** What follows the name of an option: "X", "N", "on|off", "NAME" or "TEXT". */
const char *help_kind(const perp_option *o);
/** "0 < x < 2", "0 .. 10", "a, b or c": what an option accepts. */
void help_range(const perp_option *o, char *text, size_t length);
/** Its default, as it would be typed. */
void help_default(const perp_option *o, char *text, size_t length);

#endif
