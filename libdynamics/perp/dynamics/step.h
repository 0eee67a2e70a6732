/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/step.h: one step of a simulation, and what is measured on it.
 *
 *     collide, free flow, rows, formulate, solve, impulses, positions, correction
 *
 * A step is only the sequence of functions that can be called alone: perp_collide,
 * perp_flow_run, perp_rows_write, perp_system_formulate, perp_solve,
 * perp_system_velocities, perp_flow_finish. */
#ifndef PERP_DYNAMICS_STEP_H
#define PERP_DYNAMICS_STEP_H

#include <perp/dynamics/integrate.h>
#include <perp/dynamics/system.h>
#include <perp/solver.h>

PERP_BEGIN_DECLS

/** Where the energy of a step went [J]. The parts sum to the change of kinetic +
 *  potential + stored energy, to rounding; work of impulses is split row by row as
 *  lambda (J u_free + J u+)/2 = -lambda (W lambda)/2 + lambda bias + lambda w. */
#define PERP_LEDGER_LIST(X)                                                              \
    X(PERP_LEDGER_INTEGRATOR, "integrator") /* discretisation of the free flow */        \
    X(PERP_LEDGER_FORCES, "forces")         /* dampers, drag, loads, the user's */       \
    X(PERP_LEDGER_JOINTS, "joints") /* joints, limits, motors, springs of axes */        \
    X(PERP_LEDGER_NORMAL, "normal") /* normal impulses, without what follows */          \
    X(PERP_LEDGER_FRICTION, "friction")                                                  \
    X(PERP_LEDGER_RESTITUTION, "restitution")                                            \
    X(PERP_LEDGER_STABILIZATION, "stabilization") /* biases, and moved positions */      \
    X(PERP_LEDGER_RESIDUAL, "residual")           /* lambda w that should be 0 */

typedef enum perp_ledger_part {
#define PERP_ENUM(name, text) name,
    PERP_LEDGER_LIST(PERP_ENUM)
#undef PERP_ENUM
        PERP_LEDGER_PARTS
} perp_ledger_part;
extern const char *const perp_ledger_names[];

/** What one step was. */
typedef struct perp_report {
    size_t step;                       /**< from 1 */
    double t;                          /**< at its end [s] */
    double kinetic, potential, stored; /**< at its end [J] */
    double ledger[PERP_LEDGER_PARTS];  /**< of this step [J] */
    double momentum[3], angular_momentum[3];
    size_t contacts, rows;
    double penetration; /**< deepest at its end's contact search: max(0, -gap) [m] */
    double drift_length, drift_angle; /**< of joints, at its end [m, rad] */
    double speed;                     /**< fastest centre of mass [m/s] */

    perp_outcome
        outcome;     /**< of the solver; PERP_SOLVED when there was nothing to solve */
    double residual; /**< RES */
    size_t iterations;
    perp_work work;
    double seconds; /**< solving */
    size_t warm;    /**< blocks that had a warm start */
    const char
        *story; /**< the result's reason, "" when solved; valid until the next step */
} perp_report;

typedef struct perp_stepper perp_stepper;

/** Steps of `world` (borrowed) by a scheme and a solver: `opt` (copied) as made by
 *  perp_solver_parse, or NULL. `warm`: impulses of the last step start the next one. A
 *  solver of NULL runs sequential impulses (50 sweeps) instead, under the box model. */
perp_status perp_stepper_new(perp_stepper **stepper, perp_world *world,
                             const perp_scheme *scheme, const perp_solver_type *solver,
                             const perp_options *opt, bool warm, perp_error *err);
void perp_stepper_free(perp_stepper *stepper); /* takes NULL */

/** One step. An outcome other than solved is no failure: the step is made with the best
 *  point found and the report says so. PERP_ERR_DATA: a state that is not finite, with
 *  the name of the body and the time; the world is then as before the step. */
perp_status perp_stepper_step(perp_stepper *stepper, perp_report *report,
                              perp_error *err);

/** What the last step solved; valid until the next one. */
const perp_system *perp_stepper_system(const perp_stepper *stepper);
const perp_contacts *perp_stepper_contacts(const perp_stepper *stepper);
const perp_result *perp_stepper_result(const perp_stepper *stepper);

/** Everything the next step depends on, so that a run that stops and goes on has the same
 *  bits: one flat array of doubles (the bits of integers in it). */
size_t perp_stepper_state_size(const perp_stepper *stepper);
void perp_stepper_save(const perp_stepper *stepper, double *state);
perp_status perp_stepper_load(perp_stepper *stepper, const double *state, size_t size,
                              perp_error *err);

/** A number that a run is measured by, one a step: columns of tables and trajectories. */
typedef struct perp_metric {
    const char *name;    /**< "kinetic" */
    const char *unit;    /**< "J", "" */
    const char *summary; /**< one line */
    double (*value)(const perp_report *report);
} perp_metric;

const perp_metric *const *perp_metrics(size_t *count);
const perp_metric *perp_metric_find(const char *name);

PERP_END_DECLS

#endif
