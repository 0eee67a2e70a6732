/* SPDX-License-Identifier: Apache-2.0
 * tests/support/random_forest.h: worlds whose joints form trees, and how they move.
 *
 * Reference: (q, dq/dt) by Runge-Kutta-Prince-Dormand 8(9) of GSL to 1e-13, with the
 * accelerations of articulated bodies, in pieces of 0.05 s between which coordinates may
 * be exchanged. */
#ifndef PERP_TEST_DYNAMICS_FOREST_H
#define PERP_TEST_DYNAMICS_FOREST_H

#include "dynamics.h"

/** A rod of that mass whose centre is at x, y, z: 1 m long along x, y or z (0, 1, 2) and
 *  0.2 m thick. */
int32_t forest_rod(perp_world *world, const char *name, double mass, int along, double x,
                   double y, double z);
/** Maximal worlds, in motion: two rods on hinges, the second axis askew; three on ball
 *  joints; five that float, on a ball, hinge, universal joint and slider. */
perp_world *forest_pendulum(void);
perp_world *forest_chain(void);
perp_world *forest_floating(void);

/** The one that floats, and beside it a body alone and a rod "arm" by that joint
 *  (run_joint) on a platform that moves and turns with `spin`; a drag pulls at body 1. */
perp_world *forest_crowd(const char *joint, const double along[3], const double spin[3]);

/** In reduced coordinates from now on; asserts. NULL: the usual way. */
void forest_reduce(perp_world *world, const perp_reduction *how);
/** A reduced world moved by T as the reference says. */
void forest_reference(perp_world *world, double T);
/** Largest difference of poses (orientations as matrices) and velocities, m and s. */
double forest_distance(const perp_world *a, const perp_world *b);
/** `steps` steps of h in free motion; the largest change of energy on the way [J], that of
 *  springs of mobilizers among it. */
double forest_fly(perp_world *world, perp_integrator integrator, double h, size_t steps);

#endif
