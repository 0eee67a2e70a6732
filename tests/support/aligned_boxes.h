/* SPDX-License-Identifier: Apache-2.0
 * tests/support/aligned_boxes.h: boxes along the axes drawn at random, moved, and compared by
 * brute force. */
#ifndef PERP_TEST_BOXES_H
#define PERP_TEST_BOXES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/broad.h>

#include "dynamics.h"

/** A box with its centre in [-side, side)^3 and half extents up to `half`; those of every
 *  eighth box are zero along one axis or along all. In the plane z is 0. */
perp_aabb boxes_draw(perp_random *g, double side, double half, unsigned dimension);
/** n of them, to free. */
perp_aabb *boxes_new(perp_random *g, size_t n, double side, double half,
                     unsigned dimension);
void boxes_shift(perp_aabb *box, double x, double y, double z);
/** lo and hi of a golden case: n boxes, to free. */
perp_aabb *boxes_golden(const golden_case *c, size_t *n);
/** The pairs of a golden case agree with these. */
void boxes_agree(const golden_case *c, const perp_box_pairs *pairs);
/** The n numbers under a key agree with these. */
void boxes_agree_numbers(const golden_case *c, const char *key, size_t n,
                         const uint32_t *number);
/** By i, then by j. */
void boxes_sort(perp_box_pairs *pairs);
/** The same pairs, in the same order; says at which place they differ. */
bool boxes_same(const char *what, const perp_box_pairs *found,
                const perp_box_pairs *expected);

/** One broad phase of each type, asked the same in turn. */
enum { TYPES = 3 };

typedef struct panel {
    perp_broad *broad[TYPES];
    perp_box_pairs pairs[TYPES];
} panel;

panel panel_new(void);
void panel_free(panel *p);
/** Ask the one of type t; asserts that it answers. */
void panel_run(panel *p, size_t t, size_t n, const perp_aabb *boxes, const bool *still);

/** A tree of boxes, sound. */
perp_tree *boxes_tree(size_t n, const perp_aabb *boxes);

#endif
