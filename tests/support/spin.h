/* SPDX-License-Identifier: Apache-2.0
 * tests/support/spin.h: the torque-free spin of a body in closed form. */
#ifndef PERP_TEST_SPIN_H
#define PERP_TEST_SPIN_H

/** Angular velocity in body axes at time t from w0 at 0; principal moments I[0] < I[1] < I[2].
 *  Not on the separatrix |L|^2 = 2 T I[1]. */
void test_free_spin(const double I[3], const double w0[3], double t, double w[3]);

#endif
