/* SPDX-License-Identifier: Apache-2.0
 * reduced/reduced.h: a world as trees, and coordinates from poses. Private. */
#ifndef PERP_REDUCED_REDUCED_H
#define PERP_REDUCED_REDUCED_H

#include "world/trees.h"

/** Assign joints to bodies: fills r->link and r->joint_link, which are allocated and -1,
 *  in the order of the search; *count links. */
perp_status reduced_forest(perp_reduced *r, const perp_world *world, size_t *count,
                           perp_error *err);
/** Create the articulation; links are then numbered as in it. Fills all other arrays of
 *  links. */
perp_status reduced_tree(perp_reduced *r, const perp_world *world, size_t count,
                         perp_error *err);

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
