/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/threads.c: sweeps by colours over ten thousand contacts, and the search for
 * as many, by one thread and by two, each as a ratio to the other timed in the same run; and,
 * given the folder of the data sets, whole steps of 10^4 spheres or of so many.
 *
 * Two threads are timed by the wall, so all racers take turns and the fastest of
 * each counts: what else the machine does falls on all, and some are left in peace. */
#include <config.h>

#include <cblas.h>
#include <stdio.h>

#include <perp/dynamics/dynamics.h>
#include <perp/random.h>

#include "core/solver_list.h"
#include "core/solvers.h"
#include "experiments/bench/measure.h"
#include "experiments/bench/threads.h"

/* A wall of 40 x 32 bricks: 9956 contacts, 27 blocks per row of W. */
static const char *const scene = "wall:nx=40,nz=32,push=0.1";

/* Sweeps in a row: the first brings the matrix to the caches that it fits. */
enum { TURNS = 60, SWEEPS = 5 };

/* One solver at work, and the least seconds of a sweep, by the wall and of the first thread. */
typedef struct racer {
    const char *order, *threads;
    perp_options opt;
    perp_workspace *ws;
    perp_result *r;
    perp_run run;
    double seconds, work;
} racer;

static void start(racer *x, const perp_problem *p)
{
    perp_error err = {0};

    perp_options_init(&x->opt, &perp_solver_nsgs, NULL, NULL);
    if (perp_options_set(&x->opt, "order", x->order, &err) != PERP_OK ||
        perp_options_set(&x->opt, "threads", x->threads, &err) != PERP_OK ||
        perp_workspace_new(&x->ws, 0, &err) != PERP_OK ||
        perp_result_new(&x->r, p->n, &err) != PERP_OK ||
        perp_run_start(&x->run, &perp_solver_nsgs, p, &x->opt, x->ws, x->r, &err) !=
            PERP_OK) {
        give_up("nsgs", &err);
    }
    x->seconds = x->work = INFINITY;
}

static void run_round(racer *x)
{
    perp_error err = {0};

    for (int k = 0; k < SWEEPS; k++) {
        double begin = perp_clock();
        double begin_work = work_clock();

        if (perp_run_step(&x->run, &err) != PERP_OK) {
            give_up("nsgs", &err);
        }
        x->seconds = fmin(x->seconds, perp_clock() - begin);
        x->work = fmin(x->work, work_clock() - begin_work);
    }
}

static void finish(racer *x)
{
    perp_run_end(&x->run);
    perp_result_free(x->r);
    perp_workspace_free(x->ws);
}

/* Boxes drawn anyhow in a cube in which each meets a dozen others. */
static perp_world *draw_world(size_t count)
{
    perp_random g = {3};
    perp_world *world = NULL;
    perp_shape box = {
        .type = perp_shape_type_find("box"), .size = {0.5, 0.5, 0.5}, .turn = {1.0}};
    perp_error err = {0};
    perp_status status = perp_world_new(&world, 3, &err);

    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        char name[24];
        perp_body body = {
            .name = name, .mass = 1.0, .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

        snprintf(name, sizeof name, "box %zu", k);
        for (int i = 0; i < 3; i++) {
            body.r[i] = perp_random_uniform(&g, 0.0, 0.9 * cbrt((double)count));
        }
        for (int i = 0; i < 4; i++) {
            body.q[i] = perp_random_uniform(&g, -1.0, 1.0);
        }
        perp_quat_normalize(body.q);
        status = perp_world_add_body(world, &body, &box.body, &err);
        if (status == PERP_OK) {
            status = perp_world_add_shape(world, &box, NULL, &err);
        }
    }
    if (status != PERP_OK) {
        give_up("boxes", &err);
    }
    return world;
}

/* One search after another of bodies that rest, as those of most steps. */
typedef struct searcher {
    perp_collider *collider;
    perp_collide_settings settings;
    perp_contacts contacts;
    double seconds;
} searcher;

static void search(searcher *x, const perp_world *world)
{
    perp_error err = {0};
    double begin = perp_clock();

    if (perp_collider_run(x->collider, world, world->start, &x->settings, &x->contacts,
                          &err) != PERP_OK) {
        give_up("search", &err);
    }
    x->seconds = fmin(x->seconds, perp_clock() - begin);
}

/* Rows and problem of the same contacts, again and again. */
typedef struct assembler {
    perp_system system;
    perp_scheme scheme;
    double seconds;
} assembler;

static void assemble(assembler *x, const perp_world *world, const perp_contacts *contacts)
{
    perp_error err = {0};
    double begin = perp_clock();

    if (perp_rows_write(&x->system.rows, world, world->start, contacts, &x->scheme,
                        &err) != PERP_OK ||
        perp_system_formulate(&x->system, world, world->start, world->start->u, contacts,
                              &x->scheme, &err) != PERP_OK) {
        give_up("rows", &err);
    }
    x->seconds = fmin(x->seconds, perp_clock() - begin);
}

static void race_assembly(const perp_world *world, const perp_contacts *contacts)
{
    assembler x[2] = {{.seconds = INFINITY}, {.seconds = INFINITY}};

    for (unsigned k = 0; k < 2; k++) {
        perp_scheme_default(&x[k].scheme);
        x[k].scheme.threads = k + 1;
    }
    for (int k = 0; k < TURNS * SWEEPS; k++) {
        assemble(&x[0], world, contacts);
        assemble(&x[1], world, contacts);
    }
    report("their rows and problem: 2 threads / 1", x[1].seconds, x[0].seconds,
           1.0 / 1.5);
    demand(memcmp(x[0].system.rows.frames, x[1].system.rows.frames,
                  15 * x[0].system.rows.contact_blocks * sizeof(double)) == 0);
    for (int k = 0; k < 2; k++) {
        perp_system_clear(&x[k].system);
    }
}

static void race_search(void)
{
    perp_world *world = draw_world(1000);
    searcher x[2] = {{.settings = {.margin = 0.01, .threads = 1}, .seconds = INFINITY},
                     {.settings = {.margin = 0.01, .threads = 2}, .seconds = INFINITY}};
    perp_error err = {0};

    for (int k = 0; k < 2; k++) {
        if (perp_collider_new(&x[k].collider, &err) != PERP_OK) {
            give_up("search", &err);
        }
    }
    for (int k = 0; k < TURNS * SWEEPS; k++) {
        search(&x[0], world);
        search(&x[1], world);
    }
    report("contacts of 1000 boxes at rest: 2 threads / 1", x[1].seconds, x[0].seconds,
           1.0 / 1.7);
    printf("    %zu contacts; speedup %.2f\n", x[0].contacts.count,
           x[0].seconds / x[1].seconds);
    demand(x[0].contacts.count == x[1].contacts.count);
    for (size_t k = 0; k < x[0].contacts.count; k++) { /* behind `open` is padding */
        demand(memcmp(&x[0].contacts.at[k], &x[1].contacts.at[k],
                      offsetof(perp_contact, open)) == 0);
    }
    race_assembly(world, &x[0].contacts);
    for (int k = 0; k < 2; k++) {
        perp_collider_free(x[k].collider);
        perp_contacts_clear(&x[k].contacts);
    }
    perp_world_free(world);
}

int main(int argc, char **argv)
{
    racer plain = {.order = "natural", .threads = "1"};
    racer one = {.order = "colored", .threads = "1"};
    racer two = {.order = "colored", .threads = "2"};
    perp_problem *p = NULL;

    openblas_set_num_threads(1);
    p = make_problem(scene);
    start(&plain, p);
    start(&one, p);
    start(&two, p);
    for (int k = 0; k < TURNS; k++) {
        run_round(&plain);
        run_round(&one);
        run_round(&two);
    }
    report("nsgs 9956 contacts: sweep of 2 threads / 1", two.seconds, one.seconds,
           1.0 / 1.6);
    printf("    %s; speedup %.2f\n", two.r->path.step[0], one.seconds / two.seconds);
    demand(memcmp(one.r->z, two.r->z, p->n * sizeof *one.r->z) == 0);
    /* each colour reads all impulses again; in stored order they are still in the cache */
    report("nsgs 9956 contacts: coloured / natural sweep", one.work, plain.work, 1.75);
    finish(&plain);
    finish(&one);
    finish(&two);
    perp_problem_free(p);
    race_search();
    if (argc > 1) {
        race_spheres(argv[1], argc > 2 ? argv[2] : "10000");
    }
    printf("%d of the bounds missed\n", missed_bounds());
    return 0;
}
