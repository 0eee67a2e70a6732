/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/step.h: one step of a simulation, and what is measured on it.
 *
 *     collide, free motion, rows, formulate, solve, impulses, positions, correction
 *
 * A step is only the sequence of functions that can be called alone: perp_collider_run,
 * perp_free_motion_run, perp_rows_write, perp_system_formulate, perp_solve,
 * perp_system_velocities, perp_free_motion_finish. */
#ifndef PERP_DYNAMICS_STEP_H
#define PERP_DYNAMICS_STEP_H

#include <perp/dynamics/integrate.h>
#include <perp/dynamics/system.h>
#include <perp/solver.h>

PERP_BEGIN_DECLS

/** Where the energy of a step went [J]. The parts sum to the change of kinetic +
 *  potential + stored energy, to rounding. Work of impulses, lambda (J u_free + J u+)/2 a
 *  row, is split: lambda w is residual; lambda bias is stabilization and restitution, by
 *  the parts of the bias; the rest, with all that soft rows and springs do but for their
 *  lambda w, is normal or joints. Whole rows go to friction (tangents), joints (motors)
 *  and restitution (normals in the second half of Poisson's law). Under the associated
 *  law lambda w of a normal is friction. */
#define PERP_LEDGER_LIST(X)                                                              \
    X(PERP_LEDGER_INTEGRATOR, "integrator") /* discretisation of the free motion */      \
    X(PERP_LEDGER_FORCES, "forces")         /* dampers, drag, loads, the user's */       \
    X(PERP_LEDGER_JOINTS, "joints") /* joints, limits, motors, and what springs store */ \
    X(PERP_LEDGER_NORMAL, "normal") /* normal impulses, without what follows */          \
    X(PERP_LEDGER_FRICTION, "friction")                                                  \
    X(PERP_LEDGER_RESTITUTION, "restitution")                                            \
    X(PERP_LEDGER_STABILIZATION, "stabilization") /* biases, and moved positions */      \
    X(PERP_LEDGER_RESIDUAL, "residual")           /* lambda w, 0 in an exact solution */

typedef enum perp_ledger_part {
#define PERP_ENUM(name, text) name,
    PERP_LEDGER_LIST(PERP_ENUM)
#undef PERP_ENUM
        PERP_LEDGER_PARTS
} perp_ledger_part;
/** Names of the parts, in their order, and NULL. */
extern const char *const perp_ledger_names[];

/** What one step was. */
typedef struct perp_report {
    size_t step;                       /**< from 1 */
    double t;                          /**< at its end [s] */
    double kinetic, potential, stored; /**< at its end [J] */
    double ledger[PERP_LEDGER_PARTS];  /**< of this step [J] */
    double momentum[3];                /**< [kg m/s], at its end */
    double angular_momentum[3];        /**< about the origin [kg m^2/s], at its end */
    size_t contacts, rows;             /**< that the velocities were solved with */
    double penetration; /**< deepest at its end's contact search: max(0, -gap) [m] */
    size_t pairs;       /**< of shapes that this search looked at */
    size_t unresolved;  /**< of them, that did not converge: perp_stepper_collision */
    double drift_length, drift_angle; /**< of joints, at its end [m, rad] */
    double speed;                     /**< fastest centre of mass [m/s] */

    /* A step solves once, under Poisson's law twice, and for positions under the split
     * and the projected correction as well: outcome and story are those of the first
     * solution that was not solved, the residual the largest, the others sums. */
    perp_outcome outcome; /**< PERP_SOLVED when there was nothing to solve */
    double residual;      /**< the residual, perp/residual.h */
    size_t iterations;
    perp_work work;
    double seconds;     /**< solving */
    size_t warm;        /**< blocks that had a warm start */
    const char *reason; /**< the result's reason, "" when solved; until the next step */
} perp_report;

/** A, b and bounds of the next step from a state, without a step: contacts by the
 *  settings of the scheme, free motion, rows, problem. It is the first problem that
 *  perp_stepper_step solves there, to the bit (unless that step softens contacts because the
 *  step before it was not solved; see perp_stepper_step).
 *
 *  `state` is not changed and not needed afterwards. `contacts` and `system` are zeroed
 *  before their first use; they may be used again and keep their memory until
 *  perp_contacts_clear and perp_system_clear. In system->problem, w = A z + b:
 *
 *      n        rows: system->rows.count, under the pyramid one more for each contact
 *      A        n x n in the storage of the scheme; in factors it borrows J of the rows
 *      b        n [m/s or rad/s] = J u_free - bias
 *      set      bounds and cones of the impulses z [N s or N m s]
 *
 *  with u_free in system->u_free (6 per body) and names of rows by perp_system_name; all
 *  of it belongs to `system` and is valid until its next formulation. A copy that owns
 *  itself: perp_system_export. Without rows n is 0. With Poisson's law it is the problem
 *  of the compression.
 *  PERP_ERR_OPTION: a scheme that perp_scheme_check refuses; PERP_ERR_DATA: a state or a
 *  free motion that is not finite; PERP_ERR_UNSUITABLE: two shapes that come near and
 *  that no algorithm takes, rolling friction that the model does not have;
 *  PERP_ERR_MEMORY. problem.n is then 0. */
perp_status perp_step_formulate(const perp_world *world, const perp_state *state,
                                const perp_scheme *scheme, perp_contacts *contacts,
                                perp_system *system, perp_error *err);

/** Makes the steps of one state of a world, with the memory that they need. */
typedef struct perp_stepper perp_stepper;

/** In a solver's place: 50 sweeps of sequential impulses [catto-2005] over the velocities of
 *  the bodies, equal to projected Gauss-Seidel. Models box and frictionless, maximal
 *  coordinates; options are not read. It is no solver of problems and is in no list. */
extern const perp_solver_type perp_sequential_impulses_solver;

/** Steps of `world` (borrowed, it outlives the stepper) by a scheme (copied) and a
 *  solver: `opt` (copied) as made by perp_solver_parse for it, or NULL for its defaults. A
 *  solver of NULL is `auto`, which chooses one for the problem, with the friction model as
 *  the scheme has it; opt is then NULL or made for `auto`. `warm`: impulses of the last
 *  step start the next one, where the solver takes a start.
 *  PERP_ERR_OPTION: a scheme that perp_scheme_check refuses; PERP_ERR_UNSUITABLE:
 *  sequential impulses in reduced coordinates or with a model that they do not take;
 *  PERP_ERR_MEMORY. *stepper is NULL after a failure. */
perp_status perp_stepper_new(perp_stepper **stepper, const perp_world *world,
                             perp_state *state, const perp_scheme *scheme,
                             const perp_solver_type *solver, const perp_options *opt,
                             bool warm, perp_error *err);
void perp_stepper_free(perp_stepper *stepper); /* takes NULL */

/** One step. An outcome other than solved is no failure: the step is made with the best
 *  point found and the report says so. Where the options give max-iterations it is made with the
 *  last point, and sweeps alternate their direction, unless `answer` and `order` are given, too;
 *  after a step that was not solved, Baumgarte's correction removes penetrations up to the
 *  margin by 0.15 erp per step instead of erp, and the impulses that start the next one are
 *  damped towards their running mean, so that piles neither oscillate nor creep.
 *  PERP_ERR_DATA: a state that is not finite, with
 *  the name of the body and the time; PERP_ERR_UNSUITABLE: shapes that nothing meets,
 *  rolling friction that the model has not, a problem that the solver does not take,
 *  sequential impulses in a world that was reduced meanwhile, disabled links of trees;
 *  PERP_ERR_NOT_SOLVED: the solution
 *  was interrupted (`interrupt` of the options), so that the step is not made;
 *  PERP_ERR_ARGUMENT: a state that does not fit the world; PERP_ERR_MEMORY. After any of
 *  them the state is as before the step, to the bit, and the report was not written.
 *  Arrays of bodies in the state stay where they are. Between steps poses, velocities and
 *  loads may be changed, materials, sizes and places of shapes, too, and bodies, shapes,
 *  joints and forces added to the world and removed from it; perp_state_extend and
 *  perp_state_remove then adapt a state that is not world->start. Contacts at the end of a step are used by the next one only where
 *  poses and velocities and all of the world that contacts depend on is the same. A mesh
 *  or hull is told by its pointer. */
perp_status perp_stepper_step(perp_stepper *stepper, perp_report *report,
                              perp_error *err);

/** Of every pair of shapes that come near, `filter` decides whether they may meet, in place of
 *  the one set before; NULL: all may. `context` is passed to it. It must depend on world,
 *  state and context alone if a run is to have the same bits again. Contacts are then
 *  searched at the start of every step. */
void perp_stepper_set_filter(perp_stepper *stepper, perp_collide_filter *filter,
                             void *context);

/** What the last step solved; valid until the next one. Before the first step, and where
 *  there was not one row, the system is empty (problem.n = 0) and the result NULL; after
 *  a step that failed they are what it had come to. The result is that of the first
 *  solution (Poisson's second half and corrections of positions have their own), and of
 *  its measures only the residual is taken. */
const perp_system *perp_stepper_system(const perp_stepper *stepper);
const perp_contacts *perp_stepper_contacts(const perp_stepper *stepper);
const perp_result *perp_stepper_result(const perp_stepper *stepper);
/* Forces in the last step: impulses over dt, the mean of what acted; 0 before the first
 * step, after one that failed early or after a removal, and of what had no rows. World axes, at the poses of
 * the start of the step. */

/** Force [N] and torque [N m] about the centre of mass of body j, by joint number `joint`
 *  on body j; with its limits, motors and springs. On body i acts the opposite force.
 *  PERP_ERR_ARGUMENT: no such joint; PERP_ERR_UNSUITABLE: it is eliminated in reduced
 *  coordinates; force is then 0. */
perp_status perp_stepper_joint_force(const perp_stepper *stepper, size_t joint,
                                     double force[6], perp_error *err);
/** Force on body j [N] at contact number `contact` of perp_stepper_contacts, and the torque
 *  of rolling friction [N m]. PERP_ERR_ARGUMENT: no such contact; force is then 0. */
perp_status perp_stepper_contact_force(const perp_stepper *stepper, size_t contact,
                                       double force[6], perp_error *err);
/** Forces of single rows [N or N m]: those of a joint or contact (`source`, its number) in
 *  the order in which they are written; of LIMIT, MOTOR and SPRING those of free axis
 *  `axis`, a lower limit before the upper one, else axis is 0. At most `most` are put into
 *  `force`; returns how many there are, 0 where it has no rows now. */
size_t perp_stepper_row_forces(const perp_stepper *stepper, perp_role role, size_t source,
                               unsigned axis, size_t most, double *force);
/** The contact search at the end of the last step, at the poses there are now, or, before
 *  the first step, all zero. */
const perp_collide_report *perp_stepper_collision(const perp_stepper *stepper);

/** Everything the next step depends on, so that a run that stops and goes on has the same
 *  bits: one flat array of doubles (the bits of integers in it): step, time, poses,
 *  velocities, loads, unwrapped coordinates, q and qd, and the impulses that start the
 *  next solution. Its size changes from step to step. PERP_ERR_ARGUMENT: another size, or a
 *  state that does not fit the world; nothing is written then. */
size_t perp_stepper_state_size(const perp_stepper *stepper);
perp_status perp_stepper_save(const perp_stepper *stepper, double *state, size_t size,
                              perp_error *err);
/** Into a stepper of a world with the same bodies and joints, made again with the same
 *  scheme and solver. PERP_ERR_DATA: other numbers of them, or of coordinates, or a size
 *  that its head does not tell, a number that is not finite; PERP_ERR_ARGUMENT: a state
 *  that does not fit the world; PERP_ERR_MEMORY; all of them leave world and stepper alone. */
perp_status perp_stepper_load(perp_stepper *stepper, const double *state, size_t size,
                              perp_error *err);

/** A number that a run is measured by, one a step: columns of tables and trajectories. */
typedef struct perp_metric {
    const char *name;    /**< "kinetic" */
    const char *unit;    /**< "J", "" */
    const char *summary; /**< one line */
    double (*value)(const perp_report *report);
} perp_metric;

/** All metrics, *count of them; and the one of that name, or NULL. */
const perp_metric *const *perp_metrics(size_t *count);
const perp_metric *perp_metric_find(const char *name);

PERP_END_DECLS

#endif
