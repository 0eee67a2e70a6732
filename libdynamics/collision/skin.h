/* SPDX-License-Identifier: Apache-2.0
 * collision/skin.h: the pairs of boxes that have not moved, or not by much. Private. */
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

typedef enum broad_recall {
    BROAD_FOUND,    /**< pairs are those of the boxes */
    BROAD_MOVED,    /**< to be searched */
    BROAD_CALM,     /**< to be searched; a skin will pay */
    BROAD_NO_MEMORY /**< for the pairs */
} broad_recall;

/** The pairs of these boxes, if those that are remembered tell them. */
broad_recall skin_recall(const broad_skin *skin, size_t n, const perp_aabb *boxes,
                         const bool *immovable, perp_box_pairs *pairs);
/** Remember boxes, grown by a skin where that will pay, before their pairs are searched.
 *  Returns the boxes to search; those given where there is no memory, and then nothing is
 *  remembered. */
const perp_aabb *skin_put_on(broad_skin *skin, size_t n, const perp_aabb *boxes,
                             const bool *immovable, bool calm);
/** The pairs of the boxes that skin_put_on returned, sorted, become those of `boxes`, and
 *  are remembered. */
void skin_remember(broad_skin *skin, const perp_aabb *boxes, perp_box_pairs *pairs);
/** Nothing is remembered. */
void skin_forget(broad_skin *skin);
void skin_clear(broad_skin *skin);

#endif
