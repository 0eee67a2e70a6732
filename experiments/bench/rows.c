/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/rows.c: contacts of a world written as rows and made a problem.
 *
 * Spheres on a cubic lattice, drawn a little out of place, each with a contact below, behind
 * and beside it: three contacts a sphere, in an order that a contact search would give. */
#include <config.h>

#include <perp/dynamics/inertia.h>
#include <perp/dynamics/system.h>

#include <stdio.h>
#include <string.h>

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
    const double *a = perp_body_pose(world->start, i);
    const double *b = perp_body_pose(world->start, j);
    perp_contact *c = perp_contacts_add(contacts);
    double length = 0.0;

    if (!c) {
        give_up("lattice", &(perp_error){.text = "no memory"});
        return;
    }
    c->i = (int32_t)i;
    c->j = (int32_t)j;
    c->mu = 0.5;
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

/* A lattice and its contacts. */
typedef struct lattice {
    perp_world *world;
    perp_contacts list;
    perp_system system;
    perp_scheme scheme;
} lattice;

static void lattice_open(lattice *l, size_t contacts)
{
    const size_t edge = contacts < 10000 ? 8 : 32;
    const size_t step[3] = {1, edge, edge * edge};
    perp_error err = {0};

    memset(l, 0, sizeof *l);
    if (perp_world_new(&l->world, 3, &err) != PERP_OK) {
        give_up("lattice", &err);
    }
    lattice_bodies(l->world, edge, contacts / 3 + edge * edge, &err);
    for (size_t k = edge * edge; k < l->world->body_count; k++) {
        for (size_t c = 0; c < 3 && l->list.count < contacts; c++) {
            lattice_contact(l->world, k - step[c], k, &l->list);
        }
    }
    perp_scheme_default(&l->scheme);
}

static void lattice_write(lattice *l)
{
    perp_error err = {0};

    if (perp_rows_write(&l->system.rows, l->world, l->world->start, &l->list, &l->scheme,
                        &err) != PERP_OK ||
        perp_system_formulate(&l->system, l->world, l->world->start, l->world->start->u,
                              &l->list, &l->scheme, &err) != PERP_OK) {
        give_up("rows", &err);
    }
}

static void lattice_close(lattice *l)
{
    perp_system_clear(&l->system);
    perp_contacts_clear(&l->list);
    perp_world_free(l->world);
}

double bench_rows(size_t contacts)
{
    double best = INFINITY;
    lattice l;

    lattice_open(&l, contacts);
    /* the first time takes memory, later steps find it there */
    for (int repeat = 0; repeat <= REPEATS; repeat++) {
        double begin = work_clock();

        lattice_write(&l);
        if (repeat > 0) {
            best = fmin(best, work_clock() - begin);
        }
    }
    lattice_close(&l);
    return best / (double)contacts;
}

/* Of a solve by nsgs: sweeps, judge and what the loop keeps; *copied: whether it scaled a copy of
 * the problem. */
static double workspace_bytes(const perp_problem *p, bool *copied)
{
    const perp_solver_type *nsgs = NULL;
    perp_result *r = NULL;
    perp_options opt;
    perp_error err = {0};
    double bytes = 0.0;

    if (perp_solver_parse("nsgs", &nsgs, &opt, &err) != PERP_OK ||
        perp_options_set_real(&opt, "max-iterations", 10.0, &err) != PERP_OK ||
        perp_result_new(&r, p->n, &err) != PERP_OK ||
        perp_solve(nsgs, p, &opt, r, &err) != PERP_OK) {
        give_up("bytes", &err);
        return INFINITY;
    }
    for (size_t k = 0; k < r->path.count; k++) {
        *copied = *copied || strncmp(r->path.step[k], "scaled", 6) == 0;
    }
    bytes = (double)r->bytes;
    perp_result_free(r);
    return bytes;
}

void bench_bytes(size_t contacts, double most)
{
    const size_t real = sizeof(double), frame = 15 * real + 2 * sizeof(int32_t);
    const size_t problem = 2 * 3 * real + sizeof(perp_block); /* b, C, K */
    const size_t rows = sizeof(perp_row_block) + frame + 4 * 3 * real;
    const size_t found = sizeof(perp_contact) + sizeof(uint64_t); /* and its key */
    const size_t answer = 2 * 3 * real;
    bool copied = false;
    double solver = 0.0, copy = 0.0, all = 0.0;
    lattice l;

    lattice_open(&l, contacts);
    lattice_write(&l);
    solver = workspace_bytes(&l.system.problem, &copied) / (double)contacts;
    copy = copied ? (double)(frame + problem) : 0.0;
    all = (double)(found + rows + problem + answer) + copy + solver;
    printf(
        "bytes of each of %zu contacts: found %zu, rows and frame %zu, problem %zu, its "
        "scaled copy %.0f, sweeps and judge %.0f, answer %zu\n",
        contacts, found, rows, problem, copy, solver, answer);
    printf("    in all %.0f (at most %.0f): %s; rows, frame, sweeps and judge %.0f\n",
           all, most, all <= most ? "met" : "MISSED", (double)rows + solver);
    demand(all <= most);
    lattice_close(&l);
}
