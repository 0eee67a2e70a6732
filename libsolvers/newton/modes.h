/* SPDX-License-Identifier: Apache-2.0
 * newton/modes.h: from a point near a solution to the solution, by sets of modes. Private.
 *
 * A mode of a block says which of its conditions hold as equations: a row is at a bound or has
 * w = 0; a contact is open (z = 0), sticks (w = 0) or slides. With a mode for each block the
 * equations are smooth. They are solved by Gauss-Newton steps of least norm, so that A and the
 * equations may be singular, as they are where contacts are redundant or touch without an impulse.
 * Sets are tried in the order of how far the start is from their equations; from a point with a
 * tenth of the residual, or where no set is left from a better one, they are sorted again. */
#ifndef PERP_NEWTON_MODES_H
#define PERP_NEWTON_MODES_H

#include "judge/judge.h"

/** At most so many rows: a step is a dense factorisation with column pivots. */
enum { NEWTON_MODES_ROWS = 150 };

/** A set of modes that waits, as a chain: one block of its parent has its next mode. */
typedef struct newton_mode_set {
    double cost;   /* the sum over blocks of log10 of the distance from their modes */
    size_t parent; /* its place in the list */
    size_t block;  /* the one that differs from the parent */
    bool taken;
} newton_mode_set;

typedef struct newton_modes {
    const perp_problem *p;
    perp_judge *judge;
    size_t most; /* sets to try; 0: none */
    double *z, *w, *next, *best, *start;
    double *J, *F, *work; /* n x n column-major, n, and LAPACK's */
    int work_size, *pivots;
    unsigned char *order; /* 3 per block: its modes, the nearest first */
    double *distance;     /* 3 per block, in that order */
    unsigned char *modes; /* per block: of the set at work */
    newton_mode_set *sets;
    size_t count, room, tried;
    double residual; /* the least */
    double begun;    /* that of the point around which the sets are sorted */
} newton_modes;

/** Take memory for `most` sets. Leaves s->most = 0 where the problem has more rows than above, or
 *  disks or rolling contacts. */
perp_status perp_newton_modes_setup(newton_modes *s, const perp_problem *p, size_t most,
                                    perp_workspace *ws, perp_error *err);
/** Begin at a point; `judge` is that of p. */
void perp_newton_modes_start(newton_modes *s, perp_judge *judge, const double *z,
                             perp_work *work);
/** Try the next set; s->best and s->residual are the best point so far. False when no set is
 *  left. */
bool perp_newton_modes_step(newton_modes *s, double tolerance, perp_work *work);

#endif
