/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/trees.h: a case of the torture of trees, and what must hold. */
#ifndef PERP_TORTURE_TREES_H
#define PERP_TORTURE_TREES_H

#include "cases.h"
#include "forests.h"

/* What the worker has done, shared with its parent. */
typedef struct growth {
    torture_cases cases;
    size_t links, coordinates, loops, rows, contacts; /* of all worlds */
    size_t charts;                                    /* exchanges of coordinates */
    size_t solved;        /* worlds solved in both coordinates */
    size_t apart;         /* of them, whose velocities differ by more than 1e-8 */
    size_t unsolved;      /* in one not, or with impulses that nothing resists */
    size_t steps, failed; /* steps, and runs that ended at an unsound one */
} growth;

/* Loops, limits and motors may ask for more than there is freedom: such a problem has no
 * solution, or impulses that grow until rounding is one. [N s], of worlds of some kg that
 * move at some m/s. */
static const double torture_sound = 1e6;
/* [m/s]: at 10 m in a step of 0.01 s nothing that is integrated has an order. */
static const double torture_speed = 1e3;

/* A case at work. */
typedef struct forest_trial {
    uint64_t seed;
    size_t index;
    perp_world *(*make)(void); /* its world; NULL: drawn */
    torture_forest told;
    growth *at;
    char fault[400];
} forest_trial;

/** Say what is wrong; the first one is kept. */
void torture_fault(forest_trial *t, const char *format, ...) PERP_PRINTF(2, 3);
/** The world of the case, in reduced coordinates where asked for; NULL: said. */
perp_world *torture_forest_grow(forest_trial *t, bool reduced);
/** Say so where `miss` is not within share * size. */
void torture_within(forest_trial *t, const char *what, double miss, double share,
                    double size);
double torture_apart(const double *x, const double *y, size_t n);
double torture_largest(const double *x, size_t n);

/** All that must hold of the case. */
void torture_check_case(forest_trial *t);

/** Algorithms of articulated bodies against each other, coordinates and back. */
void torture_check_algorithms(forest_trial *t, perp_world *reduced);
void torture_check_charts(forest_trial *t, perp_world *reduced);
/** The same problem from maximal and from reduced coordinates. */
void torture_check_coordinates(forest_trial *t, perp_world *maximal, perp_world *reduced);

#endif
