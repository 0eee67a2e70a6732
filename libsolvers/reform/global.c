/* SPDX-License-Identifier: Apache-2.0
 * reform/global.c: what condense and factor share, which make a global problem local. */
#include <config.h>

#include "base/base.h"
#include "reforms.h"

perp_status perp_global_check(const perp_problem *p, const char *name, perp_error *err)
{
    const perp_global *g = p->global;

    if (!g || !g->M || !g->H || !g->f) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "%s: the problem has no global form (M, H, f)", name);
    }
    if (g->M->rows != g->M->cols) {
        return perp_fail(err, PERP_ERR_DATA, "%s: M is %zu x %zu, expected a square",
                         name, g->M->rows, g->M->cols);
    }
    if (g->H->rows != g->M->rows || (g->G && g->G->rows != g->M->rows)) {
        return perp_fail(
            err, PERP_ERR_DATA, "%s: %s has %zu row%s, expected those of M, %zu", name,
            g->H->rows != g->M->rows ? "H" : "G",
            g->H->rows != g->M->rows ? g->H->rows : g->G->rows,
            perp_plural(g->H->rows != g->M->rows ? g->H->rows : g->G->rows), g->M->rows);
    }
    if (g->H->cols + (g->G ? g->G->cols : 0) != p->n || p->set->n != p->n) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: H and G have %zu and %zu column%s and K %zu row%s, "
                         "expected %zu in all",
                         name, g->H->cols, g->G ? g->G->cols : 0,
                         perp_plural(g->G ? g->G->cols : 0), p->set->n,
                         perp_plural(p->set->n), p->n);
    }
    return PERP_OK;
}

perp_status perp_global_transpose(perp_operator **out, const perp_operator *A,
                                  perp_error *err)
{
    perp_operator *csr = NULL;
    perp_status status = perp_operator_convert(&csr, A, PERP_STORAGE_CSR, 1, err);

    *out = NULL;
    if (status == PERP_OK) {
        status = perp_operator_transpose(out, csr, err);
    }
    perp_operator_free(csr);
    return status;
}

perp_status perp_global_rows(perp_operator **Jt, const perp_problem *p, perp_error *err)
{
    const perp_global *g = p->global;
    perp_operator *parts[2] = {NULL, NULL};
    size_t entries = 0;
    size_t row = 0;
    perp_status status = perp_global_transpose(&parts[0], g->H, err);

    *Jt = NULL;
    if (status == PERP_OK && g->G) {
        status = perp_global_transpose(&parts[1], g->G, err);
    }
    for (int k = 0; k < 2 && status == PERP_OK; k++) {
        entries += parts[k] ? parts[k]->ptr[parts[k]->rows] : 0;
    }
    if (status == PERP_OK) {
        status = perp_operator_new_sparse(Jt, p->n, g->M->rows, 1, entries, err);
    }
    for (int k = 0; k < 2 && status == PERP_OK; k++) {
        size_t first = (*Jt)->ptr[row];

        for (size_t i = 0; parts[k] && i < parts[k]->rows; i++) {
            (*Jt)->ptr[++row] = first + parts[k]->ptr[i + 1];
        }
        if (parts[k]) {
            entries = parts[k]->ptr[parts[k]->rows];
            memcpy((*Jt)->col + first, parts[k]->col, entries * sizeof(int32_t));
            memcpy((*Jt)->x + first, parts[k]->x, entries * sizeof(double));
        }
    }
    perp_operator_free(parts[0]);
    perp_operator_free(parts[1]);
    return status;
}
