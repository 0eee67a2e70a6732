/* SPDX-License-Identifier: Apache-2.0
 * reform/islands.h: parts of a problem that have no body in common. Private.
 *
 * Rows that act on two bodies each (PAIRS) fall into islands: two blocks of K belong together when
 * some moving body, or a friction row and its normal, joins them. Each island is a problem of its
 * own with its bodies alone, and the solutions of all make that of the whole. */
#ifndef PERP_REFORM_ISLANDS_H
#define PERP_REFORM_ISLANDS_H

#include "core/solvers.h"

typedef struct perp_islands {
    size_t count;
    size_t *start;  /* count + 1: island k has the blocks block[start[k]..start[k+1]-1] */
    size_t *block;  /* of K, ascending within an island */
    size_t largest; /* rows of the largest island */
} perp_islands;

/** The islands of p, in the order of their first blocks. A matrix that is not PAIRS is one.
 *  perp_islands_clear frees them, also after a failure. */
perp_status perp_islands_find(perp_islands *s, const perp_problem *p, perp_error *err);
void perp_islands_clear(perp_islands *s); /* a zeroed one is allowed (no-op) */

/** Rows of island k. */
size_t perp_islands_rows(const perp_islands *s, const perp_problem *p, size_t k);
/** Island k of PAIRS as a problem, to be sealed and freed by the caller. */
perp_status perp_islands_problem(perp_problem **out, const perp_islands *s,
                                 const perp_problem *p, size_t k, perp_error *err);
/** part := the rows of island k of z. */
void perp_islands_gather(const perp_islands *s, const perp_problem *p, size_t k,
                         const double *z, double *part);
/** The rows of island k of z := part. */
void perp_islands_scatter(const perp_islands *s, const perp_problem *p, size_t k,
                          const double *part, double *z);

#endif
