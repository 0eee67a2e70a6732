/* SPDX-License-Identifier: Apache-2.0
 * formats/golden_write.c: the writer of perp-golden. Members come in a fixed order and
 * numbers in their shortest form, so that the same problem gives the same bytes. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "golden.h"

typedef struct golden_writer {
    FILE *f;
    const perp_problem *p;
    char part; /* the member being written: i, j or v */
    size_t row;
    bool first;
} golden_writer;

static void write_entry(void *context, size_t j, double a)
{
    golden_writer *g = context;
    char number[PERP_NUMBER_LENGTH];

    fputs(g->first ? "" : ",", g->f);
    g->first = false;
    if (g->part == 'v') {
        perp_number_print(number, a);
        fputs(number, g->f);
    } else {
        fprintf(g->f, "%zu", g->part == 'i' ? g->row : j);
    }
}

static void write_matrix(golden_writer *g, const char *key)
{
    const perp_operator *A = g->p->A;
    char number[PERP_NUMBER_LENGTH];

    fprintf(g->f, "  \"%s\": {", key);
    if (A->type->storage == PERP_STORAGE_DENSE) {
        fprintf(g->f,
                "\"layout\":\"dense-row-major\",\"rows\":%zu,\"cols\":%zu,\"data\":[",
                A->rows, A->cols);
        for (size_t i = 0; i < A->rows; i++) {
            for (size_t j = 0; j < A->cols; j++) {
                perp_number_print(number, A->x[i + j * A->ld]);
                fprintf(g->f, "%s%s", i + j > 0 ? "," : "", number);
            }
        }
        fputs("]},\n", g->f);
        return;
    }
    fprintf(g->f, "\"layout\":\"coo\",\"rows\":%zu,\"cols\":%zu", A->rows, A->cols);
    if (A->block_size > 1) {
        fprintf(g->f, ",\"edge\":%zu", A->block_size);
    }
    for (const char *part = "ijv"; *part; part++) {
        g->part = *part;
        g->first = true;
        fprintf(g->f, ",\"%c\":[", *part);
        for (g->row = 0; g->row < A->rows; g->row++) {
            perp_operator_row_visit(A, g->row, write_entry, g);
        }
        fputc(']', g->f);
    }
    fputs("},\n", g->f);
}

/* One number per row, by a function of its block. */
static void write_column(FILE *f, const char *key, const perp_set *set,
                         double (*value)(const perp_block *k))
{
    char number[PERP_NUMBER_LENGTH];

    fprintf(f, "  \"%s\": [", key);
    for (size_t i = 0; i < set->count; i++) {
        perp_number_print(number, value(&set->blocks[i]));
        fprintf(f, "%s%s", i ? "," : "", number);
    }
    fputs("],\n", f);
}

static double block_lo(const perp_block *k)
{
    return k->kind == PERP_SET_BOX ? k->lo : k->kind == PERP_SET_NONNEG ? 0.0 : -INFINITY;
}

static double block_hi(const perp_block *k)
{
    return k->kind == PERP_SET_BOX ? k->hi : INFINITY;
}

static double block_mu(const perp_block *k)
{
    return k->mu;
}

static double block_normal(const perp_block *k)
{
    return k->kind == PERP_SET_FRICTION ? (double)k->normal : -1.0;
}

static void write_set(FILE *f, const perp_problem *p, perp_kind kind)
{
    if (kind == PERP_KIND_FC2D || kind == PERP_KIND_FC3D) {
        fprintf(f, "  \"nc\": %zu,\n", p->set->count);
        write_column(f, "mu", p->set, block_mu);
    } else if (kind == PERP_KIND_ROLLING || kind == PERP_KIND_MIXED) {
        fputs("  \"sets\": ", f);
        perp_json_print_sets(f, p->set, true);
        fputs(",\n", f);
    } else if (kind != PERP_KIND_LCP) {
        write_column(f, "lo", p->set, block_lo);
        write_column(f, "hi", p->set, block_hi);
    }
    if (kind == PERP_KIND_FINDEX) {
        write_column(f, "findex", p->set, block_normal);
        write_column(f, "mu", p->set, block_mu);
    }
}

static void write_points(FILE *f, const perp_problem *p, bool cones)
{
    if (p->guess_count > 0) {
        fputs("  \"guesses\": [", f);
        for (size_t i = 0; i < p->guess_count; i++) {
            fputs(i ? "," : "", f);
            perp_json_print_reals(f, p->guesses[i].z, p->n);
        }
        fputs("],\n", f);
    }
    fputs("  \"expect\": {", f);
    if (p->solution) {
        fprintf(f, "\"%s\":", cones ? "r" : "z");
        perp_json_print_reals(f, p->solution->z, p->n);
    }
    if (p->solution && p->solution->w) {
        fprintf(f, ",\"%s\":", cones ? "u" : "w");
        perp_json_print_reals(f, p->solution->w, p->n);
    }
    fputs("}\n", f);
}

static void write_problem(FILE *f, const perp_problem *p, perp_kind kind)
{
    bool cones = kind == PERP_KIND_FC2D || kind == PERP_KIND_FC3D;
    golden_writer g = {.f = f, .p = p};

    fputs("{\n  \"format\": \"perp-golden\",\n  \"version\": 1,\n", f);
    perp_json_print_texts(f, p);
    fprintf(f, "  \"kind\": \"%s\",\n", perp_kind_name(kind));
    if (p->law == PERP_LAW_ASSOCIATED) {
        fputs("  \"law\": \"associated\",\n", f);
    }
    if (cones || kind == PERP_KIND_ROLLING) {
        fputs("  \"order\": \"normal first\",\n", f);
    }
    fprintf(f, "  \"n\": %zu,\n", p->n);
    write_matrix(&g, cones ? "W" : "M");
    fprintf(f, "  \"%s\": ", cones ? "b" : "q");
    perp_json_print_reals(f, p->b, p->n);
    fputs(",\n", f);
    write_set(f, p, kind);
    write_points(f, p, cones);
    fputs("}\n", f);
}

/* The kind that stores this set block by block; bounds that read as another kind of block,
 * such as a BOX from 0 to infinity, are written as sets. */
static perp_kind golden_kind_of(const perp_problem *p)
{
    perp_kind kind = perp_problem_kind(p);

    if ((kind == PERP_KIND_MLCP || kind == PERP_KIND_BLCP || kind == PERP_KIND_FINDEX) &&
        !perp_set_is_bounds(p->set)) {
        return PERP_KIND_MIXED;
    }
    return kind;
}

perp_status perp_golden_write(perp_file_out *out, const perp_problem *p, const char *kind,
                              perp_error *err)
{
    perp_kind found = golden_kind_of(p);

    if (p->global || !p->A) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: perp-golden holds no global problem; condense it, or write "
                         "fclib, siconos or matrix-market",
                         out->path);
    }
    if (kind && strcmp(kind, "mixed") == 0) {
        found = PERP_KIND_MIXED; /* any set can be written as a list */
    } else if (kind && strcmp(kind, perp_kind_name(perp_problem_kind(p))) != 0) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: kind is \"%s\", but the problem is \"%s\"", out->path, kind,
                         perp_kind_name(perp_problem_kind(p)));
    }
    write_problem(out->f, p, found);
    return PERP_OK;
}
