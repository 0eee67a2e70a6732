/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/collide.h: contacts where shapes of a world meet, and rays.
 *
 * A contact lies at one point p between bodies i and j, with a unit normal from i to j
 * and a gap [m], negative where they penetrate; p -+ gap/2 normal are the points where it
 * touches i and j. */
#ifndef PERP_DYNAMICS_COLLIDE_H
#define PERP_DYNAMICS_COLLIDE_H

#include <perp/dynamics/broad.h>
#include <perp/dynamics/narrow.h>

PERP_BEGIN_DECLS

/** One point of contact; it may be filled by hand as well. */
typedef struct perp_contact {
    int32_t i, j;                            /**< bodies */
    double point[3];                         /**< world [m] */
    double normal[3];                        /**< unit, world, from i to j */
    double gap;                              /**< [m] */
    double mu, restitution, mu_rolling, erp; /**< combined; erp 0: the scheme's, or
                                                  PERP_ERP_NONE */
    double cfm;                              /**< of the normal [(m/s)/N], combined */
    uint64_t key; /**< the same while the same features touch; never 0 */
} perp_contact;

/** A growing list of them. Zero it before its first use. */
typedef struct perp_contacts {
    size_t count, room;
    perp_contact *at;
} perp_contacts;

void perp_contacts_clear(perp_contacts *contacts); /* frees and zeroes */
/** One more at the end, zeroed, or NULL without memory. */
perp_contact *perp_contacts_add(perp_contacts *contacts);
/** Take contact number k out, so that a problem is formulated without it; those behind it
 *  move up by one. Nothing where there is no such contact. */
void perp_contacts_remove(perp_contacts *contacts, size_t k);

/** Whether shapes a and b of the world may meet; asked of pairs that come near. */
typedef bool perp_collide_filter(void *context, const perp_world *world, size_t a,
                                 size_t b);

enum { PERP_SCHEME_THREADS = 1024 /**< at most */ };

/** How contacts are searched. Zero it, then set the margin. */
typedef struct perp_collide_settings {
    double margin; /**< contacts with a gap of at most this are told [m] >= 0 */
    /** > 0: the margin of a pair grows by this time [s] times how fast their surfaces may
     *  approach, so that nothing passes through in a step of that length. */
    double speculative;
    /** > 0: a contact with a gap of more than a tenth of the margin is left out where the bodies
     *  cannot close it in this time [s], at their present velocities and under gravity, of which
     *  one of them may be relieved. Who is pushed faster in that time is seen later. */
    double closing;
    const perp_broad_type *broad;   /**< NULL: the first of the registry */
    const perp_narrow_type *narrow; /**< used where it takes a pair; NULL: the usual */
    unsigned reduce;     /**< 0: all points of a pair; >= 4: at most so many, the deepest
                              one and those that span the largest area */
    unsigned iterations; /**< of GJK, EPA, MPR; 0: 256 */
    unsigned threads;    /**< that search pairs; 0: one; contacts have the same bits */
    perp_collide_filter *filter; /**< NULL: all may; asked by the caller's thread */
    void *filter_context;
} perp_collide_settings;

/** A pair whose search did not converge. Its contact stands at a gap that is no greater
 *  than the true one; its point may lie off the shapes by as much as both differ. */
typedef struct perp_unresolved {
    size_t shape_a, shape_b; /**< numbers in the world */
    size_t part_a, part_b;   /**< of compounds, triangles of meshes; 0 */
    double gap;              /**< the bound [m] */
    const char *ran;         /**< what gave up */
} perp_unresolved;

enum { PERP_NARROW_MOST = 8 /**< types of narrow phase a report has room for */ };

/** What the last search was. */
typedef struct perp_collide_report {
    size_t boxes;     /**< in the broad phase: shapes, parts of compounds each */
    size_t pairs;     /**< that the broad phase found */
    size_t looked_at; /**< of them, after filters */
    size_t ran[PERP_NARROW_MOST]; /**< of these, by perp_narrow_types() */
    size_t touching;              /**< of these, with a contact */
    size_t contacts;
    size_t unresolved_count;
    const perp_unresolved *unresolved; /**< until the next search */
} perp_collide_report;

/** Finds contacts again and again, faster for what it remembers of the last search, with
 *  the same bits as without. */
typedef struct perp_collider perp_collider;

/** A collider that has not searched yet. PERP_ERR_MEMORY: *collider is NULL. */
perp_status perp_collider_new(perp_collider **collider, perp_error *err);
void perp_collider_free(perp_collider *collider); /* takes NULL */

/** All contacts, in place of those in `contacts`, by pairs of shapes a < b ascending
 *  (parts of compounds likewise). Shapes of one body never meet, nor do bodies that
 *  impulses cannot move, nor shapes whose groups and masks exclude each other; bodies
 *  joined by a joint only where it says so. PERP_ERR_UNSUITABLE: no algorithm takes two
 *  shapes that come near; PERP_ERR_ARGUMENT: a margin, speculative time or reduction that
 *  is none; PERP_ERR_MEMORY. Contacts are then empty. A pair that does not converge is no
 *  failure: see the report. */
perp_status perp_collider_run(perp_collider *collider, const perp_world *world,
                              const perp_state *state,
                              const perp_collide_settings *settings,
                              perp_contacts *contacts, perp_error *err);
/** What the last search was; it belongs to the collider, until the next search. */
const perp_collide_report *perp_collider_report(const perp_collider *collider);

/** The same once, with the usual settings. */
perp_status perp_collide(const perp_world *world, const perp_state *state, double margin,
                         perp_contacts *contacts, perp_error *err);

/** Where a ray meets a shape. */
typedef struct perp_ray_hit {
    double t;                   /**< smallest t >= 0 with origin + t direction inside */
    double point[3], normal[3]; /**< outward; where the origin is inside, t = 0 and the
                                     normal is against the direction */
    size_t shape;               /**< number in the world */
    size_t part;                /**< of a compound, triangle of a mesh; 0 */
} perp_ray_hit;

/** Where a ray, of a direction of any length but 0, enters one placed shape; t in units
 *  of the direction's length. False: not before `most`, which may be INFINITY. */
bool perp_ray_cast(const perp_placed *shape, unsigned dimension, const double origin[3],
                   const double direction[3], double most, perp_ray_hit *hit);
/** The nearest of all shapes of the world (of equal ones the lower number); *found. */
perp_status perp_collider_cast(perp_collider *collider, const perp_world *world,
                               const perp_state *state, const double origin[3],
                               const double direction[3], double most, bool *found,
                               perp_ray_hit *hit, perp_error *err);
/** All of them, one a shape, by t and then by number: *count, and *hits from malloc for
 *  the caller to free. */
perp_status perp_collider_cast_all(perp_collider *collider, const perp_world *world,
                                   const perp_state *state, const double origin[3],
                                   const double direction[3], double most, size_t *count,
                                   perp_ray_hit **hits, perp_error *err);

PERP_END_DECLS

#endif
