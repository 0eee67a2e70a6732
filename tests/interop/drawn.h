/* SPDX-License-Identifier: Apache-2.0
 * tests/interop/drawn.h: random problems with one solution, for other codes. */
#ifndef PERP_TEST_DRAWN_H
#define PERP_TEST_DRAWN_H

#include "instances.h"

#define SKEW 0.2 /* of matrices that are not symmetric */

/** Sets by words as for test_set; A is dense and definite, with a skew part of entries below
 *  `skew`. Contacts close. */
perp_problem *test_drawn(const char *words, perp_law law, double skew);
/** The same with M, H and nine velocities, two bodies, under Coulomb's law. */
perp_problem *test_drawn_global(const char *words);

#endif
