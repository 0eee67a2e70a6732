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
    double *w;       /* n: A z + b of the last point */
    double *spread;  /* per block: scratch for percentiles */
    double *tangent; /* 2 per block: |z_T| and |w_T| of contacts that are measured */
    double beta_b;
    bool
        sees; /* the data are within what doubles can judge; if not, the residual is infinite */
};

/** The parts of a residual before they are put together. */
typedef struct perp_parts {
    double e_max, e_squares, beta_z;
    bool finite;
} perp_parts;

/** Add blocks from .. to-1 to the parts, which begin with those of a judge. */
void perp_judge_add_blocks(const perp_judge *judge, double shift, const double *z,
                           const double *w, perp_law law, size_t from, size_t to,
                           perp_parts *sum);
perp_parts perp_judge_no_blocks(const perp_judge *judge);
/** The residual that the parts of all blocks give. */
double perp_judge_sum(const perp_judge *judge, const perp_parts *sum);

/** perp_judge_residual by the team. */
double perp_judge_team_residual(perp_judge *judge, const double *z);

/** The judge's w := A z + b. */
void perp_judge_velocities(perp_judge *judge, const double *z);

/** The residual under a law, with the scales d + shift and the velocities w (n); parts may be
 *  NULL. */
double perp_judge_law(const perp_judge *judge, double shift, const double *z,
                      const double *w, perp_law law, perp_parts *parts);

#endif
