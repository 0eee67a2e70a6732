/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/state.h: the state of a world: time, poses, velocities.
 *
 * A world is the model: bodies, shapes, joints, forces. A state is time, poses and
 * velocities, coordinates of trees, axes of joints and loads, s = (r_0, q_0, r_1, q_1, …),
 * 7n, and u = (v_0, w_0, …), 6n: centre of mass [m], orientation, velocity of the centre
 * [m/s], angular velocity in world axes [rad/s]. Functions take both, so that rollouts,
 * finite differences and threads can each have their own state of one world. A state fits
 * the world as long as the world has the same bodies and joints and was not reduced
 * since; functions that step, search or differentiate refuse any other state with
 * PERP_ERR_ARGUMENT. perp_state_extend follows added bodies and joints, perp_state_remove
 * removed ones.
 *
 * Plain data: poses, velocities and loads may be changed between steps. Then call
 * perp_world_refresh; in reduced coordinates call perp_world_fit_coordinates. */
#ifndef PERP_DYNAMICS_STATE_H
#define PERP_DYNAMICS_STATE_H

#include <perp/base.h>

PERP_BEGIN_DECLS

enum {
    PERP_JOINT_AXES = 3 /**< most free axes of a joint that can have limits and motors */
};

struct perp_articulation;
struct perp_world;

/** Time, poses and velocities, loads, axes and coordinates of one world. */
typedef struct perp_state {
    double t; /**< [s] */
    /* Arrays of body_count entries times 7, 6, 6, 9. */
    size_t body_count;
    double *s, *u;
    double *load;            /**< force [N] and torque [N m] that the user applies in
                              *   every step */
    double *inverse_inertia; /**< WORLD axes, computed by perp_world_refresh; in two
                              *   dimensions only about z; 0 unless dynamic */
    size_t joint_count;
    /** Present coordinates of the free axes of joints, PERP_JOINT_AXES per joint, angles
     *  including whole turns [m or rad]; updated by steps. */
    double *axes;
    /** Coordinates q, their rates and quantities derived from them; NULL if the world is
     *  in maximal coordinates. Created by perp_world_reduce or with the state. */
    struct perp_articulation *trees;

    double *work; /* scratch memory of trees: 6 per link, 3 per coordinate */
    size_t body_room, joint_room; /* capacities */
    uint64_t reduction;           /* number of the reduction for which the trees
                                           * were made */
    uint64_t removals;            /* number of removals that the state has followed */
} perp_state;

/** Create a copy of world->start, the state in which bodies and joints were added. Free
 *  it with perp_state_free. PERP_ERR_MEMORY: *state is NULL. */
perp_status perp_state_new(perp_state **state, const struct perp_world *world,
                           perp_error *err);
void perp_state_free(perp_state *state); /* NULL is allowed (no-op) */
/** Copy `from` to `to`, a state of the same world. PERP_ERR_MEMORY: `to` is unchanged. */
perp_status perp_state_copy(perp_state *to, const perp_state *from, perp_error *err);

/** Append to the state the bodies and joints that were added to the world since it was
 *  made, with their values in world->start. No-op if nothing was added. PERP_ERR_MEMORY:
 *  the state is unchanged. */
perp_status perp_state_extend(perp_state *state, const struct perp_world *world,
                              perp_error *err);

/** Pose of body k (r at +0, q at +3) and its velocity (v at +0, w at +3). The pointers
 *  become invalid when a body is added. */
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
