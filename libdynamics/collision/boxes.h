/* SPDX-License-Identifier: Apache-2.0
 * collision/boxes.h: two boxes and the axis chosen for them. Private. */
#ifndef PERP_COLLISION_BOXES_H
#define PERP_COLLISION_BOXES_H

#include "collision/patch.h"
#include "collision/sat.h"

/** Box a of half extents h, box b of half extents g, in the axes of a. */
typedef struct boxes {
    contact_query *query;
    const double *h, *g;
    double R[9];         /* axes of b in its columns: R[3 k + l] = a_k.b_l */
    double Q[9];         /* their absolute values */
    double t[3];         /* centre of b */
    double s[3];         /* the same in the axes of b: R^T t */
    double place;        /* positions closer than this are one */
    int face_a, face_b;  /* the best faces of each: 2 k of axis k, 2 k + 1 against it */
    double far_a, far_b; /* how far the other box is beyond them */
    bool r_is_b;         /* that of b is the better one: the reference face */
    int edge;            /* the best crossed edges: 3 k + l */
    double edges;        /* apart along them, or along a face where that is better: a
                            bound of the gap from below */
} boxes;

/** A face: its axis, those in it, so that (u, v, outward) is a right-handed frame, and
 *  the side of the box it is on. */
typedef struct boxes_face {
    int axis, u, v;
    double side;
} boxes_face;

static inline boxes_face boxes_face_of(int number)
{
    int k = number / 2;
    int one = (k + 1) % 3;
    int two = (k + 2) % 3;

    return number % 2 ? (boxes_face){k, two, one, -1.0} : (boxes_face){k, one, two, 1.0};
}

/** Contacts of one face of each, seen along the normal of the reference face; returns the
 *  least gap; INFINITY: no contact, or none as deep as 0 of boxes that overlap. */
double boxes_clip_faces(const boxes *p);

#endif
