/* SPDX-License-Identifier: Apache-2.0
 * verbs/facts_print.c: the numbers of an instance as text, as JSON, and drawn. */
#include <config.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "command/cli/answer.h"
#include "command/cli/output.h"
#include "command/cli/plot.h"
#include "command/cli/take.h"
#include "command/verbs/facts.h"
#include "command/verbs/verbs.h"

static json_t *facts_json_range(const double range[2])
{
    return isnan(range[0])
               ? json_null()
               : json_pack("[o, o]", answer_real(range[0]), answer_real(range[1]));
}

static json_t *facts_json_origin(const perp_origin *o)
{
    if (!o) {
        return json_null();
    }
    return json_pack("{s:s?, s:I, s:o, s:o, s:s?, s:o, s:s?, s:s?}", "source", o->source,
                     "step", (json_int_t)o->step, "time",
                     o->timed ? answer_real(o->time) : json_null(), "dt",
                     o->timed ? answer_real(o->dt) : json_null(), "version", o->version,
                     "hash", o->hash ? answer_hash(o->hash) : json_null(), "units",
                     o->units, "licence", o->licence);
}

/* Singular values, or null where they were not computed. */
static json_t *facts_json_spectrum(const facts *f)
{
    return f->ranked ? answer_vector(f->spectrum.sigma, f->spectrum.n) : json_null();
}

const char *facts_definite_text(facts_definite definite)
{
    static const char *const texts[] = {
        [FACTS_NOT_KNOWN] = "unknown",
        [FACTS_DEFINITE] = "positive definite",
        [FACTS_SEMIDEFINITE] = "positive semidefinite to rounding",
        [FACTS_INDEFINITE] = "indefinite",
    };

    return texts[definite];
}

/* true, false or null */
static json_t *facts_json_p(facts_p p)
{
    return p == FACTS_P_NOT_KNOWN                                ? json_null()
           : p == FACTS_NOT_P_DIAGONAL || p == FACTS_NOT_P_MINOR ? json_false()
                                                                 : json_true();
}

static json_t *facts_json_sets(const facts *f)
{
    json_t *sets = json_object();

    for (unsigned bit = 0; bit < 7; bit++) {
        if (f->blocks[bit]) {
            json_object_set_new(sets, perp_set_kind_name((perp_set_kind)(1u << bit)),
                                json_integer((json_int_t)f->blocks[bit]));
        }
    }
    return sets;
}

static const char *facts_law(const perp_problem *p)
{
    return p->law == PERP_LAW_ASSOCIATED ? "associated" : "coulomb";
}

/* Of the matrix. */
static json_t *facts_json_matrix(const facts *f)
{
    const perp_operator *A = f->in->problem->A;
    const perp_arrays stored = perp_operator_arrays(A);

    return json_pack(
        "{s:s, s:I, s:I, s:I, s:I, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o, "
        "s:o}",
        "storage", perp_storage_name(stored.storage), "block_size",
        (json_int_t)stored.block_size, "nonzeros", (json_int_t)perp_operator_nonzeros(A),
        "nonzero_entries", (json_int_t)f->nonzeros, "bandwidth", (json_int_t)f->bandwidth,
        "asymmetry", answer_real(f->asymmetry), "symmetric",
        (int)perp_operator_is_symmetric(A), "entries", facts_json_range(f->entries),
        "diagonal", facts_json_range(f->diagonal), "rank",
        f->ranked ? json_integer((json_int_t)f->rank) : json_null(), "condition",
        f->ranked ? answer_real(f->condition) : json_null(), "singular_values",
        facts_json_spectrum(f), "p_matrix", facts_json_p(f->p), "definite",
        facts_definite_text(f->definite), "least_eigenvalue", answer_real(f->eigenvalue),
        "b", facts_json_range(f->b));
}

json_t *facts_json(const facts *f)
{
    const perp_problem *p = f->in->problem, *given = f->in->given;
    json_t *notes = json_array(), *matrix = facts_json_matrix(f), *o = NULL;

    for (size_t k = 0; k < f->in->notes.count; k++) {
        json_array_append_new(notes, json_string(f->in->notes.line[k]));
    }
    o = json_pack(
        "{s:s, s:s?, s:s?, s:s, s:b, s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:I, s:b, s:o, "
        "s:I, s:o}",
        "name", f->in->name, "title", given->title, "description", given->description,
        "kind", perp_kind_name(perp_problem_kind(p)), "global", given->global != NULL,
        "law", facts_law(p), "n", (json_int_t)p->n, "contacts",
        (json_int_t)perp_problem_contacts(p), "blocks", (json_int_t)p->set->count, "mu",
        facts_json_range(f->mu), "hash", answer_hash(perp_problem_hash(p)), "sets",
        facts_json_sets(f), "guesses", (json_int_t)given->guess_count, "solution",
        given->solution != NULL, "origin", facts_json_origin(given->origin), "labels",
        (json_int_t)(given->labels ? given->labels->count : 0), "notes", notes);
    if (!matrix || !o || json_object_update(o, matrix) != 0) {
        json_decref(o);
        o = NULL;
    }
    json_decref(matrix);
    return o;
}

/* "25: 10 contact, 15 joint" */
static void facts_print_labels(FILE *out, const perp_labels *labels)
{
    size_t count[PERP_LABEL_AUXILIARY + 1] = {0};
    char text[256] = "";
    size_t used = 0;

    for (size_t k = 0; k < labels->count; k++) {
        count[labels->at[k].kind]++;
    }
    for (size_t kind = 0; kind <= PERP_LABEL_AUXILIARY; kind++) {
        if (count[kind] > 0) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%zu %s",
                                     used ? ", " : "", count[kind],
                                     perp_label_kind_name((perp_label_kind)kind));
        }
    }
    output_fact(out, "labels", "%zu: %s", labels->count, text);
}

static void facts_print_origin(FILE *out, const perp_origin *o)
{
    if (o->source) {
        output_fact(out, "source", "%s", o->source);
    }
    if (o->step) {
        output_fact(out, "step", "%zu", o->step);
    }
    if (o->timed) {
        output_fact(out, "time", "%g s, dt %g s", o->time, o->dt);
    }
    if (o->version) {
        output_fact(out, "made by", "%s", o->version);
    }
    if (o->hash) {
        output_fact(out, "source hash", "%016llx", (unsigned long long)o->hash);
    }
    if (o->units) {
        output_fact(out, "units", "%s", o->units);
    }
    if (o->licence) {
        output_fact(out, "licence", "%s", o->licence);
    }
}

static void facts_print_range(FILE *out, const char *name, const double range[2])
{
    if (isnan(range[0])) {
        return;
    }
    if (range[0] > 0.0 && range[1] > range[0]) {
        output_fact(out, name, "%g .. %g, ratio %.2g", range[0], range[1],
                    range[1] / range[0]);
    } else {
        output_fact(out, name, "%g .. %g", range[0], range[1]);
    }
}

/* Size, blocks and law. */
static void facts_print_head(FILE *out, const facts *f)
{
    const perp_problem *p = f->in->problem, *given = f->in->given;
    char text[256] = ": ";

    verb_describe(p, text + 2, sizeof text - 2);
    output_print(out, OUTPUT_STRONG, "%s", f->in->name);
    output_text(out, 12, strlen(f->in->name), text);
    if (given->title) {
        output_fact(out, "title", "%s", given->title);
    }
    if (given->global) {
        verb_describe(given, text, sizeof text);
        output_fact(out, "given as", "%s; condensed here", text);
    }
    output_fact(out, "blocks", "%zu", p->set->count);
    for (unsigned bit = 0; bit < 7; bit++) {
        if (f->blocks[bit]) {
            output_fact(out, perp_set_kind_name((perp_set_kind)(1u << bit)), "%zu",
                        f->blocks[bit]);
        }
    }
    output_fact(out, "law", "%s", facts_law(p));
    facts_print_range(out, "mu", f->mu);
}

/* Entries and their sizes. */
static void facts_print_entries(FILE *out, const facts *f)
{
    const perp_problem *p = f->in->problem;

    output_fact(out, "entries", "%zu not zero of %zu x %zu (%.3g%%), bandwidth %zu",
                f->nonzeros, p->n, p->n,
                p->n ? 100.0 * (double)f->nonzeros / ((double)p->n * (double)p->n) : 0.0,
                f->bandwidth);
    facts_print_range(out, "|A_ij|", f->entries);
    facts_print_range(out, "diagonal", f->diagonal);
    if (!isnan(f->b[0])) {
        output_fact(out, "|b_i|", "%g .. %g", f->b[0], f->b[1]);
    }
    output_fact(out, "asymmetry", "%.2g%s", f->asymmetry,
                perp_operator_is_symmetric(p->A) ? ": symmetric" : "");
}

/* What is certain of the definiteness, and why. */
static void facts_print_properties(FILE *out, const facts *f)
{
    static const char *const p[] = {
        [FACTS_P_NOT_KNOWN] = "not known",
        [FACTS_P_DEFINITE] = "yes: the symmetric part is positive definite",
        [FACTS_P_TRIANGULAR] = "yes: triangular with a positive diagonal",
        [FACTS_P_DOMINANT] = "yes: each row is dominated by its positive diagonal entry",
        [FACTS_P_MINORS] = "yes: all principal minors were computed and are positive",
        [FACTS_NOT_P_MINOR] = "no: a principal minor was computed and is negative",
    };
    const char *symmetric =
        perp_operator_is_symmetric(f->in->problem->A) ? "A" : "the symmetric part of A";

    if (f->definite == FACTS_DEFINITE) {
        output_fact(out, "definite", "%s is positive definite, certified by Cholesky",
                    symmetric);
    } else if (f->definite != FACTS_NOT_KNOWN) {
        output_fact(out, "definite", "%s is %s, least eigenvalue %.2e", symmetric,
                    facts_definite_text(f->definite), f->eigenvalue);
    }
    if (f->p == FACTS_NOT_P_DIAGONAL) {
        output_fact(out, "P-matrix", "no: the diagonal entry of row %zu is %g", f->row,
                    perp_operator_diagonal(f->in->problem->A, f->row));
    } else {
        output_fact(out, "P-matrix", "%s", p[f->p]);
    }
}

static void facts_print_rank(FILE *out, const facts *f)
{
    size_t n = f->in->problem->n;

    if (f->ranked) {
        output_fact(out, "rank", "%zu of %zu, singular values %.2e .. %.2e", f->rank, n,
                    f->spectrum.sigma[n - 1], f->spectrum.sigma[0]);
        output_fact(out, "condition", "%.3g%s", f->condition,
                    f->rank < n ? " of the singular values above 1e-10 of the largest"
                                : "");
    } else if (n > f->limit) {
        output_fact(out, "rank",
                    "not computed for %zu row%s, more than %zu: --spectrum %zu computes "
                    "it, with about %.0e operations",
                    n, perp_plural(n), f->limit, n, 4.0 * pow((double)n, 3.0));
    }
}

static void facts_print_rest(FILE *out, const facts *f)
{
    const perp_problem *given = f->in->given;

    output_fact(out, "hash", "%016llx",
                (unsigned long long)perp_problem_hash(f->in->problem));
    output_fact(out, "stored", "%zu guess%s, %s solution", given->guess_count,
                given->guess_count == 1 ? "" : "es", given->solution ? "a" : "no");
    if (given->origin) {
        facts_print_origin(out, given->origin);
    }
    if (given->labels) {
        facts_print_labels(out, given->labels);
    }
    for (size_t k = 0; k < f->in->notes.count; k++) {
        output_fact(out, "note", "%s", f->in->notes.line[k]);
    }
}

static void facts_print_edge(FILE *out, bool unicode, bool top, size_t columns)
{
    fprintf(out, "%12s%s", "", unicode ? top ? "\xe2\x94\x8c" : "\xe2\x94\x94" : "+");
    for (size_t k = 0; k < columns; k++) {
        fputs(unicode ? "\xe2\x94\x80" : "-", out);
    }
    fprintf(out, "%s\n", unicode ? top ? "\xe2\x94\x90" : "\xe2\x94\x98" : "+");
}

/* The dots of the pattern, `merged` x `merged` of them in one of the canvas. */
static void facts_draw_dots(const facts *f, plot_canvas *c, size_t merged)
{
    for (size_t i = 0; i < f->dots; i++) {
        for (size_t j = 0; j < f->dots; j++) {
            if (f->dot[i * f->dots + j]) {
                plot_dot(c, j / merged, i / merged);
            }
        }
    }
}

/* Where A is not zero, in a frame; a dot in ASCII is half a character, and so are the rows. */
static void facts_draw_pattern(FILE *out, const facts *f)
{
    enum { ASCII_DOTS = 40 };
    const bool unicode = output_has_unicode(out);
    const char *bar = unicode ? "\xe2\x94\x82" : "|";
    size_t n = f->in->problem->n, room = output_width(out) - 14;
    size_t most = unicode ? 2 * room : room < ASCII_DOTS ? room : ASCII_DOTS;
    size_t merged = (f->dots + most - 1) / most;
    size_t dots = (f->dots + merged - 1) / merged;
    size_t columns = unicode ? (dots + 1) / 2 : dots;
    plot_canvas c;

    plot_open(&c, columns, (dots + (unicode ? 3 : 1)) / (unicode ? 4 : 2), unicode);
    facts_draw_dots(f, &c, merged);
    fputs("pattern", out);
    fprintf(out, dots < n ? ", a dot for %.3g x %.3g entries\n" : ", a dot per entry\n",
            (double)n / (double)dots, (double)n / (double)dots);
    facts_print_edge(out, unicode, true, columns);
    for (size_t row = 0; row < c.rows; row++) {
        fprintf(out, "%12s%s", "", bar);
        plot_print(&c, row, true, out);
        fprintf(out, "%s\n", bar);
    }
    facts_print_edge(out, unicode, false, columns);
    plot_close(&c);
}

/* The singular values in descending order, and the line above which they count. */
static void facts_draw_spectrum(FILE *out, const facts *f)
{
    enum { WIDTH = 72, HEIGHT = 8 };
    size_t width = output_width(out), n = f->spectrum.n;
    double *index = take_reals(n + 1);
    plot_curve curve = {.x = index,
                        .y = f->spectrum.sigma,
                        .count = n,
                        .x_name = "index",
                        .y_name = "singular values",
                        .level = f->rank < n ? 1e-10 * f->spectrum.sigma[0] : NAN,
                        .level_name = "rank",
                        .floor = f->spectrum.sigma[0] * DBL_EPSILON / 10.0,
                        .width = width < WIDTH ? width : WIDTH,
                        .height = HEIGHT,
                        .unicode = output_has_unicode(out)};

    for (size_t k = 0; k < n; k++) {
        index[k] = (double)(k + 1);
    }
    plot_curve_print(out, &curve);
    free(index);
}

void facts_print(FILE *out, const facts *f, bool draw)
{
    size_t n = f->in->problem->n;

    facts_print_head(out, f);
    facts_print_entries(out, f);
    facts_print_properties(out, f);
    facts_print_rank(out, f);
    facts_print_rest(out, f);
    if (draw && n > 1 && f->nonzeros == n * n) {
        output_fact(out, "pattern", "full");
    } else if (draw && n > 1) {
        facts_draw_pattern(out, f);
    }
    if (draw && n > 1 && f->ranked) {
        facts_draw_spectrum(out, f);
    }
}
