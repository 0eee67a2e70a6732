/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/engines.c: steps of perp with ten sweeps next to those of Bullet and ODE, as
 * far as they were found: contact search, solution, positions. Heaps are timed after they have
 * settled, boxes at rest from the first step.
 *
 * The engines take turns of a few steps; of each the turn with the least time per step counts.
 * How far the body went that went furthest says what the time was spent for. */
#include <config.h>

#include <perp/dynamics/step.h>

#include <stdio.h>

#include "command/cli/heap.h"
#include "experiments/bench/engines.h"
#include "experiments/bench/measure.h"
#include "experiments/bench/worlds.h"

enum { TURN = 10 }; /* steps in a row of one engine */

typedef struct perp_engine {
    perp_world *world;
    perp_stepper *stepper;
    perp_report report;
} perp_engine;

static void must(perp_status status, const perp_error *err)
{
    if (status != PERP_OK) {
        give_up("engines", err);
    }
}

static void *perp_start(perp_world *world)
{
    perp_engine *s = calloc(1, sizeof *s);
    const perp_solver_type *solver = NULL;
    perp_options opt;
    perp_scheme scheme;
    perp_error err = {0};

    if (!s) {
        exit(2);
    }
    s->world = world;
    perp_scheme_default(&scheme);
    scheme.dt = ENGINE_DT;
    must(perp_solver_parse("nsgs", &solver, &opt, &err), &err);
    must(perp_options_set_real(&opt, "max-iterations", ENGINE_SWEEPS, &err), &err);
    must(perp_stepper_new(&s->stepper, world, &scheme,
                          &(perp_stepper_options){
                              .solver = solver, .options = &opt, .state = world->start},
                          &err),
         &err);
    return s;
}

static void perp_step(void *state)
{
    perp_engine *s = state;
    perp_error err = {0};

    must(perp_stepper_step(s->stepper, &s->report, &err), &err);
}

static size_t perp_contact_count(void *state)
{
    return ((perp_engine *)state)->report.contacts;
}

static void perp_place(void *state, size_t k, double r[3])
{
    memcpy(r, ((perp_engine *)state)->world->start->s + 7 * k, 3 * sizeof *r);
}

static void perp_stop(void *state)
{
    perp_engine *s = state;

    perp_stepper_free(s->stepper);
    free(s);
}

const engine engine_perp = {"perp, 10 sweeps",  perp_start, perp_step,
                            perp_contact_count, perp_place, perp_stop};

static const engine *const engines[] = {
    &engine_perp,
#ifdef HAVE_BULLET
    &engine_bullet,
#endif
#ifdef HAVE_ODE
    &engine_ode,
#endif
};

enum { ENGINES = sizeof engines / sizeof *engines };

/* One engine at work on its own world. */
typedef struct racer {
    const engine *engine;
    void *state;
    double *from; /* 3 per body: centres when the timing began [m] */
    double seconds;
} racer;

static void settle(racer *x, perp_world *world, size_t steps)
{
    x->state = x->engine->start(world);
    x->from = perp_reals_new(3 * world->body_count);
    x->seconds = INFINITY;
    if (!x->from) {
        exit(2);
    }
    for (size_t k = 0; k < steps; k++) {
        x->engine->step(x->state);
    }
    for (size_t k = 0; k < world->body_count; k++) {
        x->engine->place(x->state, k, x->from + 3 * k);
    }
}

static void take_turn(racer *x)
{
    double begin = work_clock();

    for (int k = 0; k < TURN; k++) {
        x->engine->step(x->state);
    }
    x->seconds = fmin(x->seconds, (work_clock() - begin) / TURN);
}

static double furthest_move(const racer *x, size_t bodies)
{
    double most = 0.0;

    for (size_t k = 0; k < bodies; k++) {
        const double *from = x->from + 3 * k;
        double to[3];

        x->engine->place(x->state, k, to);
        most = fmax(most, sqrt((to[0] - from[0]) * (to[0] - from[0]) +
                               (to[1] - from[1]) * (to[1] - from[1]) +
                               (to[2] - from[2]) * (to[2] - from[2])));
    }
    return most;
}

/* Worlds of each engine drawn alike; a bound of 0 is none. */
typedef struct scene {
    const char *name;
    perp_world *(*make)(size_t a, size_t b);
    size_t a, b;
    size_t settle, turns;
    double bound;
} scene;

static void race(const scene *s)
{
    racer x[ENGINES];
    perp_world *world[ENGINES];
    double best = INFINITY;
    char what[64];

    for (size_t k = 0; k < ENGINES; k++) {
        world[k] = s->make(s->a, s->b);
        x[k] = (racer){.engine = engines[k]};
        settle(&x[k], world[k], s->settle);
    }
    for (size_t turn = 0; turn < s->turns; turn++) {
        for (size_t k = 0; k < ENGINES; k++) {
            take_turn(&x[k]);
        }
    }
    for (size_t k = 1; k < ENGINES; k++) {
        best = fmin(best, x[k].seconds);
    }
    snprintf(what, sizeof what, "%s: perp / faster of the others", s->name);
    if (s->bound > 0.0) {
        report(what, x[0].seconds, best, s->bound);
    } else {
        printf("%-46s %10.2f %10.2f us %8.2f\n", what, 1e6 * x[0].seconds, 1e6 * best,
               x[0].seconds / best);
    }
    for (size_t k = 0; k < ENGINES; k++) {
        printf("    %-18s %8.3f ms per step, %5zu contacts, furthest move %.3g m\n",
               x[k].engine->name, 1e3 * x[k].seconds, x[k].engine->contacts(x[k].state),
               furthest_move(&x[k], world[k]->body_count));
        x[k].engine->stop(x[k].state);
        free(x[k].from);
        perp_world_free(world[k]);
    }
}

static perp_world *make_heap(size_t kind, size_t unused)
{
    (void)unused;
    return world_heap((world_kind)kind);
}

static perp_world *make_pyramid(size_t rows, size_t unused)
{
    (void)unused;
    return world_pyramid(rows);
}

static const scene scenes[] = {
    {"1000 mixed", make_heap, WORLD_MIXED, 0, 400, 5, 0.7},
    {"1000 boxes", make_heap, WORLD_BOXES, 0, 400, 5, 1.0},
    {"1000 spheres", make_heap, WORLD_SPHERES, 0, 400, 5, 1.0},
    {"5 stacks of 20", world_stacks, 5, 20, 0, 12, 0.0},
    {"50 stacks of 20", world_stacks, 50, 20, 0, 12, 0.0},
    {"pyramid of 105", make_pyramid, 14, 0, 0, 12, 0.0},
    {"pyramid of 990", make_pyramid, 44, 0, 0, 12, 0.0},
};

/* Arguments: parts of the names of scenes, all by default. */
int main(int argc, char **argv)
{
    heap_retain(); /* as the command does */
    printf("%-46s %10s %10s    %8s %6s\n", "", "measured", "reference", "ratio", "bound");
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        bool wanted = argc <= 1;

        for (int i = 1; i < argc; i++) {
            wanted = wanted || strstr(scenes[k].name, argv[i]);
        }
        if (wanted) {
            race(&scenes[k]);
        }
    }
    printf("%d of the bounds missed\n", missed_bounds());
    return 0;
}
