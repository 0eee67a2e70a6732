/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/mesh_meshes.c: contacts of a mesh with a plane and with another mesh: hollow
 * corners, and polyhedra whose hulls are measured by other searches. */
#include <config.h>

#include "polyhedra.h"
#include "surfaces.h"

/* Positions of size 1 through two rotations. */
static const double rounding = 1e-12;

static const double origin[3] = {0};

static const double up[3] = {0, 0, 1};
/* Within the notch of an L, 1e-5 in its floor and 2e-3 off its wall; a plate over a plate. */
TEST(hollow_corners_and_thin_plates_have_the_contacts_of_their_sides)
{
    static const double l[12][3] = {{0, 0, 0}, {2, 0, 0}, {2, 0, 1}, {1, 0, 1},
                                    {1, 0, 2}, {0, 0, 2}, {0, 1, 0}, {2, 1, 0},
                                    {2, 1, 1}, {1, 1, 1}, {1, 1, 2}, {0, 1, 2}};
    static const int32_t t[60] = {0, 1,  2, 0, 2,  3,  0, 3,  4,  0, 4,  5, 6, 8, 7,
                                  6, 9,  8, 6, 10, 9,  6, 11, 10, 0, 6,  7, 0, 7, 1,
                                  1, 7,  8, 1, 8,  2,  2, 8,  9,  2, 9,  3, 3, 9, 10,
                                  3, 10, 4, 4, 10, 11, 4, 11, 5,  5, 11, 6, 5, 6, 0};
    perp_shape notch = surface_shape(surface_new(12, l[0], 20, t));
    perp_shape box = surface_shape(surface_box(.2, .2, .2, 1));
    perp_shape plate = surface_shape(surface_box(.5, .5, 1e-3, 2));
    const double r[3] = {1.202, .5, 1.2 - 1e-5};
    const double above[3] = {.1, .1, 3e-3};
    const double wall[3] = {1, 0, 0};
    perp_contacts contacts = {0};
    size_t count[2] = {0, 0};

    CU_ASSERT_STRING_EQUAL(notch.mesh->fault, "");
    collide(two_bodies(&notch, &box, r, NULL), 5e-3, &contacts);
    for (size_t k = 0; k < contacts.count; k++) {
        const perp_contact *c = &contacts.at[k];

        count[0] +=
            vec3_dot(c->normal, up) > 1.0 - rounding && fabs(c->gap + 1e-5) < rounding;
        count[1] +=
            vec3_dot(c->normal, wall) > 1.0 - rounding && fabs(c->gap - 2e-3) < rounding;
    }
    CU_ASSERT(count[0] == 4 && count[1] >= 2 && count[0] + count[1] == contacts.count);
    keys_are_distinct(&contacts);
    collide(two_bodies(&plate, &plate, above, NULL), 1e-2, &contacts);
    CU_ASSERT_EQUAL(contacts.count, 4);
    for (size_t k = 0; k < contacts.count; k++) {
        CU_ASSERT(has_point(&contacts, k & 1 ? .5 : -.4, k & 2 ? .5 : -.4, 1.5e-3, 1e-9));
        CU_ASSERT_DOUBLE_EQUAL(contacts.at[k].normal[2], 1.0, rounding);
        CU_ASSERT_DOUBLE_EQUAL(contacts.at[k].gap, 1e-3, rounding);
    }
    keys_are_distinct(&contacts);
}

/* Two polyhedra at random poses as hulls and as meshes. */
typedef struct twins {
    perp_shape hull[2], mesh[2];
    perp_placed as_hull[2], as_mesh[2];
    perp_proximity p, q; /* of the hulls, of the meshes */
} twins;

static void twins_measure(twins *t)
{
    OK(perp_proximity_find(NULL, &t->as_hull[0], &t->as_hull[1], NULL, &t->p, NULL));
    OK(perp_proximity_find(NULL, &t->as_mesh[0], &t->as_mesh[1], NULL, &t->q, NULL));
}

static void twins_draw(twins *t, perp_random *g, size_t corners, double spread)
{
    for (int k = 0; k < 2; k++) {
        double points[3 * 40], r[3], q[4];

        if (corners == 8) {
            polyhedron_box((const double[3]){perp_random_uniform(g, .2, .6),
                                             perp_random_uniform(g, .2, .6),
                                             perp_random_uniform(g, .2, .6)},
                           points);
        } else {
            polyhedron_sphere(g, corners, points);
        }
        t->hull[k] = hull_of(corners, points, 3);
        t->mesh[k] = surface_shape(surface_of_hull(t->hull[k].polytope));
        draw_pose(g, spread, r, q);
        t->as_hull[k] = placed_at(&t->hull[k], r, q);
        t->as_mesh[k] = placed_at(&t->mesh[k], r, q);
    }
    twins_measure(t);
}

/* The second moves along the normal until the hulls have this gap, or less. */
static void twins_bring(twins *t, double gap)
{
    vec3_add(t->as_hull[1].x, gap - t->p.gap, t->p.normal, t->as_hull[1].x);
    vec3_copy(t->as_mesh[1].x, t->as_hull[1].x);
    twins_measure(t);
}

TEST(meshes_apart_are_as_far_as_their_hulls)
{
    perp_random g = {71};
    size_t apart = 0;

    for (int draw = 0; draw < 600; draw++) {
        twins t;

        twins_draw(&t, &g, draw % 2 ? 8 : 30, draw % 2 ? 1.0 : 1.6);
        if (t.p.gap > 0.0) {
            apart++;
            CU_ASSERT_DOUBLE_EQUAL(t.q.gap, t.p.gap, 1e-10);
            CU_ASSERT(vec3_dot(t.q.normal, t.p.normal) > 1.0 - 1e-7);
            twins_bring(&t, 1e-6);
            CU_ASSERT_DOUBLE_EQUAL(t.q.gap, t.p.gap, 1e-10);
        }
    }
    CU_ASSERT(apart > 200);
}

/* Features give the depth of a corner or edge, which a slanted way may undercut: most are the
 * depth of the hulls, all are an overlap. */
TEST(meshes_that_overlap_have_about_the_depth_of_their_hulls)
{
    static const double depths[] = {1e-6, 1e-3, 2e-2};
    perp_random g = {72};
    size_t close = 0;
    size_t all = 0;

    for (int draw = 0; draw < 600; draw++) {
        twins t;

        twins_draw(&t, &g, draw % 2 ? 8 : 30, 1.0);
        twins_bring(&t, -depths[draw % 3]);
        CU_ASSERT(t.q.gap < 0.0);
        all++;
        close += fabs(t.q.gap - t.p.gap) <= 0.1 * fabs(t.p.gap) &&
                 vec3_dot(t.q.normal, t.p.normal) > 0.9;
    }
    CU_ASSERT(close >= all - all / 20);
}

TEST(the_order_of_two_meshes_is_their_direction_only)
{
    perp_random g = {73};

    for (int draw = 0; draw < 200; draw++) {
        twins t;
        perp_proximity back;
        double sum[3];

        twins_draw(&t, &g, 8, 1.0);
        twins_bring(&t, draw % 2 ? 3e-3 : -3e-3);
        OK(perp_proximity_find(NULL, &t.as_mesh[1], &t.as_mesh[0], NULL, &back, NULL));
        if (t.q.gap > 0.0) {
            CU_ASSERT_DOUBLE_EQUAL(back.gap, t.q.gap, rounding);
            vec3_add(back.normal, 1.0, t.q.normal, sum);
            CU_ASSERT(vec3_length(sum) < 1e-9);
        } else {
            CU_ASSERT(back.gap < 0.0);
        }
    }
}

/* A box on a floor of many triangles keeps its four contacts and their keys over seams. */
TEST(keys_name_corners_whatever_triangle_they_are_over)
{
    perp_shape ground = surface_shape(surface_floor(3.0, 24));
    perp_shape box = surface_shape(surface_box(.3, .4, .2, 3));
    perp_contacts first = {0};
    perp_contacts then = {0};

    for (int k = 0; k < 60; k++) {
        const double r[3] = {0.11 + 0.013 * k, 0.07, 0.2 - 1e-5 * (k % 3)};

        collide(two_bodies(&ground, &box, r, NULL), 0.01, k == 0 ? &first : &then);
        CU_ASSERT_EQUAL_FATAL(first.count, 4);
        for (size_t c = 0; k > 0 && c < 4; c++) {
            CU_ASSERT_EQUAL_FATAL(then.count, 4);
            CU_ASSERT_EQUAL(first.at[c].key, then.at[c].key);
            CU_ASSERT_EQUAL(then.at[c].normal[2], 1.0);
        }
    }
}

/* A box, however fine, by its eight corners; of two boxes, of which one has corners within the
 * hull of both, the deepest contact is the same. */
TEST(a_mesh_meets_a_plane_as_its_hull_does)
{
    const double h[2][3] = {{.3, .4, .2}, {.1, .1, .1}};
    const double c[2][3] = {{0, 0, 0}, {.6, 0, .1}};
    const bool inwards[2] = {false, false};
    perp_shape plane = shape_of("plane", 0, 0, 0);
    perp_random g = {74};
    perp_contacts contacts[2] = {{0}, {0}};

    for (int draw = 0; draw < 300; draw++) {
        perp_shape mesh = surface_shape(
            surface_boxes(1 + (size_t)draw % 2, h, c, inwards, 1 + (size_t)draw % 3));
        perp_shape hull = hull_of(mesh.mesh->point_count, mesh.mesh->point, 3);
        double r[3], q[4];

        draw_pose(&g, 0.3, r, q);
        for (int order = 0; order < 2; order++) {
            const perp_shape *a = order ? &mesh : &plane;
            const perp_shape *b = order ? &plane : &mesh;
            perp_world *world = test_world(3, 0.0);
            perp_placed at = placed_at(&mesh, r, q);
            perp_placed ground = placed_at(&plane, origin, NULL);
            perp_proximity p;

            put(world, "a", order ? 1.0 : 0.0, a, order ? r : origin, order ? q : NULL);
            put(world, "b", order ? 0.0 : 1.0, b, order ? origin : r, order ? NULL : q);
            collide(world, 0.1, &contacts[0]);
            collide(two_bodies(&plane, &hull, r, q), 0.1, &contacts[1]);
            CU_ASSERT(draw % 2 || contacts[0].count == contacts[1].count);
            CU_ASSERT_EQUAL_FATAL(contacts[0].count > 0, contacts[1].count > 0);
            CU_ASSERT(contacts[0].count == 0 || fabs(deepest(&contacts[0])->gap -
                                                     deepest(&contacts[1])->gap) < 1e-15);
            for (size_t k = 0; k < contacts[0].count; k++) {
                CU_ASSERT_EQUAL(contacts[0].at[k].normal[2], order ? -1.0 : 1.0);
            }
            keys_are_distinct(&contacts[0]);
            CU_ASSERT_EQUAL(perp_proximity_find(NULL, order ? &at : &ground,
                                                order ? &ground : &at, NULL, &p, NULL),
                            PERP_OK);
            if (contacts[0].count > 0) {
                CU_ASSERT_DOUBLE_EQUAL(p.gap, deepest(&contacts[0])->gap, 1e-15);
            }
        }
    }
}
