/* SPDX-License-Identifier: Apache-2.0
 * verbs/complete.h: words that may stand at the end of a command line, for the scripts of
 * cli/completion.h. They come from the tables that make the help. */
#ifndef PERP_VERBS_COMPLETE_H
#define PERP_VERBS_COMPLETE_H

#include <stdio.h>

#include "command/cli/args.h"

/** A word at work: candidates that begin with it are printed. */
typedef struct complete_at {
    FILE *out;
    const char *word; /**< what candidates begin with */
    const char
        *before; /**< what stands before it in the same word: "--law=", "generate:spd:" */
    int before_length;
    const cli_verb *verb;
    int argc; /**< words behind the verb, without the last one */
    char **argv;
} complete_at;

/** Print the candidates for the last of the words behind `perp`. */
void complete_words(FILE *out, int argc, char **argv);

/** Offer a candidate and its meaning, which may be NULL. */
void complete_offer(const complete_at *at, const char *name, const char *about);
/** Offer each of "a|b|c" or "a, b c". */
void complete_offer_list(const complete_at *at, const char *words);
/** Offer what a kind of value may be: "SOLVER", or one of several, "cold|guess|FILE". A number, or a
 *  text of one's own, has no candidates. */
void complete_value(const complete_at *at, const char *kind);

#endif
