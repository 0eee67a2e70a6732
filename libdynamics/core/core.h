/* SPDX-License-Identifier: Apache-2.0
 * core/core.h: what the rooms of libdynamics share. Private.
 *
 * Registries: one line a joint, shape, force or metric, in the file of each registry. */
#ifndef PERP_CORE_CORE_H
#define PERP_CORE_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <perp/dynamics/world.h>

#include "vec3.h"

/** Let *array (entries of `size` bytes) hold at least `count`: room grows by half. Bytes
 *  that are new are zero. False without memory; then nothing changed. */
bool core_grow(void **array, size_t size, size_t room, size_t *new_room, size_t count);
/** Zeroed memory for count * size bytes, aligned to 64; NULL without.
 *  Freed with free(). */
void *core_take(size_t count, size_t size);
/** A copy of a text, or NULL. */
char *core_text(const char *text);
/** The name of a file without its folders and what stands behind its last dot, or
 *  NULL. */
char *core_stem(const char *path);
/** Whether all n numbers are finite. */
bool core_finite(const double *x, size_t n);
/** Scale to unit length, unless it has that to rounding: what was normalized once and
 *  written with all digits is then read as it was. Returns the length it had. */
double core_quat_settle(double q[4]);
/** One of the two unit quaternions of a rotation. */
void core_quat_of(const double R[9], double q[4]);

/** What is found by its name in a table. */
typedef enum core_named { CORE_BODIES, CORE_JOINTS } core_named;
/** Room for the name of one more in its table; false without memory. */
bool core_names_room(perp_world *world, core_named kind);
/** Let number k, whose name nobody has, be found by it. */
void core_names_add(perp_world *world, core_named kind, size_t k);
/** Find those that are left, after others were taken away. */
void core_names_renew(perp_world *world, core_named kind);
uint64_t core_names_hash(const char *name);
/** Room for so many bodies and joints; false without memory. */
bool core_state_room(perp_state *state, size_t bodies, size_t joints);
/** Coordinates of its own for these trees, or none. PERP_ERR_MEMORY: as it was. */
perp_status core_state_trees(perp_state *state, const struct perp_articulation *tree,
                             perp_error *err);
void core_state_no_trees(perp_state *state);
/** The state becomes what a copy of it has come to, loads apart; arrays of bodies stay where
 *  they are, those of trees are exchanged. */
void core_state_take(perp_state *state, perp_state *copy);
/** PERP_ERR_ARGUMENT: a state of other bodies, joints or trees than this world has now. */
perp_status core_state_check(const perp_state *state, const perp_world *world,
                             perp_error *err);
/** perp_world_refresh for body k alone. */
void core_refresh_body(const perp_world *world, perp_state *state, size_t k);
/** The share of an error that a step removes, of a joint, material or contact. */
static inline double core_erp(double own, double scheme)
{
    return own == 0.0 ? scheme : own > 0.0 ? own : 0.0;
}
/** Whether an erp is one. */
static inline bool core_erp_valid(double erp)
{
    return (erp >= 0.0 && erp <= 1.0) || erp == PERP_ERP_NONE;
}
/** Whether impulses move body k. */
static inline bool core_moves(const perp_world *w, int32_t k)
{
    return k >= 0 && w->motion[k] == PERP_MOTION_DYNAMIC && !w->disabled[k];
}
/** Whether body k stays where it is. */
static inline bool core_stays(const perp_world *w, size_t k)
{
    return w->motion[k] == PERP_MOTION_STATIC || w->disabled[k];
}

/** Release what the worlds' arrays of other rooms own, at perp_world_free. */
void core_shapes_free(perp_world *world);
/** axis_joint of the bodies of joint k, when those of all joints before it are set. */
void core_joint_axis(perp_world *world, size_t k);
/** Kinetic energy of the armatures of a world in reduced coordinates, else 0 [J]. */
double core_rotor_energy(const perp_world *world, const perp_state *state);
/** Take away the shapes behind the first `count`. */
void core_shapes_cut(perp_world *world, size_t count);
/** The world as it was when it had so many of each, none of which has changed since. */
void core_world_cut(perp_world *world, size_t bodies, size_t shapes, size_t joints);

#endif
