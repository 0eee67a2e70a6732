/* SPDX-License-Identifier: Apache-2.0
 * interior/path.h: Mehrotra's predictor and corrector along the central path of a monotone
 * complementarity problem on a product of half lines and Lorentz cones (slacks.h). Private.
 *
 *     rd = A z + b + shift - G^T v,   m = mean of s.v
 *     predictor: s o v -> 0, affine;  sigma = (m after its longest step / m)^3
 *     corrector: s o v -> sigma m e - ds_a o dv_a;  a common step for s and v
 *
 * Where its step is short, more correctors follow, each with the second-order terms of the one
 * before instead of the predictor's; the longest step is taken [carpenter-1993].
 * The linear systems are those of kkt.h: one factorisation and two solves per step. s and v have
 * one step length, since A couples them. `shift` is De Saxce's term on the normals of Coulomb
 * contacts, evaluated at the velocities of each point. */
#ifndef PERP_INTERIOR_PATH_H
#define PERP_INTERIOR_PATH_H

#include "judge/judge.h"
#include "kkt.h"

typedef enum perp_path_law {
    PERP_PATH_SHIFTED,  /* friction cones, moved by De Saxce's term under Coulomb's law */
    PERP_PATH_BILINEAR, /* Coulomb's law as in slacks.h, its steps as in bilinear.h */
} perp_path_law;

typedef struct perp_path {
    const perp_problem *p;
    perp_judge *judge; /* of p; its w is A z + b at z */
    perp_slacks slacks;
    perp_ipm_kkt kkt;
    double *d, *scale;    /* n: scales of the rows, and their roots */
    double *z, *dz;       /* n: the interior point, the last direction */
    double *rd, *rhs;     /* n */
    double *dw;           /* n: E^T dv, for A in factors */
    size_t *rows;         /* n: scratch */
    double *shift;        /* n, 0 except on normals; NULL under the associated law */
    bool shift_fixed;     /* the shift does not follow the velocities */
    double beta;          /* largest |b_i|/scale_i, b taken at the z nearest to 0 */
    double gap;           /* m */
    double infeasibility; /* largest |rd_i|/scale_i */
    double residual;      /* natural-map residual at z */
    double step;          /* length of the last corrector step */
    double growth;        /* scale_i |z_i| from which the next certificate is tried */
    double best;          /* mu and infeasibility when they last halved */
    size_t refine;        /* refinements of a solve */
    size_t correctors;    /* of one predictor, at most; set before perp_path_setup */
    double *kept;         /* n + 6 per slack: the direction with the longest step */
    size_t tiny_steps;    /* tiny steps in a row */
    size_t idle_steps;    /* steps since `best` */
    double step_fraction; /* fraction of the step to the boundary; 0: adaptive */
    struct perp_arc *arc; /* the path is followed by its length (arc.h); NULL: by m */
} perp_path;

/** Take memory, compute scales and prepare the systems. Call perp_path_close even after a
 *  failure. */
perp_status perp_path_setup(perp_path *t, const perp_problem *p, perp_path_law law,
                            perp_workspace *ws, perp_error *err);
void perp_path_close(perp_path *t);
/** b, bounds or the diagonal of A changed: recompute scales, slacks and judge.
 *  perp_path_start must follow. */
perp_status perp_path_resume(perp_path *t, perp_error *err);

/** Start at z0, with slacks and multipliers of at least `least` beta; 1 ignores z0. */
void perp_path_start(perp_path *t, const double *z0, double least, perp_result *r);
/** Start near z0, of this residual: on the central path of its cones, at an m that fits
 *  the residual. */
void perp_path_start_near(perp_path *t, const double *z0, double residual,
                          perp_result *r);
/** Fix the shift at its value at z, or at 0 for NULL: the problem is then convex. */
void perp_path_fix_shift(perp_path *t, const double *z, perp_result *r);
/** One predictor and corrector. Ends r where there is no next step: no factorisation, no step
 *  length, numbers that are not finite, or a certificate of infeasibility. */
perp_status perp_path_step(perp_path *t, const char *name, perp_result *r,
                           perp_error *err);

/** The predictor: the direction towards s o v = 0; false where it is not finite. */
bool perp_path_predict(perp_path *t);
/** m after the longest step of the predictor, relative to m. */
double perp_path_affine_ratio(const perp_path *t);
/** The direction that removes `rest` of rd and changes s o v as perp_slacks_corrector has it: for
 *  rest = own = 1 a corrector, of which any number may follow one predictor. */
bool perp_path_direct(perp_path *t, double rest, double own, double target,
                      double weight);

/** m relative to beta^2, which is about 1 at the start on well scaled data. */
double perp_path_mu(const perp_path *t);

#endif
