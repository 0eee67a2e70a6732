/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/reduce.h: a world in reduced coordinates.
 *
 * Joints that form a forest become mobilizers of an articulation: they have no rows, and
 * the mass matrix of their bodies is H(q). Contacts, limits, motors, springs and joints
 * that close loops keep their rows in the same problem, and bodies without joints keep
 * their coordinates. Poses and velocities of the links follow from q and qd.
 *
 * Hard joints (no softness, no cfm) of types spherical, revolute, prismatic, cylindrical,
 * universal, wheel, planar and fixed are eliminated. A tree grows from static and
 * kinematic bodies, else from the body with the lowest number, which then has six
 * coordinates (three in the plane). The search is breadth first, with joints in the order
 * of the world. */
#ifndef PERP_DYNAMICS_REDUCE_H
#define PERP_DYNAMICS_REDUCE_H

#include <perp/dynamics/articulation.h>
#include <perp/dynamics/world.h>

PERP_BEGIN_DECLS

/** Options of a reduction. Zero: the defaults. */
typedef struct perp_reduction {
    bool euler;           /**< spherical joints have Euler angles instead of exponential
                           *   coordinates */
    bool no_chart_switch; /**< no chart switches: coordinates at a singularity are an
                           *   error */
    bool free_bodies;     /**< bodies without joints have coordinates as well */
} perp_reduction;

/** world->reduced: map between bodies and links. */
typedef struct perp_reduced {
    perp_articulation *tree; /**< the model; each state has its own coordinates */
    size_t bodies, joints;   /**< numbers at the reduction; later bodies and joints are
                              *   not reduced */
    int32_t *link;           /**< for each body its link, or -1 */
    int32_t *body;           /**< for each link its body */
    int32_t *hangs_on;   /**< for each link the body that carries a root; -1: the world
                          *   frame, or not a root */
    int32_t *joint_link; /**< for each joint the link that it carries, or -1: it has
                          *   rows */
    perp_reduction how;
    void *own;
} perp_reduced;

/** Change the world to reduced coordinates: compute q and qd from the poses and
 *  velocities of world->start, which are then projected onto the joints. Other states of
 *  the world no longer fit: free them and create them again with perp_state_new.
 *  PERP_ERR_DATA: a joint whose bodies are more than 1e-6 m or rad apart (the message has
 *  its name and error), a singularity; PERP_ERR_ARGUMENT: the world is in reduced
 *  coordinates already; PERP_ERR_UNSUITABLE: no joint can be eliminated; PERP_ERR_MEMORY.
 *  The world is unchanged after a failure. */
perp_status perp_world_reduce(perp_world *world, const perp_reduction *how,
                              perp_error *err);
/** Change the world back to maximal coordinates; poses and velocities of world->start
 *  stay. */
void perp_world_unreduce(perp_world *world);

/** Compute poses and velocities of the bodies from q and qd; and q and qd from poses and
 *  velocities. Call the latter after changing poses or velocities of bodies: it removes
 *  the parts that joints do not allow. Both are no-ops if the world is not reduced.
 *  PERP_ERR_DATA: a singularity. */
perp_status perp_world_forward_kinematics(const perp_world *world, perp_state *state,
                                          perp_error *err);
perp_status perp_world_fit_coordinates(const perp_world *world, perp_state *state,
                                       perp_error *err);

/** The link of a body, or -1 for a body outside trees. */
int32_t perp_world_link(const perp_world *world, size_t body);

PERP_END_DECLS

#endif
