/* SPDX-License-Identifier: Apache-2.0
 * tests/support/world_run.h: runs of small worlds, every step of which keeps its books. */
#ifndef PERP_TEST_DYNAMICS_RUN_H
#define PERP_TEST_DYNAMICS_RUN_H

#include "dynamics.h"

/** A world at work, and the report of its last step. */
typedef struct run {
    perp_world *world;
    perp_stepper *stepper;
    perp_report report;
    double energy;   /* before the next step */
    size_t unsolved; /* steps whose solver did not solve */
} run;

/** Steps of `world` (taken over) by a solver and settings, "nsgs tolerance=1e-12", or
 *  NULL for sequential impulses; asserts. */
run run_begin(perp_world *world, const perp_scheme *scheme, const char *solver,
              bool warm);
/** n steps; asserts that each works, that its ledger sums to the change of energy to
 *  1e-12 of its largest term, and that the worlds stays finite. */
void run_steps(run *r, size_t n);
/** A solver and its options from "nsgs tolerance=1e-12"; asserts. Sequential impulses,
 *  without options, for NULL. */
const perp_solver_type *run_solver(const char *text, perp_options *opt);

/** The scheme of most tests: defaults, step dt, no correction of positions. */
perp_scheme run_scheme(double dt);
/** The same by an integrator, PERP_INTEGRATOR_…. */
perp_scheme run_scheme_by(int integrator, double dt);
/** One implicit flow of a world, as scarce_everywhere takes it. */
perp_status run_implicit_motion(void *world, perp_error *err);

/** Bodies with a shape of material 0; m = 0: static. */
int32_t run_ball(perp_world *world, const char *name, double m, double radius, double x,
                 double y, double z);
int32_t run_box(perp_world *world, const char *name, double m, const double half[3],
                double x, double y, double z);
/** A static body "ground" with a plane, solid below z = 0. */
int32_t run_ground(perp_world *world);
/** What material 0 is, and so every pair. */
void run_material(perp_world *world, double mu, double restitution);
/** A joint of that type between bodies at a world point and axis (each may be NULL);
 *  where it has two axes with an angle, the other one is across. */
perp_joint *run_joint(perp_world *world, const char *type, int32_t i, int32_t j,
                      const double at[3], const double along[3]);

#endif
