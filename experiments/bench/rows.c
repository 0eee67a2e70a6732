/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/rows.c: contacts of a world written as rows and made a problem.
 *
 * Spheres on a cubic lattice, drawn a little out of place, each with a contact below, behind
 * and beside it: three contacts a sphere, in an order that a contact search would give. */
#include <config.h>

#include <perp/dynamics/inertia.h>
#include <perp/dynamics/system.h>

#include <stdio.h>

#include "experiments/bench/measure.h"

static const double radius = 0.05; /* [m] */

/* Sphere k of a column of layers, each `edge` times `edge`. */
static void lattice_place(size_t edge, size_t k, perp_random *g, double r[3])
{
    const size_t at[3] = {k % edge, k / edge % edge, k / (edge * edge)};

    for (size_t c = 0; c < 3; c++) {
        r[c] = radius * (2.0 * (double)at[c] + perp_random_uniform(g, -0.05, 0.05));
    }
}

static void lattice_bodies(perp_world *world, size_t edge, size_t count, perp_error *err)
{
    perp_random g = {11};

    for (size_t k = 0; k < count; k++) {
        char name[32];
        perp_body body = {.name = name, .mass = 1.0};

        snprintf(name, sizeof name, "ball %zu", k);
        perp_inertia_sphere(body.mass, radius, body.inertia);
        lattice_place(edge, k, &g, body.r);
        if (perp_world_add_body(world, &body, NULL, err) != PERP_OK) {
            give_up("lattice", err);
        }
    }
}

static void lattice_contact(const perp_world *world, size_t i, size_t j,
                            perp_contacts *contacts)
{
    const double *a = perp_body_pose(world, i);
    const double *b = perp_body_pose(world, j);
    perp_contact *c = perp_contacts_add(contacts);
    double length = 0.0;

    if (!c) {
        give_up("lattice", &(perp_error){.text = "no memory"});
        return;
    }
    c->i = (int32_t)i;
    c->j = (int32_t)j;
    c->mu = 0.5;
    c->erp = -1.0;
    c->key = contacts->count;
    for (int x = 0; x < 3; x++) {
        c->normal[x] = b[x] - a[x];
        c->point[x] = 0.5 * (a[x] + b[x]);
        length += c->normal[x] * c->normal[x];
    }
    length = sqrt(length);
    c->gap = length - 2.0 * radius;
    for (int x = 0; x < 3; x++) {
        c->normal[x] /= length;
    }
}

double bench_rows(size_t contacts)
{
    const size_t edge = contacts < 10000 ? 8 : 32;
    const size_t step[3] = {1, edge, edge * edge};
    perp_world *world = NULL;
    perp_contacts list = {0};
    perp_system system = {0};
    perp_scheme scheme;
    perp_error err = {0};
    double best = INFINITY;

    if (perp_world_new(&world, 3, &err) != PERP_OK) {
        give_up("lattice", &err);
    }
    lattice_bodies(world, edge, contacts / 3 + edge * edge, &err);
    for (size_t k = edge * edge; k < world->body_count; k++) {
        for (size_t c = 0; c < 3 && list.count < contacts; c++) {
            lattice_contact(world, k - step[c], k, &list);
        }
    }
    perp_scheme_default(&scheme);
    /* the first time takes memory, later steps find it there */
    for (int repeat = 0; repeat <= REPEATS; repeat++) {
        double begin = work_clock();

        if (perp_rows_write(&system.rows, world, &list, &scheme, &err) != PERP_OK ||
            perp_system_formulate(&system, world, world->u, &list, &scheme, &err) !=
                PERP_OK) {
            give_up("rows", &err);
        }
        if (repeat > 0) {
            best = fmin(best, work_clock() - begin);
        }
    }
    perp_system_clear(&system);
    perp_contacts_clear(&list);
    perp_world_free(world);
    return best / (double)contacts;
}
