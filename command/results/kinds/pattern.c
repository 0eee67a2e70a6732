/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/pattern.c: sparsity pattern of A (of W, where the problem is global).
 *
 * Exact zeros that are stored count as zeros. A matrix of more than PATTERN_MOST rows is divided
 * into so many rows and columns of squares; a square with any nonzero is a dot. */
#include <config.h>

#include <stdlib.h>

#include "base/base.h"
#include "command/campaign/instance.h"
#include "command/cli/take.h"
#include "command/results/kinds/selection.h"

enum { PATTERN_MOST = 400 };

typedef struct pattern {
    size_t n, cells; /* cells x cells squares */
    double side;     /* rows of a square */
    size_t row;      /* visited now */
    size_t nonzeros, band;
    bool *filled; /* cells x cells */
} pattern;

static void pattern_visit(void *context, size_t j, double a)
{
    pattern *p = context;
    size_t away = j > p->row ? j - p->row : p->row - j;

    if (a != 0.0) {
        p->nonzeros++;
        p->band = away > p->band ? away : p->band;
        p->filled[(size_t)((double)p->row / p->side) * p->cells +
                  (size_t)((double)j / p->side)] = true;
    }
}

/* The dots, by rows; the first row is at the top. */
static void pattern_draw(figure *f, const pattern *p)
{
    figure_panel *panel = figure_add_panel(f, "");
    figure_series *dots = figure_add_series(panel, FIGURE_DOTS, "");

    figure_axis_set(&panel->x, "column", "", FIGURE_LINEAR);
    figure_axis_set(&panel->y, "row", "", FIGURE_LINEAR);
    panel->equal = true;
    panel->y.reversed = true;
    panel->x.low = panel->y.low = 0.5;
    panel->x.high = panel->y.high = (double)p->n + 0.5;
    for (size_t i = 0; i < p->cells; i++) {
        for (size_t j = 0; j < p->cells; j++) {
            if (p->filled[i * p->cells + j]) {
                figure_point_add(dots, ((double)j + 0.5) * p->side + 0.5,
                                 ((double)i + 0.5) * p->side + 0.5);
            }
        }
    }
}

static void pattern_caption(figure *f, const pattern *p, const instance *in)
{
    char squares[96] = "";

    if (p->n > PATTERN_MOST) {
        snprintf(squares, sizeof squares,
                 " Each dot is a square of %.3g rows and columns with any nonzero.",
                 p->side);
    }
    figure_set_caption(
        f,
        "Sparsity pattern of A, %s: %zu row%s, %zu nonzero%s (%.3g %%, %.3g "
        "per row), half bandwidth %zu.%s",
        in->name, p->n, perp_plural(p->n), p->nonzeros, perp_plural(p->nonzeros),
        100.0 * (double)p->nonzeros / ((double)p->n * (double)p->n),
        (double)p->nonzeros / (double)p->n, p->band, squares);
}

/* A matrix in factors is multiplied out. */
static perp_status pattern_scan(pattern *p, const perp_operator *A, perp_error *err)
{
    perp_operator *sparse = NULL;
    perp_status status = PERP_OK;

    p->n = perp_operator_rows(A);
    p->cells = p->n < PATTERN_MOST ? p->n : PATTERN_MOST;
    p->side = (double)p->n / (double)p->cells;
    p->filled = take(p->cells * p->cells + 1, sizeof *p->filled);
    if (perp_operator_in_factors(A)) {
        status = perp_operator_convert(&sparse, A, PERP_STORAGE_CSR, 1, err);
        A = sparse;
    }
    for (p->row = 0; status == PERP_OK && p->row < p->n; p->row++) {
        perp_operator_row_visit(A, p->row, pattern_visit, p);
    }
    perp_operator_free(sparse);
    return status;
}

static perp_status pattern_make(figure_book *book, const figure_source *source,
                                const figure_order *order, perp_error *err)
{
    const instance_request request = {.path = source->path};
    pattern p = {0};
    instance *in = NULL;
    char name[FIGURE_NAME];
    perp_status status = instance_open(&in, &request, err);

    if (status == PERP_OK && in->problem->n == 0) {
        status = selection_missing(source, order, err, "the problem has no rows");
    } else if (status == PERP_OK) {
        status = pattern_scan(&p, in->problem->A, err);
        if (status == PERP_OK) {
            figure *f = NULL;

            snprintf(name, sizeof name, "pattern_%.80s", in->name);
            f = figure_add(book, "pattern", *order->name ? order->name : name);
            pattern_draw(f, &p);
            pattern_caption(f, &p, in);
        }
    }
    free(p.filled);
    instance_free(in);
    return status;
}

const figure_kind figure_kind_pattern = {
    .name = "pattern",
    .summary = "sparsity pattern of A",
    .scope = FIGURE_OF_PROBLEM,
    .usual = true,
    .make = pattern_make,
};
