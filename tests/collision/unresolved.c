/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/unresolved.c: pairs whose search gives up: told with a bound, and
 * written as a scene in which it happens again. */
#include <config.h>

#include <stdlib.h>

#include <perp/dynamics/scene.h>

#include "contact_queries.h"

/* So few that round shapes cannot be settled. */
enum { FEW = 2 };

/* Two parts, of which the second is round. */
static void make_parts(perp_random *random, perp_shape *s, perp_shape parts[2])
{
    parts[0] = shape_of("box", 0.3, 0.2, 0.4);
    parts[1] = shape_of("ellipsoid", 0.5, 0.7, 0.4);
    parts[1].material = 1;
    for (int k = 0; k < 2; k++) {
        draw_pose(random, 0.3, parts[k].at, parts[k].turn);
    }
    s->part_count = 2;
    s->parts = parts;
}

/* Two triangles on a common side. */
static perp_mesh *sheet(const double corners[12])
{
    const int32_t corner[6] = {0, 1, 2, 0, 2, 3};
    perp_mesh *mesh = NULL;

    OK(perp_mesh_new(&mesh, 4, corners, 2, corner, NULL));
    return mesh;
}

static perp_shape drawn(perp_random *random, const char *kind, double corners[36],
                        perp_shape parts[2])
{
    perp_shape s = shape_of(kind, 0.5, 0.7, 0.4);

    for (int k = 0; k < 36; k++) {
        corners[k] = perp_random_uniform(random, -0.6, 0.6);
    }
    if (strcmp(kind, "hull") == 0) {
        s.corner_count = 12;
        s.corners = corners;
    }
    if (strcmp(kind, "mesh") == 0) {
        s.mesh = sheet(corners);
    }
    if (strcmp(kind, "compound") == 0) {
        make_parts(random, &s, parts);
    }
    draw_pose(random, 0.3, s.at, s.turn);
    return s;
}

static perp_world *pair_of(perp_random *random, const char *one, const char *two)
{
    perp_world *world = test_world(3, 9.81);
    const perp_material rubber = {"rubber", 0.8, 0.5, 0.25, 0.3, 1e-4};
    double corners[2][36];
    perp_shape parts[2][2];
    perp_shape a = drawn(random, one, corners[0], parts[0]);
    perp_shape b = drawn(random, two, corners[1], parts[1]);
    double r[3], q[4];

    OK(perp_world_add_material(world, &rubber, &b.material, NULL));
    draw_pose(random, 0.8, r, q);
    put(world, "first of all", 0.0, &a, r, q);
    draw_pose(random, 0.8, r, q);
    put(world, "second", 1.5, &b, r, q);
    for (int k = 0; k < 6; k++) {
        perp_body_velocity(world->start, 1)[k] = perp_random_uniform(random, -1.0, 1.0);
    }
    return world;
}

static void search(perp_collider *c, const perp_world *world, unsigned iterations,
                   perp_contacts *contacts)
{
    const perp_collide_settings s = {
        .margin = 2.0, .narrow = perp_narrow_find("gjk"), .iterations = iterations};
    perp_error err = {0};

    if (perp_collider_run(c, world, world->start, &s, contacts, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a collider fails");
    }
}

/* All that does not depend on the numbers of shapes and bodies. */
static bool same_bits(const perp_contact *a, const perp_contact *b)
{
    return memcmp(a->point, b->point, sizeof a->point) == 0 &&
           memcmp(a->normal, b->normal, sizeof a->normal) == 0 && a->gap == b->gap &&
           a->mu == b->mu && a->restitution == b->restitution &&
           a->mu_rolling == b->mu_rolling && a->erp == b->erp;
}

/* The text of the scene of a pair, or NULL. */
static char *scene_of(const perp_world *world, const perp_unresolved *pair)
{
    char *text = NULL;

    perp_unresolved_print(world, world->start, NULL, pair, &text, NULL);
    return test_keep(text, free);
}

static void check_repeats(perp_collider *c, const perp_world *world,
                          const perp_contacts *contacts)
{
    perp_unresolved pair = *perp_collider_report(c)->unresolved;
    char *text = scene_of(world, &pair);
    perp_scene *scene = NULL;
    perp_contacts again = {0};
    perp_error err = {0};

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    if (perp_scene_parse(&scene, text, strlen(text), "pair.json", &err) != PERP_OK) {
        test_note("%s\n%s", err.text, text);
        CU_FAIL_FATAL("the scene of a pair is not read");
    }
    search(c, scene->world, FEW, &again);
    CU_ASSERT_EQUAL(perp_collider_report(c)->unresolved_count, 1);
    CU_ASSERT_EQUAL(perp_collider_report(c)->unresolved->gap, pair.gap);
    CU_ASSERT_EQUAL_FATAL(again.count, contacts->count);
    for (size_t k = 0; k < again.count; k++) {
        CU_ASSERT(same_bits(&again.at[k], &contacts->at[k]));
    }
    CU_ASSERT(memcmp(perp_body_pose(scene->world->start, 0),
                     perp_body_pose(world->start, 0), 7 * sizeof(double)) == 0);
    CU_ASSERT(memcmp(perp_body_velocity(scene->world->start, 1),
                     perp_body_velocity(world->start, 1), 6 * sizeof(double)) == 0);
    CU_ASSERT(memcmp(scene->world->inertia + 9, world->inertia + 9, 9 * sizeof(double)) ==
              0);
}

/* How many of the pairs drawn give up; *hard: with the usual iterations too. */
static int count_unresolved(const char *const (*kinds)[2], int count, int draws,
                            size_t *hard)
{
    perp_random random = {17};
    perp_collider *c = NULL;
    perp_contacts contacts = {0};
    perp_contacts exact = {0};
    int unresolved = 0;

    *hard = 0;
    OK(perp_collider_new(&c, NULL));
    for (int draw = 0; draw < draws; draw++) {
        const char *const *kind = kinds[draw % count];
        perp_world *world = pair_of(&random, kind[0], kind[1]);

        search(c, world, FEW, &contacts);
        if (perp_collider_report(c)->unresolved_count == 1) {
            perp_unresolved pair = *perp_collider_report(c)->unresolved;

            CU_ASSERT_EQUAL(pair.shape_a, 0);
            CU_ASSERT_EQUAL(pair.shape_b, 1);
            CU_ASSERT_PTR_NOT_NULL(pair.ran);
            CU_ASSERT(contacts.count > 0);
            check_repeats(c, world, &contacts);
            search(c, world, 0, &exact);
            *hard += perp_collider_report(c)->unresolved_count;
            /* the exact one is found to 1e-8 of shapes of about 1; that of a compound or
             * mesh may be of its other part */
            CU_ASSERT(exact.count == 0 || world->shapes[0].part_count > 0 ||
                      world->shapes[0].mesh || pair.gap <= deepest(&exact)->gap + 1e-8);
            unresolved++;
        }
    }
    return unresolved;
}

TEST(pairs_that_give_up_have_a_bound_and_a_scene_that_repeats_them)
{
    static const char *const kinds[][2] = {
        {"ellipsoid", "ellipsoid"}, {"ellipsoid", "cylinder"}, {"cone", "ellipsoid"},
        {"cylinder", "cylinder"},   {"hull", "ellipsoid"},     {"box", "cone"},
        {"compound", "cone"},
    };
    static const char *const sheets[][2] = {{"mesh", "ellipsoid"}, {"mesh", "cone"}};
    size_t hard = 0;

    CU_ASSERT(count_unresolved(kinds, 7, 300, &hard) > 100);
    CU_ASSERT(hard <= 3); /* that the usual iterations do not settle either */
    CU_ASSERT(count_unresolved(sheets, 2, 100, &hard) > 10);
    CU_ASSERT_EQUAL(hard, 0);
}

/* With the usual iterations no pair of common shapes gives up. */
TEST(usual_searches_are_resolved)
{
    static const char *const kinds[] = {"ellipsoid", "cylinder", "cone",  "hull",
                                        "box",       "capsule",  "sphere"};
    perp_random random = {23};
    perp_collider *c = NULL;
    perp_contacts contacts = {0};

    OK(perp_collider_new(&c, NULL));
    for (int draw = 0; draw < 700; draw++) {
        perp_world *world = pair_of(&random, kinds[draw % 7], kinds[draw / 7 % 7]);

        search(c, world, 0, &contacts);
        CU_ASSERT_EQUAL(perp_collider_report(c)->unresolved_count, 0);
    }
}

TEST(the_scene_of_a_pair_describes_its_failure)
{
    perp_random random = {17};
    perp_world *world = pair_of(&random, "ellipsoid", "cone");
    const perp_unresolved pair = {.shape_b = 1, .gap = -0.25, .ran = "epa"};
    char *text = NULL;

    world->start->t = 1.5;
    text = scene_of(world, &pair);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "At t = 1.5 s epa did not converge for shape 0 "
                                        "(ellipsoid on \\\"first of all\\\","));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "at least -0.25 m"));
}

/* Sizes that a shape of the plane has not are not written. */
TEST(the_scene_of_a_flat_pair_is_flat)
{
    perp_world *world = test_world(2, 9.81);
    perp_shape box = shape_of("box", 0.5, 0.25, 0.0);
    perp_shape disc = shape_of("sphere", 0.5, 0.0, 0.0);
    const double above[3] = {0.1, 0.7, 0.0};
    const perp_unresolved pair = {.shape_b = 1, .gap = -0.05, .ran = "gjk"};
    perp_scene *scene = NULL;
    perp_error err = {0};
    char *text = NULL;

    put(world, "box", 0.0, &box, (double[3]){0}, NULL);
    put(world, "disc", 1.0, &disc, above, NULL);
    text = scene_of(world, &pair);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    if (perp_scene_parse(&scene, text, strlen(text), "pair.json", &err) != PERP_OK) {
        test_note("%s\n%s", err.text, text);
        CU_FAIL_FATAL("the scene of a flat pair is not read");
    }
    CU_ASSERT_EQUAL(scene->world->dimension, 2);
    CU_ASSERT_EQUAL_FATAL(scene->world->shape_count, 2);
    for (size_t k = 0; k < 2; k++) {
        CU_ASSERT_PTR_EQUAL(scene->world->shapes[k].type, world->shapes[k].type);
        CU_ASSERT_EQUAL(memcmp(scene->world->shapes[k].size, world->shapes[k].size,
                               sizeof world->shapes[k].size),
                        0);
    }
}

/* Allocations of Jansson that still succeed. */
static long left;

static void *take_scarce(size_t bytes)
{
    return left-- > 0 ? malloc(bytes) : NULL;
}

TEST(scenes_of_pairs_survive_failing_memory)
{
    perp_random random = {17};
    perp_world *world = pair_of(&random, "hull", "cone");
    const perp_unresolved pair = {.shape_b = 1, .gap = -0.25, .ran = "epa"};
    char *text = NULL;
    int failures = 0;

    json_set_alloc_funcs(take_scarce, free);
    for (long k = 0; !text && k < 5000; k++) {
        left = k;
        text = scene_of(world, &pair);
        failures += !text;
    }
    json_set_alloc_funcs(malloc, free);
    CU_ASSERT_PTR_NOT_NULL(text);
    CU_ASSERT(failures > 50); /* each of many values fails once */
}
