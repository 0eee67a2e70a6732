/* SPDX-License-Identifier: Apache-2.0
 * problem/effective.h: the mass matrix of a step with implicit forces. Private.
 *
 *     M* = M - dt df/du - dt^2 df/dx
 *
 * Bodies that a force couples are a group, with one dense matrix of six rows per body; all
 * others keep M. The integrator fills and factors the groups, the formulation reads them. */
#ifndef PERP_PROBLEM_EFFECTIVE_H
#define PERP_PROBLEM_EFFECTIVE_H

#include <perp/dynamics/force.h>
#include <perp/operator.h>

#include "world/world.h"

struct system_innovations;

typedef struct perp_effective_mass {
    size_t bodies, groups;
    int32_t *group;   /**< bodies: its group, or -1 */
    int32_t *place;   /**< bodies: its index in its group */
    int32_t *root;    /**< bodies: the first body of its group, itself without a group, -1
                       *   if impulses do not move it */
    int32_t *column;  /**< bodies: first column of its group or of the body, or -1 */
    size_t columns;   /**< number of columns: 6 per body that impulses move */
    size_t *first;    /**< groups + 1: start of a group in member */
    int32_t *member;  /**< bodies of each group, ascending */
    size_t *start;    /**< groups + 1: start of a group in matrix */
    double *matrix;   /**< (6 m)^2 per group, column-major: M*, then its factors */
    int32_t *pivots;  /**< 6 per member; of LU */
    bool *triangular; /**< groups: M* = L L^T, else P L U */
    double *scratch;  /**< 6 per member of the largest group */
} perp_effective_mass;

/** Create groups of the bodies that impulses move and forces act on, with M* zero. *mass
 *  is NULL if there are no groups. PERP_ERR_MEMORY. */
perp_status effective_new(perp_effective_mass **mass, const perp_world *world,
                          perp_error *err);
void effective_free(perp_effective_mass *mass); /* NULL is allowed */

/** Number of velocities of group g. */
static inline size_t effective_size(const perp_effective_mass *m, size_t g)
{
    return 6 * (m->first[g + 1] - m->first[g]);
}
/** Entry (velocity a of body i, velocity b of body j) of M*, both in one group. */
static inline double *effective_entry(const perp_effective_mass *m, size_t i, size_t a,
                                      size_t j, size_t b)
{
    const size_t g = (size_t)m->group[i];

    return m->matrix + m->start[g] + 6 * (size_t)m->place[i] + a +
           (6 * (size_t)m->place[j] + b) * effective_size(m, g);
}

/** Factor all groups: Cholesky if M* is symmetric and positive definite, else LU; false
 *  if one is singular. */
bool effective_factor(perp_effective_mass *mass);
/** x := M*^-1 x for the bodies of groups; 6 per body; bodies without a group are
 *  unchanged. */
void effective_solve(const perp_effective_mass *mass, double *x);
/** Recompute the matrix of group g from its factors, 6m x 6m column-major; false for
 *  LU. */
bool effective_multiply(const perp_effective_mass *mass, size_t g, double *M);

/** Rows of two bodies as J M*^-1 J^T = E G^T: J L^-T twice, or J U^-1 and J P L^-T. For a
 *  body without a group E = J, G = J M^-1. Columns ascend. PERP_ERR_MEMORY. */
perp_status effective_rows(const perp_effective_mass *mass, const perp_pairs *pairs,
                           struct system_innovations *out, perp_error *err);

#endif
