/* SPDX-License-Identifier: Apache-2.0
 * formats/mps.c: write the mixed-integer form of a small problem (milp.h) in free MPS format;
 * MPS minimises, so the objective is -alpha. */
#include <config.h>

#include "milp.h"

static void mps_rows(FILE *f, const perp_milp *m)
{
    fputs("ROWS\n N obj\n", f);
    for (size_t i = 0; i < m->A->rows; i++) {
        fprintf(f, " %c ", m->senses[i]);
        perp_milp_print_name(f, &m->rows[i]);
        fputc('\n', f);
    }
}

/* `T` is A transposed. A column without entries is named in the objective. */
static void mps_columns(FILE *f, const perp_milp *m, const perp_operator *T)
{
    fputs("COLUMNS\n", f);
    for (size_t j = 0; j < T->rows; j++) {
        if (j == 0 || T->ptr[j] == T->ptr[j + 1]) {
            fputc(' ', f);
            perp_milp_print_name(f, &m->columns[j]);
            fprintf(f, " obj %d\n", j == 0 ? -1 : 0);
        }
        for (size_t k = T->ptr[j]; k < T->ptr[j + 1]; k++) {
            fputc(' ', f);
            perp_milp_print_name(f, &m->columns[j]);
            fputc(' ', f);
            perp_milp_print_name(f, &m->rows[T->col[k]]);
            fprintf(f, " %.17g\n", T->x[k]);
        }
    }
}

static void mps_bound(FILE *f, const char *kind, const perp_milp_name *column,
                      const char *value)
{
    fprintf(f, " %s BND ", kind);
    perp_milp_print_name(f, column);
    fprintf(f, "%s\n", value);
}

static void mps_bounds(FILE *f, const perp_milp *m)
{
    fputs("RHS\n", f);
    for (size_t i = 0; i < m->A->rows; i++) {
        if (m->rhs[i] != 0.0) {
            fputs(" RHS ", f);
            perp_milp_print_name(f, &m->rows[i]);
            fprintf(f, " %.17g\n", m->rhs[i]);
        }
    }
    fputs("BOUNDS\n", f);
    for (size_t j = 0; j < m->A->cols; j++) {
        switch (m->bounds[j]) {
        case 'f':
            mps_bound(f, "FR", &m->columns[j], "");
            break;
        case 'b':
            mps_bound(f, "BV", &m->columns[j], "");
            break;
        case '1':
            mps_bound(f, "LO", &m->columns[j], " -1");
            mps_bound(f, "UP", &m->columns[j], " 1");
            break;
        default: /* >= 0 is what MPS assumes */
            break;
        }
    }
}

static perp_status mps_suits(const perp_problem *p, const char *kind, const char *name,
                             perp_error *err)
{
    return perp_milp_suits("mps", p, kind, name, err);
}

static perp_status mps_write(perp_file_out *out, const perp_problem *p, const char *kind,
                             perp_error *err)
{
    FILE *f = out->f;
    perp_milp m;
    perp_operator *T = NULL;
    perp_status status = perp_milp_make(&m, p, err);

    (void)kind;
    if (status == PERP_OK) {
        status = perp_operator_transpose(&T, m.A, err);
    }
    if (status == PERP_OK) {
        perp_milp_head(f, "*", p, &m);
        fputs("NAME perp\n", f);
        mps_rows(f, &m);
        mps_columns(f, &m, T);
        mps_bounds(f, &m);
        fputs("ENDATA\n", f);
    }
    perp_operator_free(T);
    perp_milp_free(&m);
    return status;
}

const perp_format_type perp_format_mps = {
    .format = {.name = "mps",
               .summary = "free MPS of the mixed-integer form, up to 200 bounds",
               .extension = ".mps",
               .writes = true,
               .memory = true},
    .holds = PERP_HOLDS_TEXTS, /* comments */
    .suits = mps_suits,
    .remark = perp_milp_remark,
    .write = mps_write,
};
