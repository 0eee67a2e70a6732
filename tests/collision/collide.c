/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/collide.c: contacts of round shapes and of planes,
 * and which pairs meet. */
#include <config.h>

#include "contact_queries.h"
#include "scarce.h"

static const double origin[3] = {0};

static const struct sample {
    const char *name;
    double size[3];
    size_t points; /* contacts with a plane within a wide margin */
} samples[] = {
    {"sphere", {0.7, 0, 0}, 1},        {"capsule", {0.4, 1.1, 0}, 2},
    {"ellipsoid", {0.4, 0.9, 0.6}, 1}, {"box", {0.3, 0.5, 0.7}, 8},
    {"cylinder", {0.5, 0.8, 0}, 8},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

/* A point of the surface of a sample, in its axes; both angles in [0, 1]. */
static void surface(const struct sample *s, double across, double around, double p[3])
{
    double theta = M_PI * across;
    double phi = 2.0 * M_PI * around;

    vec3_set(p, sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta));
    for (int k = 0; k < 3; k++) {
        if (strcmp(s->name, "ellipsoid") == 0) {
            p[k] *= s->size[k];
        } else if (strcmp(s->name, "box") == 0) {
            p[k] = copysign(s->size[k], p[k]);
        } else if (strcmp(s->name, "cylinder") == 0) {
            p[k] = k < 2 ? s->size[0] * (k == 0 ? cos(phi) : sin(phi))
                         : copysign(0.5 * s->size[1], p[k]);
        } else {
            p[k] = s->size[0] * p[k];
        }
    }
    if (strcmp(s->name, "capsule") == 0) {
        p[2] += copysign(0.5 * s->size[1], p[2]);
    }
}

/* The least height of many points of the surface lies at most one step above the gap, and
 * never below: a step of 1/400 turn about the lowest point costs (2 pi/800)^2/2 of the
 * size. */
TEST(the_gap_above_a_plane_is_that_of_the_lowest_point)
{
    enum { STEPS = 400 };
    perp_random g = {11};

    for (int draw = 0; draw < 3 * SAMPLES; draw++) {
        const struct sample *s = &samples[draw % SAMPLES];
        perp_world *world = test_world(3, 0.0);
        perp_contacts contacts = {0};
        perp_shape plane = shape_of("plane", 0, 0, 0);
        perp_shape shape = shape_of(s->name, s->size[0], s->size[1], s->size[2]);
        double r[3], q[4];
        double least = INFINITY;

        draw_pose(&g, 1.0, r, q);
        put(world, "floor", 0.0, &plane, r, q);
        draw_pose(&g, 1.0, r, q);
        put(world, "body", 1.0, &shape, r, q);
        for (int k = 0; k <= STEPS * STEPS; k++) {
            double p[3];

            surface(s, (double)(k / STEPS) / STEPS, (double)(k % STEPS) / STEPS, p);
            perp_body_point(world->start, 1, p, p);
            vec3_subtract(p, perp_body_pose(world->start, 0), p);
            perp_quat_rotate_back(perp_body_pose(world->start, 0) + 3, p, r);
            least = fmin(least, r[2]);
        }
        collide(world, 100.0, &contacts);
        /* a steep cylinder has its end, and the lowest point of that */
        CU_ASSERT(contacts.count == s->points ||
                  (strcmp(s->name, "cylinder") == 0 && contacts.count == 25));
        CU_ASSERT(deepest(&contacts)->gap <= least + 1e-14); /* rounding */
        CU_ASSERT(deepest(&contacts)->gap >= least - 1e-4);
        keys_are_distinct(&contacts);
    }
}

TEST(a_moving_plane_has_contacts_with_a_ball_on_it)
{
    perp_world *world = test_world(3, 0.0);
    perp_contacts contacts = {0};
    perp_shape plane = shape_of("plane", 0, 0, 0);
    perp_shape ball = shape_of("sphere", 1.0, 0, 0);
    const double at[3] = {0, 0, 0.75};

    /* the ball first: the normal goes from it down into the plane */
    put(world, "ball", 0.0, &ball, at, NULL);
    put(world, "board", 1.0, &plane, origin, NULL);
    collide(world, 0.0, &contacts);
    CU_ASSERT_EQUAL_FATAL(contacts.count, 1);
    CU_ASSERT_EQUAL(contacts.at[0].i, 0);
    CU_ASSERT_EQUAL(contacts.at[0].gap, -0.25);
    CU_ASSERT_EQUAL(contacts.at[0].normal[2], -1.0);
    CU_ASSERT_EQUAL(contacts.at[0].point[2], -0.125);
}

TEST(a_cylinder_that_tilts_a_little_keeps_the_keys_of_its_rim)
{
    const double tilts[] = {0.0, 1e-9, 5e-5};
    const double at[3] = {0, 0, 0.5};
    perp_shape plane = shape_of("plane", 0, 0, 0);
    perp_shape shape = shape_of("cylinder", 0.5, 1.0, 0);
    uint64_t keys[24] = {0};

    for (size_t k = 0; k < sizeof tilts / sizeof *tilts; k++) {
        perp_contacts contacts = {0};
        const double q[4] = {1, 0.3 * tilts[k], -0.4 * tilts[k], 0};

        collide(two_bodies(&plane, &shape, at, q), 1e-3, &contacts);
        CU_ASSERT_EQUAL_FATAL(contacts.count, 24);
        for (int c = 0; c < 24; c++) {
            CU_ASSERT(k == 0 || contacts.at[c].key == keys[c]);
            keys[c] = contacts.at[c].key;
            /* heights of the rim: at most tilt times the radius */
            CU_ASSERT_DOUBLE_EQUAL(contacts.at[c].gap, 0.0, tilts[k] + 1e-15);
        }
    }
}

TEST(coincident_centres_part_upwards)
{
    for (unsigned dimension = 2; dimension <= 3; dimension++) {
        perp_world *world = test_world(dimension, 0.0);
        perp_contacts contacts = {0};
        perp_shape ball = shape_of("sphere", 0.5, 0, 0);

        put(world, "a", 1.0, &ball, origin, NULL);
        put(world, "b", 1.0, &ball, origin, NULL);
        collide(world, 0.0, &contacts);
        CU_ASSERT_EQUAL_FATAL(contacts.count, 1);
        CU_ASSERT_EQUAL(contacts.at[0].gap, -1.0);
        CU_ASSERT_EQUAL(contacts.at[0].normal[dimension - 1], 1.0);
    }
}

TEST(capsules_in_one_line_or_crossing_have_a_normal)
{
    const double turned[4] = {sqrt(0.5), 0, sqrt(0.5), 0}; /* z to x */
    const double beyond[3] = {0, 0, 0.5};
    perp_contacts contacts = {0};
    perp_shape rod = shape_of("capsule", 0.25, 2.0, 0);

    collide(two_bodies(&rod, &rod, origin, turned), 0.0, &contacts);
    CU_ASSERT_EQUAL_FATAL(contacts.count, 1);
    CU_ASSERT_DOUBLE_EQUAL(contacts.at[0].gap, -0.5, 1e-15);            /* rounding */
    CU_ASSERT_DOUBLE_EQUAL(fabs(contacts.at[0].normal[1]), 1.0, 1e-15); /* across both */
    collide(two_bodies(&rod, &rod, beyond, NULL), 0.0, &contacts);
    CU_ASSERT_EQUAL_FATAL(contacts.count, 2);
    for (int k = 0; k < 2; k++) { /* the ends of the overlap */
        CU_ASSERT_DOUBLE_EQUAL(contacts.at[k].gap, -0.5, 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(contacts.at[k].normal[2], 0.0, 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(contacts.at[k].point[2], k == 0 ? 1.0 : -0.5, 1e-15);
    }
    keys_are_distinct(&contacts);
}

/* Two shapes at random poses, told in both orders. */
static void check_swapped(const char *one, const char *two, perp_random *g)
{
    perp_shape shapes[2] = {shape_of(one, 0.5, 0.6, 0.7), shape_of(two, 0.7, 0.4, 0.5)};
    perp_contacts contacts[2] = {{0}, {0}};
    double r[2][3], q[2][4];

    draw_pose(g, 0.6, r[0], q[0]);
    draw_pose(g, 0.6, r[1], q[1]);
    for (int way = 0; way < 2; way++) {
        perp_world *world = test_world(3, 0.0);

        put(world, "first", 1.0, &shapes[way], r[way], q[way]);
        put(world, "second", 1.0, &shapes[!way], r[!way], q[!way]);
        collide(world, 0.1, &contacts[way]);
    }
    CU_ASSERT_EQUAL(contacts[0].count, contacts[1].count);
    for (size_t k = 0; k < contacts[0].count; k++) {
        const perp_contact *c = &contacts[0].at[k];
        const perp_contact *best = NULL;
        double near = INFINITY;

        for (size_t l = 0; l < contacts[1].count; l++) {
            double d[3];

            vec3_subtract(contacts[1].at[l].point, c->point, d);
            if (vec3_length(d) < near) {
                near = vec3_length(d);
                best = &contacts[1].at[l];
            }
        }
        CU_ASSERT_PTR_NOT_NULL_FATAL(best);
        CU_ASSERT(near <= 1e-13); /* lengths of about 1, rounded in another order */
        CU_ASSERT_DOUBLE_EQUAL(best->gap, c->gap, 1e-13);
        for (int x = 0; x < 3; x++) {
            CU_ASSERT_DOUBLE_EQUAL(best->normal[x], -c->normal[x], 1e-12);
        }
    }
}

TEST(the_other_order_gives_the_opposite_normal)
{
    static const char *const pairs[][2] = {
        {"plane", "sphere"},   {"plane", "capsule"},   {"plane", "cylinder"},
        {"plane", "box"},      {"plane", "ellipsoid"}, {"sphere", "sphere"},
        {"sphere", "capsule"}, {"sphere", "box"},      {"capsule", "capsule"},
        {"box", "box"},
    };
    perp_random g = {5};

    for (int draw = 0; draw < 50; draw++) {
        for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
            check_swapped(pairs[k][0], pairs[k][1], &g);
        }
    }
}

TEST(gaps_up_to_the_margin_are_contacts)
{
    perp_contacts contacts = {0};
    perp_shape ball = shape_of("sphere", 0.5, 0, 0);
    const double apart[3] = {1.25, 0, 0};
    perp_world *world = two_bodies(&ball, &ball, apart, NULL);

    collide(world, 0.25, &contacts); /* touching the margin counts */
    CU_ASSERT_EQUAL_FATAL(contacts.count, 1);
    CU_ASSERT_EQUAL(contacts.at[0].gap, 0.25);
    CU_ASSERT_EQUAL(contacts.at[0].point[0], 0.625);
    collide(world, 0.2499, &contacts);
    CU_ASSERT_EQUAL(contacts.count, 0);
    CU_ASSERT_EQUAL(perp_collide(world, world->start, -1.0, &contacts, NULL),
                    PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_collide(world, world->start, NAN, &contacts, NULL),
                    PERP_ERR_ARGUMENT);
    perp_contacts_clear(&contacts);
    CU_ASSERT_EQUAL(contacts.room, 0);
}

TEST(bodies_excluded_from_contact_have_none)
{
    perp_world *world = test_world(3, 0.0);
    perp_contacts contacts = {0};
    perp_shape ball = shape_of("sphere", 0.5, 0, 0);
    perp_joint joint = {.i = 1, .j = 0};

    put(world, "a", 1.0, &ball, origin, NULL);
    put(world, "b", 1.0, &ball, origin, NULL);
    put(world, "wall", 0.0, &ball, origin, NULL);
    put(world, "other wall", 0.0, &ball, origin, NULL);
    ball.body = 0;
    OK(perp_world_add_shape(world, &ball, NULL, NULL));
    collide(world, 0.0, &contacts);
    /* of 10 pairs of shapes: not both of a, not the two walls */
    CU_ASSERT_EQUAL(contacts.count, 8);
    for (size_t k = 0; k < contacts.count; k++) {
        CU_ASSERT(contacts.at[k].i != contacts.at[k].j);
    }
    keys_are_distinct(&contacts);
    world->joints = &joint;
    world->start->joint_count = world->joint_count = 1;
    collide(world, 0.0, &contacts);
    CU_ASSERT_EQUAL(contacts.count, 6);
    joint.collide = true;
    collide(world, 0.0, &contacts);
    CU_ASSERT_EQUAL(contacts.count, 8);
    world->joints = NULL;
    world->start->joint_count = world->joint_count = 0;
}

/* Half-spaces always meet; that no algorithm takes two of them is said with both names,
 * unless nothing moves them. */
TEST(two_half_spaces_that_move_are_an_error)
{
    perp_world *world = test_world(3, 0.0);
    perp_contacts contacts = {0};
    perp_error err = {0};
    perp_shape plane = shape_of("plane", 0, 0, 0);
    perp_shape ball = shape_of("sphere", 0.5, 0, 0);

    put(world, "floor", 0.0, &plane, origin, NULL);
    put(world, "wall", 0.0, &plane, origin, NULL);
    put(world, "ball", 1.0, &ball, origin, NULL);
    collide(world, 0.0, &contacts);
    CU_ASSERT_EQUAL(contacts.count, 2);
    put(world, "lid", 1.0, &plane, origin, NULL);
    CU_ASSERT_EQUAL(perp_collide(world, world->start, 0.0, &contacts, &err),
                    PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "shape 0, a plane on \"floor\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "shape 3, a plane on \"lid\""));
    CU_ASSERT_EQUAL(contacts.count, 0);
}

TEST(materials_are_combined)
{
    perp_world *world = test_world(3, 0.0);
    perp_contacts contacts = {0};
    const perp_material rubber = {"rubber", 0.8, 0.5, 0.25, 0.3, 1e-4};
    const perp_material steel = {"steel", 0.5, 0.5, 0.5, 0.1, 2e-4};
    perp_shape ball = shape_of("sphere", 0.5, 0, 0);

    OK(perp_world_add_material(world, &rubber, &ball.material, NULL));
    put(world, "a", 1.0, &ball, origin, NULL);
    OK(perp_world_add_material(world, &steel, &ball.material, NULL));
    put(world, "b", 1.0, &ball, origin, NULL);
    collide(world, 0.0, &contacts);
    CU_ASSERT_EQUAL_FATAL(contacts.count, 1);
    CU_ASSERT_EQUAL(contacts.at[0].mu, 0.8 * 0.5);
    CU_ASSERT_EQUAL(contacts.at[0].restitution, 0.25);
    CU_ASSERT_EQUAL(contacts.at[0].mu_rolling, sqrt(0.25 * 0.5)); /* of lengths */
    CU_ASSERT_EQUAL(contacts.at[0].erp, 0.3 * 0.1);
    CU_ASSERT_EQUAL(contacts.at[0].cfm, 1e-4 + 2e-4);
}

static perp_status collide_many(void *context, perp_error *err)
{
    perp_contacts contacts = {0};
    perp_status status =
        perp_collide(context, ((perp_world *)context)->start, 0.0, &contacts, err);

    CU_ASSERT(status != PERP_OK || contacts.count == 28);
    return status;
}

TEST(contacts_survive_failing_memory)
{
    perp_world *world = test_world(3, 0.0);
    perp_shape ball = shape_of("sphere", 0.5, 0, 0);

    for (int k = 0; k < 8; k++) {
        const char name[2] = {(char)('a' + k), 0};

        put(world, name, 1.0, &ball, origin, NULL);
    }
    scarce_everywhere(collide_many, world, "collide");
}
