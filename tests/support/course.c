/* SPDX-License-Identifier: Apache-2.0
 * tests/support/course.c: small scenes run under chosen integrators and laws. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "course.h"
#include "scene_text.h"

static double world_energy(const perp_world *w)
{
    return perp_world_kinetic(w, w->start) + perp_world_potential(w, w->start) +
           perp_world_stored(w, w->start);
}

course course_begin(const course_case *at)
{
    course c = {.at = *at, .good = true};
    perp_scene *scene = scene_text_named(at->name, at->text);
    perp_options opt;
    perp_error err = {0};

    scene->scheme.integrator = (perp_integrator)at->integrator;
    scene->scheme.stabilize = (perp_stabilize)at->stabilize;
    scene->scheme.restitution = (perp_restitution)at->law;
    scene->scheme.dt = at->dt;
    c.world = test_keep(scene->world, test_free_world);
    scene->world = NULL;
    if (at->reduced) {
        OK(perp_world_reduce(c.world, NULL, &err));
    }
    OK(perp_solver_parse("auto", NULL, &opt, &err));
    CU_ASSERT_EQUAL_FATAL(perp_options_set(&opt, "tolerance",
                                           at->tolerance ? at->tolerance : "1e-12", &err),
                          PERP_OK);
    if (perp_stepper_new(
            &c.stepper, c.world, &scene->scheme,
            &(perp_stepper_options){.options = &opt, .state = c.world->start},
            &err) != PERP_OK) {
        test_note("%s: %s", at->name, err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(c.stepper);
    perp_world_refresh(c.world, c.world->start);
    c.start_energy = c.energy = world_energy(c.world);
    return c;
}

static void course_note(const course *c, const char *text)
{
    test_note("%s, %s, %s, %s, %s, dt %.3g, t = %.6g: %s", c->at.name,
              perp_integrator_names[c->at.integrator],
              c->at.reduced ? "reduced" : "maximal",
              perp_stabilize_names[c->at.stabilize], perp_restitution_names[c->at.law],
              c->at.dt, c->report.t, text);
}

void course_wrong(course *c, const char *what, double found, double expected)
{
    char text[160];

    if (c->good) {
        snprintf(text, sizeof text, "%s is %.9g, expected %.9g", what, found, expected);
        course_note(c, text);
    }
    c->good = false;
}

bool course_agree(course *c, const char *what, double found, double expected,
                  double tolerance)
{
    if (!(fabs(found - expected) <= tolerance)) {
        course_wrong(c, what, found, expected);
        return false;
    }
    return true;
}

static bool course_balance(course *c)
{
    const perp_report *r = &c->report;
    double largest = fmax(fmax(fabs(r->kinetic), fabs(r->potential)), fabs(r->stored));
    double energy = r->kinetic + r->potential + r->stored;
    double before = c->energy;
    double sum = 0.0;

    largest = fmax(1.0, fmax(largest, fabs(before)));
    for (int k = 0; k < PERP_LEDGER_PARTS; k++) {
        sum += r->ledger[k];
        c->ledger[k] += r->ledger[k];
        largest = fmax(largest, fabs(r->ledger[k]));
    }
    c->energy = energy;
    return course_agree(c, "sum of the ledger", sum, energy - before, 1e-12 * largest);
}

bool course_steps(course *c, size_t n)
{
    bool good = true;

    for (size_t k = 0; k < n && good; k++) {
        perp_error err = {0};

        if (perp_stepper_step(c->stepper, &c->report, &err) != PERP_OK) {
            course_note(c, err.text);
            good = c->good = false;
        } else if (c->report.outcome != PERP_SOLVED) {
            course_note(c, c->report.reason);
            good = c->good = false;
        } else {
            good = course_balance(c);
        }
    }
    return good;
}

size_t course_body(const course *c)
{
    size_t k = c->world->body_count - 1;

    while (k > 0 && c->world->motion[k] != PERP_MOTION_DYNAMIC) {
        k--;
    }
    return k;
}

void course_end(course *c)
{
    CU_ASSERT(c->good);
    perp_stepper_free(c->stepper);
    perp_world_free(c->world);
}

void course_each(course_case at, bool joints, void (*run)(const course_case *at))
{
    for (at.integrator = 0; perp_integrator_names[at.integrator]; at.integrator++) {
        for (at.stabilize = 0; perp_stabilize_names[at.stabilize]; at.stabilize++) {
            for (int reduced = 0; reduced <= joints; reduced++) {
                size_t mark = test_mark();

                at.reduced = reduced;
                run(&at);
                test_release(mark);
            }
        }
    }
}
