/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/casts.c: rays against all shapes of a world: what one shape after the
 * other finds. */
#include <config.h>

#include <stdlib.h>

#include "contact_queries.h"
#include "scarce.h"

static const double origin[3] = {0};

static perp_world *cloud(size_t count, uint64_t seed)
{
    static const char *const kinds[] = {"sphere",   "box",  "capsule",
                                        "cylinder", "cone", "ellipsoid"};
    perp_world *world = test_world(3, 0.0);
    perp_random random = {seed};
    perp_shape plane = shape_of("plane", 0, 0, 0);
    const double low[3] = {0, 0, -4.0};

    for (size_t k = 0; k < count; k++) {
        perp_shape shape = shape_of(kinds[k % 6], 0.3, 0.5, 0.4);
        char name[16];
        double r[3], q[4];

        snprintf(name, sizeof name, "body %zu", k);
        draw_pose(&random, 3.0, r, q);
        put(world, name, 1.0, &shape, r, q);
    }
    put(world, "floor", 0.0, &plane, low, NULL);
    return world;
}

typedef struct ray {
    double from[3], along[3], most;
} ray;

static ray draw_ray(perp_random *random)
{
    ray r = {.most = perp_random_uniform(random, 0.0, 1.0) < 0.5 ? INFINITY : 2.0};

    for (int k = 0; k < 3; k++) {
        r.from[k] = perp_random_uniform(random, -4.0, 4.0);
        r.along[k] = perp_random_uniform(random, -2.0, 2.0);
    }
    return r;
}

static int by_t(const void *a, const void *b)
{
    const perp_ray_hit *x = a;
    const perp_ray_hit *y = b;

    if (x->t != y->t) {
        return x->t < y->t ? -1 : 1;
    }
    return x->shape < y->shape ? -1 : 1;
}

/* Every shape asked; hits in order. */
static size_t all_hits(const perp_world *world, const ray *r, perp_ray_hit *hits)
{
    size_t count = 0;

    for (size_t k = 0; k < world->shape_count; k++) {
        perp_placed at = {.shape = &world->shapes[k]};

        perp_shape_pose(world->start, at.shape, at.R, at.x);
        if (perp_ray_cast(&at, world->dimension, r->from, r->along, r->most,
                          &hits[count])) {
            hits[count++].shape = k;
        }
    }
    qsort(hits, count, sizeof *hits, by_t);
    return count;
}

static bool same_hit(const perp_ray_hit *a, const perp_ray_hit *b)
{
    return a->t == b->t && a->shape == b->shape && a->part == b->part &&
           memcmp(a->point, b->point, sizeof a->point) == 0 &&
           memcmp(a->normal, b->normal, sizeof a->normal) == 0;
}

/* To the bit, while bodies move between rays. */
TEST(rays_hit_what_a_cast_at_each_shape_hits)
{
    enum { COUNT = 80 };
    perp_world *world = cloud(COUNT, 7);
    perp_random random = {9};
    perp_collider *c = NULL;
    perp_ray_hit expected[COUNT + 1] = {0};
    size_t found_count = 0;

    OK(perp_collider_new(&c, NULL));
    for (int draw = 0; draw < 600; draw++) {
        ray r = draw_ray(&random);
        size_t count = all_hits(world, &r, expected);
        size_t told = 0;
        perp_ray_hit *hits = NULL;
        perp_ray_hit hit;
        bool found = false;

        OK(perp_collider_cast(c, world, world->start, r.from, r.along, r.most, &found,
                              &hit, NULL));
        CU_ASSERT_EQUAL(found, count > 0);
        CU_ASSERT(!found || same_hit(&hit, &expected[0]));
        OK(perp_collider_cast_all(c, world, world->start, r.from, r.along, r.most, &told,
                                  &hits, NULL));
        CU_ASSERT_EQUAL(told, count);
        for (size_t k = 0; k < told && told == count; k++) {
            CU_ASSERT(same_hit(&hits[k], &expected[k]));
        }
        found_count += count;
        free(hits);
        if (draw % 5 == 0) {
            perp_body_pose(world->start, (size_t)draw % COUNT)[draw % 3] += 0.2;
        }
    }
    CU_ASSERT(found_count > 300); /* they hit something */
}

/* Balls of radius 1/2 at x = 2, 4, 6: hits at 1.5, 3.5, 5.5 of unit length. */
TEST(hits_come_by_distance)
{
    perp_world *world = test_world(3, 0.0);
    perp_shape ball = shape_of("sphere", 0.5, 0, 0);
    const double along[3] = {2.0, 0, 0};
    const size_t order[3] = {2, 0, 1}; /* body of the k-th ball */
    perp_collider *c = NULL;
    perp_ray_hit *hits = NULL;
    size_t count = 0;

    for (int k = 0; k < 3; k++) {
        const double at[3] = {k == 0 ? 4.0 : k == 1 ? 6.0 : 2.0, 0, 0};
        const char name[2] = {(char)('a' + k), 0};

        put(world, name, 1.0, &ball, at, NULL);
    }
    OK(perp_collider_new(&c, NULL));
    OK(perp_collider_cast_all(c, world, world->start, origin, along, INFINITY, &count,
                              &hits, NULL));
    CU_ASSERT_EQUAL_FATAL(count, 3);
    for (size_t k = 0; k < 3; k++) {
        CU_ASSERT_EQUAL(hits[k].shape, order[k]);
        CU_ASSERT_DOUBLE_EQUAL(hits[k].t, 0.75 + (double)k, 1e-15); /* rounding */
        CU_ASSERT_DOUBLE_EQUAL(hits[k].normal[0], -1.0, 1e-15);
    }
    free(hits);
    /* up to the second one */
    OK(perp_collider_cast_all(c, world, world->start, origin, along, 1.0, &count, &hits,
                              NULL));
    CU_ASSERT_EQUAL(count, 1);
    free(hits);
}

TEST(of_equal_hits_the_lower_number_is_returned)
{
    perp_world *world = test_world(3, 0.0);
    perp_shape ball = shape_of("sphere", 0.5, 0, 0);
    perp_shape plane = shape_of("plane", 0, 0, 0);
    const double up[3] = {0, 0, 4.0};
    const double top[3] = {0, 0, 0.5};
    const double down[3] = {0, 0, -1.0};
    perp_collider *c = NULL;
    perp_ray_hit hit;
    bool found = false;

    for (int k = 0; k < 9; k++) {
        const char name[2] = {(char)('a' + k), 0};

        put(world, name, 1.0, &ball, origin, NULL);
    }
    put(world, "floor", 0.0, &plane, top, NULL); /* its surface where their tops are */
    OK(perp_collider_new(&c, NULL));
    OK(perp_collider_cast(c, world, world->start, up, down, INFINITY, &found, &hit,
                          NULL));
    CU_ASSERT(found && hit.shape == 0);
    CU_ASSERT_EQUAL(hit.t, 3.5);
}

/* From inside the answer is at once; a changed size is seen; nothing there, no hit. */
TEST(rays_see_the_shapes_of_now)
{
    perp_world *world = test_world(3, 0.0);
    perp_shape box = shape_of("box", 1.0, 1.0, 1.0);
    const double from[3] = {5.0, 0, 0};
    const double along[3] = {-1.0, 0, 0};
    perp_collider *c = NULL;
    perp_ray_hit hit;
    bool found = true;

    OK(perp_collider_new(&c, NULL));
    OK(perp_collider_cast(c, world, world->start, from, along, INFINITY, &found, &hit,
                          NULL));
    CU_ASSERT(!found);
    put(world, "box", 1.0, &box, origin, NULL);
    OK(perp_collider_cast(c, world, world->start, from, along, INFINITY, &found, &hit,
                          NULL));
    CU_ASSERT(found && hit.t == 4.0);
    world->shapes[0].size[0] = 2.0;
    OK(perp_collider_cast(c, world, world->start, from, along, INFINITY, &found, &hit,
                          NULL));
    CU_ASSERT(found && hit.t == 3.0);
    OK(perp_collider_cast(c, world, world->start, origin, along, INFINITY, &found, &hit,
                          NULL));
    CU_ASSERT(found && hit.t == 0.0 && hit.normal[0] == 1.0);
    perp_body_pose(world->start, 0)[0] = NAN;
    OK(perp_collider_cast(c, world, world->start, from, along, INFINITY, &found, &hit,
                          NULL));
    CU_ASSERT(!found);
}

TEST(invalid_rays_are_refused)
{
    static const ray bad[] = {
        {{0, 0, 0}, {0, 0, 0}, 1.0},        {{NAN, 0, 0}, {1, 0, 0}, 1.0},
        {{0, 0, 0}, {INFINITY, 0, 0}, 1.0}, {{0, 0, 0}, {1, 0, 0}, -1.0},
        {{0, 0, 0}, {1, 0, 0}, NAN},
    };
    perp_world *world = cloud(3, 1);
    perp_collider *c = NULL;

    OK(perp_collider_new(&c, NULL));
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const ray *r = &bad[k];
        perp_error err = {0};
        perp_ray_hit hit;
        perp_ray_hit *hits = NULL;
        size_t count = 7;
        bool found = true;

        CU_ASSERT_EQUAL(perp_collider_cast(c, world, world->start, r->from, r->along,
                                           r->most, &found, &hit, &err),
                        PERP_ERR_ARGUMENT);
        CU_ASSERT(!found);
        CU_ASSERT_EQUAL(perp_collider_cast_all(c, world, world->start, r->from, r->along,
                                               r->most, &count, &hits, &err),
                        PERP_ERR_ARGUMENT);
        CU_ASSERT(count == 0 && hits == NULL);
    }
}

static perp_status cast_cold(void *context, perp_error *err)
{
    const double from[3] = {-6.0, 0.1, 0.2};
    const double along[3] = {1.0, 0, 0};
    perp_collider *c = NULL;
    perp_ray_hit *hits = NULL;
    size_t count = 0;
    perp_status status = perp_collider_new(&c, err);

    if (status == PERP_OK) {
        status = perp_collider_cast_all(c, context, ((perp_world *)context)->start, from,
                                        along, INFINITY, &count, &hits, err);
        CU_ASSERT(status == PERP_OK ? count > 0 && hits : count == 0 && !hits);
    }
    free(hits);
    return status;
}

TEST(rays_survive_failing_memory)
{
    perp_world *world = cloud(120, 3);

    scarce_everywhere(cast_cold, world, "cast");
}
