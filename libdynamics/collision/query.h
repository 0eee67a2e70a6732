/* SPDX-License-Identifier: Apache-2.0
 * collision/query.h: the contact query of two shapes near each other. Private.
 *
 * A pair function finds all contacts of `a` against `b` with a gap of at most the margin.
 * It adds each by query_add with a unit normal from a to b; where the order of shapes is
 * the other one, the normal is negated there. */
#ifndef PERP_COLLISION_QUERY_H
#define PERP_COLLISION_QUERY_H

#include <perp/dynamics/collide.h>
#include <perp/random.h>

#include "world/world.h"

/** A shape of a pair, or a part of a compound, where it stands. */
typedef struct placed {
    perp_placed at; /**< its shape is the part itself */
    size_t number;  /**< of the shape in the world */
    uint32_t id;    /**< of the shape: what its contacts are known by */
    size_t part;    /**< of the compound; else 0 */
    int32_t body, material;
    double reach; /**< INFINITY: unbounded */
} placed;

/** Memory that a pair function may use as it likes; kept for the next pair. */
typedef struct scratch {
    void *at;
    size_t bytes;
} scratch;

typedef struct perp_contact_query {
    const perp_world *world;
    unsigned dimension;
    double margin;
    perp_narrow_settings settings;
    const placed *a, *b;
    bool swapped; /**< a is the higher of the two shapes */
    perp_contacts *contacts;
    size_t first; /**< where the contacts of this pair begin */
    perp_proximity
        *nearest; /**< not NULL: the least gap goes there, no contact is made */
    scratch *scratch;
    bool no_memory; /**< a contact or scratch could not be had */
    /* Once a pair, at its first contact: */
    bool combined;
    uint64_t pair; /**< mixed of its shapes and parts */
    /* The last two materials, and what they make together: */
    bool is_mixed;
    int32_t mixed[2];
    perp_material material;
    /* A search gave up, and a contact stands at a bound of the gap: see query_give_up. */
    bool unresolved;
    perp_unresolved who;
} contact_query;

typedef void pair_call(contact_query *m);

/** The next pair: shape, or part, a before b. */
void query_begin(contact_query *m, const placed *a, const placed *b);
/** The search of a and b, as they are now, did not converge and found p; of several the
 *  first is kept. */
void query_give_up(contact_query *m, const perp_proximity *p);
/** So many bytes, aligned to 64, as they are; NULL: none, which m->no_memory then says.
 *  The last ones are given up. */
void *query_scratch(contact_query *m, size_t bytes);

/** The finalizer of SplitMix64, one to one on 64 bits [steele-lea-flood-2014]. */
static inline uint64_t query_mix(uint64_t z)
{
    perp_random g = {.state = z};

    return perp_random_next(&g);
}

/** A feature from parts: never the same for other parts, but by chance of 2^-64. */
static inline uint64_t query_feature(uint64_t kind, uint64_t a, uint64_t b)
{
    return query_mix(query_mix(query_mix(kind) ^ a) ^ b);
}

/** A contact, unless its gap is beyond the margin or NaN. */
void query_add(contact_query *m, const double point[3], const double normal[3],
               double gap, uint64_t feature);
/** *out := the nearest contact that a pair function finds, whatever its gap. */
void query_measure(pair_call *call, bool swapped, const perp_placed *a,
                   const perp_placed *b, const perp_narrow_settings *settings,
                   perp_proximity *out);
/** n := from x to y, of unit length, and their distance; where they coincide, up. */
double query_direction(const contact_query *m, const double x[3], const double y[3],
                       double n[3]);
/** Balls of radii p and q about x of a and y of b. */
void query_balls(contact_query *m, const double x[3], double p, const double y[3],
                 double q, uint64_t feature);
/** The ends of the axis of a capsule. */
void query_ends(const placed *s, double p[3], double q[3]);

/** The closest points of two segments, the middle of where parallel ones overlap. */
void query_segments(const double p[3], const double p_end[3], const double q[3],
                    const double q_end[3], double x[3], double y[3]);

/** Contacts of convex shapes whose nearest or deepest points are known: what of each core
 *  looks along the normal p->normal is clipped against what of the other looks back;
 *  each point keeps its gap along the normal, between both surfaces. Where that gives no
 *  contact, one of p itself. In manifold.c. */
void query_manifold(contact_query *m, const perp_proximity *p);

/** Of the contacts from m->first on, at most so many stay, in their order: the deepest
 *  and those that span the largest area; all of them, and m->no_memory,
 *  without scratch. In reduce.c. */
void query_reduce(contact_query *m, unsigned most);

/** Of the contacts from m->first on that are closer than `place`, with one normal, the
 *  first stays; all of them, and m->no_memory, without scratch. In repeated.c. */
void query_drop_repeated(contact_query *m, double place);

/** Of the contacts from m->first on with one normal whose gaps are those of one plane, the
 *  corners of their convex hull stay, to `place`: forces at the others are forces at these.
 *  All of them, and m->no_memory, without scratch. In outline.c. */
void query_outline(contact_query *m, double place);

/* planes.c: a is the plane; of any convex b by plane_convex. */
pair_call plane_sphere, plane_capsule, plane_cylinder, plane_ellipsoid, plane_corners,
    plane_convex, plane_mesh;
/* round.c */
pair_call sphere_sphere, sphere_capsule, sphere_box, sphere_hull, capsule_capsule;
/* spheres.c */
pair_call sphere_cylinder, sphere_cone, sphere_ellipsoid;
/* boxes.c: two boxes in space; facets.c: boxes and hulls. */
pair_call boxes_contacts, facets_contacts;

/** The distance or depth of two boxes in space, where their best axis shows it; false: of
 *  other shapes, or unknown. In boxes.c. */
bool boxes_measure(const perp_placed *a, const perp_placed *b,
                   const perp_narrow_settings *settings, perp_proximity *out);

/* The types of the registry, in narrow.c. */
extern const perp_narrow_type narrow_analytic;
extern const perp_narrow_type narrow_sat;
extern const perp_narrow_type narrow_gjk;
extern const perp_narrow_type narrow_mpr;
extern const perp_narrow_type narrow_mesh;

/* gjk.c: of types that find one nearest or deepest pair of points of convex shapes. */
typedef void measure_call(const perp_placed *a, const perp_placed *b,
                          const perp_narrow_settings *settings, perp_proximity *out);
bool narrow_takes_convex(const perp_shape_type *a, const perp_shape_type *b,
                         unsigned dimension);
/** *p := what `measure` finds of two that are no farther apart than the margin. */
void query_search(const contact_query *m, measure_call *measure, const perp_placed *a,
                  const perp_placed *b, perp_proximity *p);
/** Contacts around what `measure` finds; where it did not converge, m says so. */
void query_convex(contact_query *m, measure_call *measure);

#endif
