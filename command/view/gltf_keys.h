/* SPDX-License-Identifier: Apache-2.0
 * view/gltf_keys.h: the frames between which poses may be interpolated. */
#ifndef PERP_VIEW_GLTF_KEYS_H
#define PERP_VIEW_GLTF_KEYS_H

#include "command/view/motion.h"

/** What is interpolated: linearly, or along the great arc of quaternions. */
typedef enum gltf_path {
    GLTF_TRANSLATION,
    GLTF_ROTATION,
} gltf_path;

/** Memory of the search for motions of so many frames; release with gltf_keys_free. */
typedef struct gltf_keys {
    size_t count; /**< frames that were chosen */
    size_t *frame;
    bool *chosen;
    size_t *stack;
} gltf_keys;

void gltf_keys_new(gltf_keys *k, size_t frames);
void gltf_keys_free(gltf_keys *k); /* no-op when zeroed */

/** Choose frames of a body such that interpolation between them is within `error` [m or rad] of
 *  all frames of `usable`, `count` of them: those with different times. The first and the last
 *  one are chosen, of a body that stays within `error` the first one only. */
void gltf_keys_choose(gltf_keys *k, const motion *m, size_t body, gltf_path path,
                      double error, const size_t *usable, size_t count);

#endif
