/* SPDX-License-Identifier: Apache-2.0
 * geometry/parts.h: memory of polytopes and data derived from their corners and faces, in
 * space and in the plane. Private. */
#ifndef PERP_GEOMETRY_PARTS_H
#define PERP_GEOMETRY_PARTS_H

#include <perp/dynamics/geometry.h>

typedef struct edge_place {
    int32_t low, high, face[2];
} edge_place;

/** `count` entries of `size` bytes at *used in `block`, which advances to the next cache
 *  line; NULL without a block. */
void *parts_carve(char *block, size_t *used, size_t count, size_t size);
/** Allocate one block for all arrays; all counts except direction_count are set,
 *  everything else is zero. One reference. NULL: no memory. */
perp_polytope *parts_alloc(size_t corners, size_t faces, size_t uses, size_t edges);
/** From edges in any order, which are sorted. */
void parts_edges(perp_polytope *h, edge_place *edges);
/** Directions of the edges, without those within a sine of `same` of an earlier one. */
perp_status parts_directions(perp_polytope *h, double same, perp_error *err);
/** From the edges. */
void parts_neighbours(perp_polytope *h);
/** Fill the unused lanes with the first corner. */
void parts_lanes(perp_polytope *h);
/** Of the faces, from their normals and corners. */
void parts_heights(perp_polytope *h);
/** From corners and faces, in the plane from sides. */
void parts_center(perp_polytope *h);
/** From corners and centre. */
void parts_reach(perp_polytope *h);

#endif
