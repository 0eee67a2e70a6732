/* SPDX-License-Identifier: Apache-2.0
 * collision/collider.h: what the files of collision share. Private.
 *
 * A collider owns all memory that its searches need and keeps it from search to search.
 * Of what it found it keeps nothing that the next search would see but through the broad
 * phase, whose answers do not depend on it. */
#ifndef PERP_COLLISION_COLLIDER_H
#define PERP_COLLISION_COLLIDER_H

#include <perp/dynamics/joint.h>

#include "collision/query.h"

/** What has a box of its own in the broad phase: shapes, of compounds each part, in the
 *  order of their numbers. One block of memory. */
typedef struct collide_parts {
    double *block;
    placed *at;
    perp_aabb *boxes;
    double *lever;   /**< largest distance of its points from the centre of mass of its
                        body [m]; INFINITY: unbounded; kept when boxes grow by speed */
    bool *immovable; /**< impulses do not move its body */
    uint8_t *kind;   /**< number of its type, COLLIDE_KINDS: not of the registry */
    size_t count, room;
    bool compounds; /**< some shape has more than one part */
} collide_parts;

enum {
    COLLIDE_KINDS = 16 /**< types of shape that the table of algorithms has room for */
};

/** Pairs of bodies that a joint keeps from touching, and the joints they are of. */
typedef struct collide_joints {
    struct collide_joint {
        int32_t i, j;
        bool collide, disabled;
    } * seen;
    size_t count, room;
    uint64_t *forbidden; /**< i < j, as i 2^32 + j, ascending */
    size_t forbidden_count, forbidden_room;
} collide_joints;

/** The shapes as the last ray saw them, in a tree. One block of memory, and poses. */
typedef struct collide_rays {
    perp_tree *tree; /**< of the bounded ones, numbered in their order */
    double *block;
    perp_placed *at; /**< all shapes */
    perp_aabb *boxes;
    perp_shape *shapes; /**< what the tree was made of, and at which poses */
    uint32_t *leaf;     /**< numbers of the bounded ones */
    uint32_t *unbounded;
    size_t bounded, unbounded_count, room;
    double *s;
    size_t shape_count, body_count, s_room;
    bool valid;
} collide_rays;

/** What pairs gave beside contacts. */
typedef struct collide_tally {
    perp_collide_report report;
    perp_unresolved *unresolved;
    size_t unresolved_room;
} collide_tally;

typedef struct collide_team collide_team;

struct perp_collider {
    collide_parts parts;
    collide_joints joints;
    collide_rays rays;
    perp_broad *broad;
    perp_box_pairs pairs;
    scratch scratch;
    collide_tally tally;
    collide_team *team; /**< NULL: one thread */
    /** By kinds: the place of the algorithm in perp_narrow_types(), COLLIDE_NONE:
     *  none. */
    uint8_t chosen[COLLIDE_KINDS][COLLIDE_KINDS];
};

enum { COLLIDE_NONE = UINT8_MAX };

/** A search at work, of one thread. */
typedef struct collide_search {
    const perp_collider *c;
    const perp_world *world;
    const perp_state *state;
    const perp_collide_settings *settings;
    contact_query m;
    collide_tally *tally;
    perp_error *err;
} collide_search;

/** The contacts of pairs first .. last - 1, behind those in s->m.contacts. */
perp_status collide_meet(collide_search *s, size_t first, size_t last);
/** One more pair that did not converge; false without memory. */
bool collide_tally_add(collide_tally *tally, const perp_unresolved *pair);

/** All pairs by so many threads, with the contacts and tally that one thread gives. In
 *  team.c. */
perp_status collide_team_meet(perp_collider *c, const collide_search *s);
void collide_team_free(collide_team *team);

/** Where all parts stand, and their boxes, grown by half the margin and by how far each
 *  may move in settings->speculative. */
perp_status collide_place(perp_collider *c, const perp_world *world,
                          const perp_state *state, const perp_collide_settings *settings,
                          perp_error *err);
/** The margin of parts i and j [m]: see placed.c. */
double collide_margin(const collide_parts *parts, const perp_world *world,
                      const perp_state *state, const perp_collide_settings *settings,
                      size_t i, size_t j);
/** The most that parts i and j approach each other in settings->closing [m] at present
 *  velocities. */
double collide_closing(const collide_parts *parts, const perp_state *state,
                       const perp_collide_settings *settings, size_t i, size_t j);
/** Where one shape stands, as a pair function takes it. */
void collide_stand(const perp_world *world, const perp_state *state, size_t number,
                   perp_placed *out);
void collide_parts_clear(collide_parts *parts);

/** Bring the list of joined bodies up to date; false without memory. */
bool collide_joints_read(collide_joints *joints, const perp_world *world);
void collide_joints_clear(collide_joints *joints);
/** Whether shapes `a` and `b` may meet, apart from their places and settings->filter. */
bool collide_may_meet(const collide_joints *joints, const perp_world *world, size_t a,
                      size_t b);

void collide_rays_clear(collide_rays *rays);

#endif
