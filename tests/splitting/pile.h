/* SPDX-License-Identifier: Apache-2.0
 * tests/splitting/pile.h: contacts of many bodies, as large as a test asks for. */
#ifndef PERP_TEST_PILE_H
#define PERP_TEST_PILE_H

#include "support.h"

/** nx columns of nz spheres each, which touch their neighbours left and below and, at the
 *  bottom, the ground; masses, friction and free velocities are drawn. A is factored.
 *  With `ground` it is a body of its own that cannot move. nx nz + (nx - 1) nz
 *  contacts. */
perp_problem *test_pile(size_t nx, size_t nz, bool ground, uint64_t seed);
/** The same in another storage. */
perp_problem *test_multiplied(const perp_problem *p, perp_storage storage);

#endif
