/* SPDX-License-Identifier: Apache-2.0
 * reduced/reduced.h: data of a world in reduced coordinates. Private.
 *
 * Links are numbered as in the articulation. */
#ifndef PERP_REDUCED_REDUCED_H
#define PERP_REDUCED_REDUCED_H

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

/** Assign joints to bodies: fills r->link and r->joint_link, which are allocated and -1,
 *  in the order of the search; *count links. */
perp_status reduced_forest(perp_reduced *r, const perp_world *world, size_t *count,
                           perp_error *err);
/** Create the articulation; links are then numbered as in it. Fills all other arrays of
 *  links. */
perp_status reduced_tree(perp_reduced *r, const perp_world *world, size_t count,
                         perp_error *err);

/** Set the armatures of the joint that carries a link. PERP_ERR_UNSUITABLE: an armature
 *  on an axis that is no coordinate. */
perp_status reduced_rotors(const perp_joint *joint, const perp_joint_axes *axes,
                           perp_link *link, bool *rotors, perp_error *err);

/** Kinetic energy of the armatures of a world in reduced coordinates, else 0 [J]. */
double reduced_rotor_energy(const perp_world *world, const perp_state *state);

/** Create the coordinates of a state for these trees, or remove them. PERP_ERR_MEMORY:
 *  the state is unchanged. */
perp_status reduced_state_trees(perp_state *state, const perp_articulation *tree,
                                perp_error *err);
void reduced_state_free(perp_state *state);

/** Set the bases of the trees and gravity; call it before an update. */
void reduced_base(const perp_world *world, const perp_state *state);
/** Set poses and velocities of the bodies from the last update; and also the coordinates
 *  of axes, which continue only at the end of a step. */
void reduced_put_bodies(const perp_world *world, perp_state *state);
void reduced_put(const perp_world *world, perp_state *state);
/** Whether all axes of joint j are coordinates of its tree, whose values reduced_put
 *  sets. */
bool reduced_tells_axes(const perp_world *world, size_t j);
/** Compute q and qd from the present poses and velocities, and update; q is nearest to
 *  its former value. `first`: q is nearest to the values of axes, and position errors of
 *  joints are refused. After a failure q is unchanged. */
perp_status reduced_get(const perp_world *world, perp_state *state, bool first,
                        perp_error *err);

#endif
