/* SPDX-License-Identifier: Apache-2.0
 * judge/certificate_direction.c: certificates of infeasibility from diverging iterates.
 *
 * Without a solution the iterates of a method that descends diverge, and the direction of
 * their divergence tends to a certificate. */
#include <config.h>

#include "judge/judge.h"

/* y_k := the part of a direction that lies in the recession cone of a block; of contacts under
 * Coulomb's law only the normal may be part of a certificate. */
static void direction_project_block(const perp_problem *p, const perp_block *block,
                                    double *y)
{
    bool scalar = block->dim == 1 && block->kind != PERP_SET_FRICTION;
    bool cone = block->kind == PERP_SET_CONE || block->kind == PERP_SET_ROLLING;

    if (scalar) {
        y[0] = isfinite(block->lo) ? fmax(y[0], 0.0) : y[0];
        y[0] = isfinite(block->hi) ? fmin(y[0], 0.0) : y[0];
    } else if (p->law == PERP_LAW_ASSOCIATED && block->kind == PERP_SET_CONE) {
        perp_project_cone(block->mu, block->dim, y);
    } else {
        y[0] = cone ? fmax(y[0], 0.0) : 0.0;
        for (unsigned i = 1; i < block->dim; i++) {
            y[i] = 0.0;
        }
    }
}

/* A certificate has y.A y <= 0; where A is positive semidefinite this is 0 up to rounding. A
 * direction of small but positive curvature passes the tolerances of the check, although the
 * problem may have a solution far away, as with mass ratios of 10^8. */
static bool direction_is_flat(const perp_problem *p, const double *y, double *Ay)
{
    double curvature = 0.0;
    double square = 0.0;
    double most = 0.0;

    perp_operator_apply(p->A, y, Ay);
    for (size_t i = 0; i < p->n; i++) {
        curvature += y[i] * Ay[i];
        square += y[i] * y[i];
        most = fmax(most, perp_operator_diagonal(p->A, i));
    }
    return curvature <= 1e-13 * most * square;
}

bool perp_certificate_direction(const perp_problem *p, double *y)
{
    double *Ay = perp_reals_new(p->n);
    bool certifies = false;

    for (size_t k = 0; k < p->set->count; k++) {
        direction_project_block(p, &p->set->blocks[k], y + p->set->blocks[k].first);
    }
    certifies = Ay && direction_is_flat(p, y, Ay) && perp_certificate_infeasible(p, y);
    free(Ay);
    return certifies;
}

perp_status perp_result_certify_direction(perp_result *r, const perp_problem *p,
                                          double *y, perp_error *err)
{
    r->work.products += 2.0;
    return perp_certificate_direction(p, y) ? perp_result_certify_infeasible(r, y, err)
                                            : PERP_OK;
}

bool perp_growth_direction(size_t n, const double *z, double *y, double least)
{
    double size = perp_largest(n, z);

    for (size_t i = 0; i < n; i++) {
        y[i] = z[i] - y[i];
    }
    return isfinite(size) && perp_largest(n, y) > least * size;
}
