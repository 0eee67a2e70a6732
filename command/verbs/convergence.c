/* SPDX-License-Identifier: Apache-2.0
 * verbs/convergence.c: the residual during a solve, drawn in characters or as a table. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "command/cli/output.h"
#include "command/cli/plot.h"
#include "command/cli/take.h"
#include "command/verbs/convergence.h"

enum { DRAWN_COLUMNS = 100, DRAWN_ROWS = 12 };

static bool convergence_same(const perp_history_sample *a, const perp_history_sample *b)
{
    return a->iteration == b->iteration && a->products == b->products &&
           (a->residual == b->residual || (isnan(a->residual) && isnan(b->residual)));
}

void convergence_of(convergence *c, const perp_history_sample *history, size_t count)
{
    bool repeated = false; /* the last sample was dropped */

    *c = (convergence){.sample = take(count + 1, sizeof *c->sample),
                       .part = take(count + 1, sizeof *c->part)};
    for (size_t k = 0; k < count; k++) {
        const perp_history_sample *last = k ? &history[k - 1] : NULL;

        if (last && !repeated && convergence_same(last, &history[k])) {
            repeated = true;
            continue;
        }
        if (!last || last->iteration == history[k].iteration) {
            c->part[c->part_count++] = c->count;
        }
        repeated = false;
        c->sample[c->count++] = history[k];
    }
}

void convergence_clear(convergence *c)
{
    free(c->sample);
    free(c->part);
    *c = (convergence){0};
}

/* "solved with max-iterations=100: anderson: residual …": the name of the solver behind the
 * outcome, or NULL where the step of the path is not the end of a solver. */
static const char *convergence_ended(const char *step)
{
    for (int k = 0;; k++) {
        const char *text = perp_outcome_text((perp_outcome)k);
        size_t length = text ? strlen(text) : 0;

        if (!text || k > PERP_INTERRUPTED) {
            return NULL;
        }
        if (length && strncmp(step, text, length) == 0 &&
            (strncmp(step + length, ": ", 2) == 0 ||
             strncmp(step + length, " with ", 6) == 0)) {
            const char *colon = strstr(step + length, ": ");

            return colon ? colon + 2 : NULL;
        }
    }
}

bool convergence_name(const perp_solution_path *path, size_t k, char *name, size_t length)
{
    for (size_t i = 0; i < path->count; i++) {
        const char *solver = convergence_ended(path->step[i]);
        const char *end = solver ? strstr(solver, ": ") : NULL;

        if (end && k-- == 0) {
            snprintf(name, length, "%.*s", (int)(end - solver), solver);
            return true;
        }
    }
    return false;
}

static void convergence_table(FILE *out, const convergence *c)
{
    output_table t;
    size_t part = 0;

    fputc('\n', out);
    output_table_start(&t, c->part_count > 1
                               ? ">iteration|>products|>residual|>time [s]|part"
                               : ">iteration|>products|>residual|>time [s]");
    for (size_t k = 0; k < c->count; k++) {
        const perp_history_sample *h = &c->sample[k];

        part += part < c->part_count && c->part[part] == k;
        output_cell(&t, "%zu", h->iteration);
        output_cell(&t, "%.0f", h->products);
        output_cell(&t, "%.6e", h->residual);
        output_cell(&t, "%.6e", h->seconds);
        if (c->part_count > 1) {
            output_cell(&t, "%c", plot_letter(part - 1));
        }
    }
    output_table_end(&t, out);
}

/* The numbers below the curve, and their unit. */
static const char *convergence_axis(const convergence *c, const char *axis, double *x)
{
    double last = c->sample[c->count - 1].seconds;
    double unit = last < 1e-3 ? 1e6 : last < 1.0 ? 1e3 : 1.0;
    bool time = strcmp(axis, "seconds") == 0, products = strcmp(axis, "products") == 0;

    for (size_t k = 0; k < c->count; k++) {
        const perp_history_sample *h = &c->sample[k];

        x[k] = time ? h->seconds * unit : products ? h->products : (double)h->iteration;
    }
    return !time         ? axis
           : unit == 1.0 ? "time [s]"
           : unit == 1e3 ? "time [ms]"
                         : "time [us]";
}

/* "A  spg, 2000 iterations to residual 1.2e-05" for each solver of a chain. */
static void convergence_legend(FILE *out, const convergence *c,
                               const perp_solution_path *path)
{
    for (size_t k = 0; c->part_count > 1 && k < c->part_count; k++) {
        size_t end = k + 1 < c->part_count ? c->part[k + 1] : c->count;
        const perp_history_sample *first = &c->sample[c->part[k]];
        const perp_history_sample *last = &c->sample[end - 1];
        char name[PERP_SOLVER_NAME_LENGTH] = "solver";

        convergence_name(path, k, name, sizeof name);
        output_print(out, OUTPUT_PLAIN, "%9c  %s: %zu iteration%s, residual %s to %s\n",
                     plot_letter(k), name, last->iteration - first->iteration,
                     perp_plural(last->iteration - first->iteration),
                     output_real(OUTPUT_ROOM, first->residual),
                     output_real(OUTPUT_ROOM, last->residual));
    }
}

/* What the curve cannot show at its place. */
static void convergence_notes(FILE *out, const convergence *c)
{
    size_t zero = 0, wild = 0;

    for (size_t k = 0; k < c->count; k++) {
        zero += c->sample[k].residual == 0.0;
        wild += !isfinite(c->sample[k].residual);
    }
    if (zero) {
        fprintf(out, "%8s %s\n", "", "A residual of 0 is drawn at the lower edge.");
    }
    if (wild) {
        fprintf(out, "%8s %s\n", "", "What is not finite is drawn at the upper edge.");
    }
}

static void convergence_draw(FILE *out, const convergence *c, const perp_result *r,
                             const convergence_request *q)
{
    size_t width = output_width(out);
    double *x = take(2 * c->count + 1, sizeof *x);
    plot_curve curve = {.x = x,
                        .count = c->count,
                        .y_name = "residual",
                        .level = q->tolerance,
                        .level_name = "tolerance",
                        .part = c->part_count > 1 ? c->part : NULL,
                        .part_count = c->part_count,
                        .width = width < DRAWN_COLUMNS ? width : DRAWN_COLUMNS,
                        .height = DRAWN_ROWS,
                        .unicode = output_has_unicode(out)};

    for (size_t k = 0; k < c->count; k++) {
        x[c->count + k] = c->sample[k].residual;
    }
    curve.y = x + c->count;
    curve.x_name = convergence_axis(c, q->axis, x);
    fputc('\n', out);
    plot_curve_print(out, &curve);
    convergence_legend(out, c, &r->path);
    convergence_notes(out, c);
    free(x);
}

void convergence_print(FILE *out, const perp_result *r, const convergence_request *q)
{
    convergence c;

    convergence_of(&c, r->history, r->history_count);
    if (c.count > 0) {
        if (q->draw) {
            convergence_draw(out, &c, r, q);
        } else {
            convergence_table(out, &c);
        }
    }
    convergence_clear(&c);
}
