/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/crowds.c: very many shapes in one place are refused before they have rows.
 *
 * n balls in one place have n (n - 1)/2 pairs. Nothing is timed: without the limits the first
 * test has 4.5 million contacts, the second 5 10^9 pairs, which no memory holds. */
#include <config.h>

#include <stdio.h>

#include "world_run.h"

static perp_world *crowd_new(size_t n)
{
    perp_world *world = test_world(3, 0.0);
    char name[32];

    for (size_t k = 0; k < n; k++) {
        snprintf(name, sizeof name, "ball %zu", k);
        run_ball(world, name, 1.0, 0.5, 0.0, 0.0, 0.0);
    }
    return world;
}

static perp_status crowd_collide(const perp_world *world, const char *broad,
                                 unsigned threads, size_t *found, perp_error *err)
{
    const perp_collide_settings settings = {.broad = perp_broad_find(broad),
                                            .threads = threads};
    perp_contacts contacts = {0};
    perp_collider *c = NULL;
    perp_status status = PERP_OK;

    OK(perp_collider_new(&c, NULL));
    status = perp_collider_run(c, world, world->start, &settings, &contacts, err);
    *found = contacts.count;
    perp_collider_free(c);
    return status;
}

TEST(more_contacts_than_shapes_can_have_are_refused_by_any_number_of_threads)
{
    perp_world *world = crowd_new(3000);

    for (unsigned threads = 1; threads <= 3; threads++) {
        perp_error err = {0};
        size_t found = 1;

        CU_ASSERT_EQUAL(crowd_collide(world, "bvh", threads, &found, &err),
                        PERP_ERR_DATA);
        CU_ASSERT_EQUAL(found, 0);
        CU_ASSERT_STRING_EQUAL(
            err.text,
            "collide: more than 257536 contacts of 3000 bodies; body \"ball 0\" "
            "comes near 2999 shapes; expected at most 65536 contacts, and 64 "
            "per shape");
    }
    perp_world_free(world);
}

TEST(more_pairs_than_boxes_can_have_are_refused_by_every_broad_phase)
{
    const perp_broad_type *const *types = perp_broad_types(NULL);
    perp_world *world = crowd_new(8000); /* 32 million pairs; 25 million are allowed */

    for (size_t t = 0; types[t]; t++) {
        perp_error err = {0};
        size_t found = 1;

        CU_ASSERT_EQUAL(crowd_collide(world, types[t]->name, 1, &found, &err),
                        PERP_ERR_DATA);
        CU_ASSERT_EQUAL(found, 0);
        CU_ASSERT_PTR_NOT_NULL(
            strstr(err.text, "pairs of 8000 shapes overlap; body \"ball "));
        CU_ASSERT_PTR_NOT_NULL(
            strstr(err.text, "expected at most 16777216 pairs, and 1024 per shape"));
    }
    perp_world_free(world);
}

/* n in one place have n (n - 1)/2 contacts: 93096 of 93184 for 432, 93528 of 93248 for 433. */
TEST(as_many_contacts_as_the_limit_allows_are_found)
{
    perp_world *most = crowd_new(432);
    perp_world *more = crowd_new(433);
    perp_error err = {0};
    size_t found = 0;

    OK(crowd_collide(most, "sap", 2, &found, &err));
    CU_ASSERT_EQUAL(found, 432 * 431 / 2);
    CU_ASSERT_EQUAL(crowd_collide(more, "sap", 2, &found, &err), PERP_ERR_DATA);
    CU_ASSERT_EQUAL(found, 0);
    perp_world_free(most);
    perp_world_free(more);
}

/* A list that was full finds what there is when it is searched again. */
TEST(a_broad_phase_recovers_from_too_many_pairs)
{
    const perp_broad_type *const *types = perp_broad_types(NULL);
    enum { MANY = 8000, FEW = 100 };
    static perp_aabb boxes[MANY]; /* all of them the point 0 */

    for (size_t t = 0; types[t]; t++) {
        perp_box_pairs pairs = {0};
        perp_broad *broad = NULL;

        OK(perp_broad_new(&broad, types[t], NULL));
        CU_ASSERT_EQUAL(perp_broad_run(broad, MANY, boxes, NULL, &pairs, NULL),
                        PERP_ERR_DATA);
        CU_ASSERT(pairs.count > 0);
        OK(perp_broad_run(broad, FEW, boxes, NULL, &pairs, NULL));
        CU_ASSERT_EQUAL(pairs.count, FEW * (FEW - 1) / 2);
        perp_broad_free(broad);
        perp_box_pairs_clear(&pairs);
    }
}
