/* SPDX-License-Identifier: Apache-2.0
 * export/page.c: the index of a collection (CSV, RFC 4180) and its page (Markdown). */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/text.h"
#include "command/cli/csv.h"
#include "command/cli/machine.h"
#include "command/cli/output.h"
#include "command/cli/take.h"
#include "command/export/page.h"

static void page_cell(FILE *out, const char *text, const char *end)
{
    csv_text(out, text);
    fputs(end, out);
}

/* A text in one line of Markdown, without its marks and without HTML. */
static void page_text(FILE *out, const char *text)
{
    char *shown = take_made(perp_text_shown_new(text));

    for (const char *c = shown; *c; c++) {
        fprintf(out, strchr("\\`*_{}[]<>#|!&~$", *c) ? "\\%c" : "%c", *c);
    }
    free(shown);
}

/* Empty where it is not known. */
static void page_number(FILE *out, double x, const char *format)
{
    if (!isnan(x)) {
        fprintf(out, format, x);
    }
    putc(',', out);
}

void collection_print_index(FILE *out, const collection_page *page)
{
    fprintf(out, "name,file,kind,form,n,contacts,nonzeros,rank,condition,hash,source,"
                 "licence,remark\n");
    for (size_t k = 0; k < page->count; k++) {
        const collection_row *r = &page->rows[k];

        page_cell(out, r->name, ",");
        page_cell(out, r->file, ",");
        fprintf(out, "%s,%s,%zu,%zu,%zu,", r->kind, r->global ? "global" : "local", r->n,
                r->contacts, r->nonzeros);
        page_number(out, r->rank, "%.0f");
        page_number(out, r->condition, "%.3g");
        fprintf(out, "%016" PRIx64 ",", r->hash);
        page_cell(out, r->source, ",");
        page_cell(out, r->licence, ",");
        page_cell(out, r->remark, "\n");
    }
}

/* The first row of each kind. */
static bool page_first_of_kind(const collection_page *page, size_t k)
{
    for (size_t i = 0; i < k; i++) {
        if (strcmp(page->rows[i].kind, page->rows[k].kind) == 0) {
            return false;
        }
    }
    return true;
}

static void page_kind(FILE *out, const collection_page *page, const char *kind)
{
    size_t count = 0, least = SIZE_MAX, most = 0, contacts = 0;

    for (size_t k = 0; k < page->count; k++) {
        const collection_row *r = &page->rows[k];

        if (strcmp(r->kind, kind) == 0) {
            count++;
            least = r->n < least ? r->n : least;
            most = r->n > most ? r->n : most;
            contacts = r->contacts > contacts ? r->contacts : contacts;
        }
    }
    fprintf(out, "| %s | %zu | %zu to %zu | %zu |\n", kind, count, least, most, contacts);
}

static void page_kinds(FILE *out, const collection_page *page)
{
    fprintf(out,
            "| kind | problems | rows | most contacts |\n| --- | --- | --- | --- |\n");
    for (size_t k = 0; k < page->count; k++) {
        if (page_first_of_kind(page, k)) {
            page_kind(out, page, page->rows[k].kind);
        }
    }
}

static void page_columns(FILE *out, size_t most_rows)
{
    fprintf(out,
            "\n## The index\n\n`index.csv` has a row per problem:\n\n"
            "| column | meaning |\n| --- | --- |\n"
            "| name, file | its name, and its file; no file where the format cannot hold "
            "the problem |\n"
            "| kind | lcp, mlcp, blcp (bounds), blcp-findex (bounds that follow a normal "
            "impulse), fc2d, fc3d, rolling, mixed |\n"
            "| form | local: w = A z + b; global: M v = H r + f, u = H^T v + b |\n"
            "| n | rows of z and w |\n"
            "| contacts | contacts among them |\n"
            "| nonzeros | stored entries of A, or of M and H |\n"
            "| rank | singular values of A (or W) above n eps of the largest; empty for "
            "more than %zu rows |\n"
            "| condition | the largest singular value over the smallest of these |\n"
            "| hash | FNV-1a 64 of the set, the law, A (or M and H) and b: the same in "
            "every format |\n"
            "| source, licence | where it comes from, and under which licence; empty: "
            "none is stated |\n"
            "| remark | why there is no file, or what it does not hold |\n",
            most_rows);
}

void collection_print_page(FILE *out, const collection_page *page)
{
    const collection_orders *o = page->orders;

    fputs("# ", out);
    page_text(out, o->title);
    fprintf(out,
            "\n\n%zu problem%s of complementarity or contact, in the format %s (%s).\n\n",
            page->count, perp_plural(page->count), page->format->name,
            page->format->summary);
    page_kinds(out, page);
    page_columns(out, o->most_rows);
    output_print(
        out, OUTPUT_PLAIN,
        "\n## How it was made\n\n    %s\n\nby perp %s, commit %s. `perp convert FILE "
        "OTHER --to FORMAT` writes a problem in another\nformat, `perp solve FILE "
        "--solver NAME` solves it, `perp verify FILE SOLUTION` judges a solution of\n"
        "any tool.\n",
        o->command, perp_version(), machine_commit());
}
