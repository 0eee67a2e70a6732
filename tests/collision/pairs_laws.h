/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/pairs_laws.h: whatever must hold of two solids that the narrow phase
 * measures and a collider meets. For programs that list pairs_laws.c, convex.c,
 * climb.c. */
#ifndef PERP_TEST_PAIRS_LAWS_H
#define PERP_TEST_PAIRS_LAWS_H

#include <perp/dynamics/collide.h>

#include "convex.h"

/** Rounding and tolerances in shares of the sizes, by what found the answer p. */
double pairs_tolerance(const convex *a, const convex *b, const perp_proximity *p);

/** Measured by `type`, the usual one for NULL; asserts that it is taken. */
perp_proximity pairs_measure(convex *a, convex *b, const perp_narrow_type *type);

/** All laws of one pose, `where` being told on failure: gap, normal and witnesses against
 *  the search over directions and against each other, by each type that takes the pair;
 *  the same bits again; searches that end early give bounds; contacts against the gap;
 *  boxes as hulls of their corners. With g, which draws, those that hold where one answer
 *  is the best: the other order, a common motion, differences of the gap, keys after a
 *  small motion. */
void pairs_check(convex *a, convex *b, const char *where, perp_random *g);

/** Between these few poses may have been given up, and keys and the search over directions
 *  may have failed few of them.  Witnesses of edges that are nearly parallel may be off
 *  across the normal, and contacts of faces that are nearly flush along it, by these
 *  shares of the sizes. */
void pairs_begin(double nearly_parallel, double nearly_flush);
void pairs_end(const char *name);
double pairs_flush(void);

/** As large as rounding makes of it: both reaches, of planes with their distance. */
double pairs_size(const convex *a, const convex *b);
/** How far apart the witnesses of p may be across the normal. */
double pairs_across(const convex *a, const convex *b, const perp_proximity *p);
/** x <= y, or the pair at work is told. */
void pairs_at_most(double x, double y, const char *what);

/** Contacts of a pair whose proximity is p: normals, witnesses, keys, the deepest. */
void pairs_check_contacts(const convex *a, const convex *b, const perp_proximity *p);
/** The same solids as surfaces of triangles, and on a plane. */
void pairs_check_meshes(const convex *a, const convex *b, const perp_proximity *p);
/** Whether boxes with boxes, or with balls, have the contacts of the hulls of their
 *  corners, of two boxes in space with the same keys in the same order. */
bool pairs_have_twins(const convex *a, const convex *b, const perp_proximity *p);
/** Whether keys stay when b moves by a billionth of its size. */
bool pairs_keep_keys(convex *a, convex *b, perp_random *g);

#endif
