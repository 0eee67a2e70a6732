/* SPDX-License-Identifier: Apache-2.0
 * collision/triangle.h: a triangle of a mesh as a convex shape, and meshes. Private. */
#ifndef PERP_COLLISION_TRIANGLE_H
#define PERP_COLLISION_TRIANGLE_H

#include "collision/query.h"

extern const perp_shape_type narrow_triangle;

/** Numbers of triangles; without room they are counted only. */
typedef struct numbers {
    size_t count;
    uint32_t *at;
} numbers;

/** For perp_tree_query: add a number to `context`, which is numbers. In mesh.c. */
bool mesh_add_number(void *context, uint32_t number);
void mesh_sort_numbers(numbers *n);
/** The box of the body in the axes of the mesh, wider by the margin. */
void mesh_box_in(const placed *surface, const placed *body, double margin,
                 perp_aabb *box);

/** o := in the plane of triangle t, unit, across the side from corner k, outwards. */
static inline void mesh_outward(const perp_mesh *mesh, size_t t, int k, double o[3])
{
    const int32_t *c = mesh->corner + 3 * t;
    double side[3];

    vec3_subtract(mesh->point + 3 * (size_t)c[(k + 1) % 3],
                  mesh->point + 3 * (size_t)c[k], side);
    vec3_cross(side, mesh->normal + 3 * t, o);
    vec3_normalize(o);
}
/** The side of triangle `t` that lies beyond a side of triangle `from`. */
static inline int mesh_side_back(const perp_mesh *mesh, size_t t, size_t from)
{
    for (int k = 0; k < 2; k++) {
        if (mesh->beyond[3 * t + (size_t)k] == (int32_t)from) {
            return k;
        }
    }
    return 2;
}

/** The contacts of two meshes, m->a and m->b. In meshes.c. */
void query_meshes(contact_query *m);

#endif
