/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/scene.c: a step of a settled heap of boxes and spheres in a bin: contact
 * search, rows, problem, ten sweeps of nsgs, positions; and the contact search alone.
 *
 * The bounds are those of a machine whose memory streams 38 GB/s on one thread; here they are
 * stretched as much as this one streams less, measured in the same run. */
#include <config.h>

#include <perp/dynamics/step.h>

#include <stdio.h>

#include "experiments/bench/measure.h"
#include "experiments/bench/worlds.h"

enum {
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
        must(perp_collider_run(collider, world, world->start, &settings, &contacts, &err),
             &err);
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
    perp_world *world = world_heap(WORLD_MIXED);
    timing t;

    perp_scheme_default(&scheme);
    must(perp_solver_parse("nsgs", &solver, &opt, &err), &err);
    must(perp_options_set(&opt, "max-iterations", "10", &err), &err);
    must(perp_stepper_new(&stepper, world, &scheme,
                          &(perp_stepper_options){
                              .solver = solver, .options = &opt, .state = world->start},
                          &err),
         &err);
    for (int k = 0; k < SETTLE; k++) {
        must(perp_stepper_step(stepper, &r, &err), &err);
    }
    t = time_steps(stepper, world, &scheme);
    printf("    1000 bodies, %zu contacts (about %d), fastest body %.2g m/s: %s\n",
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
