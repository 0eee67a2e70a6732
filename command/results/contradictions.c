/* SPDX-License-Identifier: Apache-2.0
 * report/contradictions.c: a problem that one run solved and another has shown to have no
 * solution. */
#include <config.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/number.h"
#include "command/cli/take.h"
#include "contradictions.h"
#include "files.h"
#include "table.h"

/* The certificate of a run that shows that there is no solution and was checked, or NULL. */
static const json_t *contradiction_certificate(const stored_run *run)
{
    const json_t *c = json_object_get(run->json, "certificate");

    return strcmp(member_text(c, "kind"), "infeasible") == 0 &&
                   json_is_true(json_object_get(c, "verified")) &&
                   !*member_text(c, "seen_by")
               ? c
               : NULL;
}

/* The member of the problem that a run is about. */
static int contradiction_compare_problems(const stored_run *a, const stored_run *b)
{
    static const char *const keys[] = {"hash", "formulation", "law"};
    int order = 0;

    for (size_t k = 0; k < sizeof keys / sizeof *keys && order == 0; k++) {
        order = strcmp(member_text(a->json, keys[k]), member_text(b->json, keys[k]));
    }
    return order;
}

/* By problem, then as stored. */
static int contradiction_compare_runs(const void *a, const void *b)
{
    const stored_run *const *x = a, *const *y = b;
    int order = contradiction_compare_problems(*x, *y);

    return order ? order : (*x > *y) - (*x < *y);
}

static int contradiction_compare(const void *a, const void *b)
{
    const contradiction_runs *x = a, *y = b;
    bool first = x->kind == CONTRADICTION_ERROR, second = y->kind == CONTRADICTION_ERROR;

    return first != second ? (int)second - (int)first
                           : (x->solved > y->solved) - (x->solved < y->solved);
}

/* A bound of a certificate: a number, null for infinity, or not stated. */
static double contradiction_bound(const json_t *certificate, const char *name)
{
    return member_number(certificate, name, INFINITY);
}

static contradiction_runs contradiction_of(const stored_run *solved,
                                           const stored_run *certified)
{
    const json_t *c = contradiction_certificate(certified);
    const json_t *measures = json_object_get(solved->json, "measures");
    double size = member_number(measures, "beta_z", 0.0);
    contradiction_runs pair = {
        .solved = solved,
        .certified = certified,
        .x = {.instance = solved->instance,
              .solved = solved->label,
              .certified = certified->label,
              .residual = solved->residual_given,
              .size = size,
              .rounding = contradiction_rounding(solved->n, size,
                                                 member_number(measures, "beta_b", 1.0)),
              .radius = contradiction_bound(c, "radius"),
              .margin = contradiction_bound(c, "margin")}};

    pair.kind = contradiction_decide(&pair.x);
    return pair;
}

/* The certificate that a solved run is named with; `of` are the runs of its problem. */
static contradiction_runs contradiction_choose(const stored_run *solved,
                                               const stored_run *const *of, size_t count)
{
    contradiction_runs best = {.solved = NULL};

    for (size_t k = 0; k < count; k++) {
        if (contradiction_certificate(of[k])) {
            contradiction_runs pair = contradiction_of(solved, of[k]);

            best = best.solved && !contradiction_worse(&pair.x, &best.x) ? best : pair;
        }
    }
    return best;
}

/* The runs of one problem. */
static void contradictions_of(contradictions *c, const stored_run *const *of,
                              size_t count)
{
    bool certified = false;

    for (size_t k = 0; k < count && !certified; k++) {
        certified = contradiction_certificate(of[k]) != NULL;
    }
    for (size_t k = 0; certified && k < count; k++) {
        if (of[k]->solved) {
            c->list[c->count] = contradiction_choose(of[k], of, count);
            c->errors += c->list[c->count++].kind == CONTRADICTION_ERROR;
        }
    }
}

void contradictions_find(contradictions *c, const stored_runs *s)
{
    const stored_run **order = take(s->count + 1, sizeof *order);
    size_t known = 0;

    *c = (contradictions){.list = take(s->count + 1, sizeof *c->list)};
    for (size_t i = 0; i < s->count; i++) {
        if (*member_text(s->runs[i].json, "hash")) {
            order[known++] = &s->runs[i];
        }
    }
    qsort(order, known, sizeof *order, contradiction_compare_runs);
    for (size_t from = 0, to = 0; from < known; from = to) {
        for (to = from + 1;
             to < known && contradiction_compare_problems(order[from], order[to]) == 0;
             to++) {
        }
        contradictions_of(c, order + from, to - from);
    }
    free(order);
    qsort(c->list, c->count, sizeof *c->list, contradiction_compare);
}

void contradictions_free(contradictions *c)
{
    free(c->list);
    *c = (contradictions){0};
}

void contradictions_summary(FILE *f, const contradictions *c)
{
    if (c->count == 0) {
        return;
    }
    fputs("Solved by one run, without a solution by the certificate of another:\n", f);
    for (size_t k = 0; k < c->count; k++) {
        fputs(c->list[k].kind == CONTRADICTION_ERROR ? "error of perp: " : "", f);
        contradiction_print(f, &c->list[k].x);
        fputc('\n', f);
    }
    fputc('\n', f);
}

static void contradiction_instance(const table_column *column, const void *row, FILE *f)
{
    (void)column;
    fputs(((const contradiction_runs *)row)->solved->instance, f);
}

static void contradiction_label(const table_column *column, const void *row, FILE *f)
{
    const contradiction_runs *pair = row;

    fputs((column->key[0] == 's' ? pair->solved : pair->certified)->label, f);
}

static void contradiction_hash(const table_column *column, const void *row, FILE *f)
{
    (void)column;
    fputs(member_text(((const contradiction_runs *)row)->solved->json, "hash"), f);
}

static double contradiction_residual(const table_column *column, const void *row)
{
    const stored_run *run = ((const contradiction_runs *)row)->solved;

    return column->key[0] == 'r' ? run->residual_given : run->tolerance;
}

static void contradiction_verdict(const table_column *column, const void *row, FILE *f)
{
    const contradiction_runs *pair = row;

    (void)column;
    fputs(contradiction_name(pair->kind), f);
}

/* All digits: rounded to nearest, a bound would say more than it does. */
static void contradiction_digits(const table_column *column, const void *row, FILE *f)
{
    const contradiction *x = &((const contradiction_runs *)row)->x;
    double bound = column->key[0] == 'r' ? x->radius : x->margin;
    char text[PERP_NUMBER_LENGTH];

    if (isfinite(bound)) {
        perp_number_format(text, bound);
        fputs(text, f);
    }
}

static const table_column contradiction_columns[] = {
    {.name = "instance", .text = contradiction_instance},
    {.name = "hash", .text = contradiction_hash},
    {.name = "solved_by", .text = contradiction_label, .key = "solved"},
    {.name = "tolerance", .real = contradiction_residual, .key = "tolerance"},
    {.name = "residual", .real = contradiction_residual, .key = "residual"},
    {TABLE_REAL_AT("size", NULL, NULL, contradiction_runs, x.size)},
    {.name = "certified_by", .text = contradiction_label, .key = "certified"},
    {.name = "radius", .text = contradiction_digits, .key = "radius"},
    {.name = "margin", .text = contradiction_digits, .key = "margin"},
    {.name = "verdict", .text = contradiction_verdict},
    TABLE_COLUMN_END,
};

perp_status contradictions_csv(const contradictions *c, const char *dir, perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];
    perp_file_out o;
    table t;

    if (c->count == 0) { /* that of earlier runs */
        snprintf(path, sizeof path, "%s/tables/contradictions.csv", dir);
        return unlink(path) == 0 || errno == ENOENT
                   ? PERP_OK
                   : perp_fail(err, PERP_ERR_WRITE, "%s: cannot remove: %s", path,
                               strerror(errno));
    }
    TRY(report_open(&o, err, "%s/tables/contradictions.csv", dir));
    table_start(&t, TABLE_AS_CSV, o.f, contradiction_columns);
    for (size_t k = 0; k < c->count; k++) {
        table_row(&t, &c->list[k]);
    }
    table_end(&t);
    return perp_file_commit(&o, err);
}

perp_status contradictions_report(const contradictions *c, const char *dir,
                                  perp_error *err)
{
    for (size_t k = 0; k < c->errors; k++) {
        fputs("perp: error of perp: ", stderr);
        contradiction_print(stderr, &c->list[k].x);
        fputc('\n', stderr);
    }
    return c->errors == 0
               ? PERP_OK
               : perp_fail(err, PERP_ERR_DATA,
                           "%s: %zu solved run%s contradict%s a certificate, which is an "
                           "error of perp; tables/contradictions.csv lists %s",
                           dir, c->errors, c->errors == 1 ? "" : "s",
                           c->errors == 1 ? "s" : "", c->errors == 1 ? "it" : "them");
}
