/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/collider.c: contacts of whole worlds: the same whatever finds the pairs,
 * none missing, in order; margins that see what comes fast. */
#include <config.h>

#include <stdlib.h>

#include "contact_queries.h"
#include "scarce.h"

static const double origin[3] = {0};

static const struct sample {
    const char *name;
    double size[3];
} samples[] = {
    {"sphere", {0.45, 0, 0}},    {"box", {0.4, 0.3, 0.5}},
    {"capsule", {0.25, 0.6, 0}}, {"cylinder", {0.35, 0.7, 0}},
    {"cone", {0.45, 0.8, 0}},    {"ellipsoid", {0.3, 0.4, 0.55}},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static perp_shape sample_of(size_t k)
{
    const struct sample *s = &samples[k % SAMPLES];

    return shape_of(s->name, s->size[0], s->size[1], s->size[2]);
}

/* Bodies of all kinds in a cloud over a floor; `spread` from crowded to sparse [m]. */
static perp_world *cloud(size_t count, double spread, double g, uint64_t seed)
{
    perp_world *world = test_world(3, g);
    perp_shape plane = shape_of("plane", 0, 0, 0);
    perp_random random = {seed};
    const double low[3] = {0, 0, -spread - 1.0};

    for (size_t k = 0; k < count; k++) {
        perp_shape shape = sample_of(k);
        char name[16];
        double r[3], q[4];
        double *u = NULL;

        snprintf(name, sizeof name, "body %zu", k);
        draw_pose(&random, spread, r, q);
        put(world, name, k % 13 == 12 ? 0.0 : 1.0, &shape, r, q);
        u = perp_body_velocity(world->start, k);
        for (int c = 0; c < 6 && k % 13 != 12; c++) {
            u[c] = perp_random_uniform(&random, -2.0, 2.0);
        }
    }
    put(world, "floor", 0.0, &plane, low, NULL);
    return world;
}

static void run(perp_collider *c, const perp_world *world,
                const perp_collide_settings *settings, perp_contacts *contacts)
{
    perp_error err = {0};

    if (perp_collider_run(c, world, world->start, settings, contacts, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a collider fails");
    }
}

static bool same_bits(const perp_contacts *a, const perp_contacts *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->at, b->at, a->count * sizeof *a->at) == 0);
}

static perp_collider *new_collider(void)
{
    perp_collider *c = NULL;

    OK(perp_collider_new(&c, NULL));
    return c;
}

/* Colliders that have seen all steps, one of each type and one of another type in each
 * step, against one that has seen none. */
TEST(all_broad_types_tell_the_same_bits)
{
    size_t types = 0;
    const perp_broad_type *const *type = perp_broad_types(&types);
    const size_t steps = getenv("PERP_TEST_BRIEF") ? 60 : 300;
    perp_world *world = cloud(60, 1.5, 9.81, 21);
    perp_collider *c[9];
    perp_contacts contacts = {0};
    perp_contacts fresh = {0};
    perp_stepper *stepper = NULL;
    perp_scheme scheme;
    size_t told = 0;

    CU_ASSERT_FATAL(types >= 3 && types <= 8);
    for (size_t k = 0; k <= types; k++) {
        c[k] = new_collider();
    }
    perp_scheme_default(&scheme);
    OK(perp_stepper_new(&stepper, world, &scheme,
                        &(perp_stepper_options){.state = world->start}, NULL));
    for (size_t step = 0; step < steps; step++) {
        perp_report report;

        OK(perp_stepper_step(stepper, &report, NULL));
        collide(world, 0.05, &fresh);
        told += fresh.count;
        for (size_t k = 0; k <= types; k++) {
            const perp_collide_settings s = {.margin = 0.05,
                                             .broad = type[k < types ? k : step % types]};

            run(c[k], world, &s, &contacts);
            CU_ASSERT(same_bits(&contacts, &fresh));
        }
    }
    CU_ASSERT(told > 20 * steps); /* a heap, not a gas */
}

static bool between(const perp_contacts *contacts, size_t i, size_t j)
{
    for (size_t k = 0; k < contacts->count; k++) {
        if (contacts->at[k].i == (int32_t)i && contacts->at[k].j == (int32_t)j) {
            return true;
        }
    }
    return false;
}

/* One shape a body, so that numbers of bodies are those of shapes. Distances within
 * 1e-6 of the margin may be told or not: round shapes are found to a tolerance. */
TEST(no_pair_is_missing_and_no_pair_is_extra)
{
    const double margin = 0.1;

    for (uint64_t seed = 1; seed <= 6; seed++) {
        perp_world *world = cloud(40, 1.6, 0.0, seed);
        perp_contacts contacts = {0};
        perp_error err = {0};

        collide(world, margin, &contacts);
        keys_are_distinct(&contacts);
        for (size_t i = 0; i < world->shape_count; i++) {
            for (size_t j = i + 1; j < world->shape_count; j++) {
                perp_placed a = {.shape = &world->shapes[i]};
                perp_placed b = {.shape = &world->shapes[j]};
                perp_proximity p;
                bool moves = world->mass[i] > 0.0 || world->mass[j] > 0.0;

                perp_shape_pose(world->start, a.shape, a.R, a.x);
                perp_shape_pose(world->start, b.shape, b.R, b.x);
                if (a.shape->type->unbounded || b.shape->type->unbounded || !moves) {
                    CU_ASSERT(moves || !between(&contacts, i, j));
                    continue;
                }
                OK(perp_proximity_find(perp_narrow_find("gjk"), &a, &b, NULL, &p, &err));
                if (fabs(p.gap - margin) > 1e-6) {
                    CU_ASSERT_EQUAL(between(&contacts, i, j), p.gap <= margin);
                }
            }
        }
    }
}

TEST(contacts_come_by_pairs_in_ascending_order)
{
    perp_world *world = cloud(80, 1.5, 0.0, 5);
    perp_contacts contacts = {0};

    collide(world, 0.1, &contacts);
    CU_ASSERT_FATAL(contacts.count > 100);
    for (size_t k = 0; k < contacts.count; k++) {
        const perp_contact *c = &contacts.at[k];

        CU_ASSERT(c->i < c->j);
        CU_ASSERT(k == 0 || c[-1].i < c->i || (c[-1].i == c->i && c[-1].j <= c->j));
    }
}

/* Two boxes of edge 1, 2 apart, as one compound. */
static perp_shape dumbbell(perp_shape parts[2])
{
    perp_shape s = shape_of("compound", 0, 0, 0);

    parts[0] = parts[1] = shape_of("box", 0.5, 0.5, 0.5);
    parts[0].at[0] = -1.0;
    parts[1].at[0] = 1.0;
    s.part_count = 2;
    s.parts = parts;
    return s;
}

/* The same boxes as shapes of their own on one body meet alike; parts have keys of their
 * own, that of the first is the one the shape itself would have. */
TEST(parts_of_a_compound_meet_as_shapes_do)
{
    perp_world *one = test_world(3, 0.0);
    perp_world *two = test_world(3, 0.0);
    perp_shape parts[2];
    perp_shape compound = dumbbell(parts);
    perp_shape slab = shape_of("box", 3.0, 3.0, 0.5);
    perp_contacts a = {0};
    perp_contacts b = {0};
    const double up[3] = {0.25, 0.125, 1.0};
    const double turned[4] = {cos(0.3), 0, 0, sin(0.3)};
    uint64_t keys[8];

    put(one, "bell", 1.0, &compound, up, turned);
    put(one, "slab", 0.0, &slab, origin, NULL);
    put(two, "bell", 1.0, &parts[0], up, turned);
    OK(perp_world_add_shape(two, &parts[1], NULL, NULL));
    put(two, "slab", 0.0, &slab, origin, NULL);
    collide(one, 0.01, &a);
    collide(two, 0.01, &b);
    CU_ASSERT_EQUAL_FATAL(a.count, 8);
    CU_ASSERT_EQUAL_FATAL(b.count, 8);
    keys_are_distinct(&a);
    for (size_t k = 0; k < 8; k++) {
        for (int x = 0; x < 3; x++) { /* lengths of 3, turned in another order */
            CU_ASSERT_DOUBLE_EQUAL(a.at[k].point[x], b.at[k].point[x], 1e-14);
        }
        CU_ASSERT_DOUBLE_EQUAL(a.at[k].gap, b.at[k].gap, 1e-14);
        keys[k] = a.at[k].key;
    }
    perp_body_pose(one->start, 0)[0] += 1e-3;
    collide(one, 0.01, &a);
    CU_ASSERT_EQUAL_FATAL(a.count, 8);
    for (size_t k = 0; k < 8; k++) {
        CU_ASSERT_EQUAL(a.at[k].key, keys[k]);
    }
}

/* Compounds among others: bodies still come in order, though their parts' boxes do
 * not. */
TEST(pairs_of_compounds_come_by_shapes_first)
{
    perp_world *world = test_world(3, 0.0);
    perp_shape parts[2];
    perp_shape compound = dumbbell(parts);
    perp_contacts contacts = {0};
    perp_random random = {8};

    for (size_t k = 0; k < 24; k++) {
        char name[16];
        double r[3], q[4];

        snprintf(name, sizeof name, "body %zu", k);
        draw_pose(&random, 1.5, r, q);
        put(world, name, 1.0, k % 2 ? &compound : &parts[0], r, q);
    }
    collide(world, 0.1, &contacts);
    keys_are_distinct(&contacts);
    CU_ASSERT_FATAL(contacts.count > 100);
    for (size_t k = 1; k < contacts.count; k++) {
        const perp_contact *c = &contacts.at[k];

        CU_ASSERT(c[-1].i < c->i || (c[-1].i == c->i && c[-1].j <= c->j));
    }
}

TEST(reports_add_up)
{
    perp_world *world = cloud(60, 1.5, 0.0, 3);
    perp_collider *c = new_collider();
    perp_contacts contacts = {0};
    const perp_collide_settings usual = {.margin = 0.1};
    const perp_collide_settings gjk = {.margin = 0.1, .narrow = perp_narrow_find("gjk")};
    const perp_collide_report *r = perp_collider_report(c);
    size_t types = 0;
    size_t other = 0;

    perp_narrow_types(&types);
    run(c, world, &usual, &contacts);
    CU_ASSERT_EQUAL(r->boxes, world->shape_count);
    CU_ASSERT_EQUAL(r->contacts, contacts.count);
    CU_ASSERT(r->pairs >= r->looked_at && r->looked_at >= r->touching);
    CU_ASSERT(r->touching > 0 && r->touching <= r->contacts);
    for (size_t k = 0; k < types; k++) {
        other += r->ran[k];
    }
    CU_ASSERT(other <= r->looked_at && other >= r->touching);
    run(c, world, &gjk, &contacts);
    other = 0;
    for (size_t k = 0; k < types; k++) {
        bool is_gjk = perp_narrow_types(NULL)[k] == gjk.narrow;

        CU_ASSERT(!is_gjk || r->ran[k] > 0);
        other += is_gjk ? 0 : r->ran[k]; /* the floor alone, which gjk does not take */
    }
    CU_ASSERT(other < world->shape_count);
}

TEST(reduction_keeps_the_deepest_of_a_pair)
{
    perp_world *world = test_world(3, 0.0);
    perp_shape box = shape_of("box", 0.5, 0.5, 0.5);
    perp_collider *c = new_collider();
    perp_contacts all = {0};
    perp_contacts few = {0};
    const perp_collide_settings usual = {.margin = 0.1};
    const perp_collide_settings four = {.margin = 0.1, .reduce = 4};
    const double up[3] = {0, 0, 0.99};
    const double turned[4] = {cos(0.4), 0.01, 0, sin(0.4)};

    put(world, "below", 0.0, &box, origin, NULL);
    put(world, "above", 1.0, &box, up, turned);
    run(c, world, &usual, &all);
    run(c, world, &four, &few);
    CU_ASSERT_EQUAL(all.count, 8); /* an octagon */
    CU_ASSERT_EQUAL_FATAL(few.count, 4);
    CU_ASSERT_EQUAL(deepest(&all)->gap, deepest(&few)->gap);
}

TEST(invalid_settings_are_refused)
{
    const perp_collide_settings bad[] = {
        {.margin = -1.0},      {.margin = NAN},      {.margin = INFINITY},
        {.speculative = -0.1}, {.speculative = NAN}, {.reduce = 3},
    };
    perp_world *world = cloud(5, 0.5, 0.0, 1);
    perp_collider *c = new_collider();
    perp_contacts contacts = {0};
    perp_error err = {0};

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        collide(world, 0.1, &contacts);
        CU_ASSERT(contacts.count > 0);
        CU_ASSERT_EQUAL(
            perp_collider_run(c, world, world->start, &bad[k], &contacts, &err),
            PERP_ERR_ARGUMENT);
        CU_ASSERT_EQUAL(contacts.count, 0);
    }
}

/* A body whose pose is no number meets nothing, the others as before. */
TEST(bodies_with_nan_poses_have_no_contacts)
{
    perp_world *world = cloud(30, 1.0, 0.0, 4);
    perp_contacts before = {0};
    perp_contacts after = {0};
    size_t left = 0;

    collide(world, 0.1, &before);
    perp_body_pose(world->start, 7)[1] = NAN;
    collide(world, 0.1, &after);
    for (size_t k = 0; k < before.count; k++) {
        left += before.at[k].i != 7 && before.at[k].j != 7;
    }
    CU_ASSERT(left < before.count);
    CU_ASSERT_EQUAL(after.count, left);
}

typedef struct warm {
    perp_world *world;
    perp_collider *collider;
    perp_contacts contacts, expected;
} warm;

static perp_status collide_cold(void *context, perp_error *err)
{
    warm *w = context;
    const perp_collide_settings s = {.margin = 0.1};
    perp_collider *c = NULL;
    perp_contacts contacts = {0};
    perp_status status = perp_collider_new(&c, err);

    if (status == PERP_OK) {
        status = perp_collider_run(c, w->world, w->world->start, &s, &contacts, err);
        CU_ASSERT(status == PERP_OK ? same_bits(&contacts, &w->expected)
                                    : contacts.count == 0);
    }
    return status;
}

TEST(colliders_survive_failing_memory)
{
    warm w = {.world = cloud(40, 1.2, 0.0, 2)};

    collide(w.world, 0.1, &w.expected);
    CU_ASSERT(w.expected.count > 0);
    scarce_everywhere(collide_cold, &w, "collider");
}

/* The first allocation would fail, and none does. */
TEST(a_warm_collider_takes_no_memory)
{
    size_t types = 0;
    const perp_broad_type *const *type = perp_broad_types(&types);

    for (size_t k = 0; k < types; k++) {
        const perp_collide_settings s = {.margin = 0.1, .broad = type[k]};
        perp_world *world = cloud(40, 1.2, 0.0, 2);
        perp_collider *c = new_collider();
        perp_contacts contacts = {0};

        run(c, world, &s, &contacts);
        run(c, world, &s, &contacts);
        for (int step = 0; step < 5; step++) {
            perp_error err = {0};

            perp_body_pose(world->start, 3)[0] += 1e-4;
            scarce_begin(0);
            OK(perp_collider_run(c, world, world->start, &s, &contacts, &err));
            CU_ASSERT(!scarce_end());
        }
    }
}

/* The same of a surface of triangles and a box that slides over it. */
TEST(a_warm_collider_takes_no_memory_for_a_mesh)
{
    const double points[12] = {-9, -9, 0, 9, -9, 0, 9, 9, 0, -9, 9, 0};
    const int32_t corners[6] = {0, 1, 2, 0, 2, 3};
    const perp_collide_settings s = {.margin = 0.1};
    perp_world *world = test_world(3, 0.0);
    perp_collider *c = new_collider();
    perp_contacts contacts = {0};
    perp_shape surface = {.type = perp_shape_type_find("mesh")};
    perp_shape box = {.type = perp_shape_type_find("box"), .body = 1, .size = {1, 1, 1}};

    OK(perp_mesh_new(&surface.mesh, 4, points, 2, corners, NULL));
    test_ball(world, "floor", 0.0, 0.1, 0.0, 0.0, 0.0);
    test_ball(world, "box", 1.0, 0.1, 0.0, 0.0, 0.99);
    OK(perp_world_add_shape(world, &surface, NULL, NULL));
    OK(perp_world_add_shape(world, &box, NULL, NULL));
    run(c, world, &s, &contacts);
    CU_ASSERT(contacts.count >= 4);
    for (int step = 0; step < 5; step++) {
        perp_error err = {0};

        perp_body_pose(world->start, 1)[0] += 1e-4;
        scarce_begin(0);
        OK(perp_collider_run(c, world, world->start, &s, &contacts, &err));
        CU_ASSERT(!scarce_end());
    }
}
