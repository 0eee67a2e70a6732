/* SPDX-License-Identifier: Apache-2.0
 * newton/growth.c: the growth of impulses as a certificate that there is no solution. */
#include <config.h>

#include "growth.h"

static const double flat = 1e-15; /* y.A y of a certificate, times |A| |y|^2 */
static const double growth = 0.1; /* of |z|, before a certificate is tried */

perp_status perp_growth_certify(const perp_problem *p, double norm, const double *center,
                                double *before, double *Ay, perp_result *r,
                                perp_error *err)
{
    double curvature = 0.0;
    double square = 0.0;

    if (!perp_growth_direction(p->n, center, before, growth)) {
        return PERP_OK;
    }
    perp_operator_apply(p->A, before, Ay);
    r->work.products += 1.0;
    for (size_t i = 0; i < p->n; i++) {
        curvature += before[i] * Ay[i];
        square += before[i] * before[i];
    }
    return curvature <= flat * norm * square
               ? perp_result_certify_direction(r, p, before, err)
               : PERP_OK;
}
