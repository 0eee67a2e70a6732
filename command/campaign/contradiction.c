/* SPDX-License-Identifier: Apache-2.0
 * runner/contradiction.c: a point that solves a problem beside a certificate that it has no
 * solution. */
#include <config.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include <perp/judge.h>

#include "base/number.h"
#include "command/campaign/contradiction.h"
#include "command/cli/take.h"

const char *contradiction_name(contradiction_kind kind)
{
    switch (kind) {
#define CONTRADICTION_CASE(name, text)                                                   \
    case name:                                                                           \
        return text;
        CONTRADICTION_LIST(CONTRADICTION_CASE)
#undef CONTRADICTION_CASE
    }
    return NULL;
}

double contradiction_rounding(size_t n, double size, double beta_b)
{
    return (10.0 + (double)n) * DBL_EPSILON * size / beta_b;
}

/* The sum of |A_ij z_j| of one row. */
typedef struct contradiction_row {
    const double *z;
    double sum;
} contradiction_row;

static void contradiction_add(void *context, size_t j, double a)
{
    contradiction_row *row = context;

    row->sum += fabs(a * row->z[j]);
}

double contradiction_rounding_of(const perp_problem *p, const double *z,
                                 const perp_measures *m)
{
    double *s = take_reals(p->n);
    double most = 0.0, factor = 1.0, each = ((double)p->n + 2.0) * DBL_EPSILON;

    if (perp_row_scales(p, s, NULL) != PERP_OK) {
        free(s);
        return INFINITY;
    }
    for (size_t i = 0; i < p->n; i++) {
        contradiction_row row = {.z = z, .sum = fabs(p->b[i])};

        perp_operator_row_visit(p->A, i, contradiction_add, &row);
        most = fmax(most, each * row.sum / s[i]);
    }
    free(s);
    /* w of all rows of a contact, and mu |w_T| in its normal row */
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];
        double more = block->dim + (block->dim > 1 ? block->mu + block->mu_rolling : 0.0);

        factor = fmax(factor, more);
    }
    return contradiction_rounding(p->n, m->beta_z, m->beta_b) + factor * most / m->beta_b;
}

/* The least residual that the certificate leaves to a point of this size, rounded down. */
static double contradiction_least(const contradiction *x)
{
    double share = x->size / x->radius;

    return share > 0.0
               ? nextafter(x->margin * nextafter(1.0 - nextafter(share, 1.0), 0.0), 0.0)
               : x->margin;
}

contradiction_kind contradiction_decide(const contradiction *x)
{
    if (!(x->size < x->radius)) {
        return CONTRADICTION_BEYOND;
    }
    return x->residual + x->rounding < contradiction_least(x) ? CONTRADICTION_ERROR
                                                              : CONTRADICTION_WITHIN;
}

bool contradiction_worse(const contradiction *x, const contradiction *than)
{
    bool error = contradiction_decide(x) == CONTRADICTION_ERROR,
         before = contradiction_decide(than) == CONTRADICTION_ERROR;

    return error != before ? error : x->radius > than->radius;
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
    contradiction_kind kind = contradiction_decide(x);
    char room[PERP_NUMBER_LENGTH];

    contradiction_print_name(f, x->instance);
    fputs(": \"", f);
    contradiction_print_name(f, x->solved);
    fprintf(f, "\" solved it (residual %.2g, s|z| <= %.2g), \"", x->residual, x->size);
    contradiction_print_name(f, x->certified);
    fputs("\" certified that no solution exists", f);
    if (isfinite(x->radius)) {
        fprintf(f, " with s|z| <= %s", perp_number_below(room, x->radius));
    }
    if (kind == CONTRADICTION_BEYOND) {
        fputs("; the solution lies beyond: no contradiction", f);
    } else if (kind == CONTRADICTION_WITHIN) {
        fprintf(f, "; a residual below %s is excluded, this one is not: no contradiction",
                perp_number_below(room, contradiction_least(x)));
    }
}

char *contradiction_text(const contradiction *x)
{
    char *text = NULL;
    size_t length = 0;
    FILE *f = take_stream(&text, &length);

    contradiction_print(f, x);
    take_stream_end(f);
    return text;
}
