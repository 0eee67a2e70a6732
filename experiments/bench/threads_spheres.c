/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/threads_spheres.c: steps of settled spheres by one thread and by two, each
 * solved to 1e-8 by auto, and steps of coloured sweeps.
 *
 * Where other programs hold the second core, the wall says nothing about the work: a step is also
 * measured by its busiest thread, the more of the CPU time of the caller and of all others. It
 * counts what the caller does alone, and how evenly the rest is shared; waiting that spins is part
 * of it. */
#include <config.h>

#include <perp/dynamics/scene.h>
#include <perp/dynamics/step.h>

#include <stdio.h>

#include "experiments/bench/measure.h"
#include "experiments/bench/threads.h"

enum {
    SETTLING = 300, /* steps until the spheres have come to rest */
    STEPS = 3,      /* the first from zero, which is not counted */
    SWEEP_STEPS = 4
};

static void must(perp_status status, const perp_error *err)
{
    if (status != PERP_OK) {
        give_up("spheres", err);
    }
}

/* One world and its steps by so many threads. */
typedef struct stepping {
    perp_scene *scene;
    perp_stepper *stepper;
    perp_report report;
    double wall, busiest, all; /* seconds of the steps that count */
} stepping;

static void open_scene(stepping *x, const char *folder, const char *count)
{
    const perp_scene_set sets[] = {{"count", count}};
    perp_error err = {0};
    char path[4096];

    snprintf(path, sizeof path, "%s/../experiments/scenes/sphere-pack.json", folder);
    must(perp_scene_read_with(&x->scene, path, sets, 1, &err), &err);
}

static void open_stepper(stepping *x, const char *solver)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_error err = {0};

    must(perp_solver_parse(solver, &type, &opt, &err), &err);
    must(perp_stepper_new(&x->stepper, x->scene->world, &x->scene->scheme,
                          &(perp_stepper_options){.solver = type,
                                                  .options = &opt,
                                                  .state = x->scene->world->start},
                          &err),
         &err);
    x->wall = x->busiest = x->all = 0.0;
}

static void close_stepper(stepping *x)
{
    perp_stepper_free(x->stepper);
    x->stepper = NULL;
}

static void make_step(stepping *x, bool counts)
{
    double wall = perp_clock(), all = all_clock(), own = work_clock();
    perp_error err = {0};

    must(perp_stepper_step(x->stepper, &x->report, &err), &err);
    wall = perp_clock() - wall;
    all = all_clock() - all;
    own = work_clock() - own;
    if (counts) {
        x->wall += wall;
        x->busiest += fmax(own, all - own);
        x->all += all;
    }
}

static void settle(stepping *x)
{
    open_stepper(x, "nsgs max-iterations=30");
    for (int k = 0; k < SETTLING; k++) {
        make_step(x, false);
    }
    close_stepper(x);
}

static void copy_state(const stepping *from, stepping *to)
{
    perp_error err = {0};

    must(perp_state_copy(to->scene->world->start, from->scene->world->start, &err), &err);
}

static bool same_state(const stepping *a, const stepping *b)
{
    const perp_state *x = a->scene->world->start;
    const perp_state *y = b->scene->world->start;

    return memcmp(x->s, y->s, 7 * x->body_count * sizeof *x->s) == 0 &&
           memcmp(x->u, y->u, 6 * x->body_count * sizeof *x->u) == 0;
}

/* Steps alternate, so that other load falls on both. */
static void race(const char *what, stepping x[2], const char *const solver[2], int steps,
                 bool exact, double bound)
{
    char row[96];

    for (unsigned k = 0; k < 2; k++) {
        x[k].scene->scheme.threads = k + 1;
        open_stepper(&x[k], solver[k]);
    }
    for (int i = 0; i < steps; i++) {
        for (int k = 0; k < 2; k++) {
            make_step(&x[k], i > 0);
            demand(!exact || x[k].report.outcome == PERP_SOLVED);
        }
    }
    snprintf(row, sizeof row, "%s: busiest of 2 threads / 1", what);
    report(row, x[1].busiest, x[0].busiest, bound);
    printf("    %zu contacts; by the wall %.2f times as fast, %.2f of the work\n",
           x[0].report.contacts, x[0].wall / x[1].wall, x[1].all / x[0].all);
    demand(same_state(&x[0], &x[1]));
    for (int k = 0; k < 2; k++) {
        close_stepper(&x[k]);
    }
}

void race_spheres(const char *folder, const char *count)
{
    static const char *const exact[] = {"auto threads=1", "auto threads=2"};
    static const char *const sweeps[] = {
        "nsgs order=colored max-iterations=200 threads=1",
        "nsgs order=colored max-iterations=200 threads=2"};
    stepping x[2] = {{0}, {0}};
    char what[64];

    open_scene(&x[0], folder, count);
    open_scene(&x[1], folder, count);
    settle(&x[0]);
    copy_state(&x[0], &x[1]);
    snprintf(what, sizeof what, "exact step of %s spheres", count);
    race(what, x, exact, STEPS, true, 1.0 / 1.5);
    for (int k = 0; k < 2; k++) {
        x[k].scene->scheme.model = PERP_MODEL_CONE;
    }
    snprintf(what, sizeof what, "200 sweeps of %s spheres", count);
    race(what, x, sweeps, SWEEP_STEPS, false, 1.0 / 1.7);
    perp_scene_free(x[0].scene);
    perp_scene_free(x[1].scene);
}
