/* SPDX-License-Identifier: Apache-2.0
 * judge/judge.h: the judge's inside, shared by residual.c and measures.c. Private. */
#ifndef PERP_CORE_JUDGE_H
#define PERP_CORE_JUDGE_H

#include "core/solvers.h"

struct perp_judge {
    const perp_problem *p;
    double *d, *s;   /* per block: scale and its root */
    double *w;       /* n: A z + b of the last point */
    double *spread;  /* per block: scratch for percentiles */
    double *tangent; /* 2 per block: |z_T| and |w_T| of contacts that are measured */
    double beta_b;
    bool sees; /* the data are within what doubles can judge; if not, RES is infinite */
};

/** The parts of a residual before they are put together. */
typedef struct perp_parts {
    double e_max, e_squares, beta_z;
} perp_parts;

/** w := A z + b. */
void perp_judge_velocities(perp_judge *judge, const double *z);

/** RES under a law, from the w of the last product; parts may be NULL. */
double perp_judge_law(perp_judge *judge, const double *z, perp_law law,
                      perp_parts *parts);

/** |z_k - P_K(z_k - uhat_k/d)|_2 of one block of the full vectors z and w. */
double perp_natural_map(const perp_block *block, perp_law law, double d, const double *z,
                        const double *w);

/** De Saxce's term mu |w_T| (+ mu_r |w_R|) of a cone from its own w; 0 for other blocks. */
double perp_de_saxce_shift(const perp_block *block, const double *w);

#endif
