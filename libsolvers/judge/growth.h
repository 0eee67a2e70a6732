/* SPDX-License-Identifier: Apache-2.0
 * judge/growth.h: proofs from iterates that grow, for the solvers that never end by
 * themselves. Private.
 *
 * Where a problem has no solution the iterates of a method that descends run away, and the
 * direction in which they do tends to a certificate. */
#ifndef PERP_CORE_GROWTH_H
#define PERP_CORE_GROWTH_H

#include "core/solvers.h"

/** Watches max|z|: whenever it has doubled, the change since is tried as a proof. */
typedef struct perp_growth {
    const perp_problem *p;
    double *before; /* n: the point when max|z| was `size` */
    double size;
    size_t steps;
} perp_growth;

/** False when there is no memory. */
bool perp_growth_init(perp_growth *g, const perp_problem *p, perp_workspace *ws);
/** Begin again at z. */
void perp_growth_reset(perp_growth *g, const double *z);
/** After a step to r->z: true when it found a proof, which is r's certificate then. */
bool perp_growth_watch(perp_growth *g, perp_result *r);

/** |A| estimated with memory of the workspace, given back; counts its products. False when
 *  there is no memory. */
bool perp_norm_estimate(const perp_operator *A, perp_workspace *ws, double *norm,
                        perp_result *r);

#endif
