/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/overlap.c: boxes and hulls against answers found in another way. */
#include <config.h>

#include "contact_queries.h"

static const double origin[3] = {0};

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

TEST_MAIN("dynamics/overlap")
