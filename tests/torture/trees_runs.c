/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/trees_runs.c: a world with trees into reduced coordinates and back, and
 * its runs; all that must hold of a case. */
#include <config.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trees.h"

enum { STEPS = 12 };

void torture_fault(forest_trial *t, const char *format, ...)
{
    va_list list;

    if (!t->fault[0]) {
        va_start(list, format);
        vsnprintf(t->fault, sizeof t->fault, format, list);
        va_end(list);
    }
}

void torture_within(forest_trial *t, const char *what, double miss, double share,
                    double size)
{
    if (!(miss <= share * size)) {
        torture_fault(t, "%s: off by %.3g, expected at most %.3g", what, miss,
                      share * size);
    }
}

double torture_apart(const double *x, const double *y, size_t n)
{
    double most = 0.0;

    for (size_t k = 0; k < n; k++) {
        const double miss = fabs(x[k] - y[k]);

        most = miss <= most ? most : miss; /* NaN stays */
    }
    return most;
}

double torture_largest(const double *x, size_t n)
{
    double most = 0.0;

    for (size_t k = 0; k < n; k++) {
        most = fmax(most, fabs(x[k]));
    }
    return most;
}

perp_world *torture_forest_grow(forest_trial *t, bool reduced)
{
    perp_error err = {0};
    perp_world *world =
        t->make ? t->make() : torture_forest_draw(t->seed, t->index, &t->told, &err);

    if (world && reduced && perp_world_reduce(world, &t->told.how, &err) != PERP_OK) {
        perp_world_free(world);
        world = NULL;
    }
    if (!world) {
        torture_fault(t, "%s", err.text);
    }
    return world;
}

/* Poses as rotation matrices would see them: a quaternion and its negative are one. */
static double poses_apart(const perp_world *w, const double *s)
{
    double most = 0.0;

    for (size_t k = 0; k < w->body_count; k++) {
        const double *p = w->start->s + 7 * k;
        const double *q = s + 7 * k;
        const double sign =
            p[3] * q[3] + p[4] * q[4] + p[5] * q[5] + p[6] * q[6] < 0 ? -1 : 1;

        most = fmax(most, torture_apart(p, q, 3));
        for (int c = 3; c < 7; c++) {
            most = fmax(most, fabs(p[c] - sign * q[c]));
        }
    }
    return most;
}

/* Coordinates of these poses, and poses of these coordinates. */
static void check_ways_back(forest_trial *t, perp_world *w)
{
    const size_t n = w->body_count;
    const size_t links = w->start->trees->count;
    double *kept = calloc(13 * n, sizeof *kept);
    perp_error err = {0};
    double size = 1.0 + torture_largest(w->start->u, 6 * n);

    if (!kept) {
        torture_fault(t, "no memory");
        return;
    }
    memcpy(kept, w->start->s, 7 * n * sizeof *kept);
    memcpy(kept + 7 * n, w->start->u, 6 * n * sizeof *kept);
    for (int way = 0; way < 3; way++) {
        static const char *const ways[] = {"scatter", "gather",
                                           "leaving and coming back"};
        perp_status status = PERP_OK;

        if (way == 2) {
            perp_world_unreduce(w);
            status = perp_world_reduce(w, &t->told.how, &err);
        } else {
            status = way ? perp_world_fit_coordinates(w, w->start, &err)
                         : perp_world_forward_kinematics(w, w->start, &err);
        }
        if (status != PERP_OK) {
            torture_fault(t, "%s: %s", ways[way], err.text);
            break;
        }
        torture_within(t, ways[way], poses_apart(w, kept), 1e-13,
                       (double)links * t->told.lengths);
        torture_within(t, ways[way], torture_apart(w->start->u, kept + 7 * n, 6 * n),
                       1e-12, (double)links * size * t->told.lengths);
    }
    free(kept);
}

static double energy(const perp_world *w)
{
    return perp_world_kinetic(w, w->start) + perp_world_potential(w, w->start) +
           perp_world_stored(w, w->start);
}

static void check_step(forest_trial *t, const perp_stepper *stepper, const perp_world *w,
                       const perp_report *report, double before)
{
    const perp_reduced *r = w->reduced;
    const perp_problem *p = &perp_stepper_system(stepper)->problem;
    double largest = fmax(fabs(report->kinetic), fabs(report->potential));
    double sum = 0.0;

    largest = fmax(fmax(largest, fabs(report->stored)), fabs(before));
    for (int k = 0; k < PERP_LEDGER_PARTS; k++) {
        sum += report->ledger[k];
        largest = fmax(largest, fabs(report->ledger[k]));
    }
    for (size_t k = 0; report->rows > 0 && k < p->n; k++) {
        largest += fabs(perp_stepper_result(stepper)->z[k] * p->b[k]);
    }
    torture_within(t, "books", fabs(sum - (energy(w) - before)), 1e-10,
                   largest); /* of sums of sums */
    for (size_t j = 0; j < r->joints; j++) {
        double length = 0.0;
        double angle = 0.0;

        if (r->joint_link[j] >= 0) {
            perp_joint_drift(&w->joints[j], w, w->start, &length, &angle);
            torture_within(
                t, "an eliminated joint", fmax(length, angle), 1e-12,
                (double)r->tree->count *
                    (t->told.lengths + torture_largest(w->start->s, 7 * w->body_count)));
        }
    }
    t->at->steps++;
}

/* Whether the last step was solved, by impulses that mean something. */
static bool was_sound(const perp_stepper *stepper, const perp_report *report)
{
    const perp_result *r = perp_stepper_result(stepper);

    return report->outcome == PERP_SOLVED && report->speed < torture_speed &&
           (report->rows == 0 ||
            torture_largest(r->z, perp_stepper_system(stepper)->problem.n) <
                torture_sound);
}

static bool take_step(forest_trial *t, perp_stepper *stepper, perp_report *report)
{
    perp_error err = {0};
    perp_status status = perp_stepper_step(stepper, report, &err);

    if (status != PERP_OK) {
        torture_fault(t, "step %zu: %s", report->step + 1, err.text);
    }
    return status == PERP_OK;
}

static bool load(forest_trial *t, const perp_stepper *from, perp_stepper *to)
{
    const size_t size = perp_stepper_state_size(from);
    double *state = calloc(size + 1, sizeof *state);
    perp_error err = {0};
    bool ok = state != NULL;

    if (ok) {
        ok = perp_stepper_save(from, state, size, &err) == PERP_OK &&
             perp_stepper_load(to, state, size, &err) == PERP_OK;
    }
    if (!ok) {
        torture_fault(t, "load: %s", err.text);
    }
    free(state);
    return ok;
}

static bool same_bits(const perp_world *a, const perp_world *b)
{
    const size_t n = a->body_count;
    const size_t bytes = a->start->trees->n * sizeof(double);

    return memcmp(a->start->s, b->start->s, 7 * n * sizeof *a->start->s) == 0 &&
           memcmp(a->start->u, b->start->u, 6 * n * sizeof *a->start->u) == 0 &&
           memcmp(a->start->trees->q, b->start->trees->q, bytes) == 0 &&
           memcmp(a->start->trees->qd, b->start->trees->qd, bytes) == 0;
}

static perp_stepper *stepper_of(forest_trial *t, perp_world *world)
{
    const perp_solver_type *type = NULL;
    perp_stepper *stepper = NULL;
    perp_options opt;
    perp_error err = {0};

    if (!world || perp_solver_parse("auto", &type, &opt, &err) != PERP_OK ||
        perp_stepper_new(&stepper, world, &t->told.scheme,
                         &(perp_stepper_options){
                             .solver = type, .options = &opt, .state = world->start},
                         &err) != PERP_OK) {
        torture_fault(t, "stepper: %s", err.text);
    }
    return stepper;
}

/* A run with books; half of its way another one takes over its state. */
static void check_run(forest_trial *t)
{
    perp_world *a = torture_forest_grow(t, true);
    perp_world *b = torture_forest_grow(t, true);
    perp_stepper *first = stepper_of(t, a);
    perp_stepper *second = stepper_of(t, b);
    perp_report report = {0};
    perp_report other = {0};

    for (int k = 0; first && second && k < STEPS && !t->fault[0]; k++) {
        double before = energy(a);

        if (!take_step(t, first, &report)) {
            break;
        }
        if (!was_sound(first, &report)) {
            t->at->failed++;
            break;
        }
        check_step(t, first, a, &report, before);
        if (k == STEPS / 2 && !load(t, first, second)) {
            break;
        }
        if (k > STEPS / 2 && (!take_step(t, second, &other) || !same_bits(a, b))) {
            torture_fault(t, "a saved run goes on with other bits");
        }
    }
    perp_stepper_free(first);
    perp_stepper_free(second);
    perp_world_free(a);
    perp_world_free(b);
}

void torture_check_case(forest_trial *t)
{
    perp_world *maximal = torture_forest_grow(t, false);
    perp_world *reduced = torture_forest_grow(t, true);

    if (maximal && reduced) {
        perp_articulation *tree = reduced->start->trees;

        t->at->links += tree->count;
        t->at->coordinates += tree->n;
        t->at->loops += reduced->joint_count;
        for (size_t j = 0; j < reduced->reduced->joints; j++) {
            t->at->loops -= reduced->reduced->joint_link[j] >= 0;
        }
        check_ways_back(t, reduced);
        torture_check_algorithms(t, reduced);
        if (!t->told.rotors) {
            torture_check_coordinates(t, maximal, reduced);
        }
        torture_check_charts(t, reduced);
        check_run(t);
    }
    perp_world_free(maximal);
    perp_world_free(reduced);
}
