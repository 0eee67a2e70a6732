/* SPDX-License-Identifier: Apache-2.0
 * formats/ampl_nl.c: write the .nl file that AMPL hands to a solver, in text.
 *
 * Row i is complementary to variable i. Header and segments, numbers from 0 except in `r`:
 *
 *     C     the constant b_i of each row; a complementarity row has no other place for it
 *     r     5 k j: row complementary to variable j (from 1), which has k = 0 no bound,
 *           1 a lower, 2 an upper, 3 both
 *     b     bounds of the variables: 0 lo hi, 1 hi, 2 lo, 3 free
 *     k, J  entries of A: column counts, then rows
 *
 * A row of box friction i has two more variables s, t >= 0 and two more rows, as in ampl.c; those
 * of the k-th such row are n + 2k and n + 2k + 1. */
#include <config.h>

#include <stdlib.h>

#include <perp/triplets.h>

#include "ampl_nl.h"
#include "models.h"

enum { NL_NAME = 48 }; /* bytes of a name */

typedef struct nl_writer {
    FILE *f;
    const perp_problem *p;
    perp_model_counts counts;
    size_t size;      /* variables, and rows */
    perp_operator *E; /* A with the rows and columns of s and t, without zeros */
} nl_writer;

typedef struct nl_adding {
    perp_triplets t;
    size_t row;
} nl_adding;

static void nl_add(void *context, size_t j, double a)
{
    nl_adding *n = context;

    perp_triplets_add(&n->t, n->row, j, a);
}

/* w_i + s - t = 0, mu z[normal] - z_i >= 0, mu z[normal] + z_i >= 0. */
static void nl_add_friction(perp_triplets *t, const perp_model_row *row, size_t i,
                            size_t s)
{
    perp_triplets_add(t, i, s, 1.0);
    perp_triplets_add(t, i, s + 1, -1.0);
    for (size_t side = 0; side < 2; side++) {
        perp_triplets_add(t, s + side, i, side ? 1.0 : -1.0);
        if (row->mu != 0.0) {
            perp_triplets_add(t, s + side, row->normal, row->mu);
        }
    }
}

static perp_status nl_extend(nl_writer *w, perp_error *err)
{
    size_t friction = w->counts.rows[PERP_ROW_FRICTION];
    size_t s = w->p->n;
    nl_adding n = {.row = 0};
    perp_status status = PERP_OK;

    w->size = w->p->n + 2 * friction;
    perp_triplets_init(&n.t, w->size, w->size, w->counts.nonzeros + 6 * friction);
    for (n.row = 0; n.row < w->p->n; n.row++) {
        perp_model_row row = perp_model_row_of(w->p, n.row);

        perp_model_row_entries(w->p, n.row, nl_add, &n);
        if (row.sort == PERP_ROW_FRICTION) {
            nl_add_friction(&n.t, &row, n.row, s);
            s += 2;
        }
    }
    status = perp_triplets_finish(&w->E, &n.t, err);
    perp_triplets_free(&n.t);
    return status;
}

/* Row i of the extended problem; s and t are bounded below by 0. */
static perp_model_row nl_row(const nl_writer *w, size_t i)
{
    perp_model_row row = {.sort = PERP_ROW_NONNEG, .below = true};

    if (i < w->p->n) {
        row = perp_model_row_of(w->p, i);
        if (row.sort == PERP_ROW_FRICTION) { /* s and t hold the bounds of z */
            row = (perp_model_row){.sort = PERP_ROW_FREE};
        }
    }
    return row;
}

/* The first line ends in a comment; readers have little room for it. */
static void nl_name(const nl_writer *w)
{
    fputs("g3 0 1 0\t# problem ", w->f);
    perp_model_line(w->f, w->p->name ? w->p->name : "unknown", NL_NAME);
}

static void nl_header(const nl_writer *w)
{
    size_t doubles = 0;
    size_t shifted = 0;

    for (size_t i = 0; i < w->size; i++) {
        perp_model_row row = nl_row(w, i);

        doubles += row.sort == PERP_ROW_BOX;
        shifted += row.below && row.lo != 0.0;
    }
    nl_name(w);
    fprintf(w->f, " %zu %zu 0 0 0\t# vars, constraints, objectives, ranges, eqns\n",
            w->size, w->size);
    fprintf(w->f,
            " 0 0 %zu 0 %zu %zu\t# nonlinear constrs, objs; ccons: lin, nonlin, nd, "
            "nzlb\n",
            w->size, doubles, shifted);
    fputs(" 0 0\t# network constraints: nonlinear, linear\n"
          " 0 0 0\t# nonlinear vars in constraints, objectives, both\n"
          " 0 0 0 1\t# linear network variables; functions; arith, flags\n"
          " 0 0 0 0 0\t# discrete variables: binary, integer, nonlinear (b,c,o)\n",
          w->f);
    fprintf(w->f, " %zu 0\t# nonzeros in Jacobian, gradients\n", w->E->count);
    fputs(" 0 0\t# max name lengths: constraints, variables\n"
          " 0 0 0 0 0\t# common exprs: b,c,o,c1,o1\n",
          w->f);
}

static void nl_bounds(const nl_writer *w)
{
    fprintf(w->f, "r\n");
    for (size_t i = 0; i < w->size; i++) {
        perp_model_row row = nl_row(w, i);

        fprintf(w->f, "5 %d %zu\n", row.below + 2 * row.above, i + 1);
    }
    fprintf(w->f, "b\n");
    for (size_t i = 0; i < w->size; i++) {
        perp_model_row row = nl_row(w, i);

        if (row.below && row.above) {
            fprintf(w->f, "0 %.17g %.17g\n", row.lo, row.hi);
        } else if (row.below || row.above) {
            fprintf(w->f, "%d %.17g\n", row.below ? 2 : 1, row.below ? row.lo : row.hi);
        } else {
            fprintf(w->f, "3\n");
        }
    }
}

/* k: entries in the columns before each one but the first; J: the rows. */
static perp_status nl_entries(const nl_writer *w, perp_error *err)
{
    const perp_operator *E = w->E;
    size_t *column = calloc(w->size, sizeof *column);
    size_t before = 0;

    if (!column) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu columns", w->size);
    }
    for (size_t k = 0; k < E->count; k++) {
        column[E->col[k]]++;
    }
    fprintf(w->f, "k%zu\n", w->size - 1);
    for (size_t j = 0; j + 1 < w->size; j++) {
        before += column[j];
        fprintf(w->f, "%zu\n", before);
    }
    free(column);
    for (size_t i = 0; i < w->size; i++) {
        if (E->ptr[i + 1] > E->ptr[i]) {
            fprintf(w->f, "J%zu %zu\n", i, E->ptr[i + 1] - E->ptr[i]);
        }
        for (size_t k = E->ptr[i]; k < E->ptr[i + 1]; k++) {
            fprintf(w->f, "%d %.17g\n", (int)E->col[k], E->x[k]);
        }
    }
    return PERP_OK;
}

static perp_status nl_suits(const perp_problem *p, const char *kind, const char *name,
                            perp_error *err)
{
    return perp_model_suits("ampl-nl", perp_model_sets, p, kind, name, err);
}

static perp_status nl_write(perp_file_out *out, const perp_problem *p, const char *kind,
                            perp_error *err)
{
    nl_writer w = {.f = out->f, .p = p};
    perp_status status = PERP_OK;

    (void)kind;
    perp_model_count(&w.counts, p);
    status = nl_extend(&w, err);
    if (status == PERP_OK) {
        nl_header(&w);
        for (size_t i = 0; i < w.size; i++) {
            fprintf(w.f, "C%zu\nn%.17g\n", i, i < p->n ? p->b[i] : 0.0);
        }
        nl_bounds(&w);
        status = nl_entries(&w, err);
    }
    perp_operator_free(w.E);
    return status;
}

const perp_format_type perp_format_ampl_nl = {
    .format = {.name = "ampl-nl",
               .summary =
                   "AMPL .nl of complementarity rows; no cones; reads text and binary",
               .extension = ".nl",
               .reads = true,
               .writes = true,
               .memory = true},
    .detect = perp_nl_detect,
    .read = perp_nl_read,
    .suits = nl_suits,
    .write = nl_write,
};
