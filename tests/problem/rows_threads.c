/* SPDX-License-Identifier: Apache-2.0
 * tests/problem/rows_threads.c: rows and problems written by several threads are those that one
 * thread writes. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "scarce.h"
#include "world_run.h"

/* Contacts of several ranges, of which the last is short. */
enum { SIDE = 40, BALLS = SIDE * SIDE, THREADS = 4 };

/* Balls that touch the ground and those before them, each with a velocity of its own. */
static perp_world *bed(unsigned dimension)
{
    perp_world *world = test_world(dimension, 9.81);
    perp_random g = {7};

    run_ground(world);
    for (size_t k = 0; k < BALLS; k++) {
        char name[24];
        int32_t body = 0;

        snprintf(name, sizeof name, "ball %zu", k);
        body = dimension == 3 ? run_ball(world, name, 1.0, 0.5, (double)(k % SIDE),
                                         (double)(k / SIDE), 0.5)
                              : run_ball(world, name, 1.0, 0.5, (double)k, 0.5, 0.0);
        for (size_t c = 0; c < (dimension == 3 ? 6 : 2); c++) {
            world->start->u[6 * (size_t)body + c] = perp_random_uniform(&g, -1.0, 1.0);
        }
    }
    perp_world_refresh(world, world->start);
    return world;
}

static perp_status make(perp_system *system, const perp_world *world,
                        const perp_contacts *contacts, const perp_scheme *scheme,
                        perp_error *err)
{
    perp_status status =
        perp_rows_write(&system->rows, world, world->start, contacts, scheme, err);

    return status == PERP_OK
               ? perp_system_formulate(system, world, world->start, world->start->u,
                                       contacts, scheme, err)
               : status;
}

static bool same_numbers(const double *a, const double *b, size_t n)
{
    return n == 0 || memcmp(a, b, n * sizeof *a) == 0;
}

static void compare_rows(const perp_rows *a, const perp_rows *b)
{
    CU_ASSERT_EQUAL_FATAL(a->count, b->count);
    CU_ASSERT_EQUAL_FATAL(a->block_count, b->block_count);
    CU_ASSERT_EQUAL(a->contact_blocks, b->contact_blocks);
    CU_ASSERT_EQUAL_FATAL(a->frames_from, b->frames_from);
    CU_ASSERT(same_numbers(a->J, b->J, 12 * a->frames_from));
    for (size_t r = 0; r < a->count; r++) {
        CU_ASSERT(memcmp(perp_rows_bodies(a, r), perp_rows_bodies(b, r),
                         2 * sizeof *a->body) == 0);
    }
    CU_ASSERT(same_numbers(a->bias, b->bias, a->count));
    CU_ASSERT(same_numbers(a->bias_position, b->bias_position, a->count));
    CU_ASSERT(same_numbers(a->bias_restitution, b->bias_restitution, a->count));
    CU_ASSERT(same_numbers(a->soft, b->soft, a->count));
    CU_ASSERT(same_numbers(a->frames, b->frames, 5 * (a->count - a->frames_from)));
    for (size_t k = 0; k < a->block_count; k++) {
        const perp_row_block *x = &a->blocks[k], *y = &b->blocks[k];

        CU_ASSERT_FATAL(x->role == y->role && x->dim == y->dim && x->first == y->first &&
                        x->source == y->source && x->key == y->key);
    }
}

static void compare_problems(const perp_system *a, const perp_system *b)
{
    const perp_set *s = a->problem.set, *t = b->problem.set;

    CU_ASSERT_EQUAL_FATAL(a->problem.n, b->problem.n);
    CU_ASSERT(same_numbers(a->problem.b, b->problem.b, a->problem.n));
    CU_ASSERT_FATAL(s->count == t->count && s->n == t->n);
    CU_ASSERT(memcmp(a->keys, b->keys, s->count * sizeof *a->keys) == 0);
    for (size_t k = 0; k < s->count; k++) {
        const perp_block *x = &s->blocks[k], *y = &t->blocks[k];

        CU_ASSERT_FATAL(x->kind == y->kind && x->dim == y->dim && x->first == y->first &&
                        x->lo == y->lo && x->hi == y->hi && x->mu == y->mu &&
                        x->mu_rolling == y->mu_rolling && x->normal == y->normal);
    }
}

/* By one thread, and by others in a system of their own, whose number changes. */
static void compare_threads(perp_world *world, perp_model model)
{
    perp_contacts contacts = {0};
    perp_system one = {0}, many = {0};
    perp_scheme scheme = run_scheme(1.0 / 60.0);
    perp_error err = {0};

    scheme.model = model;
    OK(perp_collide(world, world->start, 0.01, &contacts, &err));
    CU_ASSERT_FATAL(contacts.count > BALLS);
    OK(make(&one, world, &contacts, &scheme, &err));
    for (unsigned threads = THREADS; threads > 0; threads--) {
        scheme.threads = threads;
        OK(make(&many, world, &contacts, &scheme, &err));
        compare_rows(&one.rows, &many.rows);
        compare_problems(&one, &many);
    }
    perp_system_clear(&one);
    perp_system_clear(&many);
    perp_contacts_clear(&contacts);
}

TEST(rows_and_problems_have_the_same_bits_for_any_number_of_threads)
{
    static const perp_model models[] = {PERP_MODEL_CONE, PERP_MODEL_ASSOCIATED,
                                        PERP_MODEL_BOX, PERP_MODEL_FRICTIONLESS};

    for (unsigned dimension = 2; dimension <= 3; dimension++) {
        perp_world *world = bed(dimension);

        for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
            compare_threads(world, models[k]);
        }
    }
}

/* Contacts of three rows and of five. */
TEST(rolling_contacts_have_the_same_bits)
{
    perp_world *world = bed(3);

    world->materials[0].mu_rolling = 0.01;
    compare_threads(world, PERP_MODEL_CONE);
}

typedef struct scarcity {
    const perp_world *world;
    perp_contacts contacts;
} scarcity;

static perp_status make_scarcely(void *context, perp_error *err)
{
    const scarcity *s = context;
    perp_scheme scheme = run_scheme(1.0 / 60.0);
    perp_system system = {0};
    perp_status status = PERP_OK;

    scheme.threads = 2;
    status = make(&system, s->world, &s->contacts, &scheme, err);
    perp_system_clear(&system);
    return status;
}

TEST(threads_survive_failing_memory)
{
    scarcity s = {.world = bed(3)};

    OK(perp_collide(s.world, s.world->start, 0.01, &s.contacts, NULL));
    scarce_everywhere(make_scarcely, &s, "rows by threads");
    perp_contacts_clear(&s.contacts);
    perp_world_free((perp_world *)(uintptr_t)s.world);
}
