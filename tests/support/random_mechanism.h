/* SPDX-License-Identifier: Apache-2.0
 * tests/support/random_mechanism.h: worlds with joints at random, moved as the joints let them,
 * for the tests of reduced coordinates. */
#ifndef PERP_TEST_MECHANISM_H
#define PERP_TEST_MECHANISM_H

#include "dynamics.h"
#include "joints/joints.h"

/** Poses of size 1 through four rotations and back. */
static const double mechanism_rounding = 1e-14;

enum { MECHANISM_BODIES = 40 };

/** Poses and velocities as they were. */
typedef struct mechanism_state {
    double s[7 * MECHANISM_BODIES], u[6 * MECHANISM_BODIES];
} mechanism_state;

void mechanism_keep(const perp_world *world, mechanism_state *kept);
/** Poses within `tol`, and velocities within that times their size. */
void mechanism_check_kept(const perp_world *world, const mechanism_state *kept,
                          double tol);
double mechanism_rate(const perp_world *world, const perp_joint *joint,
                      const perp_row *row);
/** Errors of joint j and their rates are zero. */
void mechanism_check_obeyed(const perp_world *world, int32_t j);

/** A body at random within [-1, 1), turned and moving at random; its number. */
int32_t mechanism_body(perp_world *world, const char *name, perp_motion motion,
                       perp_random *g);
/** A joint between bodies i and j as they stand, at a random point, along random axes;
 *  exact. Its number. */
int32_t mechanism_join(perp_world *world, const perp_joint_type *type, int32_t i,
                       int32_t j, perp_random *g);
/** Whether the type can be eliminated in this dimension. */
bool mechanism_takes(const perp_joint_type *type, unsigned dimension);
/** `count` dynamic bodies behind one that is `base`, each joined to an earlier one by the
 *  next of the types, in either order; loads and gravity. */
perp_world *mechanism_new(unsigned dimension, size_t count, perp_motion base,
                          uint64_t seed);
/** Reduce; asserts. */
perp_articulation *mechanism_reduce(perp_world *world, const perp_reduction *how);
/** Random q, angles within 2.5 rad, and qd, and the poses and velocities of these. */
void mechanism_move(perp_world *world, perp_random *g);

#endif
