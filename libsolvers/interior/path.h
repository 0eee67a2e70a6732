/* SPDX-License-Identifier: Apache-2.0
 * interior/path.h: Mehrotra's predictor and corrector along the central path of a monotone
 * complementarity problem on a product of half lines and Lorentz cones (pairs.h).
 *
 *     rd = A z + b + shift - G^T v,   m = mean of s.v
 *     predictor: s o v -> 0, affine;  sigma = (m after its longest step / m)^3
 *     corrector: s o v -> sigma m e - ds_a o dv_a;  a common step for s and v
 *
 * The systems are those of kernel.h: one factorisation and two solves a step. One step length
 * for s and v, since A couples them. `shift` is De Saxce's term on the normals of Coulomb
 * contacts, taken anew from the velocities of each point. Private. */
#ifndef PERP_INTERIOR_PATH_H
#define PERP_INTERIOR_PATH_H

#include "judge/judge.h"
#include "kernel.h"

typedef struct perp_path {
    const perp_problem *p;
    perp_judge *judge; /* of p; its w is A z + b at z */
    perp_slacks pairs;
    perp_kernel kernel;
    double *d, *scale;    /* n: scales of the rows, and their roots */
    double *z, *dz;       /* n: the point inside, the last direction */
    double *rd, *rhs;     /* n */
    size_t *rows;         /* n: scratch */
    double *shift;        /* n, 0 but on normals; NULL under the associated law */
    bool held;            /* the shift is not taken anew */
    double beta;          /* largest |b_i|/scale_i, b as it is at the z nearest to 0 */
    double gap;           /* m */
    double infeasible;    /* largest |rd_i|/scale_i */
    double residual;      /* RES at z */
    double step;          /* of the last corrector */
    double grown;         /* largest scale_i |z_i| when a proof was last looked for */
    double least;         /* mu and infeasibility when they last halved */
    size_t refine;        /* refinements of a solve */
    size_t crawled, idle; /* tiny steps in a row; steps since `least` */
    double back_off;      /* part of the way to the boundary: 0 is adaptive */
} perp_path;

/** Memory, scales and systems; perp_path_close is owed in any case. */
perp_status perp_path_open(perp_path *t, const perp_problem *p, perp_workspace *ws,
                           perp_error *err);
void perp_path_close(perp_path *t);
/** b, bounds or the diagonal of A changed: scales, pairs and judge anew. A start is owed. */
perp_status perp_path_resume(perp_path *t, perp_error *err);

/** Begin at z0, moved inside by `least` beta and its multipliers likewise. */
void perp_path_start(perp_path *t, const double *z0, double least, perp_result *r);
/** From now on the shift stays what it is at z, or 0 for NULL: a convex problem. */
void perp_path_hold(perp_path *t, const double *z, perp_result *r);
/** One predictor and corrector. Ends r where there is no next step: no factorisation, no
 *  step length, numbers that are not finite, or a proof that there is no solution. */
perp_status perp_path_step(perp_path *t, const char *name, perp_result *r,
                           perp_error *err);
/** m relative to beta^2, which is one at the start on well scaled data. */
double perp_path_mu(const perp_path *t);

#endif
