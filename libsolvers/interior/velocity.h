/* SPDX-License-Identifier: Apache-2.0
 * interior/velocity.h: systems with K = J M^-1 J^T + E, E block diagonal, solved among the
 * velocities of the bodies instead of the rows of the contacts.
 *
 *     S = I + G^T E^-1 J,   G = J M^-T row by row
 *     K x = r:   S v = G^T E^-1 r,   x = E^-1 (r - J v)
 *
 * S has as many rows as there are velocities, fewer than K once contacts outnumber bodies,
 * and is nonzero where two velocities share a contact; W is never formed. Where E is small K
 * is nearly singular and so is the difference r - J v: the caller refines. Private. */
#ifndef PERP_INTERIOR_VELOCITY_H
#define PERP_INTERIOR_VELOCITY_H

#include "linear/factor.h"
#include "matrix/storages.h"

typedef struct perp_velocity {
    const perp_operator *A;
    perp_operator *sparse;      /* A with rows stored sparse, where A has them in pairs */
    const perp_factored *parts; /* of A, or of that */
    const perp_set *set;
    perp_operator *S;
    perp_factor *f;
    double *inverse; /* 9 a block: of the blocks of E */
    double *v;       /* velocities */
    double *x;       /* n */
} perp_velocity;

/** For a factored A; perp_velocity_close is owed in any case. Blocks have 3 rows at most. */
perp_status perp_velocity_open(perp_velocity *k, const perp_operator *A,
                               const perp_set *set, perp_workspace *ws, perp_error *err);
void perp_velocity_close(perp_velocity *k);

/** Factor S for the diagonal blocks of E, C included; *done false at a singular pivot. */
perp_status perp_velocity_factor(perp_velocity *k, const perp_operator *E, bool *done,
                                 perp_error *err);
/** x := K^-1 x */
void perp_velocity_solve(perp_velocity *k, double *x);

#endif
