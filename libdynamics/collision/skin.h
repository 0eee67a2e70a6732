/* SPDX-License-Identifier: Apache-2.0
 * collision/skin.h: reuse of the pairs of boxes that hardly moved. Private. */
#ifndef PERP_COLLISION_SKIN_H
#define PERP_COLLISION_SKIN_H

#include "collision/pairs.h"

/** Zero it before its first use. */
typedef struct broad_skin {
    size_t n, room;
    perp_aabb *boxes;   /**< as they were, or grown by the skin */
    bool *immovable;    /**< as they were; of NULL all false */
    double width;       /**< of the skin [m]; 0: the boxes are as they were */
    perp_box_pairs all; /**< pairs of `boxes`, sorted */
} broad_skin;

typedef enum broad_reuse {
    BROAD_FOUND,    /**< pairs are those of the boxes */
    BROAD_MOVED,    /**< to be searched */
    BROAD_CALM,     /**< to be searched; a skin saves time */
    BROAD_NO_MEMORY /**< for the pairs */
} broad_reuse;

/** The pairs of these boxes, if they follow from the stored ones. */
broad_reuse skin_reuse(const broad_skin *skin, size_t n, const perp_aabb *boxes,
                       const bool *immovable, perp_box_pairs *pairs);
/** Store boxes, grown by a skin if that saves time, before their pairs are searched.
 *  Returns the boxes to search; the given ones, with nothing stored, if there is no
 *  memory. */
const perp_aabb *skin_grow(broad_skin *skin, size_t n, const perp_aabb *boxes,
                           const bool *immovable, bool calm);
/** The pairs of the boxes that skin_grow returned, sorted, become those of `boxes`, and
 *  are stored. */
void skin_remember(broad_skin *skin, const perp_aabb *boxes, perp_box_pairs *pairs);
/** Clear the stored boxes. */
void skin_forget(broad_skin *skin);
void skin_clear(broad_skin *skin);

#endif
