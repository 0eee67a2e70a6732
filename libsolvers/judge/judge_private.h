/* SPDX-License-Identifier: Apache-2.0
 * judge/judge_private.h: the fields of a judge, shared by residual.c and measures.c alone. */
#ifndef PERP_JUDGE_JUDGE_PRIVATE_H
#define PERP_JUDGE_JUDGE_PRIVATE_H

#include "judge/judge.h"

typedef struct perp_judge_team perp_judge_team;

struct perp_judge {
    const perp_problem *p;
    perp_judge_team *team; /* NULL: one thread */
    double *own; /* the memory of all arrays; NULL: of a workspace, as the judge itself */
    double *d, *s;   /* per block: scale and its root */
    double *e;       /* per block: e_k of the last point */
    double *m;       /* per block: sum_j |A_kj||z_j|/s_k, where rounding matters */
    double *reach;   /* per block: b/s that counts as far as z departs from z0 */
    double *w;       /* n: A z + b of the last point */
    double *scratch; /* n, and 2 per velocity of a matrix in factors: sums of rows */
    double *spread;  /* per block: scratch for percentiles */
    double *tangent; /* 2 per block: |z_T| and |w_T| of contacts that are measured */
    double base;     /* beta at z0 */
    double beta;     /* of the last point */
    double largest;  /* a bound of |A_ij|; negative: not known yet */
    double least, magnified; /* the least s_k, and the most that a law magnifies errors */
    bool rolls;              /* there are rolling contacts */
    bool
        sees; /* the data are within what doubles can judge; if not, the residual is infinite */
};

/** The parts of a residual before they are put together. */
typedef struct perp_parts {
    double e_max, e_squares, beta;
    double
        e_least; /**< max (e_k - 2 eps s_k |z_k|), since a_k is at least that; from 0 on */
    double size; /**< max s_k |z_k| */
    bool finite;
} perp_parts;

/** The larger of a and b, a where b is NaN: fmax without its call, which costs as much as a row. */
static inline double perp_larger(double a, double b)
{
    return b > a ? b : a;
}

/** |z - clip(z - step, lo, hi)| */
static inline double perp_scalar_map(double z, double step, double lo, double hi)
{
    if (step > z - lo) {
        return fabs(z - lo);
    }
    return step < z - hi ? fabs(z - hi) : fabs(step);
}

/** |x|_2 of a block, also where squares are out of the range of doubles. */
double perp_block_norm(const double *x, unsigned dim);

/** Add blocks from .. to-1 to the parts, which begin with those of a judge; e of the judge is
 *  written. */
void perp_judge_add_blocks(const perp_judge *judge, double shift, const double *z,
                           const double *w, perp_law law, size_t from, size_t to,
                           perp_parts *sum);
perp_parts perp_judge_no_blocks(const perp_judge *judge);
/** Add the parts of further blocks. */
void perp_judge_join(perp_parts *sum, const perp_parts *more);
/** The residual at z under a law, whose parts were summed with the judge's w = A z + b. Where the
 *  rounding of w could decide, w, e and the parts are computed again, more precisely. */
double perp_judge_conclude(perp_judge *judge, const double *z, perp_law law,
                           perp_parts *sum);

/** The parts at z, by the team. */
void perp_judge_team_parts(perp_judge *judge, const double *z, perp_parts *sum);

/** The judge's w := A z + b. */
void perp_judge_velocities(perp_judge *judge, const double *z);

/** The residual under a law, with the scales d + shift and the velocities w (n), whose rounding is
 *  not looked at; parts may be NULL. */
double perp_judge_law(const perp_judge *judge, double shift, const double *z,
                      const double *w, perp_law law, perp_parts *parts);

/** Whether the rounding of w = A z + b may be more than a thousandth of e_max: a bound. */
bool perp_judge_rounds(perp_judge *judge, const double *z, double e_max);
/** m_k of all blocks. Costs about a product. */
void perp_judge_magnitudes(perp_judge *judge, const double *z);
/** w of the blocks with m_k > least in twice the working precision. */
void perp_judge_refine(perp_judge *judge, const double *z, double least);

#endif
