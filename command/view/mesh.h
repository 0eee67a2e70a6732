/* SPDX-License-Identifier: Apache-2.0
 * view/mesh.h: the surface of a shape as triangles, for formats that know no shapes. */
#ifndef PERP_VIEW_MESH_H
#define PERP_VIEW_MESH_H

#include "command/view/motion.h"

/** Triangles in the axes of the shape, counter-clockwise from outside. */
typedef struct view_mesh {
    size_t vertex_count, triangle_count;
    double *vertices;    /**< 3 each [m] */
    double *normals;     /**< 3 each, unit; corners of edges are several vertices */
    uint32_t *triangles; /**< 3 each */
} view_mesh;

/** The surface of a shape. `segments`: sides of a full circle, at least 8. A plane is the square
 *  of this half width [m] around its origin; in two dimensions shapes are prisms of the
 *  thickness `depth`, halfway above and below z = 0. */
typedef struct view_mesh_orders {
    unsigned segments;
    double plane;
    double depth;
} view_mesh_orders;

perp_status view_mesh_make(view_mesh *mesh, const motion *m, const motion_shape *shape,
                           const view_mesh_orders *orders, perp_error *err);
void view_mesh_free(view_mesh *mesh); /* no-op when zeroed */

#endif
