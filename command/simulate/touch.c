/* SPDX-License-Identifier: Apache-2.0
 * simulate/touch.c: what a contact does at a solution.
 *
 * At a solution z_N w_N = 0, and (mu z_N - |z_T|) |w_T| = 0: which factor is 0 says what the
 * contact does. Near a solution both are small numbers or one of them is; d z has the unit of w,
 * and the larger of the two decides. */
#include <config.h>

#include <math.h>

#include "command/simulate/touch.h"

/* |x_T| of a contact whose normal is x[0]; rolling moments are not friction of the point. */
static double touch_tangent(const double *x, unsigned dim)
{
    return dim < 3 ? fabs(x[1]) : hypot(x[1], x[2]);
}

/* Whether the normal impulse z_N is not larger than its error, or w_N is the larger of the two. */
static bool touch_is_open(const sim_point *x, size_t block, double z_n, double w_n)
{
    const double s = x->scale[block];
    const double error = fmin(fmax(x->residual[block], 1e-12), 1e-6);

    return !(s * z_n > error * x->beta) || !(s * s * z_n > w_n);
}

static sim_touch touch_cone(const sim_point *x, size_t block)
{
    const perp_block *b = &x->p->set->blocks[block];
    const double *z = x->z + b->first;
    const double *w = x->w + b->first;
    const double d = x->scale[block] * x->scale[block];
    const double slip = touch_tangent(w, b->dim);
    const double shift = x->p->law == PERP_LAW_ASSOCIATED ? b->mu * slip : 0.0;

    if (touch_is_open(x, block, z[0], w[0] - shift)) {
        return SIM_TOUCH_OPEN;
    }
    return d * (b->mu * z[0] - touch_tangent(z, b->dim)) <= slip ? SIM_TOUCH_SLIDING
                                                                 : SIM_TOUCH_STICKING;
}

/* Each tangent of a box has the bound mu z_N of its own. */
static bool touch_slides_box(const sim_point *x, size_t block, unsigned rows, double mu)
{
    const perp_block *b = &x->p->set->blocks[block];

    for (unsigned r = 1; r < rows; r++) {
        const double d = x->scale[block + r] * x->scale[block + r];
        const double slack = mu * x->z[b->first] - fabs(x->z[b->first + r]);

        if (d * slack <= fabs(x->w[b->first + r])) {
            return true;
        }
    }
    return rows == 1;
}

/* z of the auxiliary row is the velocity of the slip, w of it the slack of the pyramid. */
static bool touch_slides_pyramid(const sim_point *x, size_t block, size_t auxiliary)
{
    const size_t row = x->p->set->blocks[auxiliary].first;
    const double d = x->scale[block] * x->scale[block];

    return d * x->w[row] <= x->z[row];
}

sim_touch sim_touch_of(const sim_point *x, size_t block, unsigned rows, double mu,
                       size_t auxiliary)
{
    const perp_block *b = &x->p->set->blocks[block];
    bool slides = false;

    if (b->dim > 1) {
        return touch_cone(x, block);
    }
    if (touch_is_open(x, block, x->z[b->first], x->w[b->first])) {
        return SIM_TOUCH_OPEN;
    }
    slides = auxiliary < x->p->set->count ? touch_slides_pyramid(x, block, auxiliary)
                                          : touch_slides_box(x, block, rows, mu);
    return slides ? SIM_TOUCH_SLIDING : SIM_TOUCH_STICKING;
}

double sim_touch_residual(const sim_point *x, size_t block, unsigned rows,
                          size_t auxiliary)
{
    const size_t count = x->p->set->blocks[block].dim > 1 ? 1 : rows;
    double most = x->residual[block];

    for (size_t k = block + 1; k < block + count; k++) {
        most = fmax(most, x->residual[k]);
    }
    return auxiliary < x->p->set->count ? fmax(most, x->residual[auxiliary]) : most;
}
