/* SPDX-License-Identifier: Apache-2.0
 * reform/dictionary.c: exchanges of variables in a dictionary basic = q + T nonbasic.
 *
 *     x_c = (y_r - q_r - sum_{j /= c} T_rj x_j) / T_rc,   substituted in every other row:
 *     T_ij <- T_ij - T_ic T_rj / T_rc,  T_ic <- T_ic / T_rc,  T_rj <- -T_rj / T_rc
 *
 * The matrix T changes as linear/tableau.h has it; q_i += T_ic x_c at x = 0. 2 n^2 flops. */
#include <config.h>

#include <cblas.h>

#include "base/base.h"
#include "dictionary.h"
#include "linear/tableau.h"

perp_status perp_dictionary_init(perp_dictionary *d, const perp_problem *p,
                                 perp_workspace *ws, perp_error *err)
{
    size_t n = p->n;

    *d = (perp_dictionary){.n = n};
    d->T = perp_workspace_alloc(ws, n, n * sizeof *d->T);
    d->q = perp_workspace_reals(ws, n);
    d->basic = perp_workspace_sizes(ws, n);
    d->nonbasic = perp_workspace_sizes(ws, n);
    d->row = perp_workspace_reals(ws, n);
    d->col = perp_workspace_reals(ws, n);
    TRY(perp_workspace_status(ws, err));
    for (size_t i = 0; i < n; i++) {
        d->basic[i] = i;
        d->nonbasic[i] = n + i;
        d->q[i] = p->b[i];
        memset(d->row, 0, n * sizeof *d->row);
        perp_operator_row_add(p->A, i, 1.0, d->row);
        cblas_dcopy((int)n, d->row, 1, d->T + i, (int)n);
    }
    return PERP_OK;
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
