/* SPDX-License-Identifier: Apache-2.0
 * tests/view/motions.h: motions made by hand. */
#ifndef PERP_TEST_VIEW_MOTIONS_H
#define PERP_TEST_VIEW_MOTIONS_H

#include "command/view/motion.h"

/** Corners of a tetrahedron, counter-clockwise from outside, volume 1/6. */
extern double motions_vertices[12];
extern uint32_t motions_triangles[12];

/** A floor and two bodies, a ball with a box and a tetrahedron on it, for `frames` frames: body 1 moves along x at
 *  1 m/s and turns about z at 2 rad/s, body 2 rests; in each frame but the first one contact of floor and body 1 and
 *  one of body 1 and 2, the latter with an unknown residual. Names are hostile. */
motion *motions_make(size_t frames);
void motions_free(motion *m);

#endif
