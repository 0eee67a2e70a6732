/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/exact.c: steps of boxes at rest and of settled spheres, each solved to 1e-8 by
 * auto: the first one from zero, the others from the impulses before; and how they grow with the
 * number of boxes. The spheres settle by 30 sweeps per step, which are not measured.
 *
 * The bounds are those of a machine whose memory streams 38 GB/s on one thread; here they are
 * stretched as much as this one streams less, measured in the same run. A step is also printed in
 * products with A, which read every contact once. */
#include <config.h>

#include <perp/dynamics/scene.h>
#include <perp/dynamics/step.h>

#include <stdio.h>

#include "experiments/bench/measure.h"
#include "experiments/bench/worlds.h"

enum {
    STEPS = 12,
    SETTLING = 250, /* steps until 1000 spheres have come to rest */
};

static const double dt = 1.0 / 60.0; /* [s] */

static void must(perp_status status, const perp_error *err)
{
    if (status != PERP_OK) {
        give_up("exact", err);
    }
}

typedef struct timing {
    double first, next; /* seconds: of the first step, mean of the others */
} timing;

static timing time_world(const char *name, perp_world *world, const perp_scheme *scheme,
                         double bound)
{
    timing t = {0};
    const perp_solver_type *solver = NULL;
    perp_options opt;
    perp_stepper *stepper = NULL;
    perp_report r = {0};
    perp_error err = {0};
    double product = 0.0;
    size_t solved = 0;
    char what[96];

    must(perp_solver_parse("auto", &solver, &opt, &err), &err);
    must(perp_stepper_new(&stepper, world, scheme,
                          &(perp_stepper_options){
                              .solver = solver, .options = &opt, .state = world->start},
                          &err),
         &err);
    for (int k = 0; k < STEPS; k++) {
        double begin = work_clock();

        must(perp_stepper_step(stepper, &r, &err), &err);
        *(k == 0 ? &t.first : &t.next) += work_clock() - begin;
        solved += r.outcome == PERP_SOLVED;
    }
    t.next /= STEPS - 1;
    product = time_product(perp_stepper_system(stepper)->problem.A);
    snprintf(what, sizeof what, "%s: exact step / bound", name);
    report(what, t.next, bound, 1.0);
    printf(
        "    %zu contacts, %zu of %d steps solved; first %.3g ms = %.0f products, next "
        "%.3g ms = %.0f\n",
        r.contacts, solved, STEPS, 1e3 * t.first, t.first / product, 1e3 * t.next,
        t.next / product);
    demand(solved == STEPS);
    perp_stepper_free(stepper);
    return t;
}

static timing time_boxes(const char *name, perp_world *world, double bound)
{
    perp_scheme scheme;
    timing t;

    perp_scheme_default(&scheme);
    scheme.dt = dt;
    t = time_world(name, world, &scheme, bound);
    perp_world_free(world);
    return t;
}

/* The scene sphere-pack: the associated law. */
static void time_spheres(const char *folder, const char *count, double bound)
{
    const perp_scene_set sets[] = {{"count", count}};
    const perp_solver_type *sweeps = NULL;
    perp_options opt;
    perp_scene *scene = NULL;
    perp_stepper *stepper = NULL;
    perp_report r = {0};
    perp_error err = {0};
    char path[4096];
    char name[64];

    snprintf(path, sizeof path, "%s/../experiments/scenes/sphere-pack.json", folder);
    must(perp_scene_read_with(&scene, path, sets, 1, &err), &err);
    must(perp_solver_parse("nsgs max-iterations=30", &sweeps, &opt, &err), &err);
    must(perp_stepper_new(&stepper, scene->world, &scene->scheme,
                          &(perp_stepper_options){.solver = sweeps,
                                                  .options = &opt,
                                                  .state = scene->world->start},
                          &err),
         &err);
    for (int k = 0; k < SETTLING; k++) {
        must(perp_stepper_step(stepper, &r, &err), &err);
    }
    perp_stepper_free(stepper);
    snprintf(name, sizeof name, "%s spheres settled", count);
    time_world(name, scene->world, &scene->scheme, bound);
    perp_scene_free(scene);
}

void bench_exact(const char *folder)
{
    static const size_t rows[] = {14, 24, 44, 100};
    static const double most[] = {10e-3, 35e-3, 120e-3, 1.0};
    double stretch = time_stretch();
    timing t[4];

    for (size_t k = 0; k < 4; k++) {
        char name[32];

        snprintf(name, sizeof name, "pyramid of %zu", rows[k] * (rows[k] + 1) / 2);
        t[k] = time_boxes(name, world_pyramid(rows[k]), most[k] * stretch);
    }
    time_boxes("50 stacks of 20", world_stacks(50, 20), 15e-3 * stretch);
    time_spheres(folder, "1000", 150e-3 * stretch);
    printf(
        "    cost of a step ~ contacts^%.2f (first), ^%.2f (next), from 784 to 40000\n",
        log(t[3].first / t[0].first) / log(100.0 * 100.0 / (14.0 * 14.0)),
        log(t[3].next / t[0].next) / log(100.0 * 100.0 / (14.0 * 14.0)));
}
