/* SPDX-License-Identifier: Apache-2.0
 * formats/arrays_write.c: the description of a problem and its arrays, in a fixed
 * order. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "arrays.h"
#include "base/memory.h"

typedef struct arrays_writer {
    const perp_arrays_out *out;
    const perp_problem *p;
    perp_error *err;
    perp_status status; /* of the first failure; nothing is written after it */
} arrays_writer;

/* "Capsules: friction of each contact" */
static void comment_on(const arrays_writer *w, const char *what, char *comment,
                       size_t length)
{
    snprintf(comment, length, "%.120s: %s", w->p->name ? w->p->name : "a problem", what);
}

static void arrays_matrix(arrays_writer *w, const char *name, const perp_operator *A,
                          const char *what)
{
    char comment[256];

    if (w->status == PERP_OK && A) {
        comment_on(w, what, comment, sizeof comment);
        w->status = w->out->matrix(w->out, name, A, comment, w->err);
    }
}

static void arrays_vector(arrays_writer *w, const char *name, const double *x, size_t n,
                          const char *what)
{
    char comment[256];

    if (w->status == PERP_OK && x) {
        comment_on(w, what, comment, sizeof comment);
        w->status = w->out->vector(w->out, name, x, n, comment, w->err);
    }
}

/* One number for each block of the kinds of a column, or for each row; no array without such blocks. */
static void arrays_column(arrays_writer *w, int c)
{
    const perp_arrays_column *column = &perp_arrays_columns[c];
    const bool rows = strcmp(column->each, "row") == 0;
    const perp_set *set = w->p->set;
    double *x = NULL;
    size_t n = 0;

    if (w->status != PERP_OK || !(perp_set_kinds(set) & column->kinds)) {
        return;
    }
    x = perp_reals_new(set->n);
    if (!x) {
        w->status = perp_fail(w->err, PERP_ERR_MEMORY, "%s: no memory", w->out->file);
        return;
    }
    for (size_t i = 0; i < set->count; i++) {
        for (unsigned d = 0; d < (rows ? set->blocks[i].dim : 1); d++) {
            if (rows || set->blocks[i].kind & column->kinds) {
                x[n++] = perp_arrays_number(&set->blocks[i], c, w->out->first_row);
            }
        }
    }
    arrays_vector(w, column->name, x, n, column->what);
    free(x);
}

static void arrays_points(arrays_writer *w)
{
    const perp_problem *p = w->p;
    size_t dofs = p->global ? p->global->M->rows : 0;

    for (size_t i = 0; i < p->guess_count; i++) {
        char name[48];

        snprintf(name, sizeof name, "guess_%zu", i + 1);
        arrays_vector(w, name, p->guesses[i].z, p->n, "a starting point");
    }
    if (p->solution) {
        arrays_vector(w, "z", p->solution->z, p->n, "an answer z");
        arrays_vector(w, "w", p->solution->w, p->n, "its w = A z + b");
        arrays_vector(w, "v", p->global ? p->solution->v : NULL, dofs,
                      "its velocities v");
    }
}

/* The description to f. */
static void print_description(const arrays_writer *w, FILE *f)
{
    const perp_problem *p = w->p;
    size_t block_size = p->A ? p->A->block_size : 1;

    fprintf(f, "{\n  \"format\": \"%s\",\n  \"version\": 1,\n", w->out->format);
    perp_json_print_texts(f, p);
    fprintf(f, "  \"kind\": \"%s\",\n", perp_kind_name(perp_problem_kind(p)));
    fprintf(f, "  \"law\": \"%s\",\n",
            p->law == PERP_LAW_ASSOCIATED ? "associated" : "coulomb");
    fputs("  \"order\": \"normal-first\",\n", f);
    if (block_size > 1) {
        fprintf(f, "  \"edge\": %zu,\n", block_size);
    }
    if (p->guess_count > 0) {
        fprintf(f, "  \"guesses\": %zu,\n", p->guess_count);
    }
    fprintf(f, "  \"n\": %zu,\n  \"sets\": ", p->n);
    perp_json_print_sets(f, p->set);
    fputs("\n}\n", f);
}

static void arrays_description(arrays_writer *w)
{
    char *text = NULL;
    size_t length = 0;
    FILE *f = w->status == PERP_OK ? perp_memory_stream(&text, &length) : NULL;

    if (w->status != PERP_OK) {
        return;
    }
    if (f) {
        print_description(w, f);
    }
    if (!f || fclose(f) != 0) {
        w->status = perp_fail(w->err, PERP_ERR_MEMORY, "%s: no memory", w->out->file);
    } else {
        w->status = w->out->describe(w->out, text, length, w->err);
    }
    free(text);
}

perp_status perp_arrays_write(const perp_arrays_out *out, const perp_problem *p,
                              const char *kind, perp_error *err)
{
    arrays_writer w = {out, p, err, PERP_OK};
    const perp_kind found = perp_problem_kind(p);

    if (kind && strcmp(kind, perp_kind_name(found)) != 0) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: kind is \"%s\", but the problem is \"%s\"", out->file, kind,
                         perp_kind_name(found));
    }
    arrays_description(&w);
    if (p->global) {
        arrays_matrix(&w, "M", p->global->M, "mass matrix M");
        arrays_matrix(&w, "H", p->global->H, "H of M v = H r + G l + f");
        arrays_matrix(&w, "G", p->global->G, "G of G^T v + b = 0");
        arrays_vector(&w, "f", p->global->f, p->global->M->rows, "applied impulses f");
    } else {
        arrays_matrix(&w, "A", p->A, "A of w = A z + b");
    }
    arrays_vector(&w, "b", p->b, p->n, "b of w = A z + b, the free velocity");
    for (int c = 0; c < PERP_ARRAYS_COLUMNS; c++) {
        arrays_column(&w, c);
    }
    arrays_points(&w);
    return w.status;
}
