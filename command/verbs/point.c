/* SPDX-License-Identifier: Apache-2.0
 * verbs/point.c: the point that a solver found, as tables of scalar rows and of contacts. */
#include <config.h>

#include <math.h>

#include "base/base.h"
#include "command/cli/output.h"
#include "command/verbs/point.h"

enum { POINT_ROWS = 20 };

/* Below this share of the largest impulse or velocity a number counts as 0. */
static const double point_zero = 1e-6;

static bool point_is_contact(const perp_block *b)
{
    return b->kind == PERP_SET_CONE || b->kind == PERP_SET_ROLLING;
}

static double point_largest(const double *x, size_t n)
{
    double most = 0.0;

    for (size_t i = 0; x && i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static const char *point_name(const perp_problem *p, size_t k)
{
    const perp_label *label =
        p->labels && k < p->labels->count ? &p->labels->at[k] : NULL;

    return label && label->name ? label->name : "";
}

/* "0.5 -0.25" of the rows first .. first+count-1. */
static void point_numbers(output_table *t, const double *x, size_t count)
{
    char text[128] = "";
    size_t used = 0;

    for (size_t i = 0; i < count && used < sizeof text; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.6g", i ? " " : "",
                                 x[i] + 0.0);
    }
    output_cell(t, "%s", text);
}

/* A table without rows is not printed. */
static void point_end(output_table *t, size_t count, FILE *out)
{
    if (count == 0) {
        output_table_drop(t);
        return;
    }
    fputc('\n', out);
    output_table_end(t, out);
}

static void point_rows(FILE *out, const perp_problem *p, const perp_result *r)
{
    output_table t;
    size_t count = 0;

    output_table_start(&t, "row|set|name|>z|>w");
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *b = &p->set->blocks[k];

        for (unsigned i = 0; i < b->dim && !point_is_contact(b); i++, count++) {
            output_cell(&t, "%zu", b->first + i);
            output_cell(&t, "%s", perp_set_kind_name(b->kind));
            output_cell(&t, "%s", point_name(p, k));
            point_numbers(&t, r->z + b->first + i, 1);
            point_numbers(&t, r->w + b->first + i, 1);
        }
    }
    point_end(&t, count, out);
}

/* What a contact does: w_N, z_N and |w_T| against the largest numbers of the point. */
static const char *point_state(const double *z, const double *w, double impulse,
                               double velocity)
{
    double slip = point_largest(w + 1, 2);

    return w[0] > point_zero * velocity   ? "separates"
           : z[0] <= point_zero * impulse ? "touches"
           : slip > point_zero * velocity ? "slides"
                                          : "sticks";
}

static void point_contacts(FILE *out, const perp_problem *p, const perp_result *r)
{
    const double impulse = point_largest(r->z, p->n);
    const double velocity = p->b ? point_largest(p->b, p->n) : point_largest(r->w, p->n);
    output_table t;
    size_t count = 0;

    output_table_start(&t, "row|name|>N|>T|>w_N|>w_T|contact");
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *b = &p->set->blocks[k];
        const double *z = r->z + b->first, *w = r->w + b->first;
        double slip[2] = {w[1], b->dim > 2 ? w[2] : 0.0};

        if (point_is_contact(b)) {
            count++;
            output_cell(&t, "%zu", b->first);
            output_cell(&t, "%s", point_name(p, k));
            point_numbers(&t, z, 1);
            point_numbers(&t, z + 1, b->dim - 1);
            point_numbers(&t, w, 1);
            point_numbers(&t, w + 1, b->dim - 1);
            output_cell(&t, "%s",
                        point_state(z, (const double[]){w[0], slip[0], slip[1]}, impulse,
                                    velocity));
        }
    }
    point_end(&t, count, out);
}

void point_print(FILE *out, const perp_problem *p, const perp_result *r)
{
    if (p->n <= POINT_ROWS) {
        point_rows(out, p, r);
        point_contacts(out, p, r);
    }
}
