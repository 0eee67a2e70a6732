/* SPDX-License-Identifier: Apache-2.0
 * formats/lp.c: write the mixed-integer form of a small problem (milp.h) in CPLEX LP format,
 * one term per line. */
#include <config.h>

#include <math.h>

#include "milp.h"

static void lp_rows(FILE *f, const perp_milp *m)
{
    const perp_operator *A = m->A;

    for (size_t i = 0; i < A->rows; i++) {
        fputc(' ', f);
        perp_milp_print_name(f, &m->rows[i]);
        fputs(":\n", f);
        for (size_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
            fprintf(f, "  %c %.17g ", A->x[k] < 0.0 ? '-' : '+', fabs(A->x[k]));
            perp_milp_print_name(f, &m->columns[A->col[k]]);
            fputc('\n', f);
        }
        if (A->ptr[i] == A->ptr[i + 1]) { /* w of a row of zeros: a row has a term */
            fputs("  + 0 alpha\n", f);
        }
        fprintf(f, "  %s %.17g\n",
                m->senses[i] == 'E'   ? "="
                : m->senses[i] == 'L' ? "<="
                                      : ">=",
                m->rhs[i]);
    }
}

static void lp_columns(FILE *f, const perp_milp *m, char bound, const char *before,
                       const char *after)
{
    for (size_t j = 0; j < m->A->cols; j++) {
        if (m->bounds[j] == bound) {
            fprintf(f, " %s", before);
            perp_milp_print_name(f, &m->columns[j]);
            fprintf(f, "%s\n", after);
        }
    }
}

static perp_status lp_suits(const perp_problem *p, const char *kind, const char *name,
                            perp_error *err)
{
    return perp_milp_suits("lp", p, kind, name, err);
}

static perp_status lp_write(perp_file_out *out, const perp_problem *p, const char *kind,
                            perp_error *err)
{
    FILE *f = out->f;
    perp_milp m;
    perp_status status = perp_milp_make(&m, p, err);

    (void)kind;
    if (status == PERP_OK) {
        perp_milp_head(f, "\\", p, &m);
        fputs("Maximize\n obj: alpha\nSubject To\n", f);
        lp_rows(f, &m);
        fputs("Bounds\n", f);
        lp_columns(f, &m, '1', "-1 <= ", " <= 1");
        lp_columns(f, &m, 'f', "", " free");
        fputs("Binary\n", f);
        lp_columns(f, &m, 'b', "", "");
        fputs("End\n", f);
    }
    perp_milp_free(&m);
    return status;
}

const perp_format_type perp_format_lp = {
    .format = {.name = "lp",
               .summary = "CPLEX LP of the mixed-integer form, up to 200 bounds",
               .extension = ".lp",
               .writes = true,
               .memory = true},
    .holds = PERP_HOLDS_TEXTS, /* comments */
    .suits = lp_suits,
    .remark = perp_milp_remark,
    .write = lp_write,
};
