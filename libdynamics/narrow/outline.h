/* SPDX-License-Identifier: Apache-2.0
 * narrow/outline.h: corners, faces and edges of a box or hull in the world. Private. */
#ifndef PERP_NARROW_OUTLINE_H
#define PERP_NARROW_OUTLINE_H

#include "narrow/meeting.h"

/** Corners, normals, directions in world axes, 3 each. */
typedef struct outline {
    size_t number; /**< of the shape */
    double reach;
    size_t corners, faces, directions;
    double *corner, *normal, *area;
    double *direction; /**< of edges, each once though many are parallel */
    const int32_t *face_start, *face_corner;
} outline;

/** How many numbers the outline of a shape takes; and draw it into so many. */
size_t outline_numbers(const placed *s, unsigned dimension);
void outline_draw(outline *out, const placed *s, unsigned dimension, double *numbers);

/** The outline of one shape in scratch; false without memory. */
bool outline_of(meeting *m, const placed *s, outline *out);

#endif
