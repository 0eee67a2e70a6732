/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/step.h: one step of a simulation and its measures.
 *
 *     collide, free motion, rows, formulate, solve, impulses, positions, correction
 *
 * A step is a sequence of functions that can also be called one by one:
 * perp_collider_run, perp_free_motion_run, perp_rows_write, perp_system_formulate,
 * perp_solve, perp_system_velocities, perp_free_motion_finish. */
#ifndef PERP_DYNAMICS_STEP_H
#define PERP_DYNAMICS_STEP_H

#include <perp/dynamics/integrate.h>
#include <perp/dynamics/system.h>
#include <perp/solver.h>

PERP_BEGIN_DECLS

/** Energy balance of a step [J]. The parts sum to the change of kinetic + potential +
 *  stored energy, up to rounding. The work of the impulse of a row, lambda (J u_free + J
 *  u+)/2, is split: lambda w is residual; lambda bias is stabilization and restitution,
 *  by the parts of the bias; the rest is normal or joints, including all work of soft
 *  rows and springs except their lambda w. The whole work of a row is friction
 *  (tangents), joints (motors) or restitution (normals in the second half of Poisson's
 *  law). Under the associated law lambda w of a normal is friction. */
#define PERP_LEDGER_LIST(X)                                                              \
    X(PERP_LEDGER_INTEGRATOR, "integrator") /* discretisation of the free motion */      \
    X(PERP_LEDGER_FORCES, "forces")         /* dampers, drag, loads, user's forces */    \
    X(PERP_LEDGER_JOINTS, "joints") /* joints, limits, motors, and energy stored in
                                     * springs */      \
    X(PERP_LEDGER_NORMAL, "normal") /* normal impulses, without the parts below */       \
    X(PERP_LEDGER_FRICTION, "friction")                                                  \
    X(PERP_LEDGER_RESTITUTION, "restitution")                                            \
    X(PERP_LEDGER_STABILIZATION, "stabilization") /* biases, and corrected positions */  \
    X(PERP_LEDGER_RESIDUAL, "residual")           /* lambda w, 0 in an exact solution */

typedef enum perp_ledger_part {
#define PERP_ENUM(name, text) name,
    PERP_LEDGER_LIST(PERP_ENUM)
#undef PERP_ENUM
        PERP_LEDGER_PARTS
} perp_ledger_part;
/** Names of the parts in order, terminated by NULL. */
extern const char *const perp_ledger_names[];

/** Measures of one step. */
typedef struct perp_report {
    size_t step;                       /**< from 1 */
    double t;                          /**< time at its end [s] */
    double kinetic, potential, stored; /**< at its end [J] */
    double ledger[PERP_LEDGER_PARTS];  /**< of this step [J] */
    double momentum[3];                /**< [kg m/s], at its end */
    double angular_momentum[3];        /**< about the origin [kg m^2/s], at its end */
    size_t contacts, rows;             /**< in the problem of the velocities */
    double penetration; /**< max(0, -gap) of the deepest contact at its end [m] */
    size_t pairs;       /**< pairs of shapes that this contact search tested */
    size_t unresolved;  /**< tested pairs that did not converge: see
                         *   perp_stepper_collision */
    double drift_length, drift_angle; /**< largest error of a joint at its end [m, rad] */
    double speed;                     /**< fastest centre of mass [m/s] */

    /* A step solves one problem; one before it for an impact, with a second half under Poisson's
     * law; one again for forces along joints (docs/integrators.md); and one for positions under
     * the split and the projected correction. Outcome and reason are those of the
     * first problem that was not solved, the residual is the largest, the other numbers
     * are sums. */
    perp_outcome outcome; /**< PERP_SOLVED if there were no rows */
    double residual;      /**< the residual, perp/residual.h */
    size_t iterations;
    perp_work work;
    double seconds;     /**< time of the solver [s] */
    size_t warm;        /**< blocks with a warm start */
    const char *reason; /**< reason of the result, "" if solved; valid until the next
                         *   step */
} perp_report;

/** Formulate the next step from a state without making it: contacts by the settings of
 *  the scheme, free motion, rows, and the problem with A, b and bounds. The problem
 *  equals, to the bit, the first one that perp_stepper_step solves from this state
 *  (unless that step reduces the correction because the step before it was not solved;
 *  see perp_stepper_step).
 *
 *  `state` is not changed and not needed afterwards. Zero `contacts` and `system` before
 *  their first use; they may be reused and keep their memory until perp_contacts_clear
 *  and perp_system_clear. In system->problem, w = A z + b:
 *
 *      n        rows: system->rows.count, under the pyramid one more for each contact
 *      A        n x n in the storage of the scheme; in factors it borrows J of the rows
 *      b        n [m/s or rad/s] = J u_free - bias
 *      set      bounds and cones of the impulses z [N s or N m s]
 *
 *      labels   one per block: names, point, normal, gap, key
 *      origin   time at the end of the step, dt, version and units
 *
 *  with u_free in system->u_free (6 per body) and names of rows by perp_system_name; all
 *  of it belongs to `system` and is valid until its next formulation. perp_system_export
 *  makes an independent copy. Without rows n is 0. If the step begins with an impact
 *  (docs/integrators.md), the problem is that of the impact, of its compression under Poisson's
 *  law: b = J u - bias without loads. PERP_ERR_OPTION: a scheme that perp_scheme_check refuses;
 *  PERP_ERR_DATA: a state or a free motion that is not finite; PERP_ERR_UNSUITABLE: two
 *  shapes within the margin that no algorithm supports, rolling friction that the model
 *  does not support; PERP_ERR_MEMORY. problem.n is then 0. */
perp_status perp_step_formulate(const perp_world *world, const perp_state *state,
                                const perp_scheme *scheme, perp_contacts *contacts,
                                perp_system *system, perp_error *err);

/** Makes the steps of one state of a world, with the memory that they need. */
typedef struct perp_stepper perp_stepper;

/** In place of a solver: 50 sweeps of sequential impulses [catto-2005] over the
 *  velocities of the bodies, equivalent to projected Gauss-Seidel. It supports the models
 *  box and frictionless in maximal coordinates; options are not read. It cannot solve a
 *  perp_problem and is in no list. */
extern const perp_solver_type perp_sequential_impulses_solver;

/** Options of a stepper. Zero: the defaults. */
typedef struct perp_stepper_options {
    const perp_solver_type
        *solver;                 /**< NULL: `auto`, which chooses a solver for the problem
                                     *   and keeps the friction model of the scheme */
    const perp_options *options; /**< of this solver, by perp_solver_parse; copied; NULL:
                                     *   its defaults */
    perp_state
        *state; /**< the state of the world to step, which must outlive the stepper;
                        *   NULL: a copy of world->start that the stepper owns */
    bool cold;  /**< do not start a solution from the impulses of the last step */
} perp_stepper_options;

/** Create a stepper for a world (borrowed; it must outlive the stepper) with a scheme
 *  (copied). `options` NULL: the defaults. PERP_ERR_OPTION: a scheme that perp_scheme_check
 *  refuses; PERP_ERR_UNSUITABLE: sequential impulses in reduced coordinates or with a
 *  model that they do not support; PERP_ERR_MEMORY. *stepper is NULL after a failure. */
perp_status perp_stepper_new(perp_stepper **stepper, const perp_world *world,
                             const perp_scheme *scheme,
                             const perp_stepper_options *options, perp_error *err);
/** The state that it steps. */
perp_state *perp_stepper_state(perp_stepper *stepper);
/** Set this state to world->start, with step 0 and without stored impulses.
 *  PERP_ERR_MEMORY; PERP_ERR_ARGUMENT: the state is world->start itself. */
perp_status perp_stepper_reset(perp_stepper *stepper, perp_error *err);
void perp_stepper_free(perp_stepper *stepper); /* NULL is allowed (no-op) */

/** Make one step. An outcome other than solved is no failure: the step uses the best
 *  point found, and the report has the outcome. If the options give max-iterations, the
 *  step uses the last point (unless `answer` is given) and sweeps alternate their
 *  direction (unless `order` or `threads` is given). After a step that was not solved,
 *  Baumgarte's correction removes penetrations up to the margin by 0.15 erp per step
 *  instead of erp, and the starting impulses of the next step are damped towards their
 *  running mean, so that piles neither oscillate nor creep. PERP_ERR_DATA: a state that
 *  is not finite, with the name of the body and the time; PERP_ERR_UNSUITABLE: a pair of
 *  shape types that no algorithm supports, rolling friction that the model does not
 *  support, a problem that the solver does not support, sequential impulses in a world
 *  that was reduced meanwhile, disabled links of trees; PERP_ERR_NOT_SOLVED: the solution
 *  was interrupted (`interrupt` of the options), so that no step was made;
 *  PERP_ERR_ARGUMENT: a state that does not fit the world; PERP_ERR_MEMORY. After a
 *  failure the state is unchanged, to the bit, and the report is not written. A step does
 *  not move the arrays of the state. Between steps poses, velocities, loads, materials,
 *  and sizes and poses of shapes may be changed, and bodies, shapes, joints and forces
 *  may be added to the world and removed from it; then call perp_state_extend or
 *  perp_state_remove for a state other than world->start. The next step reuses the contacts
 *  found at the end of a step only if poses, velocities and everything in the world that
 *  contacts depend on are unchanged. Meshes and hulls are compared by their pointers. */
perp_status perp_stepper_step(perp_stepper *stepper, perp_report *report,
                              perp_error *err);

/** Set the length of the steps that follow [s], in place of dt of the scheme: for the last
 *  step of a run that ends at a time which dt does not divide. erp of the scheme is then
 *  scaled by dt'/dt, so that corrections have the velocities of other steps. dt of the
 *  scheme restores the scheme, with all bits. PERP_ERR_OPTION: dt is not positive. */
perp_status perp_stepper_set_dt(perp_stepper *stepper, double dt, perp_error *err);

/** Set the function that decides for each pair of shapes that come near each other whether
 *  they may touch; it replaces the one set before. NULL: all may. `context` is passed to it.
 *  It must depend on world, state and context only if a run is to have the same bits again.
 *  Contacts are then searched at the start of every step. */
void perp_stepper_set_filter(perp_stepper *stepper, perp_collide_filter *filter,
                             void *context);

/** System, contacts and result of the last step; valid until the next step. Before the
 *  first step, and without rows, the system is empty (problem.n = 0) and the result is
 *  NULL; after a failed step they have the values reached so far. The result is that of
 *  the first solution of the step (not of the second half of Poisson's law or of the
 *  correction of positions), and only the residual among its measures is computed. */
const perp_system *perp_stepper_system(const perp_stepper *stepper);
const perp_contacts *perp_stepper_contacts(const perp_stepper *stepper);
const perp_result *perp_stepper_result(const perp_stepper *stepper);
/* Mean forces in the last step: impulses over dt, in world axes, at the poses of the
 * start of the step. They are 0 before the first step, after a step that failed early or a
 * removal, and where there were no rows. */

/** Force [N] and torque [N m] about the centre of mass that joint number `joint`, with
 *  its limits, motors and springs, applies to body j. The opposite force acts on body i.
 *  PERP_ERR_ARGUMENT: unknown joint; PERP_ERR_UNSUITABLE: the joint is eliminated in
 *  reduced coordinates; force is 0 after a failure. */
perp_status perp_stepper_joint_force(const perp_stepper *stepper, size_t joint,
                                     double force[6], perp_error *err);
/** Force [N] on body j at contact number `contact` of perp_stepper_contacts, and the
 *  torque of rolling friction [N m]. PERP_ERR_ARGUMENT: unknown contact; force is then
 *  0. */
perp_status perp_stepper_contact_force(const perp_stepper *stepper, size_t contact,
                                       double force[6], perp_error *err);
/** Forces of single rows [N or N m]: the rows of joint or contact number `source` in the
 *  order in which they are written; for LIMIT, MOTOR, SPRING and GEAR the rows of free axis
 *  `axis`, the lower limit before the upper one; for other roles axis is 0. At most
 *  `most` forces are stored in `force`. Returns the number of rows, which may be 0. */
size_t perp_stepper_row_forces(const perp_stepper *stepper, perp_role role, size_t source,
                               unsigned axis, size_t most, double *force);
/** Report of the contact search at the end of the last step, at the present poses; all
 *  zero before the first step. */
const perp_collide_report *perp_stepper_collision(const perp_stepper *stepper);

/** Save all data that the next step depends on, so that a run that is stopped and resumed
 *  has the same bits. The data are one flat array of doubles (integers by their bits):
 *  step, time, poses, velocities, loads, coordinates of axes, q and qd, and the starting
 *  impulses of the next solution. The size changes from step to step. PERP_ERR_ARGUMENT:
 *  another size, or a state that does not fit the world; nothing is written then. */
size_t perp_stepper_state_size(const perp_stepper *stepper);
perp_status perp_stepper_save(const perp_stepper *stepper, double *state, size_t size,
                              perp_error *err);
/** Load saved data into a stepper with the same scheme and solver, for a world with the
 *  same bodies and joints. PERP_ERR_DATA: a different number of bodies, joints or
 *  coordinates, a size that contradicts the head of the data, a number that is not
 *  finite; PERP_ERR_ARGUMENT: a state that does not fit the world; PERP_ERR_MEMORY. World
 *  and stepper are unchanged after a failure. */
perp_status perp_stepper_load(perp_stepper *stepper, const double *state, size_t size,
                              perp_error *err);

/** A measure of a step: a column of tables and trajectories. */
typedef struct perp_metric {
    const char *name;    /**< "kinetic" */
    const char *unit;    /**< "J", "" */
    const char *summary; /**< one line */
    double (*value)(const perp_report *report);
} perp_metric;

/** All metrics, *count of them. The metric with this name, or NULL. */
const perp_metric *const *perp_metrics(size_t *count);
const perp_metric *perp_metric_find(const char *name);

PERP_END_DECLS

#endif
