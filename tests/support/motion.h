/* SPDX-License-Identifier: Apache-2.0
 * tests/support/motion.h: worlds moved by their free motion; the torque-free spin of a body
 * in closed form. For programs that list motion.c among their sources. */
#ifndef PERP_TEST_MOTION_H
#define PERP_TEST_MOTION_H

#include "dynamics.h"

/** `steps` steps of h by an integrator, without impulses,
 *  otherwise the default scheme. */
void test_fly(perp_world *world, perp_integrator integrator, double h, size_t steps);

/** Angular velocity in body axes at time t from w0 at 0; principal moments I[0] < I[1] <
 *  I[2]. Not on the separatrix |L|^2 = 2 T I[1]. */
void test_free_spin(const double I[3], const double w0[3], double t, double w[3]);

#endif
