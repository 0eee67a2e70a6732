/* SPDX-License-Identifier: Apache-2.0
 * tests/support/jointed_pair.h: two bodies with a joint between them,
 * for the tests of joints. */
#ifndef PERP_TEST_PAIR_H
#define PERP_TEST_PAIR_H

#include "dynamics.h"
#include "joints/joints.h"

/** Central differences of smooth functions of size 1 at h = 1e-5: h^2 f'''/6 and eps/h
 *  are near 1e-11; arms of metres and distances of decimetres cost three digits. */
static const double pair_step = 1e-5;
static const double pair_step_tolerance = 2e-8;

/** Rounding of poses of size 1 through two rotations. */
static const double pair_rounding = 1e-14;

/** What differences of phi of row `k`, or of free axis `k`, are taken of. */
typedef struct pair_probe {
    const perp_joint *joint;
    unsigned k;
} pair_probe;

/** A joint on bodies 0 and 1, attached at a random place, along random directions. */
void pair_joint(perp_joint *joint, const perp_joint_type *type, const perp_world *world,
                perp_random *g);
/** Two random bodies in space with a joint between them that is not yet in the world. */
perp_world *pair_world(perp_joint *joint, const perp_joint_type *type, uint64_t seed);
/** Whether the type works in the plane. */
bool pair_in_plane(const perp_joint_type *type);
/** Two random bodies in the x-y plane. */
perp_world *pair_plane(uint64_t seed);
/** All poses anew. */
void pair_scatter(perp_world *world, perp_random *g);
/** All poses moved by up to `size` [m, rad]. */
void pair_shake(perp_world *world, perp_random *g, double size);
/** Both bodies carried by one motion: the joint stays as it was. */
void pair_carry(perp_world *world, perp_random *g);
/** Body k turned about an axis (unit) through a point, both in world axes. */
void pair_turn(perp_world *world, size_t k, const double point[3], const double axis[3],
               double angle);
/** J u of a row at the velocities of the world. */
double pair_rate(const perp_world *world, const perp_joint *joint, const perp_row *row);
/** phi of row k, and the coordinate of axis k: arguments of test_rate. */
double pair_phi(const perp_world *world, void *probe);
double pair_coordinate(const perp_world *world, void *probe);
/** J u = dphi/dt of row k within the tolerance of differences. */
void pair_check_row(perp_world *world, const perp_joint *joint, unsigned k);
void pair_check_axis(perp_world *world, const perp_joint *joint, unsigned k);
/** C = 0.1 + d.(p_j - p_i) along the world direction d = context. */
double pair_limit(void *context, const perp_world *world, const perp_state *state,
                  const perp_joint *joint, double J[12]);
/** u += M^-1 J^T lambda. */
void pair_push(perp_world *world, const perp_joint *joint, const perp_row *row,
               double lambda);
/** lambda with J (u + M^-1 J^T lambda) = target, n <= PERP_JOINT_ROWS rows of one joint;
 *  K = J M^-1 J^T by columns (may be NULL). The world's velocities change. */
void pair_solve(perp_world *world, const perp_joint *joint, const perp_row *rows,
                unsigned n, const double *target, double *lambda, double *K);
/** Visit each joint of each type, usual and exact, on random pairs, attached as they are;
 *  in the plane those that work there. */
void pair_each(unsigned dimension,
               void (*visit)(perp_world *world, perp_joint *joint, perp_random *g));

#endif
