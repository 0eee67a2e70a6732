/* SPDX-License-Identifier: Apache-2.0
 * formats/milp_ranges.c: intervals that hold every solution z, by propagation.
 *
 * Where A_ii > 0 the law of row i says that z_i is t clipped to its bounds, with
 *
 *     t = -(b_i + sum_{j != i} A_ij z_j)/A_ii
 *
 * so an interval of each z_j gives one of t, and that one of z_i. Each sweep over the rows may
 * narrow the intervals; any number of them is right. */
#include <config.h>

#include <math.h>

#include "milp.h"

enum { MILP_SWEEPS = 1000 };

static const double milp_rounding = 1e-12; /* of the sum, relative to its terms */
static const double milp_narrower =
    0.999; /* of the width, for which a sweep is worthwhile */

/* The sum of A_ij z_j, j != i: its least and largest value, and the size of their terms. */
typedef struct milp_sum {
    const double *low, *high;
    size_t row;
    double diagonal;
    double least, most, size_of_least, size_of_most;
} milp_sum;

static void milp_sum_entry(void *context, size_t j, double a)
{
    milp_sum *s = context;
    const double least = a * (a > 0.0 ? s->low[j] : s->high[j]);
    const double most = a * (a > 0.0 ? s->high[j] : s->low[j]);

    if (j == s->row) {
        s->diagonal = a;
        return;
    }
    s->least += least;
    s->most += most;
    s->size_of_least += fabs(least);
    s->size_of_most += fabs(most);
}

static double milp_clip(double t, double lo, double hi)
{
    return fmin(fmax(t, lo), hi);
}

/* The interval of row i again, from those of the others; true where it is clearly narrower. */
static bool milp_narrow(const perp_problem *p, size_t i, double *low, double *high)
{
    const perp_model_row row = perp_model_row_of(p, i);
    const bool friction = row.sort == PERP_ROW_FRICTION;
    const double most = friction && row.mu > 0.0 ? row.mu * high[row.normal] : 0.0;
    const double lo = friction ? -most : row.lo;
    const double hi = friction ? most : row.hi;
    const double old[2] = {low[i], high[i]};
    const double b = p->b[i];
    milp_sum s = {.low = low, .high = high, .row = i};
    double t[2] = {-INFINITY, INFINITY};

    perp_model_row_entries(p, i, milp_sum_entry, &s);
    if (s.diagonal > 0.0) {
        t[0] = -(b + s.most + milp_rounding * (fabs(b) + s.size_of_most)) / s.diagonal;
        t[1] = -(b + s.least - milp_rounding * (fabs(b) + s.size_of_least)) / s.diagonal;
    }
    low[i] = fmax(low[i], milp_clip(t[0], lo, hi));
    high[i] = fmin(high[i], milp_clip(t[1], lo, hi));
    return isinf(low[i]) != isinf(old[0]) || isinf(high[i]) != isinf(old[1]) ||
           high[i] - low[i] < milp_narrower * (old[1] - old[0]);
}

void perp_milp_ranges(const perp_problem *p, double *low, double *high)
{
    bool narrower = true;

    for (size_t i = 0; i < p->n; i++) {
        low[i] = -INFINITY;
        high[i] = INFINITY;
    }
    for (int sweep = 0; narrower && sweep < MILP_SWEEPS; sweep++) {
        narrower = false;
        for (size_t i = 0; i < p->n; i++) {
            narrower = milp_narrow(p, i, low, high) || narrower;
            if (low[i] > high[i]) { /* there is no solution, and nothing more to narrow */
                return;
            }
        }
    }
}
