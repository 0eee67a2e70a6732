/* SPDX-License-Identifier: Apache-2.0
 * verbs/verbs.h: the verbs of the command, and functions that several of them share. */
#ifndef PERP_VERBS_H
#define PERP_VERBS_H

#include <jansson.h>

#include "command/campaign/instance.h"
#include "command/cli/args.h"
#include "command/cli/output.h"

extern const cli_verb verb_solve;
extern const cli_verb verb_verify;
extern const cli_verb verb_compare;
extern const cli_verb verb_plot;
extern const cli_verb verb_simulate;
extern const cli_verb verb_view;
extern const cli_verb verb_convert;
extern const cli_verb verb_generate;
extern const cli_verb verb_info;
extern const cli_verb verb_paper;

/** Ended by NULL. */
extern const cli_verb *const verbs[];
const cli_verb *verb_find(const char *name);
/** What replaces a verb of earlier versions, "convert"; NULL: it was no verb. */
const char *verb_replacement(const char *name);

/** Rows of a table of options: how an instance is read, and how it is reformulated. */
#define VERB_READ_OPTIONS                                                                \
    {"kind", 0, "KIND", "kind of problem in the file, if it cannot be detected"},        \
        {"format", 0, "FORMAT", "format of the file, if it cannot be detected"},         \
        {"item", 0, "K", "case of a batch, counted from 0"},                             \
    {                                                                                    \
        "symmetric-upper", 0, NULL, "the file stores only the upper triangle of M"       \
    }
#define VERB_FRICTION "coulomb|associated|box|pyramid:N"
#define VERB_PROBLEM_OPTIONS                                                             \
    {                                                                                    \
        "friction", 0, VERB_FRICTION,                                                    \
            "law of friction; associated: the convex relaxation [that of the problem]"   \
    }

/** The request that these options make for `path`. */
perp_status verb_request(const cli_args *args, const char *path,
                         instance_request *request, perp_error *err);
/** The option --friction of perp solve: with --formulated it changes the instance, else the problem that
 *  the solver solves. */
void verb_formulate(const cli_args *args, perp_options *opt, instance_request *request);

/** `perp solve --sequence`. A *stop that is not 0 ends it after the current step.
 *  *solved: whether all steps were solved. */
perp_status verb_solve_sequence(const cli_args *args, const volatile int *stop,
                                bool *solved, perp_error *err);
/** Write JSON to a file, completely or not at all. The reference is released. */
perp_status verb_write_json(json_t *json, const char *path, perp_error *err);

/** Print a failure as an answer of one line, for compare. */
void verb_print_failure(const perp_error *failure);

/** "fc3d, 156 rows, 52 contacts, 5328 nonzeros, bsr": a problem in one line. */
void verb_describe(const perp_problem *p, char *text, size_t length);
/** Print to standard error what the file that was just written does not hold, unless --quiet is
 *  given. */
void verb_print_left_out(const cli_args *args, const perp_problem *p, const char *path,
                         const char *format);
/** "20 steps, t = 0.01 .. 0.2, fc3d, 84 .. 96 rows, 28 .. 32 contacts"; reads
 *  all steps. */
perp_status verb_describe_sequence(const perp_sequence *s, char *text, size_t length,
                                   perp_error *err);

#endif
