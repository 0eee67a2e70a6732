/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/mechanism.h: worlds with joints at random, moved as the joints let them,
 * for the tests of reduced coordinates. */
#ifndef PERP_TEST_MECHANISM_H
#define PERP_TEST_MECHANISM_H

#include "../../libdynamics/joints/joints.h"
#include "dynamics.h"

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
