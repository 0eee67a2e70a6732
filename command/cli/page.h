/* SPDX-License-Identifier: Apache-2.0
 * cli/page.h: the manual page of a solver, from its table and the comment that opens its file,
 * and the manual of the command. */
#ifndef PERP_CLI_PAGE_H
#define PERP_CLI_PAGE_H

#include <stdio.h>

#include "command/cli/args.h"

/** The opening comment of a solver's file, made at build time. Ended by a NULL name. */
typedef struct solver_page {
    const char *name, *file, *text;
} solver_page;

extern const solver_page solver_pages[];

/** The page for a terminal. */
void page_text(FILE *out, const perp_solver_type *type, const perp_solver_type *inner);
/** The same as Markdown, with a link to its picture. */
void page_markdown(FILE *out, const perp_solver_type *type);
/** All solvers and their capabilities, as Markdown. */
void page_index(FILE *out);

/** A bit of a capability mask and its name. */
typedef struct page_bit {
    unsigned bit;
    const char *name;
} page_bit;

/** The capabilities of solvers; each array is ended by a NULL name. */
extern const page_bit page_sets[], page_laws[], page_storages[], page_demands[],
    page_certificates[];
/** Names of the bits that are set, joined by ", "; "-" for none. */
void page_join(const page_bit *rows, unsigned bits, char *text, size_t room);

/** man pages: perp(1), and perp-VERB(1) for one of `all`, which NULL ends. */
void manual_all(FILE *out, const cli_verb *const *verbs);
void manual_verb(FILE *out, const cli_verb *verb, const cli_verb *const *all);

#endif
