/* SPDX-License-Identifier: Apache-2.0
 * gradient/project.h: the projection on K, for the whole vector at once. Private.
 *
 * Rows are divided into spans of one shape: intervals, cones of three rows, blocks of any other
 * kind. The cones of a span are projected two by two without a branch, 3 to 6 ns each. The
 * problem is scaled, so that squares neither overflow nor underflow, unlike in core/set.c. */
#ifndef PERP_GRADIENT_PROJECT_H
#define PERP_GRADIENT_PROJECT_H

#include "core/solvers.h"

typedef enum perp_span_shape {
    PERP_SPAN_INTERVALS,
    PERP_SPAN_CONES,
    PERP_SPAN_OTHER,
} perp_span_shape;

/** Blocks block .. block+count-1, rows first .. of one shape. */
typedef struct perp_span {
    perp_span_shape shape;
    size_t block, count, first;
} perp_span;

typedef struct perp_projection {
    const perp_set *set;
    size_t spans;
    perp_span *span;
    double *lo, *hi; /* per block: interval: bounds; cone: mu, 1/(1 + mu^2) */
} perp_projection;

/** Take memory and read the set; false when there is no memory. FRICTION rows have no place
 *  in it: their bound follows another row. */
bool perp_projection_init(perp_projection *P, const perp_set *set, perp_workspace *ws);
/** Read the bounds and radii of the set again; its shapes are the same. */
void perp_projection_refresh(perp_projection *P);
/** x := P_K(x). */
void perp_projection_apply(const perp_projection *P, double *x);

/** Project `count` cones of three rows each, one after the other in x, with friction
 *  coefficients mu and shrink = 1/(1 + mu^2) of each. Finite x below 1e150. */
void perp_project_cones(size_t count, const double *mu, const double *shrink, double *x);

#endif
