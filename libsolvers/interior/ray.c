/* SPDX-License-Identifier: Apache-2.0
 * interior/ray.c: the direction of growth, improved until it proves something. */
#include <config.h>

#include "ray.h"

enum {
    IMPROVEMENTS = 3
}; /* each leaves 1e-10 of a part that A_FF does not map to zero */

static const double grown_more = 8.0; /* between two looks */
static const double grown_last = 1e2; /* |z|/beta below which nothing runs away */
/* Part of the largest entry below which an entry does not take part in the growth. */
static const double idle_part = 1e-4;

/* y := z where it grows, scaled to 1; rows that reduce it are projected by the check. */
static void direction(const perp_path *t, double size, double *y)
{
    for (size_t i = 0; i < t->p->n; i++) {
        bool grows = t->scale[i] * fabs(t->z[i]) > idle_part * size;

        y[i] = grows ? t->z[i] / size : 0.0;
    }
}

/* y_F := (A_FF + 1e-10 d I)^-1 y_F on the rows where y is not zero, scaled to 1. */
static perp_status improve(perp_path *t, double *y, bool *done, perp_result *r,
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
    status = perp_kernel_factor_block(&t->kernel, rows, rank, true, &r->work, done, err);
    if (status != PERP_OK || !*done) {
        return status;
    }
    perp_factor_solve(t->kernel.f, x);
    for (size_t k = 0; k < rank; k++) {
        size = fmax(size, t->scale[rows[k]] * fabs(x[k]));
    }
    *done = isfinite(size) && size > 0.0;
    for (size_t k = 0; k < rank && *done; k++) {
        y[rows[k]] = x[k] / size;
    }
    return PERP_OK;
}

perp_status perp_ray_prove(perp_path *t, bool last, perp_result *r, perp_error *err)
{
    double *y = t->rhs;
    double size = 0.0;
    bool done = t->kernel.f != NULL; /* no blocks of a matrix in factors */
    perp_status status = PERP_OK;

    for (size_t i = 0; i < t->p->n; i++) {
        size = fmax(size, t->scale[i] * fabs(t->z[i]));
    }
    if (!isfinite(size) || !(size > (last ? grown_last * t->beta : t->grown))) {
        return PERP_OK;
    }
    t->grown = grown_more * size;
    direction(t, size, y);
    for (size_t k = 0; k < IMPROVEMENTS && done && status == PERP_OK; k++) {
        status = improve(t, y, &done, r, err);
        if (status == PERP_OK && done) {
            status = perp_result_certify_direction(r, t->p, y, err);
        }
        if (r->certificate.kind == PERP_CERTIFICATE_INFEASIBLE) {
            return status;
        }
    }
    if (status == PERP_OK) { /* as it is: A_FF y_F need not be zero on rows of cones */
        direction(t, size, y);
        status = perp_result_certify_direction(r, t->p, y, err);
    }
    return status;
}
