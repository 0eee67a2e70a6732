/* SPDX-License-Identifier: Apache-2.0
 * reform/dictionary.c: exchange a basic with a nonbasic variable of basic = q + T nonbasic.
 *
 *     x_c = (y_r - q_r - sum_{j /= c} T_rj x_j) / T_rc    goes into every other row:
 *     T_ij <- T_ij - T_ic T_rj / T_rc,  T_ic <- T_ic / T_rc,  T_rj <- -T_rj / T_rc
 *
 * [cottle-pang-stone-2009, section 2.3]. Dense; 2 n^2 flops through BLAS. */
#include <config.h>

#include <cblas.h>

#include "dictionary.h"

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
        perp_operator_row_add(p->A, i, 1.0, d->row);
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
    size_t n = d->n;
    size_t variable = d->basic[r];
    double pivot = perp_dictionary_at(d, r, c);

    cblas_dcopy((int)n, d->T + r, (int)n, d->row, 1);
    cblas_dcopy((int)n, d->T + c * n, 1, d->col, 1);
    for (size_t j = 0; j < n; j++) {
        d->row[j] = j == c ? 1.0 / pivot : -d->row[j] / pivot;
    }
    d->col[r] = 0.0;
    memset(d->T + c * n, 0, n * sizeof *d->T);
    cblas_dger(CblasColMajor, (int)n, (int)n, 1.0, d->col, 1, d->row, 1, d->T, (int)n);
    cblas_dcopy((int)n, d->row, 1, d->T + r, (int)n);
    d->q[r] = -d->q[r] / pivot;
    cblas_daxpy((int)n, d->q[r], d->col, 1, d->q, 1); /* col[r] = 0 */
    d->basic[r] = d->nonbasic[c];
    d->nonbasic[c] = variable;
}
