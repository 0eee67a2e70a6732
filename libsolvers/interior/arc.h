/* SPDX-License-Identifier: Apache-2.0
 * interior/arc.h: the bilinear path followed by its length, around its folds. Private.
 *
 * Coulomb's law is not monotone: m need not fall along the path, which turns back where its
 * matrix is singular, and steps towards a smaller m then end. Pseudo-arclength continuation
 * [keller-1977] goes on there. With F = (rd - m q, s o v - m e) and J its derivative at a point,
 *
 *     u = (J^-1 (q, e), 1),   tangent   t = -u/|u| where det J > 0, else u/|u|
 *     centre  c = J^-1 (0, m e - s o v) + a u,   curve  k = -J^-1 (0, dt o dt) + b u
 *     with a and b such that c and k are orthogonal to t
 *     point + c + h t + h^2 k
 *
 * in the metric of the scaled slacks and of ln m. q = rd/m: where the path begins before
 * rd is removed, rd falls with m; from 1e-10 on c removes it, and q = 0. h is the
 * longest for which the point stays in the neighbourhood of the path and m near what it
 * predicts; where there is none, with a part of c. Away from the path (|c| > 0.1) up to
 * two steps have h = 0. One factorisation and three directions per step.
 *
 * Along a smooth path det J changes its sign where m turns, and only there
 * [allgower-georg-1990, chapter 2], and at its start it is positive. It has the sign of
 * the matrix that is factored (kkt.h), since what is eliminated from J has positive
 * determinants. So the side to which t points is known at each point by itself. The
 * tangent of the step before is no guide where a step has crossed a sharp fold: the path
 * would be followed back to its start. */
#ifndef PERP_INTERIOR_ARC_H
#define PERP_INTERIOR_ARC_H

#include "path.h"

/** A direction of z, of all slacks, and of m. */
typedef struct perp_arc_direction {
    double *x; /* n + 6 per slack: dz, then ds and dv */
    double m;
} perp_arc_direction;

typedef struct perp_arc {
    perp_arc_direction unit, tangent, centre, curve;
    size_t size;      /* of x */
    size_t centrings; /* steps of h = 0 in a row */
    double length;    /* h of the last other step */
} perp_arc;

/** Take memory for the slacks of t; the caller asks for the status of the workspace. */
void perp_arc_alloc(perp_arc *a, const perp_path *t, perp_workspace *ws);
/** The next step is the first. */
void perp_arc_start(perp_arc *a);
/** The direction and t->step = 1; false where no step stays near the path. */
bool perp_arc_step(perp_arc *a, perp_path *t);

#endif
