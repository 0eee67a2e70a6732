/* SPDX-License-Identifier: Apache-2.0
 * runner/spectrum.c: singular values, rank and condition of A by LAPACK (dgesdd). */
#include <config.h>

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

#include <perp/reform.h>

#include "command/campaign/spectrum.h"
#include "command/cli/take.h"

static perp_status spectrum_values(const perp_operator *A, double *sigma, perp_error *err)
{
    perp_operator *dense = NULL; /* LAPACK overwrites it */
    double none = 0.0;
    lapack_int n = (lapack_int)perp_operator_rows(A), info = 0;
    perp_status status = perp_operator_convert(&dense, A, PERP_STORAGE_DENSE, 1, err);

    if (status == PERP_OK) {
        const perp_arrays a = perp_operator_arrays(dense);

        info = LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', n, n, a.x, (lapack_int)a.ld, sigma,
                              &none, 1, &none, 1);
    }
    perp_operator_free(dense);
    if (info == LAPACK_WORK_MEMORY_ERROR) {
        take_missing(0);
    }
    return status == PERP_OK && info != 0
               ? perp_fail(err, PERP_ERR_LIBRARY,
                           "dgesdd: the singular values of %d rows do not converge",
                           (int)n)
               : status;
}

static perp_status spectrum_measure(const perp_operator *A, spectrum *s, perp_error *err)
{
    size_t n = perp_operator_rows(A);
    perp_status status = PERP_OK;

    s->n = n;
    s->sigma = take(n + 1, sizeof *s->sigma);
    if (n > 0) {
        status = spectrum_values(A, s->sigma, err);
    }
    if (status == PERP_OK) {
        double least = (double)n * DBL_EPSILON * s->sigma[0];

        while (s->rank < n && s->sigma[s->rank] > least) {
            s->rank++;
        }
        s->condition = s->rank ? s->sigma[0] / s->sigma[s->rank - 1] : NAN;
    }
    return status;
}

void spectrum_clear(spectrum *s)
{
    free(s->sigma);
    *s = (spectrum){0};
}

perp_status spectrum_of(const perp_problem *p, size_t most, spectrum *s, bool *known,
                        perp_error *err)
{
    perp_reform *condensed = NULL;
    perp_status status = PERP_OK;

    *s = (spectrum){0};
    *known = p->n <= most;
    if (!*known) {
        return PERP_OK;
    }
    if (!p->A) {
        status = perp_reform_condense(&condensed, p, NULL);
        if (status != PERP_OK) {
            *known = false;
            return PERP_OK;
        }
        p = condensed->to;
    }
    status = spectrum_measure(p->A, s, err);
    perp_reform_free(condensed);
    return status;
}
