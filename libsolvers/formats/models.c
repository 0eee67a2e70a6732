/* SPDX-License-Identifier: Apache-2.0
 * formats/models.c: rows, entries and comments of optimisation models. */
#include <config.h>

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "models.h"

const perp_set_mask perp_model_sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION);

/* The sizes that PATH solves without a licence. */
enum { PATH_VARIABLES = 300, PATH_NONZEROS = 2000 };
/* Bytes of a text per line; readers of LP stop at 255 to 560. */
enum { MODEL_LINE = 200 };

perp_model_row perp_model_row_of(const perp_problem *p, size_t i)
{
    const perp_block *k = &p->set->blocks[i];
    perp_model_row row = {.lo = -INFINITY, .hi = INFINITY};

    if (k->kind == PERP_SET_FRICTION) {
        row.sort = PERP_ROW_FRICTION;
        row.mu = k->mu;
        row.normal = k->normal;
        row.below = true;
        row.above = true;
        return row;
    }
    perp_block_bounds(k, NULL, &row.lo, &row.hi);
    row.below = row.lo > -INFINITY;
    row.above = row.hi < INFINITY;
    if (row.below) {
        row.sort = row.above       ? PERP_ROW_BOX
                   : row.lo == 0.0 ? PERP_ROW_NONNEG
                                   : PERP_ROW_LOWER;
    } else {
        row.sort = row.above ? PERP_ROW_UPPER : PERP_ROW_FREE;
    }
    return row;
}

typedef struct model_visit {
    void (*visit)(void *context, size_t j, double a);
    void *context;
} model_visit;

static void model_entry(void *context, size_t j, double a)
{
    const model_visit *v = context;

    if (a != 0.0) {
        v->visit(v->context, j, a);
    }
}

void perp_model_row_entries(const perp_problem *p, size_t i,
                            void (*visit)(void *context, size_t j, double a),
                            void *context)
{
    model_visit v = {visit, context};

    perp_operator_row_visit(p->A, i, model_entry, &v);
}

static void model_count_entry(void *context, size_t j, double a)
{
    size_t *count = context;

    (void)j;
    (void)a;
    ++*count;
}

void perp_model_count(perp_model_counts *counts, const perp_problem *p)
{
    *counts = (perp_model_counts){.nonzeros = 0};
    for (size_t i = 0; i < p->n; i++) {
        counts->rows[perp_model_row_of(p, i).sort]++;
        perp_model_row_entries(p, i, model_count_entry, &counts->nonzeros);
    }
}

static bool model_beyond(double x, double largest)
{
    return isfinite(x) && fabs(x) > largest;
}

perp_status perp_model_below(const char *format, double largest, const perp_problem *p,
                             const char *name, perp_error *err)
{
    bool beyond = model_beyond(perp_operator_max(p->A), largest);

    for (size_t i = 0; i < p->n; i++) {
        perp_model_row row = perp_model_row_of(p, i);

        beyond = beyond || model_beyond(p->b[i], largest) ||
                 model_beyond(row.lo, largest) || model_beyond(row.hi, largest) ||
                 model_beyond(row.mu, largest);
    }
    return beyond ? perp_fail(err, PERP_ERR_UNSUITABLE,
                              "%s: %s holds no numbers beyond 1e%.0f; ampl holds them",
                              name, format, log10(largest))
                  : PERP_OK;
}

perp_status perp_model_suits(const char *format, perp_set_mask sets,
                             const perp_problem *p, const char *kind, const char *name,
                             perp_error *err)
{
    TRY(perp_format_holds(format, sets, p, name, err));
    TRY(perp_format_holds_local(format, p, name, err));
    TRY(perp_format_holds_kind(p, kind, name, err));
    if (p->n == 0) {
        TRY(perp_fail(err, PERP_ERR_UNSUITABLE,
                      "%s: the problem has 0 rows, %s needs at least one", name, format));
    }
    return PERP_OK;
}

const char *perp_model_line(FILE *f, const char *text, size_t most)
{
    size_t length = strcspn(text, "\n");

    if (length > most) {
        length = most;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) {
            length--; /* not within a character of UTF-8 */
        }
    }
    for (size_t k = 0; k < length; k++) {
        fputc(iscntrl((unsigned char)text[k]) ? ' ' : text[k], f);
    }
    fputc('\n', f);
    return text + length + (text[length] == '\n');
}

/* A text, each of its lines a comment. */
static void model_text(FILE *f, const char *mark, const char *text)
{
    while (text && *text) {
        fprintf(f, "%s ", mark);
        text = perp_model_line(f, text, MODEL_LINE);
    }
}

/* Where the problem comes from; what is unknown is left out. */
static void model_origin(FILE *f, const char *mark, const perp_origin *o)
{
    const char *const texts[][2] = {{"source", o->source},
                                    {"made by", o->version},
                                    {"units", o->units},
                                    {"licence", o->licence}};

    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        if (texts[k][1]) {
            fprintf(f, "%s %s: ", mark, texts[k][0]);
            perp_model_line(f, texts[k][1], MODEL_LINE);
        }
    }
    if (o->step > 0) {
        fprintf(f, "%s step: %zu\n", mark, o->step);
    }
    if (o->timed) {
        fprintf(f, "%s time: %.17g s, step length %.17g s\n", mark, o->time, o->dt);
    }
    if (o->hash) {
        fprintf(f, "%s hash: %016" PRIx64 "\n", mark, o->hash);
    }
}

void perp_model_head(FILE *f, const char *mark, const perp_problem *p)
{
    static const char *const lines[] = {
        ("Find z between its bounds with w = A z + b: w >= 0 where z is at its lower "
         "bound,"),
        "w <= 0 where it is at its upper bound, and w = 0 between them.",
        "Of contacts, z are impulses [N s] and w velocities [m/s].",
    };
    bool units = p->origin && p->origin->units;

    fprintf(f, "%s A complementarity problem written by perp: %s, %zu row%s.\n", mark,
            perp_kind_name(perp_problem_kind(p)), p->n, perp_plural(p->n));
    model_text(f, mark, p->name);
    model_text(f, mark, p->title);
    model_text(f, mark, p->description);
    model_text(f, mark, p->math_info);
    if (p->origin) {
        model_origin(f, mark, p->origin);
    }
    for (size_t k = 0; k < (units ? 2 : 3); k++) {
        fprintf(f, "%s %s\n", mark, lines[k]);
    }
}

void perp_model_path_limit(FILE *f, const char *mark, const perp_problem *p,
                           const perp_model_counts *counts)
{
    size_t friction = counts->rows[PERP_ROW_FRICTION];
    size_t variables = p->n + 2 * friction;
    size_t nonzeros = counts->nonzeros + 6 * friction;

    if (variables > PATH_VARIABLES || nonzeros > PATH_NONZEROS) {
        fprintf(f,
                "%s PATH solves at most %d variables and %d nonzeros without a licence; "
                "this model has\n%s %zu variable%s and %zu nonzero%s.\n",
                mark, PATH_VARIABLES, PATH_NONZEROS, mark, variables,
                perp_plural(variables), nonzeros, perp_plural(nonzeros));
    }
}
