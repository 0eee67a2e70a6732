/* SPDX-License-Identifier: Apache-2.0
 * trees/reduced.h: what the room keeps of a world in reduced coordinates. Private.
 *
 * Links are numbered as in the articulation. */
#ifndef PERP_TREES_REDUCED_H
#define PERP_TREES_REDUCED_H

#include <perp/dynamics/joint.h>
#include <perp/dynamics/reduce.h>

#include "world/world.h"

/** perp_reduced.own. */
typedef struct reduced_own {
    int32_t *joint;        /* links: the joint that carries it; -1: it moves freely */
    bool *turned;          /* links: body i of that joint is the child */
    int32_t *parent;       /* links: body it hangs on; -1: the world's frame */
    perp_joint_axes *axes; /* joints: of those eliminated */
    bool rotors;           /* an axis has armature */
} reduced_own;

static inline reduced_own *reduced_mine(const perp_reduced *r)
{
    return r->own;
}

/** Which joint carries which body: r->link and r->joint_link, in the order in which they
 *  are found; *count links. Both are there, -1 throughout. */
perp_status reduced_forest(perp_reduced *r, const perp_world *world, size_t *count,
                           perp_error *err);
/** The articulation of it; links are then numbered as there. All else that knows links is
 *  filled in. */
perp_status reduced_tree(perp_reduced *r, const perp_world *world, size_t count,
                         perp_error *err);

/** Armatures of the joint that carries a link. PERP_ERR_UNSUITABLE: of an axis that is no
 *  coordinate. */
perp_status reduced_rotors(const perp_joint *joint, const perp_joint_axes *axes,
                           perp_link *link, bool *rotors, perp_error *err);

/** Kinetic energy of the armatures of a world in reduced coordinates, else 0 [J]. */
double reduced_rotor_energy(const perp_world *world, const perp_state *state);

/** Coordinates of its own for these trees, or none. PERP_ERR_MEMORY: as it was. */
perp_status reduced_state_trees(perp_state *state, const perp_articulation *tree,
                                perp_error *err);
void reduced_state_free(perp_state *state);

/** What trees hang on, as it is now, and gravity: to be called before an update. */
void reduced_base(const perp_world *world, const perp_state *state);
/** Poses and velocities of the bodies as last updated; and the coordinates of axes, too,
 *  which go on only where a step has come to its end. */
void reduced_put_bodies(const perp_world *world, perp_state *state);
void reduced_put(const perp_world *world, perp_state *state);
/** Whether all axes of joint j are coordinates of its tree, whose values reduced_put
 *  sets. */
bool reduced_tells_axes(const perp_world *world, size_t j);
/** q and qd of the present poses and velocities, then updated; q is next to what it was.
 *  `first`: it is next to the values of axes, and joints that are apart are an error.
 *  After a failure q is as before. */
perp_status reduced_get(const perp_world *world, perp_state *state, bool first,
                        perp_error *err);

#endif
