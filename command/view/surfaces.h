/* SPDX-License-Identifier: Apache-2.0
 * view/surfaces.h: the surfaces of all shapes of a motion, equal ones once, and what writers of
 * motions share.
 *
 * A full circle has 32 sides with up to 200 round shapes, 16 with up to 2000, else 8. A plane is
 * drawn as far as bodies come. */
#ifndef PERP_VIEW_SURFACES_H
#define PERP_VIEW_SURFACES_H

#include "command/view/mesh.h"

typedef struct view_surfaces {
    size_t count;
    view_mesh *mesh;
    size_t *first; /**< count: a shape that has it */
    size_t *of;    /**< shape_count: the mesh of a shape */
    double reach; /**< largest distance of a moving body from the origin, shapes included,
                    *   at least 1 [m] */
} view_surfaces;

/** Release with view_surfaces_free even after a failure. */
perp_status view_surfaces_make(view_surfaces *s, const motion *m, perp_error *err);
void view_surfaces_free(view_surfaces *s); /* no-op when zeroed */

/** Distance from the origin of a bounded shape that no point of it exceeds; 0: a plane. */
double view_shape_reach(const motion *m, const motion_shape *shape);
/** Kinetic energy of a body in a frame [J]; 0 when it is fixed. */
double view_kinetic(const motion *m, size_t frame, size_t body);
/** World coordinates of the anchor of a joint in a frame; those of the world frame for -1. */
void view_anchor(const motion *m, size_t frame, const motion_joint *joint, size_t end,
                 double p[3]);

#endif
