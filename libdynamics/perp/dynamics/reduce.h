/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/reduce.h: a world in reduced coordinates.
 *
 * Joints that form a forest become mobilizers of an articulation: their rows disappear,
 * their bodies' mass matrix is H(q). All else stays as it was: contacts, limits, motors,
 * springs, joints that close loops and bodies without joints write the same rows and
 * meet in the same problem. Poses and velocities of the world follow from q and qd.
 *
 * Eliminated are hard joints (no softness, no cfm) of types spherical, revolute, prismatic,
 * cylindrical, universal, wheel, planar, fixed. A tree grows from bodies that do not move
 * by themselves, else from the body of the least number, which gets six coordinates (in
 * the plane three) of its own; breadth first, joints in the order of the world. */
#ifndef PERP_DYNAMICS_REDUCE_H
#define PERP_DYNAMICS_REDUCE_H

#include <perp/dynamics/articulation.h>
#include <perp/dynamics/world.h>

PERP_BEGIN_DECLS

/** Zero is the usual way. */
typedef struct perp_reduction {
    bool euler; /**< spherical joints by Euler angles, not exponential coordinates */
    bool no_chart_switch; /**< coordinates at their singularity are an error */
    bool free_bodies;     /**< bodies without joints have coordinates, too */
} perp_reduction;

/** world->reduced: which body is which link. */
typedef struct perp_reduced {
    perp_articulation *tree; /**< the model; each state has coordinates of its own */
    size_t bodies, joints;   /**< as many as there were; later ones are not reduced */
    int32_t *link;           /**< bodies: its link, or -1 */
    int32_t *body;           /**< links: its body */
    int32_t *hangs_on;   /**< links: body that a root hangs on; -1: the world's frame, or
                                not a root */
    int32_t *joint_link; /**< joints: the link it carries, or -1: it has rows */
    perp_reduction how;
    void *own;
} perp_reduced;

/** From now on in reduced coordinates: q and qd from the poses and velocities of
 *  world->start, which are then those that joints allow. Other states of the world no longer
 *  fit: free them and make them with perp_state_new. PERP_ERR_DATA: joints that are apart by
 *  more than 1e-6 m or rad (with name and error), a singularity; PERP_ERR_ARGUMENT: it is
 *  reduced already; PERP_ERR_UNSUITABLE: no joint can be eliminated; PERP_ERR_MEMORY. The
 *  world is then as it was. */
perp_status perp_world_reduce(perp_world *world, const perp_reduction *how,
                              perp_error *err);
/** Back to maximal coordinates; poses and velocities of the start stay. */
void perp_world_unreduce(perp_world *world);

/** Poses and velocities of the bodies from q and qd; and the other way: whoever moved
 *  bodies or gave them velocities calls gather, which drops what joints do not allow.
 *  Nothing where the world is not reduced. PERP_ERR_DATA: a singularity. */
perp_status perp_world_forward_kinematics(const perp_world *world, perp_state *state,
                                          perp_error *err);
perp_status perp_world_fit_coordinates(const perp_world *world, perp_state *state,
                                       perp_error *err);

/** The link of a body, or -1 where it moves by itself. */
int32_t perp_world_link(const perp_world *world, size_t body);

PERP_END_DECLS

#endif
