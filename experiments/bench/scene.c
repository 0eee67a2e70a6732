/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/scene.c: a step of a settled heap of boxes and spheres in a bin: contact
 * search, rows, problem, ten sweeps of nsgs, positions; and the contact search alone.
 *
 * The bounds are those of a machine whose memory streams 38 GB/s on one thread; here they are
 * stretched as much as this one streams less, measured in the same run. */
#include <config.h>

#include <perp/dynamics/inertia.h>
#include <perp/dynamics/step.h>

#include <stdio.h>

#include "experiments/bench/measure.h"

enum {
    BODIES = 1000,
    EDGE = 10,     /* bodies of a layer, squared */
    SETTLE = 400,  /* steps: four seconds */
    TIMED = 40,    /* steps that count, one by one */
    POINTS = 5000, /* about so many */
};

static const double step_most = 4e-3;          /* [s], for POINTS contacts */
static const double collide_share = 1.0 / 3.0; /* of a step */

static void must(perp_status status, const perp_error *err)
{
    if (status != PERP_OK) {
        give_up("scene", err);
    }
}

/* A bin of five half-spaces on one static body, `half` wide to each side. */
static void add_bin(perp_world *world, double half)
{
    const double r = sqrt(0.5);
    /* z of the plane to z, x, -x, y, -y */
    const double turns[5][4] = {
        {1, 0, 0, 0}, {r, 0, r, 0}, {r, 0, -r, 0}, {r, -r, 0, 0}, {r, r, 0, 0}};
    const double at[5][3] = {
        {0, 0, 0}, {-half, 0, 0}, {half, 0, 0}, {0, -half, 0}, {0, half, 0}};
    const perp_body body = {.name = "bin", .motion = PERP_MOTION_STATIC};
    perp_error err = {0};

    must(perp_world_add_body(world, &body, NULL, &err), &err);
    for (int k = 0; k < 5; k++) {
        perp_shape plane = {.type = perp_shape_type_find("plane")};

        memcpy(plane.at, at[k], sizeof plane.at);
        memcpy(plane.turn, turns[k], sizeof plane.turn);
        must(perp_world_add_shape(world, &plane, NULL, &err), &err);
    }
}

/* Body k on its place of the lattice, a little off, turned as drawn: of five bodies three
 * are boxes, of edges from 0.6 to 1. */
static void add_body(perp_world *world, size_t k, double spacing, perp_random *g)
{
    const size_t place[3] = {k % EDGE, k / EDGE % EDGE, k / (size_t)(EDGE * EDGE)};
    char name[32];
    perp_body body = {.name = name, .mass = 1.0};
    perp_shape shape = {.type = perp_shape_type_find(k % 5 < 3 ? "box" : "sphere")};
    perp_error err = {0};
    double length = 0.0;

    snprintf(name, sizeof name, "body %zu", k);
    for (size_t c = 0; c < 3; c++) {
        shape.size[c] = perp_random_uniform(g, 0.3, 0.5);
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
    if (k % 5 < 3) {
        perp_inertia_box(body.mass, shape.size, body.inertia);
    } else {
        perp_inertia_sphere(body.mass, shape.size[0], body.inertia);
    }
    must(perp_world_add_body(world, &body, &shape.body, &err), &err);
    must(perp_world_add_shape(world, &shape, NULL, &err), &err);
}

static perp_world *heap(void)
{
    const double spacing = 1.4; /* the longest diagonal is 1.73, few are as long */
    perp_random g = {3};
    perp_world *world = NULL;
    perp_error err = {0};

    must(perp_world_new(&world, 3, &err), &err);
    add_bin(world, 0.5 * EDGE * spacing);
    for (size_t k = 0; k < BODIES; k++) {
        add_body(world, k, spacing, &g);
    }
    return world;
}

typedef struct timing {
    double step, collide; /* seconds, least */
    size_t contacts;      /* of that step */
    double speed;
} timing;

/* The heap goes on moving a little, so that what is remembered is of another step. */
static timing time_steps(perp_stepper *stepper, const perp_world *world,
                         const perp_scheme *scheme)
{
    const perp_collide_settings settings = {.margin = scheme->margin};
    timing t = {INFINITY, INFINITY, 0, 0.0};
    perp_collider *collider = NULL;
    perp_contacts contacts = {0};
    perp_report r = {0};
    perp_error err = {0};

    must(perp_collider_new(&collider, &err), &err);
    for (int k = 0; k < TIMED; k++) {
        double begin = work_clock(), middle = 0.0, end = 0.0;

        must(perp_stepper_step(stepper, &r, &err), &err);
        middle = work_clock();
        must(perp_collider_run(collider, world, &settings, &contacts, &err), &err);
        end = work_clock();
        if (middle - begin < t.step) {
            t.step = middle - begin;
            t.contacts = r.contacts;
            t.speed = r.speed;
        }
        t.collide = k > 0 ? fmin(t.collide, end - middle) : t.collide;
    }
    perp_contacts_clear(&contacts);
    perp_collider_free(collider);
    return t;
}

void bench_scene(void)
{
    double stretch = time_stretch();
    const perp_solver_type *solver = NULL;
    perp_options opt;
    perp_stepper *stepper = NULL;
    perp_scheme scheme;
    perp_report r = {0};
    perp_error err = {0};
    perp_world *world = heap();
    timing t;

    perp_scheme_default(&scheme);
    must(perp_solver_parse("nsgs", &solver, &opt, &err), &err);
    must(perp_options_set(&opt, "max-iterations", "10", &err), &err);
    must(perp_stepper_new(&stepper, world, &scheme, solver, &opt, true, &err), &err);
    for (int k = 0; k < SETTLE; k++) {
        must(perp_stepper_step(stepper, &r, &err), &err);
    }
    t = time_steps(stepper, world, &scheme);
    printf("    %d bodies, %zu contacts (about %d), fastest body %.2g m/s: %s\n", BODIES,
           t.contacts, POINTS, t.speed,
           t.contacts > 4 * POINTS / 5 && t.contacts < 6 * POINTS / 5 ? "met" : "MISSED");
    demand(t.contacts > 4 * POINTS / 5 && t.contacts < 6 * POINTS / 5);
    report("a step of 1000 bodies, 10 sweeps / bound", t.step, step_most * stretch, 1.0);
    report("its contact search / a third of the bound", t.collide,
           step_most * stretch * collide_share, 1.0);
    printf("    %.0f ns a contact, of them %.0f for the contact search\n",
           1e9 * t.step / (double)t.contacts, 1e9 * t.collide / (double)t.contacts);
    perp_stepper_free(stepper);
    perp_world_free(world);
}
