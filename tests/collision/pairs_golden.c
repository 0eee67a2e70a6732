/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/pairs_golden.c: stored pairs of primitives, measured and met. */
#include <config.h>

#include "contact_queries.h"

/* A shape of a golden case, from its members with this suffix, on a body of its own. */
static void golden_shape(perp_world *world, const golden_case *c, const char *kind,
                         char which, double mass)
{
    const char name[2] = {which, 0};
    char key[4] = {'c', '_', which, 0};
    double r[3] = {0};
    double q[4] = {1, 0, 0, 0};
    double x[3] = {0};
    perp_shape s = shape_of(kind, 0.0, 0.0, 0.0);

    if (strcmp(kind, "plane") == 0) {
        key[0] = 'n';
        golden_reals(c->in, key, 3, x);
        turn_to(x, q);
        key[0] = 'd';
        vec3_scale(golden_real(c->in, key), x, r);
    } else if (strcmp(kind, "capsule") == 0) {
        double d[3];

        key[0] = 'a';
        golden_reals(c->in, key, 3, r);
        key[0] = 'b';
        golden_reals(c->in, key, 3, x);
        vec3_subtract(x, r, d);
        vec3_add(r, 0.5, d, r);
        s.size[1] = vec3_normalize(d);
        turn_to(d, q);
    } else {
        golden_reals(c->in, key, 3, r);
    }
    if (strcmp(kind, "box") == 0) {
        key[0] = 'q';
        golden_reals(c->in, key, 4, q);
        key[0] = 'h';
        golden_reals(c->in, key, 3, s.size);
    } else if (strcmp(kind, "plane") != 0) {
        key[0] = 'r';
        s.size[0] = golden_real(c->in, key);
    }
    put(world, name, mass, &s, r, q);
}

static void place(const perp_world *world, size_t shape, perp_placed *at)
{
    at->shape = &world->shapes[shape];
    perp_shape_pose(world->start, at->shape, at->R, at->x);
}

/* Measured in both orders. */
static void check_measured(const golden_case *c, const perp_world *world)
{
    bool lowest = json_object_get(c->out, "min_gap") != NULL; /* of a box on a plane */
    perp_placed i, j;
    perp_proximity p, q;

    place(world, 0, &i);
    place(world, 1, &j);
    OK(perp_proximity_find(NULL, &i, &j, NULL, &p, NULL));
    OK(perp_proximity_find(NULL, &j, &i, NULL, &q, NULL));
    CU_ASSERT_EQUAL(p.overlap, json_is_true(json_object_get(c->out, "overlap")));
    CU_ASSERT(p.converged && p.overlap == q.overlap);
    golden_agree(c, lowest ? "min_gap" : "gap", &p.gap, 1);
    golden_agree(c, lowest ? "min_gap" : "gap", &q.gap, 1);
    golden_agree(c, "normal", p.normal, 3);
    vec3_scale(-1.0, q.normal, q.normal);
    golden_agree(c, "normal", q.normal, 3);
    golden_agree(c, lowest ? "deepest" : "pB", p.p_b, 3);
    golden_agree(c, lowest ? "deepest" : "pB", q.p_a, 3);
    if (!lowest) {
        golden_agree(c, "pA", p.p_a, 3);
        golden_agree(c, "pA", q.p_b, 3);
    }
}

/* A box turned: the tight box along the axes around it. */
static void check_bounds(const golden_case *c)
{
    perp_shape box = shape_of("box", 0, 0, 0);
    perp_aabb bounds;
    double R[9], x[3], q[4];

    golden_reals(c->in, "c", 3, x);
    golden_reals(c->in, "q", 4, q);
    golden_reals(c->in, "h", 3, box.size);
    perp_rotation_matrix(q, R);
    box.type->bounds(&box, 3, R, x, &bounds);
    golden_agree(c, "lo", bounds.lo, 3);
    golden_agree(c, "hi", bounds.hi, 3);
}

static void check_primitive(const golden_case *c, const char *one, const char *two)
{
    perp_world *world = test_world(3, 0.0);
    perp_contacts contacts = {0};
    const perp_contact *found = NULL;
    double p[3];

    golden_shape(world, c, one, 'i', 0.0);
    golden_shape(world, c, two, 'j', 1.0);
    check_measured(c, world);
    collide(world, 100.0, &contacts);
    found = deepest(&contacts);
    CU_ASSERT(found->i == 0 && found->j == 1);
    golden_agree(c, "normal", found->normal, 3);
    if (strcmp(two, "box") == 0 && strcmp(one, "plane") == 0) {
        size_t below = 0;

        CU_ASSERT_EQUAL(contacts.count, 8);
        golden_agree(c, "min_gap", &found->gap, 1);
        witness(found, 0.5, p);
        golden_agree(c, "deepest", p, 3);
        for (size_t k = 0; k < contacts.count; k++) {
            below += contacts.at[k].gap <= 0.0;
        }
        CU_ASSERT_EQUAL(below, (size_t)golden_real(c->out, "count_below"));
    } else {
        CU_ASSERT_EQUAL(contacts.count, 1);
        golden_agree(c, "gap", &found->gap, 1);
        witness(found, -0.5, p);
        golden_agree(c, "pA", p, 3);
        witness(found, 0.5, p);
        golden_agree(c, "pB", p, 3);
    }
    collide(world, 0.0, &contacts);
    CU_ASSERT_EQUAL(contacts.count > 0, json_is_true(json_object_get(c->out, "overlap")));
}

static void check_primitives(const golden_case *c)
{
    static const char *const types[][3] = {
        {"sphere_sphere", "sphere", "sphere"},     {"sphere_box", "sphere", "box"},
        {"capsule_capsule", "capsule", "capsule"}, {"plane_box", "plane", "box"},
        {"sphere_capsule", "sphere", "capsule"},   {"plane_sphere", "plane", "sphere"},
    };

    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        if (strcmp(types[k][0], c->type) == 0) {
            check_primitive(c, types[k][1], types[k][2]);
        }
    }
}

TEST(boxes_are_bounded_as_the_golden_ones_are)
{
    golden_each("collision_primitives", "aabb_of_obb", check_bounds);
}

TEST(primitives_meet_as_the_golden_ones_do)
{
    golden_each("collision_primitives", NULL, check_primitives);
}
