/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/remove.h: bodies, shapes, joints and forces are removed from a world.
 *
 * A body goes with its shapes, with the joints it is part of, and with the forces that act
 * on it by their bodies i and j. What is left keeps its order and closes up: a number falls
 * by how many before it were removed. A removal describes this by the new number of each
 * old one. Names, the ids of shapes and materials stay as they are.
 *
 * A run goes on in three lines, between two steps:
 *
 *     perp_removal removal = {0};
 *     perp_world_remove_body(world, k, &removal, &err);
 *     perp_state_remove(state, &removal, &err);        // of each state but world->start
 *
 * The stepper goes on with the impulses of the contacts and joints that are left. What it
 * returned of the step before (contacts, rows, forces of joints and contacts, reports of
 * the search) has the old numbers: read it before the removal. Numbers in the context of a
 * user's own joints and forces are the caller's to renew.
 *
 * To disable a body or joint for a while: perp_world.disabled, perp_joint.disabled. To leave
 * out single contacts: perp_stepper_set_filter, perp_contacts_remove. */
#ifndef PERP_DYNAMICS_REMOVE_H
#define PERP_DYNAMICS_REMOVE_H

#include <perp/dynamics/world.h>

PERP_BEGIN_DECLS

/** What one removal changed. Zero it before its first use; it may be used again. */
typedef struct perp_removal {
    size_t body_count, shape_count, joint_count, force_count; /**< before the removal */
    /** The new number of each old one, -1 where it was removed. One block of memory. */
    int32_t *body, *shape, *joint, *force;
    /** How many there were in this world with this one; 0: of a shape or force, which is
     *  not counted and which states need not follow. */
    uint64_t removals;
} perp_removal;

void perp_removal_clear(perp_removal *removal); /**< frees and zeroes */

/** Remove body number k with its shapes, joints and forces; world->start follows. The
 *  removal is described in *removal (may be NULL: then no other state can follow).
 *  PERP_ERR_ARGUMENT: no such body; PERP_ERR_UNSUITABLE: the world is in reduced
 *  coordinates (perp_world_unreduce comes first, and a new perp_world_reduce afterwards);
 *  PERP_ERR_MEMORY. World and *removal are then as they were. Cost: one pass over the
 *  world. */
perp_status perp_world_remove_body(perp_world *world, int32_t k, perp_removal *removal,
                                   perp_error *err);
/** Remove joint number k; as perp_world_remove_body. */
perp_status perp_world_remove_joint(perp_world *world, int32_t k, perp_removal *removal,
                                    perp_error *err);
/** Remove shape number k; mass and inertia of its body stay. States need not follow, and
 *  reduced coordinates are allowed. PERP_ERR_ARGUMENT: no such shape; PERP_ERR_MEMORY.
 *  World and *removal are then as they were. */
perp_status perp_world_remove_shape(perp_world *world, int32_t k, perp_removal *removal,
                                    perp_error *err);
/** The same of force number k, in the order in which forces were added. */
perp_status perp_world_remove_force(perp_world *world, int32_t k, perp_removal *removal,
                                    perp_error *err);

/** A state of the world as it was before the removal becomes one of the world as it is
 *  after it: time, poses, velocities, loads and axes of what is left stay to the bit. Of
 *  several removals each is applied, in their order. A state with reduced coordinates, of
 *  the time before perp_world_unreduce, continues in maximal ones. A state that has
 *  followed the removal already, as world->start has, stays as it is.
 *  PERP_ERR_ARGUMENT: a state that has not followed all earlier removals; it is then as it
 *  was. */
perp_status perp_state_remove(perp_state *state, const perp_removal *removal,
                              perp_error *err);

PERP_END_DECLS

#endif
