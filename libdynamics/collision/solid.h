/* SPDX-License-Identifier: Apache-2.0
 * collision/solid.h: corners, faces and edges of a box or hull. Private. */
#ifndef PERP_COLLISION_SOLID_H
#define PERP_COLLISION_SOLID_H

#include <perp/dynamics/shape.h>

/** A box or hull in the frame of a pair. */
typedef struct solid {
    size_t corners, faces, edges; /* in the plane faces are sides, and no edges */
    const double *corner, *normal, *area;
    const double *height;      /* of a face: the greatest n.p of its corners */
    const perp_polytope *hull; /* NULL: a box */
    const double *R;           /* axes of the hull in the frame; NULL: the same */
    const int32_t *face_start, *face_corner;
    const int32_t *edge, *edge_face; /* 2 corners, the lower first; the face that runs it
                                        upwards, and the other */
    double middle[3];                /* within */
} solid;

/** Whether shapes of this type are boxes, and whether they are solids at all. */
static inline bool solid_is_box(const perp_shape_type *type)
{
    return type->core == PERP_CORE_BOX && !type->radius;
}
static inline bool solid_is(const perp_shape_type *type)
{
    return solid_is_box(type) || (type->core == PERP_CORE_HULL && !type->radius);
}

static inline const double *solid_corner(const solid *s, int32_t c)
{
    return s->corner + 3 * (size_t)c;
}

/** Corner k of a face, counted around it. */
static inline int32_t solid_face_corner(const solid *s, size_t face, int32_t k)
{
    int32_t count = s->face_start[face + 1] - s->face_start[face];

    return s->face_corner[s->face_start[face] + k % count];
}

static inline int32_t solid_face_size(const solid *s, size_t face)
{
    return s->face_start[face + 1] - s->face_start[face];
}

/** The corner of least n.p. */
int32_t solid_lowest(const solid *s, const double n[3]);
/** Least and greatest n.p of it. */
double solid_low(const solid *s, const double n[3]);
double solid_high(const solid *s, const double n[3]);
/** The point y of a face nearest to x: below x where that is within, else on the nearest
 *  side; and the unit vector from y to x, which is across what y is within. Their
 *  distance. */
double solid_nearest(const solid *s, size_t face, const double x[3], double y[3],
                     double way[3]);

/** How many numbers it takes to stand a shape; and stand it into so many, where R and t
 *  say, or (NULL) in its own axes, which takes none of a hull. R is kept. */
enum { SOLID_BOX_NUMBERS = 54 };
size_t solid_numbers(const perp_shape *shape);
void solid_place(solid *s, const perp_shape *shape, unsigned dimension, const double *R,
                 const double *t, double *numbers);

#endif
