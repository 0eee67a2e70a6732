/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/humanoid.c: a step of a humanoid that stands on the ground by twelve
 * contacts, fifteen bodies and thirty degrees of freedom, in reduced and in maximal
 * coordinates, and what its parts cost.
 *
 * The bound is that of a machine whose memory streams 38 GB/s on one thread; here it is
 * stretched as much as this one streams less, measured in the same run. */
#include <config.h>

#include <perp/dynamics/inertia.h>
#include <perp/dynamics/reduce.h>
#include <perp/dynamics/step.h>

#include <stdio.h>

#include "experiments/bench/measure.h"

enum { SETTLE = 100, TIMED = 200, CALLS = 200, CONTACTS = 12, FREEDOM = 30 };

static const double step_most = 40e-6; /* [s] */

static void must(perp_status status, const perp_error *err)
{
    if (status != PERP_OK) {
        give_up("humanoid", err);
    }
}

/* A part of the body: a capsule along z at (x, y, z), on the part `on` by a joint at
 * (x, y, z) `at`, about `along`. */
typedef struct part {
    const char *name;
    double mass, radius, length;
    double x, y, z;
    int32_t on;
    const char *joint;
    double at[3], along[3], across[3];
} part;

enum { PARTS = 15, LEFT_FOOT = 8, RIGHT_FOOT = 11 };

/* Body 0 is the ground, part k is body k + 1. */
static const part parts[PARTS] = {
    {"pelvis", 10.0, 0.09, 0.10, 0, 0, 0.95, -1, NULL, {0}, {0}, {0}},
    {"torso", 25.0, 0.11, 0.20, 0, 0, 1.23, 0, "spherical", {0, 0, 1.05}, {0}, {0}},
    {"head", 5.0, 0.09, 0.08, 0, 0, 1.58, 1, "revolute", {0, 0, 1.45}, {0, 1, 0}, {0}},
    {"thigh l", 8, 0.06, 0.28, 0, 0.12, 0.68, 0, "spherical", {0, 0.12, 0.88}, {0}, {0}},
    {"thigh r",
     8,
     0.06,
     0.28,
     0,
     -0.12,
     0.68,
     0,
     "spherical",
     {0, -0.12, 0.88},
     {0},
     {0}},
    {"shin l",
     3.5,
     0.045,
     0.3,
     0,
     0.12,
     0.28,
     3,
     "revolute",
     {0, 0.12, 0.48},
     {0, 1, 0},
     {0}},
    {"shin r",
     3.5,
     0.045,
     0.3,
     0,
     -0.12,
     0.28,
     4,
     "revolute",
     {0, -0.12, 0.48},
     {0, 1, 0},
     {0}},
    {"arm l", 2.5, 0.04, 0.2, 0, 0.26, 1.22, 1, "spherical", {0, 0.26, 1.36}, {0}, {0}},
    {"foot l",
     1.2,
     0.02,
     0.2,
     0.04,
     0.12,
     0.04,
     5,
     "universal",
     {0, 0.12, 0.08},
     {0, 1, 0},
     {1, 0, 0}},
    {"arm r", 2.5, 0.04, 0.2, 0, -0.26, 1.22, 1, "spherical", {0, -0.26, 1.36}, {0}, {0}},
    {"forearm l",
     1.5,
     0.035,
     0.18,
     0,
     0.26,
     0.94,
     7,
     "revolute",
     {0, 0.26, 1.08},
     {0, 1, 0},
     {0}},
    {"foot r",
     1.2,
     0.02,
     0.2,
     0.04,
     -0.12,
     0.04,
     6,
     "universal",
     {0, -0.12, 0.08},
     {0, 1, 0},
     {1, 0, 0}},
    {"forearm r",
     1.5,
     0.035,
     0.18,
     0,
     -0.26,
     0.94,
     9,
     "revolute",
     {0, -0.26, 1.08},
     {0, 1, 0},
     {0}},
    {"hand l", 0.5, 0.04, 0.06, 0, 0.26, 0.76, 10, "fixed", {0, 0.26, 0.8}, {0}, {0}},
    {"hand r", 0.5, 0.04, 0.06, 0, -0.26, 0.76, 12, "fixed", {0, -0.26, 0.8}, {0}, {0}},
};

static bool is_foot(size_t k)
{
    return k == LEFT_FOOT || k == RIGHT_FOOT;
}

/* A foot stands on three capsules along x. */
static void add_shapes(perp_world *world, size_t k, int32_t body)
{
    const double quarter = sqrt(0.5);
    const part *p = &parts[k];
    perp_shape shape = {.type = perp_shape_type_find("capsule"),
                        .body = body,
                        .size = {p->radius, p->length}};
    perp_error err = {0};

    for (int side = -1; side <= (is_foot(k) ? 1 : -1); side++) {
        if (is_foot(k)) {
            shape.turn[0] = shape.turn[2] = quarter;
            shape.at[1] = 0.04 * side;
            shape.at[2] = -0.02;
        }
        must(perp_world_add_shape(world, &shape, NULL, &err), &err);
    }
}

static void add_part(perp_world *world, size_t k)
{
    const double sole[3] = {0.12, 0.06, 0.03};
    const part *p = &parts[k];
    const double *along = p->joint && strchr("ru", p->joint[0]) ? p->along : NULL;
    perp_body body = {.name = p->name, .mass = p->mass, .r = {p->x, p->y, p->z}};
    perp_joint joint = {.type = perp_joint_type_find(p->joint ? p->joint : "spherical"),
                        .i = p->on + 1};
    perp_error err = {0};

    if (is_foot(k)) {
        perp_inertia_box(p->mass, sole, body.inertia);
    } else {
        perp_inertia_capsule(p->mass, p->radius, p->length, body.inertia);
    }
    must(perp_world_add_body(world, &body, &joint.j, &err), &err);
    add_shapes(world, k, joint.j);
    if (p->joint) {
        snprintf(joint.name, sizeof joint.name, "%s", p->name);
        must(perp_joint_attach(&joint, world, world->start, p->at, along,
                               p->joint[0] == 'u' ? p->across : NULL, &err),
             &err);
        must(perp_world_add_joint(world, &joint, NULL, &err), &err);
    }
}

static perp_world *humanoid(bool reduced)
{
    const perp_body ground = {.name = "ground", .motion = PERP_MOTION_STATIC};
    perp_shape plane = {.type = perp_shape_type_find("plane")};
    perp_world *world = NULL;
    perp_error err = {0};

    must(perp_world_new(&world, 3, &err), &err);
    must(perp_world_add_body(world, &ground, NULL, &err), &err);
    must(perp_world_add_shape(world, &plane, NULL, &err), &err);
    for (size_t k = 0; k < PARTS; k++) {
        add_part(world, k);
    }
    must(perp_world_reduce(world, NULL, &err), &err);
    if (!reduced) {
        perp_world_unreduce(world); /* from the same velocities */
    }
    return world;
}

static void choose_solver(const perp_solver_type **solver, perp_options *opt)
{
    perp_error err = {0};

    must(perp_solver_parse("nsgs", solver, opt, &err), &err);
    must(perp_options_set(opt, "tolerance", "1e-6", &err), &err);
    opt->brief = true; /* as a step asks it */
}

static perp_stepper *stand(perp_world *world, perp_scheme *scheme)
{
    const perp_solver_type *solver = NULL;
    perp_options opt;
    perp_stepper *stepper = NULL;
    perp_report r = {0};
    perp_error err = {0};

    perp_scheme_default(scheme);
    scheme->dt = 1e-3;
    choose_solver(&solver, &opt);
    must(perp_stepper_new(&stepper, world, scheme,
                          &(perp_stepper_options){
                              .solver = solver, .options = &opt, .state = world->start},
                          &err),
         &err);
    for (int k = 0; k < SETTLE; k++) {
        must(perp_stepper_step(stepper, &r, &err), &err);
    }
    return stepper;
}

/* In the mean of so many steps: seconds and sweeps of one; and how many were not solved,
 * or not with all contacts. */
typedef struct pace {
    double step, sweeps;
    size_t bad;
} pace;

/* The same steps in each repeat. */
static pace time_steps(perp_stepper *stepper)
{
    const size_t size = perp_stepper_state_size(stepper);
    double *state = filled(size);
    pace least = {.step = INFINITY};
    perp_report r = {0};
    perp_error err = {0};

    must(perp_stepper_save(stepper, state, size, &err), &err);
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double begin = 0.0;
        pace now = {0};

        must(perp_stepper_load(stepper, state, size, &err), &err);
        begin = work_clock();
        for (int k = 0; k < TIMED; k++) {
            must(perp_stepper_step(stepper, &r, &err), &err);
            now.bad += r.outcome != PERP_SOLVED || r.contacts != CONTACTS;
            now.sweeps += (double)r.iterations / TIMED;
        }
        now.step = (work_clock() - begin) / TIMED;
        least.step = fmin(least.step, now.step);
        least.sweeps = now.sweeps;
        least.bad = now.bad;
    }
    free(state);
    return least;
}

/* A step taken apart, at the state there is now. */
typedef struct apart {
    perp_world *world;
    const perp_scheme *scheme;
    perp_collide_settings settings;
    perp_collider *collider;
    perp_contacts contacts;
    perp_free_motion motion;
    perp_system system;
} apart;

static perp_status part_collide(apart *a, perp_error *err)
{
    return perp_collider_run(a->collider, a->world, a->world->start, &a->settings,
                             &a->contacts, err);
}

static perp_status part_motion(apart *a, perp_error *err)
{
    return perp_free_motion_run(&a->motion, a->world, a->world->start, a->scheme, err);
}

static perp_status part_rows(apart *a, perp_error *err)
{
    return perp_rows_write(&a->system.rows, a->world, a->world->start, &a->contacts,
                           a->scheme, err);
}

static perp_status part_formulate(apart *a, perp_error *err)
{
    return perp_system_formulate(&a->system, a->world, a->world->start, a->motion.u,
                                 &a->contacts, a->scheme, err);
}

typedef struct part_call {
    const char *name;
    perp_status (*call)(apart *a, perp_error *err);
} part_call;

static const part_call part_calls[] = {{"collide", part_collide},
                                       {"flow", part_motion},
                                       {"rows", part_rows},
                                       {"formulate", part_formulate},
                                       {NULL, NULL}};

/* Seconds of one call. */
static double time_part(apart *a, perp_status (*call)(apart *a, perp_error *err))
{
    double best = INFINITY;
    perp_error err = {0};

    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double begin = work_clock();

        for (int k = 0; k < CALLS; k++) {
            must(call(a, &err), &err);
        }
        best = fmin(best, (work_clock() - begin) / CALLS);
    }
    return best;
}

/* Seconds of a solution, from the impulses of the step before, in the mean of those that
 * follow: each at the state that a step left. */
static double time_solve_after(apart *a, perp_stepper *stepper)
{
    const perp_solver_type *solver = NULL;
    perp_options opt;
    perp_result *result = NULL;
    perp_report r = {0};
    perp_error err = {0};
    double sum = 0.0;

    choose_solver(&solver, &opt);
    for (int k = 0; k < TIMED; k++) {
        const perp_result *last = NULL;
        double begin = 0.0;

        must(perp_stepper_step(stepper, &r, &err), &err);
        for (const part_call *c = part_calls; c->name; c++) {
            must(c->call(a, &err), &err);
        }
        last = perp_stepper_result(stepper);
        must(perp_result_new(&result, a->system.problem.n, &err), &err);
        if (result->n == last->n) {
            memcpy(result->z, last->z, last->n * sizeof *last->z);
        }
        begin = work_clock();
        must(perp_solve(solver, &a->system.problem, &opt, result, &err), &err);
        sum += work_clock() - begin;
        perp_result_free(result);
    }
    return sum / TIMED;
}

/* What the parts of a step of `step` seconds cost. */
static void report_parts(perp_world *world, const perp_scheme *scheme,
                         perp_stepper *stepper, double step)
{
    apart a = {.world = world, .scheme = scheme, .settings = {.margin = scheme->margin}};
    double t = 0.0;
    double rest = step;
    perp_error err = {0};

    must(perp_collider_new(&a.collider, &err), &err);
    printf("    us of its parts: ");
    for (const part_call *c = part_calls; c->name; c++) {
        t = time_part(&a, c->call);
        rest -= t;
        printf("%s %.1f, ", c->name, 1e6 * t);
    }
    t = time_solve_after(&a, stepper);
    printf("solve %.1f, rest %.1f\n", 1e6 * t, 1e6 * (rest - t));
    perp_collider_free(a.collider);
    perp_contacts_clear(&a.contacts);
    perp_free_motion_clear(&a.motion);
    perp_system_clear(&a.system);
}

void bench_humanoid(void)
{
    const double stretch = time_stretch();

    for (int reduced = 1; reduced >= 0; reduced--) {
        perp_world *world = humanoid(reduced);
        size_t freedom = world->reduced ? world->start->trees->n : FREEDOM;
        perp_scheme scheme;
        perp_stepper *stepper = stand(world, &scheme);
        pace p = time_steps(stepper);

        printf("    %s coordinates: %zu rows, %.1f sweeps per step, %zu of %d steps "
               "unsolved or without %d contacts\n",
               reduced ? "reduced" : "maximal", perp_stepper_system(stepper)->rows.count,
               p.sweeps, p.bad, TIMED, CONTACTS);
        if (reduced) {
            demand(p.bad == 0 && freedom == FREEDOM);
            report("a step of a humanoid, 12 contacts / bound", p.step,
                   step_most * stretch, 1.0);
        } else {
            printf("    a step of %.1f us; no bound\n", 1e6 * p.step);
        }
        report_parts(world, &scheme, stepper, p.step);
        perp_stepper_free(stepper);
        perp_world_free(world);
    }
}
