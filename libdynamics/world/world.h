/* SPDX-License-Identifier: Apache-2.0
 * world/world.h: what the rooms share of worlds and their states. Private. */
#ifndef PERP_WORLD_WORLD_H
#define PERP_WORLD_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <perp/dynamics/world.h>

#include "math/math.h"

/** What is found by its name in a table. */
typedef enum world_named { WORLD_BODIES, WORLD_JOINTS } world_named;
/** Room for the name of one more in its table; false without memory. */
bool world_names_room(perp_world *world, world_named kind);
/** Let number k, whose name nobody has, be found by it. */
void world_names_add(perp_world *world, world_named kind, size_t k);
/** Find those that are left, after others were taken away. */
void world_names_refresh(perp_world *world, world_named kind);
uint64_t world_names_hash(const char *name);
/** Room for so many bodies and joints; false without memory. */
bool world_state_room(perp_state *state, size_t bodies, size_t joints);
/** What states and worlds in reduced coordinates have of the room of trees, which is above this
 *  one: world->start->hooks, NULL where there never were trees. */
struct perp_tree_hooks {
    /** Trees of `to`: those of `from`, or none. PERP_ERR_MEMORY: as it was. */
    perp_status (*copy)(perp_state *to, const perp_state *from, perp_error *err);
    void (*exchange)(perp_state *x, perp_state *y); /* both have trees */
    void (*free)(perp_state *state);
    void (*unreduce)(perp_world *world);
    /** Whether the trees of the state are as large as those of the world; both have some. */
    bool (*fit)(const perp_state *state, const perp_world *world);
    /** Kinetic energy of armatures [J]. */
    double (*rotors)(const perp_world *world, const perp_state *state);
};
/** The state becomes what a copy of it has come to, loads apart; arrays of bodies stay where
 *  they are, those of trees are exchanged. */
void world_state_take(perp_state *state, perp_state *copy);
/** Keep the bodies and joints whose new numbers are not negative: one more removal followed. */
void world_state_keep(perp_state *state, const int32_t *body, const int32_t *joint);
/** The same of the bodies of a world; its start, and what refers to bodies, apart. */
void world_keep_bodies(perp_world *world, const int32_t *number);
/** The joint about whose axis each body turns, found again. */
void world_axes_refresh(perp_world *world);
/** PERP_ERR_ARGUMENT: a state of other bodies, joints or trees than this world has now. */
perp_status world_state_check(const perp_state *state, const perp_world *world,
                              perp_error *err);
/** perp_world_refresh for body k alone. */
void world_refresh_body(const perp_world *world, perp_state *state, size_t k);
/** The share of an error that a step removes, of a joint, material or contact. */
static inline double world_erp(double own, double scheme)
{
    return own == 0.0 ? scheme : own > 0.0 ? own : 0.0;
}
/** Whether an erp is one. */
static inline bool world_erp_valid(double erp)
{
    return (erp >= 0.0 && erp <= 1.0) || erp == PERP_ERP_NONE;
}
/** Whether impulses move body k. */
static inline bool world_moves(const perp_world *w, int32_t k)
{
    return k >= 0 && w->motion[k] == PERP_MOTION_DYNAMIC && !w->disabled[k];
}
/** Whether body k stays where it is. */
static inline bool world_stays(const perp_world *w, size_t k)
{
    return w->motion[k] == PERP_MOTION_STATIC || w->disabled[k];
}

/** axis_joint of the bodies of joint k, when those of all joints before it are set. */
void world_joint_axis(perp_world *world, size_t k);
/** The world as it was when it had so many of each, none of which has changed since. */
void world_cut(perp_world *world, size_t bodies, size_t shapes, size_t joints);

#endif
