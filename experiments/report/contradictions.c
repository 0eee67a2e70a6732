/* SPDX-License-Identifier: Apache-2.0
 * report/contradictions.c: a problem that one run solved and another has shown to have no
 * solution.
 *
 * A certificate with radius R and margin m says that a point with s|z| = S < R has a natural map of
 * at least m (1 - S/R) (perp/certificate.h). A run that the judge has accepted with less than that,
 * the rounding of the judge included, contradicts it: one of the two is an error of perp. With a
 * larger residual, or with S >= R, both answers are true: the point solves the problem to the
 * tolerance, and no point solves it exactly within R. */
#include <config.h>

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    const contradiction *x = a, *y = b;

    return x->excluded != y->excluded ? (int)y->excluded - (int)x->excluded
                                      : (x->solved > y->solved) - (x->solved < y->solved);
}

/* A bound of a certificate: a number, null for infinity, or not stated. */
static double contradiction_bound(const json_t *certificate, const char *name)
{
    return member_number(certificate, name, INFINITY);
}

static contradiction contradiction_of(const stored_run *solved,
                                      const stored_run *certified)
{
    const json_t *c = contradiction_certificate(certified);
    const json_t *measures = json_object_get(solved->json, "measures");
    double beta_b = member_number(measures, "beta_b", 1.0);
    contradiction x = {.solved = solved,
                       .certified = certified,
                       .size = member_number(measures, "beta_z", 0.0),
                       .radius = contradiction_bound(c, "radius"),
                       .margin = contradiction_bound(c, "margin")};
    /* what the judge subtracts, and the rounding of n products per row */
    double rounding = (10.0 + solved->n) * DBL_EPSILON * x.size / beta_b;

    x.excluded = x.size < x.radius &&
                 solved->residual_given + rounding < x.margin * (1.0 - x.size / x.radius);
    return x;
}

/* The certificate that a solved run is named with; `of` are the runs of its problem. */
static contradiction contradiction_choose(const stored_run *solved,
                                          const stored_run *const *of, size_t count)
{
    contradiction best = {.solved = NULL};

    for (size_t k = 0; k < count && !best.excluded; k++) {
        if (contradiction_certificate(of[k])) {
            contradiction x = contradiction_of(solved, of[k]);

            best = !best.solved || x.excluded || x.radius > best.radius ? x : best;
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
            c->errors += c->list[c->count++].excluded;
        }
    }
}

perp_status contradictions_find(contradictions *c, const stored_runs *s, perp_error *err)
{
    const stored_run **order = calloc(s->count + 1, sizeof *order);
    size_t known = 0;

    *c = (contradictions){.list = calloc(s->count + 1, sizeof *c->list)};
    if (!order || !c->list) {
        free(order);
        contradictions_free(c);
        return perp_fail(err, PERP_ERR_MEMORY, "no memory to compare %zu runs", s->count);
    }
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
    return PERP_OK;
}

void contradictions_free(contradictions *c)
{
    free(c->list);
    *c = (contradictions){0};
}

/* A name on one line. */
static void contradiction_print_name(FILE *f, const char *name)
{
    for (; *name; name++) {
        unsigned char byte = (unsigned char)*name;

        fputc(byte < 0x20 || byte == 0x7f ? '?' : byte, f);
    }
}

void contradiction_print(FILE *f, const contradiction *x)
{
    contradiction_print_name(f, x->solved->instance);
    fputs(": \"", f);
    contradiction_print_name(f, x->solved->label);
    fprintf(f, "\" solved it (residual %.2g, s|z| <= %.2g), \"",
            x->solved->residual_given, x->size);
    contradiction_print_name(f, x->certified->label);
    fputs("\" certified that no solution exists", f);
    if (isfinite(x->radius)) {
        fprintf(f, " with s|z| <= %.2g", x->radius);
    }
    if (!x->excluded && x->size >= x->radius) {
        fputs("; the solution lies beyond: no contradiction", f);
    } else if (!x->excluded) {
        fprintf(f,
                "; a residual below %.2g is excluded: the problem is infeasible by less "
                "than the tolerance, no contradiction",
                x->margin * (1.0 - x->size / x->radius));
    }
}

void contradictions_summary(FILE *f, const contradictions *c)
{
    if (c->count == 0) {
        return;
    }
    fputs("Solved by one run, without a solution by the certificate of another:\n", f);
    for (size_t k = 0; k < c->count; k++) {
        fputs(c->list[k].excluded ? "error of perp: " : "", f);
        contradiction_print(f, &c->list[k]);
        fputc('\n', f);
    }
    fputc('\n', f);
}

static void contradiction_instance(const table_column *column, const void *row, FILE *f)
{
    (void)column;
    fputs(((const contradiction *)row)->solved->instance, f);
}

static void contradiction_label(const table_column *column, const void *row, FILE *f)
{
    const contradiction *x = row;

    fputs((column->key[0] == 's' ? x->solved : x->certified)->label, f);
}

static void contradiction_hash(const table_column *column, const void *row, FILE *f)
{
    (void)column;
    fputs(member_text(((const contradiction *)row)->solved->json, "hash"), f);
}

static double contradiction_residual(const table_column *column, const void *row)
{
    const stored_run *run = ((const contradiction *)row)->solved;

    return column->key[0] == 'r' ? run->residual_given : run->tolerance;
}

static void contradiction_verdict(const table_column *column, const void *row, FILE *f)
{
    const contradiction *x = row;

    (void)column;
    fputs(x->excluded            ? "error of perp"
          : x->size >= x->radius ? "beyond the radius"
                                 : "within the tolerance",
          f);
}

static const table_column contradiction_columns[] = {
    {.name = "instance", .text = contradiction_instance},
    {.name = "hash", .text = contradiction_hash},
    {.name = "solved_by", .text = contradiction_label, .key = "solved"},
    {.name = "tolerance", .real = contradiction_residual, .key = "tolerance"},
    {.name = "residual", .real = contradiction_residual, .key = "residual"},
    {TABLE_REAL_AT("size", NULL, NULL, contradiction, size)},
    {.name = "certified_by", .text = contradiction_label, .key = "certified"},
    {TABLE_REAL_AT("radius", NULL, NULL, contradiction, radius)},
    {TABLE_REAL_AT("margin", NULL, NULL, contradiction, margin)},
    {.name = "verdict", .text = contradiction_verdict},
    TABLE_COLUMN_END,
};

perp_status contradictions_csv(const contradictions *c, const char *dir, perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];
    perp_file_out o;
    table t;
    perp_status status = PERP_OK;

    if (c->count == 0) { /* that of earlier runs */
        snprintf(path, sizeof path, "%s/tables/contradictions.csv", dir);
        return unlink(path) == 0 || errno == ENOENT
                   ? PERP_OK
                   : perp_fail(err, PERP_ERR_WRITE, "%s: cannot remove: %s", path,
                               strerror(errno));
    }
    status = report_open(&o, err, "%s/tables/contradictions.csv", dir);
    if (status != PERP_OK) {
        return status;
    }
    table_start(&t, TABLE_AS_CSV, o.f, contradiction_columns);
    for (size_t k = 0; k < c->count; k++) {
        table_row(&t, &c->list[k]);
    }
    return report_close(&o, table_end(&t, err), err);
}

perp_status contradictions_report(const contradictions *c, const char *dir,
                                  perp_error *err)
{
    for (size_t k = 0; k < c->errors; k++) {
        fputs("perp: error of perp: ", stderr);
        contradiction_print(stderr, &c->list[k]);
        fputc('\n', stderr);
    }
    return c->errors == 0
               ? PERP_OK
               : perp_fail(err, PERP_ERR_DATA,
                           "%s: %zu solved run%s contradict%s a certificate, which is an "
                           "error of perp; "
                           "tables/contradictions.csv lists %s",
                           dir, c->errors, c->errors == 1 ? "" : "s",
                           c->errors == 1 ? "s" : "", c->errors == 1 ? "it" : "them");
}
