/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/state.h: what moves.
 *
 * A world is the model: bodies, shapes, joints, forces. A state is time, poses and
 * velocities, coordinates of trees, axes of joints and loads, s = (r_0, q_0, r_1, q_1, …),
 * 7n, and u = (v_0, w_0, …), 6n: centre of mass [m], orientation, velocity of the centre
 * [m/s], angular velocity in world axes [rad/s]. Functions take both, so that rollouts,
 * differences and threads have a state each of one world. A state fits the world as long as
 * that has the same bodies and joints and was not reduced since; functions that step,
 * search and differentiate refuse another one with PERP_ERR_ARGUMENT. perp_state_extend
 * follows what was added, perp_state_remove what was removed.
 *
 * Plain data: change poses, velocities and loads at will between steps, then call
 * perp_world_refresh; in reduced coordinates perp_world_fit_coordinates. */
#ifndef PERP_DYNAMICS_STATE_H
#define PERP_DYNAMICS_STATE_H

#include <perp/base.h>

PERP_BEGIN_DECLS

enum {
    PERP_JOINT_AXES = 3 /**< free axes of a joint that take limits and motors, at most */
};

struct perp_articulation;
struct perp_world;

/** Time, poses and velocities, loads, axes and coordinates of one world. */
typedef struct perp_state {
    double t; /**< [s] */
    /* Arrays of body_count entries times 7, 6, 6, 9. */
    size_t body_count;
    double *s, *u;
    double *load;            /**< force [N] and torque [N m] of the user, in every step */
    double *inverse_inertia; /**< WORLD axes, made by perp_world_refresh; in two
                                  dimensions only about z; 0 unless dynamic */
    size_t joint_count;
    /** Coordinates of the free axes of joints now, PERP_JOINT_AXES a joint, angles over
     *  many turns [m or rad]; kept by steps. */
    double *axes;
    /** Coordinates q, their rates and what follows from them; NULL where the world is in
     *  maximal coordinates. Made by perp_world_reduce and with the state. */
    struct perp_articulation *trees;

    double *work; /* scratch where there are trees: 6 a link, 3 a coordinate */
    const struct perp_tree_hooks *hooks; /* copies and frees them; set with the first */
    size_t body_room, joint_room;        /* capacities */
    uint64_t reduction;                  /* of the world, that trees were made for */
    uint64_t removals;                   /* of the world, that the state has followed */
} perp_state;

/** A copy of world->start, the state in which bodies and joints were added.
 *  PERP_ERR_MEMORY: *state is NULL. */
perp_status perp_state_new(perp_state **state, const struct perp_world *world,
                           perp_error *err);
void perp_state_free(perp_state *state); /* NULL is allowed (no-op) */
/** `to` becomes `from`, a state of the same world. PERP_ERR_MEMORY: `to` is as it was. */
perp_status perp_state_copy(perp_state *to, const perp_state *from, perp_error *err);

/** Bodies and joints that were added to the world since join the state as they are in
 *  world->start. Nothing where there are none. PERP_ERR_MEMORY: the state is as it was. */
perp_status perp_state_extend(perp_state *state, const struct perp_world *world,
                              perp_error *err);

/** Pose of body k, r at +0, q at +3; and its velocity, v at +0, w at +3. They move when a
 *  body is added. */
static inline double *perp_body_pose(const perp_state *state, size_t k)
{
    return state->s + 7 * k;
}
/** See perp_body_pose. */
static inline double *perp_body_velocity(const perp_state *state, size_t k)
{
    return state->u + 6 * k;
}

PERP_END_DECLS

#endif
