/* SPDX-License-Identifier: Apache-2.0
 * outer/frozen.h: Coulomb friction by quadratic programs with frozen friction bounds.
 *
 * With a constant bound R = mu max(z_N, 0) a cone becomes a half line for the normal and a disk
 * |z_T| <= R (an interval in 2D) for the tangents: Tresca's friction, a convex problem without a
 * shift. Where z and R agree, this is Coulomb's law. The loops differ in how they solve it:
 *
 *     tresca            normals and tangents at once, then R is updated
 *     panagiotopoulos   normals with frozen tangents, then tangents with frozen normals, each
 *                       to the end
 *     staggered         the same two alternately, each to the accuracy of the round, and
 *                       relaxed
 *
 * A part of the rows solves, with the velocities u = A z + b of all rows,
 *
 *     min 1/2 x.(S_k + d I) x + (u_k - (S_k + d I) z_k).x
 *
 * where S_k are its rows and columns of the symmetric part of A. The skew part and the coupling
 * of the parts stay in u, so that a fixed point solves the problem with A itself. Friction rows
 * become intervals in the same way; other rows belong to the normals. Private. */
#ifndef PERP_OUTER_FROZEN_H
#define PERP_OUTER_FROZEN_H

#include "rounds.h"

enum { FROZEN_PARTS = 2 };

/** The differences between the three loops. */
typedef struct frozen_style {
    const char *name;
    size_t parts; /**< 1: all rows at once; 2: normals, then tangents */
    double
        kappa_least; /**< least accuracy factor; below that of ds, since errors look like cycles */
    bool relaxes_point; /**< relaxation acts on z, else on the bounds */
} frozen_style;

/** The bound mu max(z[normal], 0) of a block in the set of the tangents. */
typedef struct frozen_bound {
    size_t block, normal;
    double mu, value;
} frozen_bound;

/** Rows solved together. */
typedef struct frozen_part {
    perp_inner inner;
    size_t *rows;   /**< inner.p.n: of the whole problem, ascending */
    double pending; /**< change of the diagonal since the last resume */
    bool bounded;   /**< its set contains the friction bounds */
} frozen_part;

typedef struct frozen_state {
    frozen_style style;
    const perp_problem *p;
    const perp_options *opt;
    perp_workspace *ws;
    perp_rounds rounds;
    perp_judge *judge; /**< of p */
    frozen_part part[FROZEN_PARTS];
    size_t parts, at; /**< their number; the current one */
    frozen_bound *bounds;
    size_t bound_count;
    double *z, *before; /**< n: the point; that of the previous round */
    double *scratch;    /**< n */
    bool whole;         /**< one part, A symmetric: u need not be split */
} frozen_state;

perp_status perp_frozen_setup(frozen_state *s, const frozen_style *style,
                              const perp_problem *p, const perp_options *opt,
                              perp_workspace *ws, perp_result *r, perp_error *err);
perp_status perp_frozen_iterate(void *state, perp_result *r, perp_error *err);
void perp_frozen_close(void *state);

#endif
