/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/overlap.c: boxes and hulls against answers found in another way. */
#include <config.h>

#include "contact_queries.h"

static const double origin[3] = {0};

TEST(a_ball_meets_a_hull_as_it_meets_the_box)
{
    perp_random g = {29};
    perp_contacts contacts[2] = {{0}, {0}};
    int inside = 0;

    for (int draw = 0; draw < 200; draw++) {
        double room[24];
        perp_shape boxes[2] = {shape_of("box", 0.8, 0.5, 0.6),
                               hull_of_box(0.8, 0.5, 0.6, room)};
        perp_shape ball = shape_of("sphere", 0.25, 0, 0);
        double r[2][3];
        double q[2][4];

        draw_pose(&g, 0.8, r[0], q[0]);
        draw_pose(&g, 0.8, r[1], q[1]);
        for (int k = 0; k < 2; k++) {
            perp_world *world = test_world(3, 0.0);

            put(world, "box", 1.0, &boxes[k], r[0], q[0]);
            put(world, "ball", 1.0, &ball, r[1], q[1]);
            collide(world, 5.0, &contacts[k]);
            perp_world_free(world);
        }
        CU_ASSERT_EQUAL_FATAL(contacts[0].count, 1);
        CU_ASSERT_EQUAL_FATAL(contacts[1].count, 1);
        /* rounding; the direction from points as near as 1e-3 loses three digits */
        CU_ASSERT_DOUBLE_EQUAL(contacts[0].at[0].gap, contacts[1].at[0].gap, 1e-14);
        test_agree("normal", contacts[1].at[0].normal, contacts[0].at[0].normal, 3,
                   1e-12);
        test_agree("point", contacts[1].at[0].point, contacts[0].at[0].point, 3, 1e-12);
        inside += contacts[0].at[0].gap < -0.25;
    }
    CU_ASSERT(inside > 10 && inside < 190);
    perp_contacts_clear(&contacts[0]);
    perp_contacts_clear(&contacts[1]);
}

/* Overlap, normal and depth of stored pairs; `depth` bounds that of every contact. */
static void check_pair(const golden_case *c, perp_world *world)
{
    perp_contacts contacts = {0};
    bool overlap = json_is_true(json_object_get(c->out, "overlap"));

    collide(world, 0.0, &contacts);
    if ((contacts.count > 0) != overlap) {
        test_note("%s: %zu contacts", c->name, contacts.count);
    }
    CU_ASSERT_EQUAL_FATAL(contacts.count > 0, overlap);
    if (overlap) {
        golden_agree(c, "normal", deepest(&contacts)->normal, 3);
        CU_ASSERT(-deepest(&contacts)->gap <=
                  golden_real(c->out, "depth") * (1.0 + c->tol));
    }
    perp_contacts_clear(&contacts);
    perp_world_free(world);
}

static void check_boxes(const golden_case *c)
{
    perp_world *world = test_world(3, 0.0);
    perp_shape box = shape_of("box", 0, 0, 0);
    double r[3];
    double q[4];

    golden_reals(c->in, "c_i", 3, r);
    golden_reals(c->in, "q_i", 4, q);
    golden_reals(c->in, "h_i", 3, box.size);
    put(world, "i", 1.0, &box, r, q);
    golden_reals(c->in, "c_j", 3, r);
    golden_reals(c->in, "q_j", 4, q);
    golden_reals(c->in, "h_j", 3, box.size);
    put(world, "j", 1.0, &box, r, q);
    check_pair(c, world);
}

static void check_hulls(const golden_case *c)
{
    perp_world *world = test_world(3, 0.0);
    perp_shape hull = shape_of("hull", 0, 0, 0);
    double points[3 * 64];

    hull.corners = points;
    for (int k = 0; k < 2; k++) {
        const char *key = k ? "B" : "A";

        hull.corner_count = golden_count(c->in, key) / 3;
        CU_ASSERT_FATAL(hull.corner_count <= 64);
        golden_reals(c->in, key, 3 * hull.corner_count, points);
        put(world, key, 1.0, &hull, origin, NULL);
    }
    check_pair(c, world);
}

TEST(golden_boxes_and_hulls_overlap_as_stored)
{
    golden_each("collision_obb", NULL, check_boxes);
    golden_each("collision_hulls", NULL, check_hulls);
}

/* The nearest point of body k, a box of half extents h, to the world point p,
 * in place. */
static void into_box(const perp_world *world, size_t k, const double h[3], double p[3])
{
    vec3_subtract(p, perp_body_pose(world->start, k), p);
    perp_quat_rotate_back(perp_body_pose(world->start, k) + 3, p, p);
    for (int c = 0; c < 3; c++) {
        p[c] = fmax(-h[c], fmin(h[c], p[c]));
    }
    perp_body_point(world->start, k, p, p);
}

/* Projections in turn onto two convex sets converge to points of each at their
 * distance. */
static double distance_by_projections(const perp_world *world, const double h[3],
                                      const double g[3])
{
    double p[3] = {0};
    double q[3];
    double d[3];

    for (int k = 0; k < 4000; k++) {
        vec3_copy(q, p);
        into_box(world, 0, h, q);
        vec3_copy(p, q);
        into_box(world, 1, g, p);
    }
    vec3_subtract(p, q, d);
    return vec3_length(d);
}

TEST(boxes_touch_just_when_projections_say_so)
{
    const double h[3] = {0.5, 0.6, 0.7};
    const double k[3] = {0.3, 0.9, 0.4};
    perp_random g = {17};
    perp_contacts contacts = {0};
    int apart = 0;
    int near = 0;

    for (int draw = 0; draw < 300; draw++) {
        perp_world *world = test_world(3, 0.0);
        perp_shape box = shape_of("box", h[0], h[1], h[2]);
        double r[3];
        double q[4];
        double d = 0.0;

        draw_pose(&g, 0.9, r, q);
        put(world, "a", 1.0, &box, r, q);
        memcpy(box.size, k, sizeof k);
        draw_pose(&g, 0.9, r, q);
        put(world, "b", 1.0, &box, r, q);
        d = distance_by_projections(world, h, k);
        collide(world, 0.1, &contacts);
        if (d > 1e-3) { /* below, 4000 projections may not have arrived */
            apart++;
            near += contacts.count > 0;
            for (size_t c = 0; c < contacts.count; c++) {
                /* faces touch at points of both; one edge on another may bound the
                 * distance of their ends from below */
                CU_ASSERT(contacts.at[c].gap >= (contacts.count > 1 ? d - 1e-6 : 0.0));
            }
        } else if (d < 1e-9) {
            CU_ASSERT(contacts.count > 0 && deepest(&contacts)->gap <= 0.0);
        }
        perp_world_free(world);
    }
    CU_ASSERT(apart > 50 && apart < 250 && near > 5); /* all sides were seen */
    perp_contacts_clear(&contacts);
}

TEST_MAIN("dynamics/overlap")
