/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/collide.h: contacts between shapes of a world, and rays.
 *
 * A contact lies at one point p between bodies i and j, with a unit normal from i to j
 * and a gap [m], negative where they penetrate; p -+ gap/2 normal are its points on i and
 * j. */
#ifndef PERP_DYNAMICS_COLLIDE_H
#define PERP_DYNAMICS_COLLIDE_H

#include <perp/dynamics/broad.h>
#include <perp/dynamics/narrow.h>
#include <perp/dynamics/world.h>

PERP_BEGIN_DECLS

/** One point of contact; it may also be filled by hand. */
typedef struct perp_contact {
    int32_t i, j;                            /**< bodies */
    double point[3];                         /**< world [m] */
    double normal[3];                        /**< unit, world, from i to j */
    double gap;                              /**< [m] */
    double mu, restitution, mu_rolling, erp; /**< combined; erp 0: that of the scheme, or
                                              *   PERP_ERP_NONE */
    double cfm;   /**< K_cfm of the normal [(m/s)/N], combined */
    uint64_t key; /**< identity: constant while the same features touch; never 0 */
    uint32_t shape_i, shape_j; /**< numbers of their shapes in the world */
    uint32_t part_i, part_j;   /**< parts of compounds; else 0 */
    bool open;                 /**< see perp_contacts */
} perp_contact;

/** A growing list of contacts. Zero the struct before its first use. Behind the `count` contacts
 *  a search for a step puts `open` more, within the margin, whose gap the velocities at the start and
 *  gravity do not close (perp_collide_settings.closing): a step uses those that it closes. */
typedef struct perp_contacts {
    size_t count, open, room;
    perp_contact *at;
} perp_contacts;

void perp_contacts_clear(perp_contacts *contacts); /* frees the memory and zeroes the
                                                    * struct */
/** Append a zeroed contact; NULL: no memory. */
perp_contact *perp_contacts_add(perp_contacts *contacts);
/** Take contact number k out, so that a problem is formulated without it; those behind it,
 *  open ones too, move up by one. Nothing where there is no such contact. */
void perp_contacts_remove(perp_contacts *contacts, size_t k);

/** Whether shapes a and b of the world may have contacts; called for pairs within the
 *  margin. */
typedef bool perp_collide_filter(void *context, const perp_world *world, size_t a,
                                 size_t b);

enum { PERP_SCHEME_THREADS = 1024 /**< largest number of threads */ };

/** How contacts are searched. Zero it, then set the margin. */
typedef struct perp_collide_settings {
    double margin; /**< largest gap of a contact [m], >= 0 */
    /** > 0: the margin of a pair grows by this time [s] times a bound of the approach
     *  speed of their surfaces, so that nothing is missed in a step of this length. */
    double speculative;
    /** > 0: a contact with a gap above a tenth of the margin is `open` if the bodies
     *  cannot close it in this time [s] at their present velocities and under gravity,
     *  which may act on one of them only. */
    double closing;
    const perp_broad_type *broad;   /**< NULL: the first of the registry */
    const perp_narrow_type *narrow; /**< for pairs that it supports; NULL: the first type
                                     *   that supports the pair */
    unsigned reduce;     /**< 0: all points of a pair; >= 4: most points of a pair, the
                          *   deepest one and those that span the largest area */
    unsigned iterations; /**< largest number of iterations of GJK, EPA and MPR, each; 0:
                          *   256 */
    unsigned threads;    /**< number of threads that search pairs; 0: one; the contacts
                          *   have the same bits for every number */
    perp_collide_filter *filter; /**< NULL: all pairs; called by the calling thread
                                  *   only */
    void *filter_context;
} perp_collide_settings;

/** A pair whose search did not converge. Its contact has a gap that is no greater than
 *  the true one; its point may lie off the shapes by the difference of the two. */
typedef struct perp_unresolved {
    size_t shape_a, shape_b; /**< numbers in the world */
    size_t part_a, part_b;   /**< part of a compound or triangle of a mesh; else 0 */
    double gap;              /**< lower bound of the gap [m] */
    const char *ran;         /**< algorithm that did not converge */
} perp_unresolved;

enum { PERP_NARROW_MOST = 8 /**< most types of narrow phase in a report */ };

/** Measures of the last search. */
typedef struct perp_collide_report {
    size_t boxes;     /**< boxes in the broad phase: one per shape or part of a
                       *   compound */
    size_t pairs;     /**< pairs found by the broad phase */
    size_t looked_at; /**< pairs left by the filters */
    size_t ran[PERP_NARROW_MOST]; /**< these pairs by algorithm, in the order of
                                   *   perp_narrow_types() */
    size_t touching;              /**< pairs with a contact */
    size_t contacts;
    size_t unresolved_count;
    const perp_unresolved *unresolved; /**< valid until the next search */
} perp_collide_report;

enum {
    PERP_COLLIDE_CONTACTS = 1 << 16, /**< a world may have PERP_COLLIDE_CONTACTS + n */
    PERP_COLLIDE_CONTACTS_PER_BOX =
        64 /**< PERP_COLLIDE_CONTACTS_PER_BOX contacts, n boxes
                                        *   of the broad phase */
};

/** A contact search that is repeated: data kept from the last search make it faster
 *  without changing its result. */
typedef struct perp_collider perp_collider;

/** A collider that has not searched yet. PERP_ERR_MEMORY: *collider is NULL. */
perp_status perp_collider_new(perp_collider **collider, perp_error *err);
void perp_collider_free(perp_collider *collider); /* NULL is allowed (no-op) */

/** Find all contacts; they replace those in `contacts`. They are ordered by pairs of
 *  shapes a < b, ascending (parts of compounds likewise). There are no contacts between
 *  shapes of one body, between two bodies that impulses cannot move, between shapes whose
 *  groups and masks exclude each other, and between bodies with a joint that does not
 *  allow them; nor at edges between convex shapes side by side that move as one: of a body, of a
 *  compound, of static bodies. PERP_ERR_UNSUITABLE: no algorithm supports a pair of shapes within the
 *  margin; PERP_ERR_ARGUMENT: an invalid margin, speculative time, reduction or number of
 *  threads; PERP_ERR_DATA: more contacts than the limit above, or more pairs than that of
 *  perp_broad_run, as where very many shapes lie in one place; PERP_ERR_MEMORY. After a
 *  failure `contacts` is empty. A pair that does not converge is no failure: see the report. */
perp_status perp_collider_run(perp_collider *collider, const perp_world *world,
                              const perp_state *state,
                              const perp_collide_settings *settings,
                              perp_contacts *contacts, perp_error *err);
/** What the last search was; it belongs to the collider, until the next search. */
const perp_collide_report *perp_collider_report(const perp_collider *collider);

/** The same once, with default settings. */
perp_status perp_collide(const perp_world *world, const perp_state *state, double margin,
                         perp_contacts *contacts, perp_error *err);

/** Where a ray meets a shape. */
typedef struct perp_ray_hit {
    double t;                   /**< smallest t >= 0 with origin + t direction inside */
    double point[3], normal[3]; /**< outward; if the origin is inside, t = 0 and the
                                 *   normal is opposite to the direction */
    size_t shape;               /**< number in the world */
    size_t part;                /**< part of a compound or triangle of a mesh; else 0 */
} perp_ray_hit;

/** Find the point where a ray enters one placed shape. The direction may have any length
 *  but 0; t is in units of this length. Returns false if the ray misses the shape for t
 *  <= most, which may be INFINITY. */
bool perp_ray_cast(const perp_placed *shape, unsigned dimension, const double origin[3],
                   const double direction[3], double most, perp_ray_hit *hit);
/** The nearest hit of all shapes of the world (the lower number of equal ones); *found:
 *  whether there is one. */
perp_status perp_collider_cast(perp_collider *collider, const perp_world *world,
                               const perp_state *state, const double origin[3],
                               const double direction[3], double most, bool *found,
                               perp_ray_hit *hit, perp_error *err);
/** All hits, one per shape, ordered by t and then by number: *count, and *hits, which the
 *  caller frees with free(). */
perp_status perp_collider_cast_all(perp_collider *collider, const perp_world *world,
                                   const perp_state *state, const double origin[3],
                                   const double direction[3], double most, size_t *count,
                                   perp_ray_hit **hits, perp_error *err);

PERP_END_DECLS

#endif
