/* SPDX-License-Identifier: Apache-2.0
 * interior/ray.c: the direction of growth, improved by inverse iteration until it certifies
 * infeasibility. */
#include <config.h>

#include "base/base.h"
#include "ray.h"

/* Each leaves 1e-10 of the part of y outside the null space of A_FF. */
enum { IMPROVEMENTS = 3 };

static const double growth_factor = 8.0; /* between two attempts */
static const double growth_last = 1e2;   /* |z|/beta below which z is bounded */
/* Part of the largest entry below which an entry does not take part in the growth. */
static const double negligible = 1e-4;

/* y := z where it grows, scaled to 1; the check of the certificate projects rows that reduce it. */
static void ray_direction(const perp_path *t, double size, double *y)
{
    for (size_t i = 0; i < t->p->n; i++) {
        bool grows = t->scale[i] * fabs(t->z[i]) > negligible * size;

        y[i] = grows ? t->z[i] / size : 0.0;
    }
}

/* y_F := (A_FF + 1e-10 d I)^-1 y_F on the rows where y is not zero, scaled to 1. */
static perp_status ray_improve(perp_path *t, double *y, bool *done, perp_result *r,
                               perp_error *err)
{
    size_t *rows = t->rows;
    double *x = t->dz;
    double size = 0.0;
    size_t rank = 0;
    perp_status status = PERP_OK;

    for (size_t i = 0; i < t->p->n; i++) {
        if (y[i] != 0.0) {
            x[rank] = y[i];
            rows[rank++] = i;
        }
    }
    status = perp_ipm_kkt_factor_block(&t->kkt, rows, rank, true, &r->work, done, err);
    if (status != PERP_OK || !*done) {
        return status;
    }
    perp_ipm_kkt_solve_block(&t->kkt, x);
    for (size_t k = 0; k < rank; k++) {
        size = fmax(size, t->scale[rows[k]] * fabs(x[k]));
    }
    *done = isfinite(size) && size > 0.0;
    for (size_t k = 0; k < rank && *done; k++) {
        y[rows[k]] = x[k] / size;
    }
    return PERP_OK;
}

perp_status perp_ray_certify(perp_path *t, bool last, perp_result *r, perp_error *err)
{
    double *y = t->rhs;
    double size = 0.0;
    bool done = perp_ipm_kkt_has_blocks(&t->kkt);

    for (size_t i = 0; i < t->p->n; i++) {
        size = fmax(size, t->scale[i] * fabs(t->z[i]));
    }
    if (!isfinite(size) || !(size > (last ? growth_last * t->beta : t->growth))) {
        return PERP_OK;
    }
    t->growth = growth_factor * size;
    ray_direction(t, size, y);
    for (size_t k = 0; k < IMPROVEMENTS && done; k++) {
        TRY(ray_improve(t, y, &done, r, err));
        if (done) {
            TRY(perp_result_certify_direction(r, t->p, y, err));
        }
        if (r->certificate.kind == PERP_CERTIFICATE_INFEASIBLE) {
            return PERP_OK;
        }
    }
    ray_direction(t, size,
                  y); /* unimproved: A_FF y_F need not be zero on rows of cones */
    return perp_result_certify_direction(r, t->p, y, err);
}
