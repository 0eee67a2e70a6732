/* SPDX-License-Identifier: Apache-2.0
 * cli/page.c: the page of a solver: the comment of its file, its capabilities and its options. */
#include <config.h>

#include <ctype.h>
#include <string.h>

#include <perp/solver_type.h>

#include "command/cli/help.h"
#include "command/cli/output.h"
#include "command/cli/page.h"

const page_bit page_sets[] = {{PERP_SET_FREE, "free"}, {PERP_SET_NONNEG, "nonneg"},
                              {PERP_SET_BOX, "box"},   {PERP_SET_FRICTION, "friction"},
                              {PERP_SET_CONE, "cone"}, {PERP_SET_ROLLING, "rolling"},
                              {PERP_SET_DISK, "disk"}, {0, NULL}};
const page_bit page_laws[] = {{(1u << PERP_LAW_COULOMB), "coulomb"},
                              {(1u << PERP_LAW_ASSOCIATED), "associated"},
                              {0, NULL}};
const page_bit page_storages[] = {
    {PERP_STORAGE_DENSE, "dense"}, {PERP_STORAGE_CSR, "csr"},
    {PERP_STORAGE_BSR, "bsr"},     {PERP_STORAGE_FACTORED, "factored"},
    {PERP_STORAGE_PAIRS, "pairs"}, {0, NULL}};
const page_bit page_demands[] = {
    {PERP_DEMAND_SYMMETRIC, "symmetric"},
    {PERP_DEMAND_POSITIVE_DEFINITE, "positive-definite"},
    {PERP_DEMAND_POSITIVE_SEMIDEFINITE, "positive-semidefinite"},
    {PERP_DEMAND_POSITIVE_DIAGONAL, "positive-diagonal"},
    {0, NULL}};
const page_bit page_certificates[] = {{(1u << PERP_CERTIFICATE_INFEASIBLE), "infeasible"},
                                      {(1u << PERP_CERTIFICATE_RAY), "ray"},
                                      {(1u << PERP_CERTIFICATE_SINGULAR), "singular"},
                                      {(1u << PERP_CERTIFICATE_CYCLE), "cycle"},
                                      {0, NULL}};

void page_join(const page_bit *rows, unsigned bits, char *text, size_t room)
{
    size_t length = 0;

    snprintf(text, room, "-");
    for (; rows->name; rows++) {
        if ((bits & rows->bit) && length < room) {
            length += (size_t)snprintf(text + length, room - length, "%s%s",
                                       length ? ", " : "", rows->name);
        }
    }
}

static const solver_page *find_page(const char *name)
{
    const solver_page *page = solver_pages;

    while (page->name && strcmp(page->name, name) != 0) {
        page++;
    }
    return page->name ? page : NULL;
}

/* The capabilities, one line each: the name, then the value. */
static void each_fact(const perp_solver_type *type, FILE *out, const char *format)
{
    char text[160];
    const unsigned kinds = PERP_SET_CONE | PERP_SET_ROLLING;

    fprintf(out, format, "family", type->family);
    page_join(page_sets, type->sets.set_bits, text, sizeof text);
    fprintf(out, format, "sets", text);
    if (type->sets.set_bits & kinds) {
        page_join(page_laws, type->laws.law_bits, text, sizeof text);
        fprintf(out, format, "laws", text);
    }
    page_join(page_storages, type->storages.storage_bits, text, sizeof text);
    fprintf(out, format, "operators", text);
    page_join(page_demands, type->demands.demand_bits, text, sizeof text);
    fprintf(out, format, "demands", text);
    fprintf(out, format, "warm start",
            type->flags.flag_bits & PERP_FLAG_USES_START ? "saves iterations"
                                                         : "has no effect");
    page_join(page_certificates, type->certificates.certificate_bits, text, sizeof text);
    fprintf(out, format, "certificates", text);
    if (type->inner) {
        fprintf(out, format, "wraps", type->inner);
    }
    fprintf(out, format, "reference", *type->reference ? type->reference : "-");
    fprintf(out, format, "algorithm", type->algorithm ? type->algorithm : "-");
    if (type->additions) {
        fprintf(out, format, "added", type->additions);
    }
}

/* The steps of a row of a chain: "nsgs+newton, admm-ncp, nsgs; from a start first
 * prox-newton". */
static void chain_steps(const perp_chain_row *row, char *text, size_t room)
{
    size_t length = 0;

    text[0] = '\0';
    for (size_t k = 0; k < PERP_CHAIN_MAX && row->steps[k] && length < room; k++) {
        length += (size_t)snprintf(text + length, room - length, "%s%s", k ? ", " : "",
                                   row->steps[k]);
        if (row->share[k] > 0.0 && length < room) {
            length +=
                (size_t)snprintf(text + length, room - length, " (work at most %g of %s)",
                                 row->share[k], row->cost->name);
        }
    }
    if (row->warm && length < room) {
        length += (size_t)snprintf(text + length, room - length,
                                   "; from a start first %s", row->warm);
    }
    if (row->stalled && length < room) {
        snprintf(text + length, room - length, "; if the first stalls, then %s",
                 row->stalled);
    }
}

/* The rows of a chain, in the order in which they are tried. */
static void each_row(const perp_solver_type *type, FILE *out, const char *format)
{
    char text[512];

    for (const perp_chain_row *row = type->chain; row && row->situation; row++) {
        chain_steps(row, text, sizeof text);
        fprintf(out, format, row->situation, text);
    }
}

void page_text(FILE *out, const perp_solver_type *type, const perp_solver_type *inner)
{
    const solver_page *page = find_page(type->name);

    output_print(out, OUTPUT_STRONG, "%s", type->name);
    fprintf(out, ": %s\n\n", type->summary);
    if (page) {
        fprintf(out, "%s\n", page->text);
    }
    each_fact(type, out, "%-12s  %s\n");
    if (inner) {
        fprintf(out, "%-12s  %s\n", "inner", inner->name);
    }
    if (type->chain) {
        fputs("solvers, by the first situation that applies\n", out);
        each_row(type, out, "      %s:\n          %s\n");
    }
    fputs("options\n", out);
    if (!type->options || !type->options->name) {
        fputs("      none of its own\n", out);
    }
    help_options(out, type->options, NULL);
}

/* A cell of a Markdown table, in which a bar is escaped. */
static void cell(FILE *out, const char *text)
{
    for (fputc(' ', out); *text; text++) {
        fputs(*text == '|' ? "\\" : "", out);
        fputc(*text, out);
    }
    fputs(" |", out);
}

static void markdown_options(FILE *out, const perp_option *table)
{
    char usual[64], range[256];

    if (!table || !table->name) {
        fputs("\nNo options of its own.\n", out);
        return;
    }
    fputs("\n| option | default | range | |\n| --- | --- | --- | --- |\n", out);
    for (const perp_option *o = table; o->name; o++) {
        help_default(o, usual, sizeof usual);
        help_range(o, range, sizeof range);
        fprintf(out, "| `--%s` |", o->name);
        cell(out, usual);
        cell(out, range);
        cell(out, o->help);
        fputc('\n', out);
    }
}

void page_markdown(FILE *out, const perp_solver_type *type)
{
    const solver_page *page = find_page(type->name);

    fprintf(out, "# %s\n\n%s.\n\n```text\n%s```\n\n| | |\n| --- | --- |\n", type->name,
            type->summary, page ? page->text : "");
    each_fact(type, out, "| %s | %s |\n");
    if (type->chain) {
        fputs("\nThe first situation that applies names the solvers:\n\n"
              "| situation | solvers |\n| --- | --- |\n",
              out);
        each_row(type, out, "| %s | %s |\n");
    }
    markdown_options(out, type->options);
    fprintf(out, "\n![convergence of %s on three fixed instances](%s.svg)\n", type->name,
            type->name);
    if (page) {
        fprintf(out, "\nSource: `%s`\n", page->file);
    }
}

static void mark(FILE *out, const page_bit *rows, unsigned bits)
{
    for (; rows->name; rows++) {
        fputs(bits & rows->bit ? " x |" : " |", out);
    }
}

static void head(FILE *out, const page_bit *rows)
{
    for (; rows->name; rows++) {
        fprintf(out, " %s |", rows->name);
    }
}

/* The summaries, family by family. */
static void index_families(FILE *out)
{
    const char *family = "";

    fputs("# Solvers\n\n`perp info NAME` prints one of these pages, `perp info solvers` "
          "the "
          "lists below.\n",
          out);
    for (const perp_solver_type *const *s = perp_solvers(NULL); *s; s++) {
        if (strcmp(family, (*s)->family) != 0) {
            family = (*s)->family;
            fprintf(out, "\n## %c%s\n\n", toupper((unsigned char)*family), family + 1);
        }
        fprintf(out, "- [%s](%s.md): %s\n", (*s)->name, (*s)->name, (*s)->summary);
    }
}

/* Which published algorithm each name is, and what was added. */
static void index_algorithms(FILE *out)
{
    fputs(
        "\n## Published algorithms\n\nEach name is one algorithm. The second column says "
        "which one in the literature, the third\nwhat this implementation adds to it.\n\n"
        "| solver | published algorithm | added |\n| --- | --- | --- |\n",
        out);
    for (const perp_solver_type *const *s = perp_solvers(NULL); *s; s++) {
        fprintf(out, "| [%s](%s.md) | %s | %s |\n", (*s)->name, (*s)->name,
                (*s)->algorithm ? (*s)->algorithm : "-",
                (*s)->additions ? (*s)->additions : "-");
    }
}

void page_index(FILE *out)
{
    const page_bit *const groups[] = {page_sets, page_laws, page_storages, page_demands,
                                      page_certificates};
    size_t columns = 3;

    index_families(out);
    index_algorithms(out);
    fputs("\n## Sets, laws, storages, demands of A, and certificates\n\n| solver | "
          "family |",
          out);
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        head(out, groups[g]);
        for (const page_bit *row = groups[g]; row->name; row++) {
            columns++;
        }
    }
    fputs(" warm |\n|", out);
    for (size_t k = 0; k < columns; k++) {
        fputs(" --- |", out);
    }
    fputc('\n', out);
    for (const perp_solver_type *const *s = perp_solvers(NULL); *s; s++) {
        fprintf(out, "| [%s](%s.md) | %s |", (*s)->name, (*s)->name, (*s)->family);
        mark(out, page_sets, (*s)->sets.set_bits);
        mark(out, page_laws, (*s)->laws.law_bits);
        mark(out, page_storages, (*s)->storages.storage_bits);
        mark(out, page_demands, (*s)->demands.demand_bits);
        mark(out, page_certificates, (*s)->certificates.certificate_bits);
        fputs((*s)->flags.flag_bits & PERP_FLAG_USES_START ? " x |\n" : " |\n", out);
    }
}
