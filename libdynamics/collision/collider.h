/* SPDX-License-Identifier: Apache-2.0
 * collision/collider.h: common data and functions of collision. Private.
 *
 * A collider owns all memory of its searches and keeps it from search to search. Only the
 * broad phase uses results of the last search, and its pairs do not depend on them. */
#ifndef PERP_COLLISION_COLLIDER_H
#define PERP_COLLISION_COLLIDER_H

#include <perp/dynamics/joint.h>

#include "collision/query.h"

/** Items with a box in the broad phase: shapes and the parts of compounds, in the order
 *  of their numbers. One block of memory. */
typedef struct collide_parts {
    double *block;
    placed *at;
    perp_aabb *boxes;
    double *lever;   /**< largest distance of its points from the centre of mass of its
                      *   body [m]; INFINITY: unbounded; kept when boxes grow by speed */
    bool *immovable; /**< true: impulses do not move its body */
    uint8_t *kind;   /**< number of its type; COLLIDE_KINDS: not in the registry */
    size_t count, room;
    bool compounds; /**< some shape has more than one part */
} collide_parts;

enum {
    COLLIDE_KINDS = 16 /**< most types of shape in the table of algorithms */
};

/** Pairs of bodies without contacts because of a joint, and these joints. */
typedef struct collide_joints {
    struct collide_joint {
        int32_t i, j;
        bool collide, disabled;
    } * seen;
    size_t count, room;
    uint64_t *forbidden; /**< i < j, as i 2^32 + j, ascending */
    size_t forbidden_count, forbidden_room;
} collide_joints;

/** Of each part those parts that its box overlaps and that others move as one with. */
typedef struct collide_peers {
    size_t *start; /**< of each part, in `peer` */
    uint32_t *peer;
    uint32_t *shared; /**< of each body: the parts that move as one with it */
    size_t start_room, peer_room, shared_room;
    bool any; /**< some parts move as one */
} collide_peers;

/** Tree of the shapes at the last ray cast. One block of memory, and poses. */
typedef struct collide_rays {
    perp_tree *tree; /**< tree of the bounded shapes, numbered in order */
    double *block;
    perp_placed *at; /**< all shapes */
    perp_aabb *boxes;
    perp_shape *shapes; /**< shapes of the tree, and their poses */
    uint32_t *leaf;     /**< numbers of the bounded ones */
    uint32_t *unbounded;
    size_t bounded, unbounded_count, room;
    double *s;
    size_t shape_count, body_count, s_room;
    bool valid;
} collide_rays;

/** Results of pairs other than contacts. */
typedef struct collide_tally {
    perp_collide_report report;
    perp_unresolved *unresolved;
    size_t unresolved_room;
} collide_tally;

typedef struct collide_team collide_team;

struct perp_collider {
    collide_parts parts;
    collide_joints joints;
    collide_peers peers;
    collide_rays rays;
    perp_broad *broad;
    perp_box_pairs pairs;
    scratch scratch;
    collide_tally tally;
    collide_team *team; /**< NULL: one thread */
    /** By kinds: index of the algorithm in perp_narrow_types(); COLLIDE_NONE: none. */
    uint8_t chosen[COLLIDE_KINDS][COLLIDE_KINDS];
};

enum { COLLIDE_NONE = UINT8_MAX };

/** Data of a search in one thread. */
typedef struct collide_search {
    const perp_collider *c;
    const perp_world *world;
    const perp_state *state;
    const perp_collide_settings *settings;
    contact_query m;
    size_t most; /**< contacts, of all threads */
    collide_tally *tally;
    perp_error *err;
} collide_search;

/** Find the contacts of pairs first .. last - 1 and append them to s->m.contacts.
 *  PERP_ERR_DATA, without a message: more than s->most. */
perp_status collide_find_contacts(collide_search *s, size_t first, size_t last);
/** List the peers of all parts, of pairs as they are; false: no memory. In peers.c. */
bool collide_peers_list(perp_collider *c, const perp_world *w);
void collide_peers_clear(collide_peers *p);
/** Of the contacts of parts i and j, which `meet` has found, those at internal edges go, or are made
 *  again. In flush.c. */
void collide_flush(const collide_search *s, contact_query *m, size_t i, size_t j,
                   pair_call *meet);
/** Append a pair that did not converge; false: no memory. */
bool collide_tally_add(collide_tally *tally, const perp_unresolved *pair);

/** The largest number of contacts of a world. In crowd.c. */
size_t collide_most_contacts(const perp_collider *c);
/** PERP_ERR_DATA: more contacts than that, or more pairs than the broad phase allows; the
 *  message names the body in most of the pairs found. */
perp_status collide_crowded(const collide_search *s);
perp_status collide_crowded_pairs(const collide_search *s);

/** Search all pairs with this many threads; contacts, tally and status are those of one
 *  thread. In team.c. */
perp_status collide_team_meet(perp_collider *c, const collide_search *s);
void collide_team_free(collide_team *team);

/** Compute poses of all parts, and their boxes, grown by half the margin and by the
 *  largest motion in settings->speculative. */
perp_status collide_place(perp_collider *c, const perp_world *world,
                          const perp_state *state, const perp_collide_settings *settings,
                          perp_error *err);
/** The margin of parts i and j [m]: see placed.c. */
double collide_margin(const collide_parts *parts, const perp_world *world,
                      const perp_state *state, const perp_collide_settings *settings,
                      size_t i, size_t j);
/** Largest approach of parts i and j in settings->closing [m] at present velocities. */
double collide_closing(const collide_parts *parts, const perp_state *state,
                       const perp_collide_settings *settings, size_t i, size_t j);
/** Pose of one shape, in the form of pair functions. */
void collide_stand(const perp_world *world, const perp_state *state, size_t number,
                   perp_placed *out);
/** The same of a part of a compound, or of the shape itself. */
void collide_place_part(const perp_world *world, const perp_state *state, size_t number,
                        size_t part, perp_placed *out);
void collide_parts_clear(collide_parts *parts);

/** Whether the two shapes of a contact come nearer than `near` while their bodies move from the
 *  state: displacement [m] of the centre of mass and rotation [rad], 6 each. In sweep.c. */
bool collide_sweep(const perp_world *world, const perp_state *state,
                   const perp_contact *c, const double *move_i, const double *move_j,
                   double near);

/** Update the list of joined bodies; false: no memory. */
bool collide_joints_read(collide_joints *joints, const perp_world *world);
void collide_joints_clear(collide_joints *joints);
/** Whether shapes `a` and `b` may have contacts, regardless of poses and
 *  settings->filter. */
bool collide_may_meet(const collide_joints *joints, const perp_world *world, size_t a,
                      size_t b);

/** PERP_ERR_UNSUITABLE: two shapes may have contacts, but no algorithm supports their
 *  types. */
perp_status collide_check_pairs(const perp_world *world, perp_error *err);

void collide_rays_clear(collide_rays *rays);

#endif
