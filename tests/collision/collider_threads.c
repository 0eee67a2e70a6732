/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/collider_threads.c: a search by several threads finds what one finds. */
#include <config.h>

#include <stdlib.h>

#include "scarce.h"
#include "surfaces.h"

/* More than pairs of a block have room for, so that all threads take some. */
enum { BODIES = 220, MOST = 7 };

static perp_shape random_hull(perp_random *g)
{
    double points[3 * 14];

    for (size_t k = 0; k < 3 * 14; k++) {
        points[k] = perp_random_uniform(g, -0.5, 0.5);
    }
    return hull_of(14, points, 3);
}

static perp_shape draw_shape(perp_random *g, size_t k)
{
    switch (k % 7) {
    case 0:
        return shape_of("sphere", 0.45, 0, 0);
    case 1:
        return shape_of("box", 0.4, 0.3, 0.5);
    case 2:
        return shape_of("capsule", 0.25, 0.6, 0);
    case 3:
        return shape_of("cylinder", 0.35, 0.7, 0);
    case 4:
        return shape_of("ellipsoid", 0.3, 0.4, 0.55);
    case 5:
        return surface_shape(surface_box(0.4, 0.3, 0.35, 3));
    default:
        return random_hull(g);
    }
}

/* A crowd of all kinds over a floor. */
static perp_world *crowd(size_t count, uint64_t seed)
{
    perp_world *world = test_world(3, 9.81);
    perp_shape plane = shape_of("plane", 0, 0, 0);
    const double low[3] = {0, 0, -2.0};
    perp_random g = {seed};

    for (size_t k = 0; k < count; k++) {
        perp_shape shape = draw_shape(&g, k);
        char name[16];
        double r[3], q[4];

        snprintf(name, sizeof name, "body %zu", k);
        draw_pose(&g, 0.28 * cbrt((double)count), r, q);
        put(world, name, k % 13 == 12 ? 0.0 : 1.0, &shape, r, q);
    }
    put(world, "floor", 0.0, &plane, low, NULL);
    return world;
}

static void shake(perp_world *world, perp_random *g)
{
    for (size_t k = 0; k < BODIES; k++) {
        for (int c = 0; c < 3; c++) {
            perp_body_pose(world->start, k)[c] += perp_random_uniform(g, -0.05, 0.05);
        }
    }
    perp_world_refresh(world, world->start);
}

static perp_collider *new_collider(void)
{
    perp_collider *c = NULL;

    OK(perp_collider_new(&c, NULL));
    return c;
}

static bool same_bits(const perp_contacts *a, const perp_contacts *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->at, b->at, a->count * sizeof *a->at) == 0);
}

static bool same_report(const perp_collide_report *a, const perp_collide_report *b)
{
    bool same = a->boxes == b->boxes && a->pairs == b->pairs &&
                a->looked_at == b->looked_at && a->touching == b->touching &&
                a->contacts == b->contacts && a->unresolved_count == b->unresolved_count;

    for (size_t k = 0; k < PERP_NARROW_MOST; k++) {
        same = same && a->ran[k] == b->ran[k];
    }
    for (size_t k = 0; same && k < a->unresolved_count; k++) {
        const perp_unresolved *x = &a->unresolved[k];
        const perp_unresolved *y = &b->unresolved[k];

        same = x->shape_a == y->shape_a && x->shape_b == y->shape_b && x->gap == y->gap &&
               x->ran == y->ran;
    }
    return same;
}

static bool odd_pairs(void *context, const perp_world *world, size_t a, size_t b)
{
    (void)world;
    ++*(size_t *)context;
    return (a + b) % 2 == 1;
}

/* Each step by all numbers of threads, each with its collider, and by one collider whose
 * number changes. */
static void check_steps(perp_collide_settings settings, size_t *unresolved)
{
    perp_world *world = crowd(BODIES, 61);
    perp_random g = {62};
    perp_collider *c[MOST + 1];
    perp_contacts contacts[MOST + 1] = {{0}};
    perp_contacts changing = {0};
    perp_collider *other = new_collider();

    for (size_t t = 0; t <= MOST; t++) {
        c[t] = new_collider();
    }
    for (unsigned step = 0; step < 12; step++) {
        for (unsigned t = 0; t <= MOST; t++) {
            settings.threads = t;
            OK(perp_collider_run(c[t], world, world->start, &settings, &contacts[t],
                                 NULL));
            CU_ASSERT(same_bits(&contacts[t], &contacts[0]));
            CU_ASSERT(
                same_report(perp_collider_report(c[t]), perp_collider_report(c[0])));
        }
        settings.threads = 1 + step % 4;
        OK(perp_collider_run(other, world, world->start, &settings, &changing, NULL));
        CU_ASSERT(same_bits(&changing, &contacts[0]));
        *unresolved += perp_collider_report(other)->unresolved_count;
        shake(world, &g);
    }
    CU_ASSERT(contacts[0].count > BODIES);
    CU_ASSERT(perp_collider_report(c[0])->looked_at > 200);
}

TEST(contacts_have_the_same_bits_for_any_number_of_threads)
{
    size_t unresolved = 0;
    size_t asked = 0;

    check_steps((perp_collide_settings){.margin = 0.05}, &unresolved);
    check_steps((perp_collide_settings){.margin = 0.02, .reduce = 4}, &unresolved);
    check_steps((perp_collide_settings){.margin = 0.05,
                                        .filter = odd_pairs,
                                        .filter_context = &asked},
                &unresolved);
    CU_ASSERT(asked > 0);
}

/* With two iterations many searches give up. */
TEST(unresolved_pairs_come_in_the_same_order)
{
    size_t unresolved = 0;

    check_steps((perp_collide_settings){.margin = 0.05, .iterations = 2}, &unresolved);
    CU_ASSERT(unresolved > 100);
}

/* Half-spaces that move: no algorithm takes any two of them, in several blocks of pairs. */
TEST(the_error_of_the_first_pair_is_returned)
{
    perp_world *world = crowd(BODIES, 63);
    perp_collider *c = new_collider();
    perp_contacts contacts = {0};
    perp_shape plane = shape_of("plane", 0, 0, 0);
    perp_error expected = {0};

    for (int k = 0; k < 20; k++) {
        const double r[3] = {0.0, 0.0, 0.1 * k};
        char name[16];

        snprintf(name, sizeof name, "lid %d", k);
        put(world, name, 1.0, &plane, r, NULL);
    }
    for (unsigned threads = 1; threads <= 5; threads++) {
        const perp_collide_settings s = {.margin = 0.05, .threads = threads};

        for (int again = 0; again < 20; again++) {
            perp_error err = {0};

            CU_ASSERT_EQUAL(
                perp_collider_run(c, world, world->start, &s, &contacts, &err),
                PERP_ERR_UNSUITABLE);
            CU_ASSERT_EQUAL(contacts.count, 0);
            expected = threads == 1 ? err : expected;
            CU_ASSERT_STRING_EQUAL(err.text, expected.text);
            CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "\"floor\""));
        }
    }
}

TEST(too_many_threads_are_refused)
{
    const perp_collide_settings s = {.margin = 0.05, .threads = 1025};
    perp_world *world = test_world(3, 9.81);
    perp_collider *c = new_collider();
    perp_contacts contacts = {0};
    perp_error err = {0};
    perp_scheme scheme;

    CU_ASSERT_EQUAL(perp_collider_run(c, world, world->start, &s, &contacts, &err),
                    PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(err.text, "collide: threads is 1025, expected at most 1024");
    perp_scheme_default(&scheme);
    scheme.threads = 1025;
    err = (perp_error){0};
    CU_ASSERT_EQUAL(perp_scheme_check(&scheme, &err), PERP_ERR_OPTION);
    CU_ASSERT_STRING_EQUAL(err.text, "scheme: threads is 1025, expected at most 1024");
}

typedef struct scarcity {
    const perp_world *world;
    perp_contacts expected;
} scarcity;

static perp_status search_scarcely(void *context, perp_error *err)
{
    const scarcity *s = context;
    const perp_collide_settings settings = {.margin = 0.05, .threads = 2};
    perp_contacts contacts = {0};
    perp_collider *c = NULL;
    perp_status status = perp_collider_new(&c, err);

    if (status == PERP_OK) {
        status =
            perp_collider_run(c, s->world, s->world->start, &settings, &contacts, err);
        CU_ASSERT(status == PERP_OK ? same_bits(&contacts, &s->expected)
                                    : contacts.count == 0);
    }
    return status;
}

TEST(threads_survive_failing_memory)
{
    perp_world *world = crowd(60, 64);
    scarcity s = {.world = world};

    OK(perp_collide(world, world->start, 0.05, &s.expected, NULL));
    scarce_everywhere(search_scarcely, &s, "collider with threads");
}
