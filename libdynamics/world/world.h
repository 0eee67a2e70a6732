/* SPDX-License-Identifier: Apache-2.0
 * world/world.h: functions of worlds and states for other modules. Private. */
#ifndef PERP_WORLD_WORLD_H
#define PERP_WORLD_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <perp/dynamics/world.h>

#include "math/math.h"

/** Kinds of items that are found by name. */
typedef enum world_named { WORLD_BODIES, WORLD_JOINTS, WORLD_MATERIALS } world_named;
/** Reserve one more name in the table; false: no memory. */
bool world_names_room(perp_world *world, world_named kind);
/** Insert number k, whose name is new. */
void world_names_add(perp_world *world, world_named kind, size_t k);
/** Rebuild the table after items were removed. */
void world_names_refresh(perp_world *world, world_named kind);
void world_names_free(perp_world *world);
uint64_t world_names_hash(const char *name);
/** Reserve this many bodies and joints; false: no memory. */
bool world_state_room(perp_state *state, size_t bodies, size_t joints);
/** Copy the values of an advanced copy to the state, except loads; arrays of bodies do
 *  not move, those of trees are exchanged. */
void world_state_take(perp_state *state, perp_state *copy);
/** Keep the bodies and joints whose new numbers are not negative; counts as one removal. */
void world_state_keep(perp_state *state, const int32_t *body, const int32_t *joint);
/** The same for the bodies of a world, without its start and what refers to bodies. */
void world_keep_bodies(perp_world *world, const int32_t *number);
/** Find again the joint about whose axis each body turns. */
void world_axes_refresh(perp_world *world);
/** PERP_ERR_ARGUMENT if the state does not fit the bodies, joints or trees of the
 *  world. */
perp_status world_state_check(const perp_state *state, const perp_world *world,
                              perp_error *err);
/** perp_world_refresh for body k only. */
void world_refresh_body(const perp_world *world, perp_state *state, size_t k);
/** L := I w of body k, in world axes. */
void world_spin(const perp_world *world, const perp_state *state, size_t k, double L[3]);
/** The share of an error that a step removes, from the erp of a joint, material or
 *  contact. */
static inline double world_erp(double own, double scheme)
{
    return own == 0.0 ? scheme : own > 0.0 ? own : 0.0;
}
/** Whether a number is a valid erp. */
static inline bool world_erp_valid(double erp)
{
    return (erp >= 0.0 && erp <= 1.0) || erp == PERP_ERP_NONE;
}
/** Whether impulses move body k. */
static inline bool world_moves(const perp_world *w, int32_t k)
{
    return k >= 0 && w->motion[k] == PERP_MOTION_DYNAMIC && !w->disabled[k];
}
/** Whether body k does not move. */
static inline bool world_stays(const perp_world *w, size_t k)
{
    return w->motion[k] == PERP_MOTION_STATIC || w->disabled[k];
}
/** x M^-1 x of body k, x linear and angular. */
static inline double world_inverse_square(const perp_world *w, const perp_state *state,
                                          size_t k, const double x[6])
{
    double turned[3];

    mat3_apply(state->inverse_inertia + 9 * k, x + 3, turned);
    return w->inverse_mass[k] * vec3_dot(x, x) + vec3_dot(x + 3, turned);
}

/** Set axis_joint of the bodies of joint k, after all joints before it. */
void world_joint_axis(perp_world *world, size_t k);
/** Gears follow joints that get the number place[joint] (NULL: unchanged); those with a
 *  joint that is removed (-1, or not below `count`) are removed. */
void world_keep_gears(perp_world *world, const int32_t *place, size_t count);
/** Remove all bodies, joints and other items beyond these numbers; the others are
 *  unchanged. */
void world_cut(perp_world *world, size_t bodies, size_t shapes, size_t joints);

extern const char *const perp_combine_names[]; /* terminated by NULL */

#endif
