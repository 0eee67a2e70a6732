/* SPDX-License-Identifier: Apache-2.0
 * world/trees.h: the trees of a world in reduced coordinates and of its states. Private.
 *
 * Links are numbered as in the articulation. */
#ifndef PERP_WORLD_TREES_H
#define PERP_WORLD_TREES_H

#include <perp/dynamics/joint.h>
#include <perp/dynamics/reduce.h>

#include "world/world.h"

/** perp_reduced.own. */
typedef struct reduced_own {
    int32_t *joint;        /* links: the joint that carries it; -1: a free body */
    bool *turned;          /* links: body i of that joint is the child */
    int32_t *parent;       /* links: parent body; -1: the world frame */
    perp_joint_axes *axes; /* joints: axes of eliminated joints */
    bool rotors;           /* an axis has armature */
} reduced_own;

static inline reduced_own *reduced_mine(const perp_reduced *r)
{
    return r->own;
}

void world_reduced_free(perp_reduced *r);

/** Create the coordinates of a state for these trees. PERP_ERR_MEMORY: the state is
 *  unchanged. */
perp_status world_trees_new(perp_state *state, const perp_articulation *tree,
                            perp_error *err);
/** Copy the trees of `from`, or remove those of `to` where `from` has none.
 *  PERP_ERR_MEMORY: `to` is unchanged. */
perp_status world_trees_copy(perp_state *to, const perp_state *from, perp_error *err);
void world_trees_free(perp_state *state);

#endif
