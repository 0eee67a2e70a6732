/* SPDX-License-Identifier: Apache-2.0
 * formats/ampl.c: write an AMPL model with its data, one file.
 *
 *     subject to on_NONNEG {i in NONNEG}: 0 <= z[i] complements F[i] >= 0;
 *
 * with F[i] = b[i] + sum_j A[i,j] z[j] written out. Each sort of rows has a set and a law; only
 * those that occur are declared. Box friction is exact with two multipliers per row:
 *
 *     z[i] complements F[i] + s[i] - t[i] = 0
 *     0 <= s[i] complements mu[i] z[normal[i]] - z[i] >= 0
 *     0 <= t[i] complements mu[i] z[normal[i]] + z[i] >= 0
 *
 * Declarations and data keep to what MathProg (glpsol) knows, too; `complements` is AMPL's. */
#include <config.h>

#include "models.h"

#define AMPL_F "b[i] + sum {(i,j) in NZ} A[i,j]*z[j]"

static const struct {
    const char *name, *law;
} ampl_sorts[PERP_ROW_SORTS] = {
    [PERP_ROW_FREE] = {"FREE", "z[i] complements " AMPL_F " = 0"},
    [PERP_ROW_NONNEG] = {"NONNEG", "0 <= z[i] complements " AMPL_F " >= 0"},
    [PERP_ROW_LOWER] = {"LOWER", "lo[i] <= z[i] complements " AMPL_F " >= 0"},
    [PERP_ROW_UPPER] = {"UPPER", "z[i] <= hi[i] complements " AMPL_F " <= 0"},
    [PERP_ROW_BOX] = {"BOX", "lo[i] <= z[i] <= hi[i] complements " AMPL_F},
    [PERP_ROW_FRICTION] = {"FRICTION", "z[i] complements " AMPL_F " + s[i] - t[i] = 0"},
};

static const char ampl_friction[] =
    "subject to at_upper {i in FRICTION}:\n"
    "    0 <= s[i] complements mu[i]*z[normal[i]] - z[i] >= 0;\n"
    "subject to at_lower {i in FRICTION}:\n"
    "    0 <= t[i] complements mu[i]*z[normal[i]] + z[i] >= 0;\n";

typedef struct ampl_writer {
    FILE *f;
    const perp_problem *p;
    perp_model_counts counts;
    size_t row; /* of A, the current one */
} ampl_writer;

static bool ampl_bounded(const ampl_writer *w, perp_row_sort one_sided)
{
    return w->counts.rows[one_sided] + w->counts.rows[PERP_ROW_BOX] > 0;
}

static void ampl_declare(const ampl_writer *w)
{
    bool friction = w->counts.rows[PERP_ROW_FRICTION] > 0;

    fputs("param n integer;\nset N := 1..n;\n"
          "set NZ within {N, N};  # entries of A that are not zero\n"
          "param A {NZ};\nparam b {N};\n",
          w->f);
    for (int s = 0; s < PERP_ROW_SORTS; s++) {
        if (w->counts.rows[s] > 0) {
            fprintf(w->f, "set %s within N;\n", ampl_sorts[s].name);
        }
    }
    fputs(ampl_bounded(w, PERP_ROW_LOWER) ? "param lo {N} default 0;\n" : "", w->f);
    fputs(ampl_bounded(w, PERP_ROW_UPPER) ? "param hi {N} default 0;\n" : "", w->f);
    fputs(friction ? "param mu {FRICTION};\nparam normal {FRICTION} in N;\n" : "", w->f);
    fputs("var z {N};\n", w->f);
    fputs(friction ? "var s {FRICTION};\nvar t {FRICTION};\n" : "", w->f);
}

static void ampl_laws(const ampl_writer *w)
{
    for (int s = 0; s < PERP_ROW_SORTS; s++) {
        if (w->counts.rows[s] > 0) {
            fprintf(w->f, "subject to on_%s {i in %s}:\n    %s;\n", ampl_sorts[s].name,
                    ampl_sorts[s].name, ampl_sorts[s].law);
        }
    }
    fputs(w->counts.rows[PERP_ROW_FRICTION] ? ampl_friction : "", w->f);
}

static void ampl_entry(void *context, size_t j, double a)
{
    const ampl_writer *w = context;

    fprintf(w->f, "%zu %zu %.17g\n", w->row + 1, j + 1, a);
}

/* param lo := 3 -1.5 …: one number of each row that has it. */
static void ampl_param(const ampl_writer *w, const char *name, size_t rows,
                       bool (*value)(const perp_model_row *row, double *x))
{
    double x = 0.0;

    if (rows == 0) {
        return;
    }
    fprintf(w->f, "param %s :=\n", name);
    for (size_t i = 0; i < w->p->n; i++) {
        perp_model_row row = perp_model_row_of(w->p, i);

        if (value(&row, &x)) {
            fprintf(w->f, "%zu %.17g\n", i + 1, x);
        }
    }
    fputs(";\n", w->f);
}

static bool ampl_lo(const perp_model_row *row, double *x)
{
    *x = row->lo;
    return row->sort == PERP_ROW_LOWER || row->sort == PERP_ROW_BOX;
}

static bool ampl_hi(const perp_model_row *row, double *x)
{
    *x = row->hi;
    return row->sort == PERP_ROW_UPPER || row->sort == PERP_ROW_BOX;
}

static bool ampl_mu(const perp_model_row *row, double *x)
{
    *x = row->mu;
    return row->sort == PERP_ROW_FRICTION;
}

static bool ampl_normal(const perp_model_row *row, double *x)
{
    *x = (double)(row->normal + 1);
    return row->sort == PERP_ROW_FRICTION;
}

static void ampl_data(ampl_writer *w)
{
    const perp_problem *p = w->p;
    const size_t *rows = w->counts.rows;

    fprintf(w->f, "data;\nparam n := %zu;\n", p->n);
    for (int s = 0; s < PERP_ROW_SORTS; s++) {
        if (rows[s] == 0) {
            continue;
        }
        fprintf(w->f, "set %s :=\n", ampl_sorts[s].name);
        for (size_t i = 0; i < p->n; i++) {
            if ((int)perp_model_row_of(p, i).sort == s) {
                fprintf(w->f, "%zu\n", i + 1);
            }
        }
        fputs(";\n", w->f);
    }
    ampl_param(w, "lo", rows[PERP_ROW_LOWER] + rows[PERP_ROW_BOX], ampl_lo);
    ampl_param(w, "hi", rows[PERP_ROW_UPPER] + rows[PERP_ROW_BOX], ampl_hi);
    ampl_param(w, "mu", rows[PERP_ROW_FRICTION], ampl_mu);
    ampl_param(w, "normal", rows[PERP_ROW_FRICTION], ampl_normal);
    fputs("param b :=\n", w->f);
    for (size_t i = 0; i < p->n; i++) {
        fprintf(w->f, "%zu %.17g\n", i + 1, p->b[i]);
    }
    fputs(";\nparam : NZ : A :=\n", w->f);
    for (w->row = 0; w->row < p->n; w->row++) {
        perp_model_row_entries(p, w->row, ampl_entry, w);
    }
    fputs(";\nend;\n", w->f);
}

static perp_status ampl_suits(const perp_problem *p, const char *kind, const char *name,
                              perp_error *err)
{
    return perp_model_suits("ampl", perp_model_sets, p, kind, name, err);
}

static perp_status ampl_write(perp_file_out *out, const perp_problem *p, const char *kind,
                              perp_error *err)
{
    ampl_writer w = {.f = out->f, .p = p};

    (void)kind;
    (void)err;
    perp_model_count(&w.counts, p);
    perp_model_head(w.f, "#", p);
    perp_model_path_limit(w.f, "#", p, &w.counts);
    fputs("# In AMPL: model FILE; option solver path; solve; display z;\n", w.f);
    ampl_declare(&w);
    ampl_laws(&w);
    ampl_data(&w);
    return PERP_OK;
}

const perp_format_type perp_format_ampl = {
    .format = {.name = "ampl",
               .summary = "AMPL model with its data: complements; no cones",
               .extension = ".mod",
               .writes = true,
               .memory = true},
    .holds = PERP_HOLDS_TEXTS, /* comments */
    .suits = ampl_suits,
    .write = ampl_write,
};
