/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/worlds.c: the worlds whose steps are timed. */
#include <config.h>

#include <perp/dynamics/inertia.h>
#include <perp/dynamics/shape.h>
#include <perp/random.h>

#include <stdio.h>

#include "experiments/bench/measure.h"
#include "experiments/bench/worlds.h"

enum {
    BODIES = 1000,
    EDGE = 10, /* bodies of a layer, squared */
};

static void must(perp_status status, const perp_error *err)
{
    if (status != PERP_OK) {
        give_up("world", err);
    }
}

static perp_world *world_new(void)
{
    perp_world *world = NULL;
    perp_error err = {0};

    must(perp_world_new(&world, 3, &err), &err);
    return world;
}

/* Half-spaces of one static body: at a point, z of the plane turned to its normal. */
static void add_planes(perp_world *world, const char *name, size_t count,
                       const double (*turn)[4], const double (*at)[3])
{
    const perp_body body = {.name = name, .motion = PERP_MOTION_STATIC};
    perp_error err = {0};

    must(perp_world_add_body(world, &body, NULL, &err), &err);
    for (size_t k = 0; k < count; k++) {
        perp_shape plane = {.type = perp_shape_type_find("plane")};

        memcpy(plane.at, at[k], sizeof plane.at);
        memcpy(plane.turn, turn[k], sizeof plane.turn);
        must(perp_world_add_shape(world, &plane, NULL, &err), &err);
    }
}

/* A bin of five half-spaces, `half` wide to each side. */
static void add_bin(perp_world *world, double half)
{
    const double r = sqrt(0.5);
    /* z of the plane to z, x, -x, y, -y */
    const double turns[5][4] = {
        {1, 0, 0, 0}, {r, 0, r, 0}, {r, 0, -r, 0}, {r, -r, 0, 0}, {r, r, 0, 0}};
    const double at[5][3] = {
        {0, 0, 0}, {-half, 0, 0}, {half, 0, 0}, {0, -half, 0}, {0, half, 0}};

    add_planes(world, "bin", 5, turns, at);
}

/* A box (half edges) or a sphere (radius) of mass 1. */
static void add_body(perp_world *world, bool box, perp_body *body, const double size[3])
{
    perp_shape shape = {.type = perp_shape_type_find(box ? "box" : "sphere")};
    perp_error err = {0};

    memcpy(shape.size, size, sizeof shape.size);
    body->mass = 1.0;
    if (box) {
        perp_inertia_box(body->mass, shape.size, body->inertia);
    } else {
        perp_inertia_sphere(body->mass, shape.size[0], body->inertia);
    }
    must(perp_world_add_body(world, body, &shape.body, &err), &err);
    must(perp_world_add_shape(world, &shape, NULL, &err), &err);
}

/* Body k on its place of the lattice, a little off, turned as drawn. */
static void draw_body(perp_world *world, world_kind kind, size_t k, double spacing,
                      perp_random *g)
{
    const size_t place[3] = {k % EDGE, k / EDGE % EDGE, k / (size_t)(EDGE * EDGE)};
    const bool box = kind == WORLD_BOXES || (kind == WORLD_MIXED && k % 5 < 3);
    char name[32];
    double size[3];
    perp_body body = {.name = name};
    double length = 0.0;

    snprintf(name, sizeof name, "body %zu", k);
    for (size_t c = 0; c < 3; c++) {
        size[c] = perp_random_uniform(g, 0.3, 0.5);
        body.r[c] = spacing * ((double)place[c] - (c < 2 ? 0.5 * (EDGE - 1) : -0.5)) +
                    perp_random_uniform(g, -0.05, 0.05);
    }
    for (size_t c = 0; c < 4; c++) {
        body.q[c] = perp_random_uniform(g, -1.0, 1.0);
        length += body.q[c] * body.q[c];
    }
    for (size_t c = 0; c < 4; c++) {
        body.q[c] /= sqrt(length);
    }
    add_body(world, box, &body, size);
}

perp_world *world_heap(world_kind kind)
{
    const double spacing = 1.4; /* the longest diagonal is 1.73, few are as long */
    perp_random g = {3};
    perp_world *world = world_new();

    add_bin(world, 0.5 * EDGE * spacing);
    for (size_t k = 0; k < BODIES; k++) {
        draw_body(world, kind, k, spacing, &g);
    }
    return world;
}

static perp_world *world_with_floor(void)
{
    const double turn[1][4] = {{1, 0, 0, 0}}, at[1][3] = {{0}};
    perp_world *world = world_new();

    add_planes(world, "floor", 1, turn, at);
    return world;
}

static void add_unit_box(perp_world *world, double x, double z)
{
    const double size[3] = {0.5, 0.5, 0.5};
    char name[48];
    perp_body body = {.name = name, .r = {x, 0.0, z + 0.5}, .q = {1, 0, 0, 0}};

    snprintf(name, sizeof name, "box %g %g", x, z);
    add_body(world, true, &body, size);
}

perp_world *world_pyramid(size_t rows)
{
    perp_world *world = world_with_floor();

    for (size_t row = 0; row < rows; row++) {
        for (size_t i = 0; i + row < rows; i++) {
            add_unit_box(world, 1.125 * (double)i + 0.5625 * (double)row, (double)row);
        }
    }
    return world;
}

perp_world *world_stacks(size_t count, size_t height)
{
    perp_world *world = world_with_floor();

    for (size_t k = 0; k < count; k++) {
        for (size_t row = 0; row < height; row++) {
            add_unit_box(world, 3.0 * (double)k, (double)row);
        }
    }
    return world;
}
