/* SPDX-License-Identifier: Apache-2.0
 * tests/support/course.h: small scenes run under chosen integrators, coordinates,
 * corrections and laws of impact. What fails is noted with these choices. */
#ifndef PERP_TEST_DYNAMICS_COURSE_H
#define PERP_TEST_DYNAMICS_COURSE_H

#include "dynamics.h"

/** A scene and how it is run. Texts have ' in place of ". */
typedef struct course_case {
    const char *name, *text;
    int integrator, stabilize, law;
    bool reduced;
    double dt;             /* [s] */
    const char *tolerance; /* of the solver; NULL: 1e-12 */
} course_case;

/** A case at work. */
typedef struct course {
    course_case at;
    perp_world *world;
    perp_stepper *stepper;
    perp_report report;
    double start_energy, energy;      /* [J] */
    double ledger[PERP_LEDGER_PARTS]; /* sums [J] */
    bool good;
} course;

/** Start it with `auto`; asserts. */
course course_begin(const course_case *at);
/** Steps, each solved, with a balance that closes to 1e-12 of its largest term; false,
 *  with a note, where one is not. */
bool course_steps(course *c, size_t n);
/** Note the case and what was found and expected, once for each run. */
void course_wrong(course *c, const char *what, double found, double expected);
/** Note it unless |found - expected| <= tolerance. */
bool course_agree(course *c, const char *what, double found, double expected,
                  double tolerance);

/** The last body that is dynamic. */
size_t course_body(const course *c);
/** Assert that the run was good, and free it. */
void course_end(course *c);

/** Call run for every integrator, correction and, where `joints`, coordinates. */
void course_each(course_case at, bool joints, void (*run)(const course_case *at));

#endif
