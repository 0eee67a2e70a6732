/* SPDX-License-Identifier: Apache-2.0
 * formats/milp.c: rows and columns of the mixed-integer form. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include <perp/triplets.h>

#include "milp.h"

/* Bounds, of which each has a binary. */
static size_t milp_sides(const perp_problem *p)
{
    size_t sides = 0;

    for (size_t i = 0; i < p->n; i++) {
        perp_model_row row = perp_model_row_of(p, i);

        sides += (size_t)row.below + row.above;
    }
    return sides;
}

perp_status perp_milp_suits(const char *format, const perp_problem *p, const char *kind,
                            const char *name, perp_error *err)
{
    perp_status status = perp_model_suits(format, perp_model_sets, p, kind, name, err);
    size_t binaries = 0;

    for (size_t i = 0; status == PERP_OK && i < p->n; i++) {
        perp_model_row row = perp_model_row_of(p, i);

        binaries += (size_t)row.below + row.above;
    }
    if (status == PERP_OK && binaries > PERP_MILP_BINARIES) {
        status =
            perp_fail(err, PERP_ERR_UNSUITABLE,
                      "%s: %s enumerates at most %d binaries, and this problem needs "
                      "%zu, one per bound; ampl and gams hold it",
                      name, format, PERP_MILP_BINARIES, binaries);
    }
    return status;
}

/* 2^e, or the nearest power of two that leaves room on both sides. */
static double milp_power(int e)
{
    const int most = 1000;

    return ldexp(1.0, e > most ? most : e < -most ? -most : e);
}

/* tau of the size of b, sigma of the size of b over the diagonal of A. */
static void milp_scales(perp_milp *m, const perp_problem *p)
{
    double b = 0.0;
    double diagonal = 0.0;
    int of_b = 0;
    int of_diagonal = 0;

    for (size_t i = 0; i < p->n; i++) {
        b = fmax(b, fabs(p->b[i]));
        diagonal += fabs(perp_operator_entry(p->A, i, i)) / (double)p->n;
    }
    (void)frexp(b, &of_b);
    (void)frexp(diagonal, &of_diagonal);
    m->tau = milp_power(of_b + 2);
    m->sigma = milp_power(of_b + 2 - of_diagonal);
}

/* Below this alpha a code that satisfies its rows to 1e-7 gives z to 1e-3 at best. */
static const double milp_small_alpha = 1e-4;

/* A bound that no solution reaches is replaced by its interval where it is so many times sigma:
 * codes refuse entries such as 1e20. */
static const double milp_large = 1e6;

typedef struct milp_making {
    perp_milp *m;
    const perp_problem *p;
    double *low, *high; /* n: intervals of the solutions */
    perp_triplets t;
    size_t row, columns;
} milp_making;

static size_t milp_column(milp_making *g, const char *sort, size_t i, char bound)
{
    g->m->columns[g->columns] = (perp_milp_name){sort, i};
    g->m->bounds[g->columns] = bound;
    return g->columns++;
}

static void milp_add(milp_making *g, size_t column, double a)
{
    if (a != 0.0) {
        perp_triplets_add(&g->t, g->row, column, a);
    }
}

static void milp_end_row(milp_making *g, const char *sort, size_t i, char sense,
                         double rhs)
{
    g->m->rows[g->row] = (perp_milp_name){sort, i};
    g->m->senses[g->row] = sense;
    g->m->rhs[g->row++] = rhs;
}

/* The gap to a bound, from row i of the problem. */
static void milp_gap(milp_making *g, const perp_model_row *row, size_t i, bool above)
{
    double sign = above ? -1.0 : 1.0;

    milp_add(g, 1 + i, sign);
    if (row->sort == PERP_ROW_FRICTION) {
        milp_add(g, 1 + row->normal, row->mu);
    } else {
        milp_add(g, 0, -sign * (above ? row->hi : row->lo));
    }
}

/* Whether the bound is beyond the scale of z and no solution reaches it; then it may be narrowed. */
static bool milp_is_unreached(const milp_making *g, perp_model_row *row, size_t i,
                              bool above)
{
    const double scale = g->m->sigma;
    const double bound = above ? row->hi : row->lo;
    const double most = above ? g->high[i] : g->low[i];
    const double room = fabs(most) + scale;

    if (row->sort == PERP_ROW_FRICTION || fabs(bound) <= scale ||
        !(above ? most < bound : most > bound)) {
        return false;
    }
    if (above && bound > milp_large * scale) {
        row->hi = fmin(bound, most + room);
    } else if (!above && bound < -milp_large * scale) {
        row->lo = fmax(bound, most - room);
    }
    return true;
}

/* Of the gap to a bound: at least twice a bound that is beyond the scale of z. */
static double milp_sigma(const milp_making *g, const perp_model_row *row, bool above)
{
    const double bound = fabs(above ? row->hi : row->lo);
    int exponent = 0;

    if (row->sort == PERP_ROW_FRICTION || bound <= g->m->sigma) {
        return g->m->sigma;
    }
    g->m->alpha = fmin(g->m->alpha, g->m->sigma / bound);
    (void)frexp(bound, &exponent);
    return milp_power(exponent + 1);
}

/* 0 <= gap <= sigma x, p <= tau (1 - x); returns the column of p, 0 where there is none. */
static size_t milp_side(milp_making *g, perp_model_row row, size_t i, bool above)
{
    const bool unreached = milp_is_unreached(g, &row, i, above);
    size_t p = 0;
    size_t x = 0;

    milp_gap(g, &row, i, above);
    milp_end_row(g, above ? "hi" : "lo", i + 1, 'G', 0.0);
    if (unreached) {
        g->m->unreached++;
        return 0;
    }
    p = milp_column(g, above ? "m" : "p", i + 1, 'p');
    x = milp_column(g, above ? "u" : "l", i + 1, 'b');
    milp_gap(g, &row, i, above);
    milp_add(g, x, -milp_sigma(g, &row, above));
    milp_end_row(g, above ? "gap_hi" : "gap_lo", i + 1, 'L', 0.0);
    milp_add(g, p, 1.0);
    milp_add(g, x, g->m->tau);
    milp_end_row(g, above ? "w_hi" : "w_lo", i + 1, 'L', g->m->tau);
    return p;
}

static void milp_entry(void *context, size_t j, double a)
{
    milp_add(context, 1 + j, a);
}

static void milp_fill(milp_making *g)
{
    const perp_problem *p = g->p;

    milp_column(g, "alpha", 0, '1');
    for (size_t i = 0; i < p->n; i++) {
        milp_column(g, "y", i + 1, 'f');
    }
    for (size_t i = 0; i < p->n; i++) {
        perp_model_row row = perp_model_row_of(p, i);
        size_t below = row.below ? milp_side(g, row, i, false) : 0;
        size_t above = row.above ? milp_side(g, row, i, true) : 0;

        milp_add(g, 0, p->b[i]);
        perp_model_row_entries(p, i, milp_entry, g);
        milp_add(g, below, below ? -1.0 : 0.0);
        milp_add(g, above, above ? 1.0 : 0.0);
        milp_end_row(g, "w", i + 1, 'E', 0.0);
    }
}

perp_status perp_milp_make(perp_milp *m, const perp_problem *p, perp_error *err)
{
    size_t sides = milp_sides(p);
    size_t rows = p->n + 3 * sides;
    size_t columns = 1 + p->n + 2 * sides;
    milp_making g = {.m = m, .p = p};
    perp_status status = PERP_OK;

    *m = (perp_milp){.A = NULL, .alpha = 1.0};
    g.low = perp_reals_new(2 * p->n);
    m->columns = calloc(columns, sizeof *m->columns);
    m->bounds = calloc(columns, 1);
    m->rows = calloc(rows, sizeof *m->rows);
    m->senses = calloc(rows, 1);
    m->rhs = calloc(rows, sizeof *m->rhs);
    if (!g.low || !m->columns || !m->bounds || !m->rows || !m->senses || !m->rhs) {
        free(g.low);
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", rows);
    }
    milp_scales(m, p);
    g.high = g.low + p->n;
    perp_milp_ranges(p, g.low, g.high);
    perp_triplets_init(&g.t, rows, columns, 12 * rows);
    milp_fill(&g);
    g.t.rows = g.row;
    g.t.cols = g.columns;
    status = perp_triplets_finish(&m->A, &g.t, err);
    perp_triplets_free(&g.t);
    free(g.low);
    return status;
}

void perp_milp_remark(const perp_problem *p, perp_notes *notes)
{
    perp_milp m;

    if (perp_milp_make(&m, p, NULL) == PERP_OK && m.alpha < milp_small_alpha) {
        perp_note(notes,
                  "alpha may be as small as %.1e where z reaches a bound: a code whose "
                  "tolerances are larger finds no solution",
                  m.alpha);
    }
    perp_milp_free(&m);
}

void perp_milp_free(perp_milp *m)
{
    free(m->columns);
    free(m->bounds);
    free(m->rows);
    free(m->senses);
    free(m->rhs);
    perp_operator_free(m->A);
}

void perp_milp_head(FILE *f, const char *mark, const perp_problem *p, const perp_milp *m)
{
    static const char *const lines[] = {
        "As a mixed-integer program [Pardalos, Rosen 1988]: z(i) = y(i)/alpha, where the",
        "largest alpha is positive; alpha = 0 means that there is no solution. p(i) - "
        "m(i) is",
        "alpha w(i); l(i) = 1 lets z(i) leave its lower bound, u(i) = 1 its upper bound.",
        "No bound on z or w is assumed: any sigma and tau > 0 are right, since alpha "
        "scales z",
        "and w down to them. They are powers of two of the size of 4 max|b| (tau) and of",
        "4 max|b| over the mean of |A_ii| (sigma); a bound beyond sigma has a sigma of "
        "its",
        "own, of the size of two to four times the bound.",
    };

    perp_model_head(f, mark, p);
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        fprintf(f, "%s %s\n", mark, lines[k]);
    }
    fprintf(f, "%s sigma = %.17g, tau = %.17g\n", mark, m->sigma, m->tau);
    if (m->unreached > 0) {
        fprintf(f, "%s Bounds that no solution reaches, which have no binary: %zu\n",
                mark, m->unreached);
    }
    if (m->alpha < milp_small_alpha) {
        fprintf(f,
                "%s alpha may be as small as %.1e where z reaches a bound: a code whose\n"
                "%s tolerances are larger finds no solution.\n",
                mark, m->alpha, mark);
    }
}

void perp_milp_print_name(FILE *f, const perp_milp_name *name)
{
    if (name->i > 0) {
        fprintf(f, "%s(%zu)", name->sort, name->i);
    } else {
        fputs(name->sort, f);
    }
}
