/* SPDX-License-Identifier: Apache-2.0
 * cli/help.h: help made from the tables of verbs and solvers. */
#ifndef PERP_CLI_HELP_H
#define PERP_CLI_HELP_H

#include <stdio.h>

#include "command/cli/args.h"

/** The residual in one sentence with its formula; docs/measures.md has all of it. */
extern const char help_residual[];
/** `perp --help`: the verbs, ended by NULL. */
void help_all(FILE *out, const cli_verb *const *verbs);
enum { HELP_TEXT = 1024 };
/** What stands for the value in help: its kind, "NAME" for long choices. */
const char *help_value(const cli_option *o);
/** The help of an option, with choices that are too long to stand for its value. */
void help_text(const cli_option *o, char text[HELP_TEXT]);
/** `perp VERB --help`: the usual options, or `all` of them; with a solver, its options as well. */
void help_verb(FILE *out, const cli_verb *verb, bool all, const perp_solver_type *type,
               const perp_solver_type *inner);
/** The rows of one option table: "--name VALUE   help [default; range]", without options
 *  of the same name in `verb`, which may be NULL. */
void help_options(FILE *out, const perp_option *table, const cli_verb *verb);
/** True when `verb`, which may be NULL, has an option of that name itself. */
bool help_has(const cli_verb *verb, const char *name);
/** The placeholder of the value of an option: "X", "N", "on|off", "NAME" or "TEXT". */
const char *help_kind(const perp_option *o);
/** The values that an option accepts: "0 < x < 2", "0 .. 10", "a|b|c". */
void help_range(const perp_option *o, char *text, size_t length);
/** Its default, as it would be typed. */
void help_default(const perp_option *o, char *text, size_t length);

#endif
