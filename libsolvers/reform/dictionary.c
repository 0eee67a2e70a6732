/* SPDX-License-Identifier: Apache-2.0
 * reform/dictionary.c: exchange a basic with a nonbasic variable of basic = q + T nonbasic.
 *
 *     x_c = (y_r - q_r - sum_{j /= c} T_rj x_j) / T_rc    goes into every other row
 *
 * The matrix T changes as linear/tableau.h has it; q_i += T_ic x_c at x = 0. 2 n^2 flops. */
#include <config.h>

#include <cblas.h>

#include "dictionary.h"
#include "linear/tableau.h"

perp_status perp_dictionary_open(perp_dictionary *d, const perp_problem *p,
                                 perp_error *err)
{
    size_t n = p->n;
    size_t area = 0;

    *d = (perp_dictionary){.n = n};
    d->T = perp_mul(n, n, &area) ? perp_reals_new(area) : NULL;
    d->q = perp_reals_new(n);
    d->basic = calloc(n + 1, sizeof *d->basic);
    d->nonbasic = calloc(n + 1, sizeof *d->nonbasic);
    d->row = perp_reals_new(n);
    d->col = perp_reals_new(n);
    if (!d->T || !d->q || !d->basic || !d->nonbasic || !d->row || !d->col) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a dictionary of %zu rows",
                         n);
    }
    for (size_t i = 0; i < n; i++) {
        d->basic[i] = i;
        d->nonbasic[i] = n + i;
        d->q[i] = p->b[i];
        memset(d->row, 0, n * sizeof *d->row);
        p->A->type->row_add(p->A, i, 1.0, d->row);
        cblas_dcopy((int)n, d->row, 1, d->T + i, (int)n);
    }
    return PERP_OK;
}

void perp_dictionary_close(perp_dictionary *d)
{
    free(d->T);
    free(d->q);
    free(d->basic);
    free(d->nonbasic);
    free(d->row);
    free(d->col);
}

void perp_dictionary_exchange(perp_dictionary *d, size_t r, size_t c)
{
    perp_tableau t = {.rows = d->n,
                      .cols = d->n,
                      .ld = d->n,
                      .T = d->T,
                      .column = d->col,
                      .row = d->row};
    size_t variable = d->basic[r];
    double q = d->q[r];

    perp_tableau_exchange(&t, r, c);
    d->q[r] = 0.0;
    cblas_daxpy((int)d->n, -q, d->T + c * d->n, 1, d->q, 1);
    d->basic[r] = d->nonbasic[c];
    d->nonbasic[c] = variable;
}
