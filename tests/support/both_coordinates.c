/* SPDX-License-Identifier: Apache-2.0
 * tests/support/both_coordinates.c: the same world in maximal and in reduced coordinates. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "both_coordinates.h"
#include "math/vec3.h"

static const char *const kinds[] = {"revolute", "prismatic", "fixed", "spherical",
                                    "universal"};
enum { KINDS = 5, FLAT_KINDS = 3 };

static int32_t add_joint(perp_world *world, const char *type, int32_t i, int32_t j,
                         perp_random *g)
{
    perp_joint joint = {.type = perp_joint_type_find(type), .i = i, .j = j};
    double at[3] = {0.0, 0.0, 0.0};
    double along[3] = {0.0, 0.0, 0.0};
    double across[3];
    double third[3];
    int32_t k = -1;
    perp_error err = {0};
    perp_status status = PERP_OK;

    for (unsigned c = 0; c < world->dimension; c++) {
        const double a = perp_body_pose(world->start, (size_t)i)[c];
        const double b = perp_body_pose(world->start, (size_t)j)[c];

        at[c] = 0.5 * (a + b) + perp_random_uniform(g, -0.2, 0.2);
        along[c] = perp_random_uniform(g, -1.0, 1.0);
    }
    if (world->dimension == 2 && strcmp(type, "revolute") == 0) {
        vec3_set(along, 0.0, 0.0, 1.0);
    }
    vec3_normalize(along);
    perp_tangents(along, across, third);
    snprintf(joint.name, sizeof joint.name, "%s %d-%d", type, (int)i, (int)j);
    joint.exact = true; /* rows that are gradients of the same motion */
    status = perp_joint_attach(&joint, world, world->start, at, along,
                               strcmp(type, "universal") == 0 ? across : NULL, &err);
    if (status == PERP_OK) {
        status = perp_world_add_joint(world, &joint, &k, &err);
    }
    if (status != PERP_OK) {
        test_note("%s: %s", type, err.text);
    }
    OK(status);
    return k;
}

static void add_axes(perp_world *world)
{
    bool limit = false;

    for (size_t k = 0; k < world->joint_count; k++) {
        perp_joint *joint = &world->joints[k];

        if (joint->type->axes == 0) {
            continue;
        }
        if (!limit) {
            joint->axes[0].has_lower = true;
            joint->axes[0].lower = -0.1;
            limit = true;
        } else {
            joint->axes[0].motor = PERP_MOTOR_VELOCITY;
            joint->axes[0].target = 0.3;
            joint->axes[0].max_force = 2.0;
            joint->axes[0].stiffness = 5.0;
            joint->axes[0].damping = 0.2;
        }
    }
}

/* Discs in the plane. */
static perp_world *flat_world(uint64_t seed)
{
    perp_random g = {seed};
    perp_world *world = test_world(2, 0.0);

    for (int k = 0; k < GROVE_BODIES; k++) {
        char name[32];
        perp_body body = {.name = name, .mass = perp_random_uniform(&g, 0.5, 2.0)};

        snprintf(name, sizeof name, "disc %d", k);
        body.inertia[8] = perp_random_uniform(&g, 0.2, 0.5);
        body.inertia[0] = body.inertia[4] = 0.5 * body.inertia[8];
        for (int c = 0; c < 2; c++) {
            body.r[c] = perp_random_uniform(&g, -1.0, 1.0);
            body.v[c] = perp_random_uniform(&g, -1.0, 1.0);
        }
        body.w[2] = perp_random_uniform(&g, -1.0, 1.0);
        OK(perp_world_add_body(world, &body, NULL, NULL));
    }
    return world;
}

/* Body 0 is the ground, 1 .. 5 a tree on it, 6 .. 10 one that floats, 11 is alone. */
static perp_world *grove_world(uint64_t seed, unsigned parts)
{
    const bool flat = (parts & GROVE_PLANE) != 0;
    perp_random g = {seed};
    perp_world *world = flat ? flat_world(seed) : test_random_world(GROVE_BODIES, seed);

    world->motion[0] = PERP_MOTION_STATIC;
    world->inverse_mass[0] = world->mass[0] = 0.0;
    memset(world->inertia, 0, 9 * sizeof *world->inertia);
    memset(world->start->u, 0, 6 * sizeof *world->start->u);
    perp_world_refresh(world, world->start);
    for (int32_t j = 1; j <= 10; j++) {
        const int32_t first = j <= 5 ? 0 : 6;
        const int32_t parent = (int32_t)perp_random_uniform(&g, first, j);
        size_t kind = (size_t)perp_random_uniform(&g, 0.0, flat ? FLAT_KINDS : KINDS);

        if (j == 1) {
            kind = 0;
        }
        if (j != 6) { /* sides are drawn, too: links turn */
            bool turned = perp_random_uniform(&g, 0.0, 1.0) < 0.3;

            add_joint(world, kinds[kind], turned ? j : parent, turned ? parent : j, &g);
        }
    }
    if (parts & GROVE_AXES) {
        add_axes(world);
    }
    if (parts & GROVE_LOOP) {
        add_joint(world, "spherical", 4, 5, &g);
        add_joint(world, "rod", 3, 9, &g);
    }
    return world;
}

static void grove_touch(stage *s, uint64_t seed, unsigned parts)
{
    const int32_t pairs[GROVE_CONTACTS][2] = {{0, 2},  {5, 0},  {3, 5},  {4, 9}, {10, 7},
                                              {11, 0}, {11, 5}, {8, 11}, {4, 9}};
    perp_random g = {seed + 1000};

    for (size_t k = 0; k < GROVE_CONTACTS; k++) {
        stage_touch_somewhere(s, &g, pairs[k][0], pairs[k][1], -0.001 * (double)k, 0.4)
            ->mu_rolling = (parts & GROVE_ROLLING) && k % 2 == 0 ? 0.05 : 0.0;
    }
}

void grove_open(grove *f, uint64_t seed, unsigned parts)
{
    const perp_reduction how = {.free_bodies = (parts & GROVE_SINGLES) != 0};
    perp_error err = {0};
    perp_status status = PERP_OK;

    stage_open(&f->whole, grove_world(seed, parts));
    stage_open(&f->trees, grove_world(seed, parts));
    grove_touch(&f->whole, seed, parts);
    grove_touch(&f->trees, seed, parts);
    status = perp_world_reduce(f->trees.world, &how, &err);
    if (status != PERP_OK) {
        test_note("seed %d: %s", (int)seed, err.text);
    }
    OK(status);
    memcpy(f->whole.world->start->u, f->trees.world->start->u,
           6 * f->whole.world->body_count * sizeof(double));
}

void grove_close(grove *f)
{
    stage_close(&f->whole);
    stage_close(&f->trees);
}

void grove_formulate(grove *f)
{
    stage_formulate_at(&f->whole, f->whole.world->start->u);
    stage_formulate_at(&f->trees, f->trees.world->start->u);
}

size_t grove_row(const grove *f, size_t r)
{
    const perp_rows *trees = &f->trees.system.rows;
    const perp_rows *whole = &f->whole.system.rows;
    const perp_row_block *b = trees->blocks;

    while (r >= b->first + b->dim) {
        b++;
    }
    for (size_t k = 0; k < whole->block_count; k++) {
        if (whole->blocks[k].key == b->key && whole->blocks[k].role == b->role) {
            return whole->blocks[k].first + (r - b->first);
        }
    }
    CU_FAIL_FATAL("a row that the world in maximal coordinates has not");
    return 0;
}

double grove_largest(const double *A, size_t count)
{
    double most = 1.0;

    for (size_t k = 0; k < count; k++) {
        most = fmax(most, fabs(A[k]));
    }
    return most;
}
