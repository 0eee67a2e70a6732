/* SPDX-License-Identifier: Apache-2.0
 * outer/frozen.h: Coulomb friction by quadratic programs with frozen friction bounds.
 *
 * A bound R = mu max(z_N, 0) that stands still turns a cone into a half line for the normal
 * and a disk |z_T| <= R (an interval in 2D) for the tangents: Tresca's friction, a convex
 * problem without a shift. Where z and R agree, that is Coulomb's law. The loops differ in
 * how they solve it:
 *
 *     tresca            normals and tangents at once, then R anew
 *     panagiotopoulos   normals with frozen tangents, then tangents with frozen normals, each
 *                       to the end
 *     staggered         the same by turns, each only as well as the round deserves, relaxed
 *
 * A part of the rows, held together by u = A z + b of the whole, solves
 *
 *     min 1/2 x.(S_k + d I) x + (u_k - (S_k + d I) z_k).x,   S_k: rows and columns of the
 *
 * symmetric part of A: what is skew and what couples the parts stays in u, so at a fixed point
 * the answer is one for A as it is. Friction rows become intervals in the same way; other
 * rows go with the normals. Private. */
#ifndef PERP_OUTER_FROZEN_H
#define PERP_OUTER_FROZEN_H

#include "rounds.h"

enum { FROZEN_PARTS = 2 };

/** What the three loops differ in. */
typedef struct frozen_style {
    const char *name;
    size_t parts;       /**< 1: all rows at once; 2: normals, then tangents */
    double kappa_least; /**< errors of a round look like circles: below ds's */
    bool relaxes_point; /**< relaxation acts on z, else on the bounds */
} frozen_style;

/** A bound of a block of the tangents' set: mu max(z[normal], 0). */
typedef struct frozen_bound {
    size_t block, normal;
    double mu, value;
} frozen_bound;

/** Rows solved together. */
typedef struct frozen_part {
    perp_inner inner;
    size_t *rows;   /**< inner.p.n: of the whole problem, ascending */
    double pending; /**< change of the diagonal since the last resume */
    bool bounded;   /**< its set holds the bounds */
} frozen_part;

typedef struct frozen_state {
    frozen_style style;
    const perp_problem *p;
    const perp_options *opt;
    perp_workspace *ws;
    perp_rounds rounds;
    perp_judge *judge; /**< of p */
    frozen_part part[FROZEN_PARTS];
    size_t parts, at; /**< how many; which is at work */
    frozen_bound *bounds;
    size_t bound_count;
    double *z, *before; /**< n: the point; that of the round before */
    double *scratch;    /**< n */
    bool whole;         /**< one part, A symmetric: u need not be split */
} frozen_state;

perp_status perp_frozen_setup(frozen_state *s, const frozen_style *style,
                              const perp_problem *p, const perp_options *opt,
                              perp_workspace *ws, perp_result *r, perp_error *err);
perp_status perp_frozen_iterate(void *state, perp_result *r, perp_error *err);
void perp_frozen_close(void *state);

#define FROZEN_RELAXATION(value)                                                         \
    PERP_REAL_CLOSED(                                                                    \
        "relaxation", value, 0x1p-6, 1.0,                                                \
        "part of what is new that a round takes; halved when rounds circle")

/** What the three types share; a loop takes what it can turn into what its solver takes. */
#define FROZEN_TYPE                                                                      \
    .family = "outer",                                                                   \
    .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION, CONE, ROLLING, DISK),                 \
    .laws = PERP_LAWS(COULOMB), .demands = PERP_DEMANDS(POSITIVE_SEMIDEFINITE),          \
    .flags = PERP_FLAGS(WRAPPER, INNER_SYMMETRIC_PART, INNER_OTHER_SETS, USES_START),    \
    .inner = "mpgp", .certificates = PERP_CERTIFICATES(INFEASIBLE), .check_every = 10,   \
    .max_iterations = 100000, .state_size = sizeof(frozen_state),                        \
    .iterate = perp_frozen_iterate, .close = perp_frozen_close

#endif
