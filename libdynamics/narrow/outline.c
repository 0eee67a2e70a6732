/* SPDX-License-Identifier: Apache-2.0
 * narrow/outline.c: of boxes and hulls the corners, normals and areas of faces,
 * directions of edges, where they stand. */
#include <config.h>

#include "narrow/outline.h"
#include "shapes/shapes.h"

/* Edges whose directions differ by less than this sine count as one direction. */
static const double same_direction = 1e-9;

typedef struct facets {
    size_t corners, faces, uses;
    const int32_t *start, *corner;
} facets;

static facets facets_of(const perp_shape *s, unsigned dimension)
{
    const perp_polytope *hull = s->polytope;

    if (s->type == &shape_box && dimension == 2) {
        return (facets){RECTANGLE_CORNERS, RECTANGLE_CORNERS, 0, shape_rectangle_start,
                        shape_rectangle_corner};
    }
    if (s->type == &shape_box) {
        return (facets){BOX_CORNERS, BOX_FACES, 4 * BOX_FACES, shape_box_start,
                        shape_box_corner};
    }
    return (facets){hull->corner_count, hull->face_count,
                    (size_t)hull->face_start[hull->face_count], hull->face_start,
                    hull->face_corner};
}

size_t outline_numbers(const placed *s, unsigned dimension)
{
    facets f = facets_of(s->at.shape, dimension);

    return 3 * f.corners + 4 * f.faces + 3 * f.uses;
}

/* A corner in the axes of the shape. */
static void corner_of(const perp_shape *s, size_t c, double out[3])
{
    if (s->type == &shape_hull) {
        vec3_copy(out, s->polytope->corner + 3 * c);
        return;
    }
    for (int k = 0; k < 3; k++) {
        out[k] = (c >> k) & 1 ? s->size[k] : -s->size[k];
    }
}

/* The normal of face f in the axes of the shape, and its area, or length in the plane. */
static double face_normal(const perp_shape *s, const facets *f, size_t face, double n[3])
{
    int32_t start = f->start[face];
    int32_t count = f->start[face + 1] - start;
    double origin[3];
    double p[3];
    double q[3];
    double term[3];

    corner_of(s, (size_t)f->corner[start], origin);
    corner_of(s, (size_t)f->corner[start + 1], p);
    vec3_subtract(p, origin, p);
    vec3_set(n, p[1], -p[0], 0.0); /* of a side in the plane */
    if (count == 2) {
        return vec3_normalize(n);
    }
    vec3_set(n, 0.0, 0.0, 0.0);
    for (int32_t k = 2; k < count; k++) {
        corner_of(s, (size_t)f->corner[start + k], q);
        vec3_subtract(q, origin, q);
        vec3_cross(p, q, term);
        vec3_add(n, 0.5, term, n);
        vec3_copy(p, q);
    }
    return vec3_normalize(n);
}

static void add_direction(outline *p, const double d[3])
{
    double across[3];

    for (size_t k = 0; k < p->directions; k++) {
        vec3_cross(p->direction + 3 * k, d, across);
        if (vec3_dot(across, across) <= same_direction * same_direction) {
            return;
        }
    }
    vec3_copy(p->direction + 3 * p->directions++, d);
}

/* Each edge lies in two faces; it is taken where it goes to the higher corner. */
static void draw_directions(outline *p)
{
    for (size_t f = 0; f < p->faces; f++) {
        int32_t start = p->face_start[f];
        int32_t end = p->face_start[f + 1];

        for (int32_t k = start; k < end; k++) {
            int32_t from = p->face_corner[k];
            int32_t to = p->face_corner[k + 1 < end ? k + 1 : start];

            if (from < to) {
                double d[3];

                vec3_subtract(p->corner + 3 * (size_t)to, p->corner + 3 * (size_t)from,
                              d);
                vec3_normalize(d);
                add_direction(p, d);
            }
        }
    }
}

void outline_draw(outline *p, const placed *s, unsigned dimension, double *numbers)
{
    const perp_shape *shape = s->at.shape;
    facets f = facets_of(shape, dimension);

    *p = (outline){.number = s->number,
                   .reach = s->reach,
                   .corners = f.corners,
                   .faces = f.faces,
                   .face_start = f.start,
                   .face_corner = f.corner};
    p->corner = numbers;
    p->normal = p->corner + 3 * f.corners;
    p->area = p->normal + 3 * f.faces;
    p->direction = p->area + f.faces;
    for (size_t c = 0; c < f.corners; c++) {
        double *corner = p->corner + 3 * c;

        corner_of(shape, c, corner);
        mat3_apply(s->at.R, corner, corner);
        vec3_add(s->at.x, 1.0, corner, corner);
    }
    for (size_t face = 0; face < f.faces; face++) {
        double *n = p->normal + 3 * face;

        p->area[face] = face_normal(shape, &f, face, n);
        mat3_apply(s->at.R, n, n);
    }
    if (f.uses > 0) {
        draw_directions(p);
    }
}

bool outline_of(meeting *m, const placed *s, outline *out)
{
    double *numbers = meet_scratch(m, outline_numbers(s, m->dimension) * sizeof *numbers);

    if (numbers) {
        outline_draw(out, s, m->dimension, numbers);
    }
    return numbers != NULL;
}
