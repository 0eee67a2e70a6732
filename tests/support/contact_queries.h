/* SPDX-License-Identifier: Apache-2.0
 * tests/support/contact_queries.h: shapes placed, and on bodies of a world, and their
 * contacts. */
#ifndef PERP_TEST_MEETINGS_H
#define PERP_TEST_MEETINGS_H

#include <math.h>
#include <string.h>

#include "dynamics.h"
#include "math/vec3.h"

/** A shape of a type; sizes that it does not read are ignored. */
static inline perp_shape shape_of(const char *name, double a, double b, double c)
{
    perp_shape s = {.type = perp_shape_type_find(name), .size = {a, b, c}};

    CU_ASSERT_PTR_NOT_NULL_FATAL(s.type);
    return s;
}

/** A hull of n points, in a plane where the dimension is 2; for perp_polytope_free. */
static inline perp_shape hull_of(size_t n, const double *points, unsigned dimension)
{
    perp_shape s = shape_of("hull", 0, 0, 0);
    perp_error err = {0};

    if ((dimension == 2 ? perp_polygon_new : perp_polytope_new)(&s.polytope, n, points,
                                                                &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a hull is refused");
    }
    return s;
}

/** A shape at x, turned by q; NULL: not. */
static inline perp_placed placed_at(const perp_shape *shape, const double x[3],
                                    const double q[4])
{
    static const double straight[4] = {1, 0, 0, 0};
    perp_placed p = {.shape = shape};

    vec3_copy(p.x, x);
    perp_rotation_matrix(q ? q : straight, p.R);
    return p;
}

/** A world does not take the shape, and says `text`. */
static inline void shape_is_refused(perp_world *world, const perp_shape *s,
                                    const char *text)
{
    perp_error err = {0};
    size_t count = world->shape_count;

    CU_ASSERT_EQUAL(perp_world_add_shape(world, s, NULL, &err), PERP_ERR_DATA);
    if (!strstr(err.text, text)) {
        test_note("said \"%s\", expected \"%s\"", err.text, text);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, text));
    CU_ASSERT_EQUAL(world->shape_count, count);
}

/** A box as a hull of its corners; `room` keeps them. */
static inline perp_shape hull_of_box(double a, double b, double c, double room[24])
{
    perp_shape s = shape_of("hull", 0, 0, 0);

    for (int k = 0; k < 8; k++) {
        vec3_set(room + 3 * k, k & 1 ? a : -a, k & 2 ? b : -b, k & 4 ? c : -c);
    }
    s.corner_count = 8;
    s.corners = room;
    return s;
}

/** A new body at r, turned by q (NULL: not), with a copy of the shape; its number. */
static inline int32_t put(perp_world *world, const char *name, double mass,
                          const perp_shape *shape, const double r[3], const double q[4])
{
    perp_shape s = *shape;
    perp_error err = {0};

    s.body = test_ball(world, name, mass, 1.0, r[0], r[1], r[2]);
    if (q) {
        memcpy(perp_body_pose(world->start, (size_t)s.body) + 3, q, 4 * sizeof *q);
        perp_quat_normalize(perp_body_pose(world->start, (size_t)s.body) + 3);
        perp_world_refresh(world, world->start);
    }
    if (perp_world_add_shape(world, &s, NULL, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a shape is refused");
    }
    return s.body;
}

static inline void collide(const perp_world *world, double margin,
                           perp_contacts *contacts)
{
    perp_error err = {0};

    if (perp_collide(world, world->start, margin, contacts, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("collide");
    }
}

/** A world of two bodies, a static at the origin, b at x, turned by q (NULL: not). */
static inline perp_world *two_bodies(const perp_shape *a, const perp_shape *b,
                                     const double x[3], const double q[4])
{
    perp_world *world = test_world(3, 0.0);

    put(world, "a", 0.0, a, (const double[3]){0}, NULL);
    put(world, "b", 1.0, b, x, q);
    return world;
}

/** The turn that takes z to n. */
static inline void turn_to(const double n[3], double q[4])
{
    q[0] = 1.0 + n[2];
    q[1] = -n[1];
    q[2] = n[0];
    q[3] = 0.0;
    if (perp_quat_normalize(q) < 1e-8) {
        q[1] = 1.0;
    }
}

static inline void draw_pose(perp_random *g, double spread, double r[3], double q[4])
{
    for (int k = 0; k < 3; k++) {
        r[k] = perp_random_uniform(g, -spread, spread);
    }
    for (int k = 0; k < 4; k++) {
        q[k] = perp_random_uniform(g, -1.0, 1.0);
    }
    perp_quat_normalize(q);
}

/** Where the contact touches i (side = -1/2) and j (side = 1/2). */
static inline void witness(const perp_contact *c, double side, double p[3])
{
    vec3_add(c->point, side * c->gap, c->normal, p);
}

static inline const perp_contact *deepest(const perp_contacts *contacts)
{
    size_t best = 0;

    CU_ASSERT_FATAL(contacts->count > 0);
    for (size_t k = 1; k < contacts->count; k++) {
        if (contacts->at[k].gap < contacts->at[best].gap) {
            best = k;
        }
    }
    return &contacts->at[best];
}

static inline bool has_point(const perp_contacts *contacts, double x, double y, double z,
                             double tolerance)
{
    const double want[3] = {x, y, z};
    double d[3];

    for (size_t k = 0; k < contacts->count; k++) {
        vec3_subtract(contacts->at[k].point, want, d);
        if (vec3_length(d) <= tolerance) {
            return true;
        }
    }
    test_note("no contact at (%g, %g, %g)", x, y, z);
    return false;
}

/** The gap of a shape over the plane z = 0. */
static inline double gap_over_plane(const perp_shape *shape, const double r[3],
                                    const double q[4])
{
    const perp_shape plane = shape_of("plane", 0, 0, 0);
    perp_contacts contacts = {0};

    collide(two_bodies(&plane, shape, r, q), 10.0, &contacts);
    return deepest(&contacts)->gap;
}

/** Keys are not 0 and differ. */
static inline void keys_are_distinct(const perp_contacts *contacts)
{
    for (size_t k = 0; k < contacts->count; k++) {
        CU_ASSERT(contacts->at[k].key != 0);
        for (size_t l = 0; l < k; l++) {
            CU_ASSERT(contacts->at[k].key != contacts->at[l].key);
        }
    }
}

#endif
