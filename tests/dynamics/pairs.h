/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/pairs.h: whatever must hold of two solids that the narrow phase measures
 * and a collider meets. For programs that list pairs.c, convex.c, climb.c. */
#ifndef PERP_TEST_PAIRS_H
#define PERP_TEST_PAIRS_H

#include <perp/dynamics/collide.h>

#include "convex.h"

/** How many poses a kind of pair is tried at: `usual`, with PERP_TEST_LONG=1 10 000, with
 *  PERP_TEST_BRIEF=1 a tenth. */
int pairs_draws(int usual);

/** Rounding and tolerances in shares of the sizes, by what found the answer p. */
double pairs_tolerance(const convex *a, const convex *b, const perp_proximity *p);

/** Measured by `type`, the usual one for NULL; asserts that it is taken. */
perp_proximity pairs_measure(convex *a, convex *b, const perp_narrow_type *type);

/** Everything of one pose: gap, normal and witnesses against the search over directions
 *  and against each other, the other order, a common motion, differences, all types that
 *  take the pair, contacts. `where` is told on failure. */
void pairs_check(convex *a, convex *b, const char *where, perp_random *g);
/** Gap, normal, witnesses, the search, all types, contacts: what holds of poses where
 *  several answers are as good. False: the usual type did not converge, and told a
 *  bound. */
bool pairs_check_gap(convex *a, convex *b, const char *where);
/** The same by the usual type alone. */
void pairs_check_usual(convex *a, convex *b, const char *where);
/** Contacts alone; p of the pair. */
void pairs_check_contacts(const convex *a, const convex *b, const perp_proximity *p,
                          const char *where);

/** pairs_check at so many random poses, new solids every 16. */
void pairs_kind(const char *one, const char *two, unsigned dimension, int draws,
                uint64_t seed);
/** The same of solids of these sizes. */
void pairs_sized(const char *one, double size_one, const char *two, double size_two,
                 unsigned dimension, int draws, uint64_t seed);
/** Visit each pair of kinds once, planes with each as well. */
void pairs_each(unsigned dimension, void (*visit)(const char *one, const char *two));

#endif
