/* SPDX-License-Identifier: Apache-2.0
 * collision/solid.c: boxes and hulls by their corners, faces and edges in the frame of a
 * pair. A hull in its own axes is taken as it is stored. */
#include <config.h>

#include "collision/sat.h"
#include "shapes/shapes.h"

enum { BOX_EDGES = 12 };

_Static_assert(SOLID_BOX_NUMBERS == 3 * BOX_CORNERS + 5 * BOX_FACES,
               "corners, normals, areas and heights");

/* Corners by their bits, faces +x -x +y -y +z -z. */
static const int32_t box_edge[2 * BOX_EDGES] = {
    0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7,
};
static const int32_t box_edge_face[2 * BOX_EDGES] = {
    3, 5, 5, 2, 4, 3, 2, 4, 5, 1, 0, 5, 1, 4, 4, 0, 1, 3, 3, 0, 2, 1, 0, 2,
};

/* Of a hull in its own axes, whose search knows how; the first of equal ones. */
int32_t solid_lowest(const solid *s, const double n[3])
{
    double d[3] = {-n[0], -n[1], -n[2]};
    double height = INFINITY;
    int32_t best = 0;

    if (s->hull) {
        if (s->R) {
            mat3_apply_transposed(s->R, d, d);
        }
        return (int32_t)shape_hull_farthest(s->hull, d);
    }
    for (size_t c = 0; c < s->corners; c++) {
        double x = vec3_dot(n, s->corner + 3 * c);

        best = x < height ? (int32_t)c : best;
        height = x < height ? x : height;
    }
    return best;
}

double solid_low(const solid *s, const double n[3])
{
    return vec3_dot(n, solid_corner(s, solid_lowest(s, n)));
}

double solid_high(const solid *s, const double n[3])
{
    const double back[3] = {-n[0], -n[1], -n[2]};

    return -solid_low(s, back);
}

/* Of the segment from p to q: the point y nearest to x, the unit vector from it to x,
 * across the segment where y is none of its ends, and their distance. */
static double solid_nearest_on_side(const double p[3], const double q[3],
                                    const double x[3], double y[3], double way[3])
{
    double side[3];
    double square = 0.0;
    double share = 0.0;
    double distance = 0.0;

    vec3_subtract(q, p, side);
    vec3_subtract(x, p, way);
    square = vec3_dot(side, side);
    share = vec3_dot(way, side) / square;
    vec3_add(p, share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share, side, y);
    vec3_subtract(x, y, way);
    distance = vec3_length(way);
    if (share > 0.0 && share < 1.0) {
        vec3_add(way, -vec3_dot(way, side) / square, side, way);
    }
    vec3_normalize(way);
    return distance;
}

double solid_nearest(const solid *s, size_t face, const double x[3], double y[3],
                     double way[3])
{
    const double *n = s->normal + 3 * face;
    int32_t count = solid_face_size(s, face);
    double best = INFINITY;
    bool inside = count > 2;
    double d[3];

    for (int32_t k = 0; k < (count == 2 ? 1 : count); k++) {
        const double *from = solid_corner(s, solid_face_corner(s, face, k));
        const double *to = solid_corner(s, solid_face_corner(s, face, k + 1));
        double side[3];
        double inward[3];
        double p[3];
        double off[3];
        double distance = solid_nearest_on_side(from, to, x, p, off);

        vec3_subtract(to, from, side);
        vec3_cross(n, side, inward);
        vec3_subtract(x, from, d);
        inside = inside && vec3_dot(inward, d) >= 0.0;
        if (distance < best) {
            best = distance;
            vec3_copy(y, p);
            vec3_copy(way, off);
        }
    }
    if (inside) {
        vec3_subtract(x, solid_corner(s, solid_face_corner(s, face, 0)), d);
        best = vec3_dot(n, d);
        vec3_add(x, -best, n, y);
        vec3_scale(best < 0.0 ? -1.0 : 1.0, n, way);
        best = fabs(best);
    }
    return best;
}

size_t solid_numbers(const perp_shape *shape)
{
    const perp_polytope *hull = shape->polytope;

    return shape->type->core == PERP_CORE_BOX
               ? SOLID_BOX_NUMBERS
               : 3 * hull->corner_count + 4 * hull->face_count;
}

/* A box in its own axes, in the plane a rectangle. */
static void solid_draw_box(solid *s, const double h[3], unsigned dimension,
                           double *numbers)
{
    static const size_t axis_of_side[RECTANGLE_CORNERS] = {1, 0, 1, 0};
    double *corner = numbers;
    double *normal = corner + 3 * BOX_CORNERS;
    double *area = normal + 3 * BOX_FACES;
    double *height = area + BOX_FACES;
    bool flat = dimension == 2;

    *s = (solid){.corners = flat ? RECTANGLE_CORNERS : BOX_CORNERS,
                 .faces = flat ? RECTANGLE_CORNERS : BOX_FACES,
                 .edges = flat ? 0 : BOX_EDGES,
                 .corner = corner,
                 .normal = normal,
                 .area = area,
                 .height = height,
                 .face_start = flat ? shape_rectangle_start : shape_box_start,
                 .face_corner = flat ? shape_rectangle_corner : shape_box_corner,
                 .edge = box_edge,
                 .edge_face = box_edge_face};
    for (size_t c = 0; c < s->corners; c++) {
        vec3_set(corner + 3 * c, c & 1 ? h[0] : -h[0], c & 2 ? h[1] : -h[1],
                 flat      ? 0.0
                 : (c & 4) ? h[2]
                           : -h[2]);
    }
    for (size_t f = 0; f < s->faces; f++) {
        size_t k = flat ? axis_of_side[f] : f / 2;
        bool along = flat ? f == 1 || f == 2 : f % 2 == 0;

        vec3_set(normal + 3 * f, 0.0, 0.0, 0.0);
        normal[3 * f + k] = along ? 1.0 : -1.0;
        height[f] = h[k];
        area[f] = flat ? 2.0 * h[1 - k] : 4.0 * h[(k + 1) % 3] * h[(k + 2) % 3];
    }
}

void solid_place(solid *s, const perp_shape *shape, unsigned dimension, const double *R,
                 const double *t, double *numbers)
{
    const perp_polytope *hull = shape->polytope;
    double *corner = numbers;
    double *normal = NULL;
    double *height = NULL;

    if (shape->type->core == PERP_CORE_BOX) {
        solid_draw_box(s, shape->size, dimension, numbers);
        normal = numbers + 3 * BOX_CORNERS;
        height = normal + 4 * BOX_FACES;
    } else {
        *s = (solid){.corners = hull->corner_count,
                     .faces = hull->face_count,
                     .edges = dimension == 2 ? 0 : hull->edge_count,
                     .corner = hull->corner,
                     .normal = hull->normal,
                     .area = hull->area,
                     .height = hull->height,
                     .hull = hull,
                     .R = R,
                     .face_start = hull->face_start,
                     .face_corner = hull->face_corner,
                     .edge = hull->edge,
                     .edge_face = hull->edge_face};
        vec3_copy(s->middle, hull->center);
        normal = numbers ? numbers + 3 * hull->corner_count : NULL;
        height = numbers ? normal + 3 * hull->face_count : NULL;
    }
    if (!R) {
        return;
    }
    for (size_t c = 0; c < s->corners; c++) {
        mat3_apply(R, s->corner + 3 * c, corner + 3 * c);
        vec3_add(corner + 3 * c, 1.0, t, corner + 3 * c);
    }
    for (size_t f = 0; f < s->faces; f++) {
        mat3_apply(R, s->normal + 3 * f, normal + 3 * f);
        height[f] = s->height[f] + vec3_dot(normal + 3 * f, t);
    }
    mat3_apply(R, s->middle, s->middle);
    vec3_add(s->middle, 1.0, t, s->middle);
    s->corner = corner;
    s->normal = normal;
    s->height = height;
}

/* Each shape has more numbers than corners and faces together, which are two more than
 * its edges; two indices take the place of a number. */
size_t sat_numbers(const perp_shape *a, const perp_shape *b)
{
    return 3 * (solid_numbers(a) + solid_numbers(b));
}

void sat_place(sat_pair *p, const perp_placed *a, const perp_placed *b,
               unsigned dimension, double *numbers)
{
    double t[3];

    sat_frame(a, b, p->R, t);
    solid_place(&p->a, a->shape, dimension, NULL, NULL, numbers);
    p->moving = numbers + solid_numbers(a->shape);
    solid_place(&p->b, b->shape, dimension, p->R, t, p->moving);
    p->height = p->moving + solid_numbers(b->shape);
    p->low_b.over = p->height;
    p->low_a.over = p->low_b.over + p->a.faces;
    p->low_b.corner = (int32_t *)(void *)(p->height + solid_numbers(a->shape) +
                                          solid_numbers(b->shape));
    p->low_a.corner = p->low_b.corner + 2 * solid_numbers(a->shape);
    p->size = a->shape->type->reach(a->shape) + b->shape->type->reach(b->shape);
    p->place = SAT_SAME_PLACE * p->size;
}
