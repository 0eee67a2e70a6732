/* SPDX-License-Identifier: Apache-2.0
 * formats/gams.c: write a GAMS model of type MCP with its data.
 *
 *     F(i)..  sum(j, A(i,j)*z(j)) + b(i) =n= 0;      model p / F.z /;
 *
 * `=n=` takes the sense of each row from the bounds of its variable, which is perp's law. Box
 * friction is exact with two multipliers per row, as in ampl.c. GAMS wants each variable in its
 * own row: where A_ii is 0 it is written as eps, which GAMS keeps and counts as 0.
 *
 * GAMS refuses more than 16 digits unless told otherwise ($offDigit), guarantees 15 of them, and
 * takes what is beyond 1e299 for infinite. */
#include <config.h>

#include "base/base.h"
#include "models.h"

static const double gams_largest = 1e299;

typedef struct gams_writer {
    FILE *f;
    const perp_problem *p;
    perp_model_counts counts;
    size_t row;    /* of A, the current one */
    bool diagonal; /* the row has an entry there */
} gams_writer;

static void gams_entry(void *context, size_t j, double a)
{
    gams_writer *w = context;

    w->diagonal = w->diagonal || j == w->row;
    fprintf(w->f, "i%zu.i%zu %.17g\n", w->row + 1, j + 1, a);
}

static void gams_bound(FILE *f, size_t i, double x)
{
    if (isinf(x)) {
        fprintf(f, "i%zu %sinf\n", i + 1, x < 0.0 ? "-" : "+");
    } else {
        fprintf(f, "i%zu %.17g\n", i + 1, x);
    }
}

static void gams_numbers(gams_writer *w)
{
    const perp_problem *p = w->p;

    fputs("parameter A(i,j) /\n", w->f);
    for (w->row = 0; w->row < p->n; w->row++) {
        w->diagonal = false;
        perp_model_row_entries(p, w->row, gams_entry, w);
        if (!w->diagonal) {
            fprintf(w->f, "i%zu.i%zu eps\n", w->row + 1, w->row + 1);
        }
    }
    fputs("/;\nparameter b(i) /\n", w->f);
    for (size_t i = 0; i < p->n; i++) {
        fprintf(w->f, "i%zu %.17g\n", i + 1, p->b[i]);
    }
    for (int side = 0; side < 2; side++) {
        fprintf(w->f, "/;\nparameter %s(i) /\n", side ? "hi" : "lo");
        for (size_t i = 0; i < p->n; i++) {
            perp_model_row row = perp_model_row_of(p, i);

            gams_bound(w->f, i, side ? row.hi : row.lo);
        }
    }
    fputs("/;\n", w->f);
}

/* Rows of box friction, their normals and coefficients. */
static void gams_friction(const gams_writer *w)
{
    static const char *const parts[] = {"set fr(i) /", "set normal(i,j) /",
                                        "parameter mu(i) /"};

    for (int part = 0; part < 3; part++) {
        fprintf(w->f, "%s\n", parts[part]);
        for (size_t i = 0; i < w->p->n; i++) {
            perp_model_row row = perp_model_row_of(w->p, i);

            if (row.sort != PERP_ROW_FRICTION) {
                continue;
            }
            fprintf(w->f, "i%zu", i + 1);
            if (part == 1) {
                fprintf(w->f, ".i%zu", row.normal + 1);
            } else if (part == 2) {
                fprintf(w->f, " %.17g", row.mu);
            }
            fputc('\n', w->f);
        }
        fputs("/;\n", w->f);
    }
}

static void gams_model(const gams_writer *w)
{
    bool friction = w->counts.rows[PERP_ROW_FRICTION] > 0;

    fputs("variable z(i);\n", w->f);
    fputs(friction ? "positive variables s(i), t(i);\n" : "", w->f);
    fputs("z.lo(i) = lo(i);\nz.up(i) = hi(i);\nequation F(i);\n", w->f);
    fprintf(w->f, "F(i).. sum(j, A(i,j)*z(j)) + b(i)%s =n= 0;\n",
            friction ? " + (s(i) - t(i))$fr(i)" : "");
    fputs(friction ? "equations U(i), L(i);\n"
                     "U(fr).. sum(j$normal(fr,j), mu(fr)*z(j)) - z(fr) =g= 0;\n"
                     "L(fr).. sum(j$normal(fr,j), mu(fr)*z(j)) + z(fr) =g= 0;\n"
                     "model p / F.z, U.s, L.t /;\n"
                   : "model p / F.z /;\n",
          w->f);
    fputs("solve p using mcp;\ndisplay z.l;\n", w->f);
}

static perp_status gams_suits(const perp_problem *p, const char *kind, const char *name,
                              perp_error *err)
{
    TRY(perp_model_suits("gams", perp_model_sets, p, kind, name, err));
    return perp_model_below("gams", gams_largest, p, name, err);
}

static perp_status gams_write(perp_file_out *out, const perp_problem *p, const char *kind,
                              perp_error *err)
{
    gams_writer w = {.f = out->f, .p = p};

    (void)kind;
    (void)err;
    perp_model_count(&w.counts, p);
    perp_model_head(w.f, "*", p);
    perp_model_path_limit(w.f, "*", p, &w.counts);
    fputs("* Numbers have 17 digits; GAMS guarantees 15 of them. eps counts as 0.\n"
          "$offDigit\n$offListing\n",
          w.f);
    fprintf(w.f, "set i /i1*i%zu/;\nalias(i,j);\n", p->n);
    gams_numbers(&w);
    if (w.counts.rows[PERP_ROW_FRICTION] > 0) {
        gams_friction(&w);
    }
    gams_model(&w);
    return PERP_OK;
}

const perp_format_type perp_format_gams = {
    .format = {.name = "gams",
               .summary = "GAMS model of type MCP with its data; no cones",
               .extension = ".gms",
               .writes = true,
               .memory = true},
    .holds = PERP_HOLDS_TEXTS, /* comments */
    .suits = gams_suits,
    .write = gams_write,
};
