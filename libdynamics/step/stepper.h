/* SPDX-License-Identifier: Apache-2.0
 * step/stepper.h: common data and functions of a step. Private.
 *
 * A stepper owns all memory of its steps and keeps it from step to step; arrays grow with
 * the number of bodies and rows and never shrink. */
#ifndef PERP_STEP_STEPPER_H
#define PERP_STEP_STEPPER_H

#include <perp/dynamics/reduce.h>
#include <perp/dynamics/step.h>

#include "world/world.h"

/** Impulses of the last step by the key of their block (step/warm.c). */
typedef struct step_memory {
    size_t blocks, rows;
    uint64_t *keys;
    uint64_t *first; /* blocks: its first entry in z */
    uint64_t *dim;
    double *z;
    double *mean; /* rows: running means of impulses, if starts are damped */
    bool damped;  /* z was damped by step/damp.c */
    uint64_t
        *pair; /* blocks: the bodies of a contact and which of its rows; 0: no contact */
    double *point;   /* 3 per block, for contacts */
    uint64_t *used;  /* blocks: 1 if its impulses were used as a start */
    uint64_t *fresh; /* blocks of the next problem whose key was not found */
    uint64_t *table; /* 4 per block: hash table of keys, then of pairs; built on demand */
    unsigned bits;   /* size of the hash table; 0: not built */
    size_t block_room, row_room;
    uint64_t removals; /* of the world when `pair` was written */
} step_memory;

/** Arrays over bodies; one block of memory. */
typedef struct step_bodies {
    double *block;
    double *s_end;    /* 7: poses of the contact search st->touching */
    double *u_end;    /* 6: and velocities */
    double *u_mid;    /* after compression, in Poisson's law */
    double *u_plus;   /* after all impulses */
    double *u_pseudo; /* velocities that move positions only */
    double *u_sweeps; /* of the running sequential impulses */
    double *zeros;    /* zero */
    double *load;     /* forces whose work is not the change of a potential */
    int32_t *island;  /* leader of the body in an impact */
    int32_t *base;    /* for a link: the kinematic body at the base of its tree, or -1 */
    size_t room;
} step_bodies;

/** Arrays over rows of a problem; one block of memory. */
typedef struct step_rows {
    double *block;
    double *before, *after; /* J u of dynamic bodies, before and after the impulses */
    double *b;              /* free velocity of a problem derived from another */
    double *z_compression; /* impulses at the end of compression, from which the next step
                            * starts */
    double *z_returned;    /* impulses returned by Poisson's law */
    double *mean;          /* of the last steps, 0 where a contact is new */
    size_t room;
} step_rows;

/* The state in which the contacts at the end of a step were found: bodies.s_end, u_end,
 * and the rest of the world. The next step reuses these contacts if all of it is
 * unchanged. */
typedef struct step_found {
    bool valid;
    size_t bodies;
    uint64_t world; /* step_fingerprint */
} step_found;

struct perp_stepper {
    const perp_world *world;
    perp_state *user;   /* the state before the step, until the step succeeds */
    perp_state *owned;  /* the same, if the stepper owns it; else NULL */
    perp_state *state;  /* that a step works on */
    perp_scheme scheme; /* of the next step: `given`, or with another dt */
    perp_scheme given;
    const perp_solver_type *solver; /* NULL: sequential impulses */
    perp_options opt;
    perp_context *context; /* memory of the solver, kept from step to step */
    bool warm;
    double damping; /* damping of the start after a step that was not solved; 0: none */

    perp_collider *collider;
    perp_collide_filter *filter; /* of the user; NULL: none */
    void *filter_context;
    perp_contacts contacts, touching; /* of the problem; at the end of the step */
    step_found found;
    perp_free_motion motion;
    perp_system system, positions; /* the problem, and that of a correction */
    perp_rows middle;              /* of joints at the middle of the step */
    perp_state *at;                /* where M of the problem is taken; borrowed */
    perp_result *result, *expansion, *position_result;
    step_memory memory, impact; /* impulses of the last step; of the impact in this one */
    step_bodies bodies;
    step_rows rows;
    double rows_work; /* work of the impulses of this step, K(u+) - K(u_free) */
    size_t step;
    uint64_t removals; /* of the world, when rows and contacts were numbered */
};

/** Correction of position errors (step/stabilize.c): called when u+ (bodies.u_plus) is known
 *  and the poses are those before the step; whether the method moves poses; and called
 *  after the positions were moved, if it does. */
perp_status step_stabilize_prepare(perp_stepper *st, perp_report *report,
                                   perp_error *err);
bool step_stabilize_moves(const perp_scheme *scheme);
perp_status step_stabilize_correct(perp_stepper *st, perp_report *report,
                                   perp_error *err);

/** All contacts at the present poses, by the settings of the scheme. */
perp_status step_collide(perp_stepper *st, perp_contacts *contacts, perp_error *err);

/** Inputs and outputs of the formulation of a step. */
typedef struct step_formulation {
    const perp_world *world;
    perp_state *state; /**< refreshed; unchanged except for derived data */
    const perp_scheme *scheme;
    perp_contacts *contacts;
    perp_free_motion *motion;
    perp_system *system;
    perp_rows *middle;   /**< memory for rows at the middle of the step */
    step_memory *impact; /**< impulses of the impact at the start of this step; or NULL */
    size_t step;         /**< number of the step for messages, from 1; 0: no step */
    bool chosen;         /**< the contacts are chosen: step_choose_contacts leaves them */
    bool moved;          /**< the motion is that of the state: step_formulate leaves it */
} step_formulation;

/** Open contacts that a step with velocities `end` at its end closes join the others; whether there
 *  are any (step/reach.c). */
bool step_take_open(const step_formulation *f, const double *end);
/** After the free motion: open contacts that it closes join the others, and those whose shapes
 *  pass each other in it leave the list. */
void step_choose_contacts(const step_formulation *f);
/** The free motion of a step. PERP_ERR_DATA: it is not finite; and the statuses of
 *  perp_free_motion_run. */
perp_status step_free_motion(const step_formulation *f, perp_error *err);
/** Compute the free motion, rows and problem of a step with these contacts; *at: the state
 *  that M is taken from, f->state or one of the motion. The statuses of step_free_motion,
 *  perp_rows_write and perp_system_formulate. */
perp_status step_formulate(const step_formulation *f, perp_state **at, perp_error *err);
/** Whether steps of this scheme may begin with an impact. */
bool step_has_impacts(const perp_scheme *scheme);
/** Formulate the impact at the start of a step, if there is one (*impact), after the free
 *  motion. The statuses of perp_rows_write and perp_system_formulate. */
perp_status step_formulate_impact(const step_formulation *f, bool *impact,
                                  perp_error *err);
/** Solve it, and give the state the velocities after it; its impulses to st->impact. */
perp_status step_jump(perp_stepper *st, const step_formulation *f, perp_report *report,
                      perp_error *err);
/** Adapt the rows to how the integrator moves positions; *at as above. */
perp_status step_set_rows(const step_formulation *f, perp_state **at, perp_error *err);
/** motion->moving := the state at the middle of the step, where impulses then act. */
perp_status step_go_to_middle(const step_formulation *f, perp_error *err);
/** J u of a row, with the velocities of all bodies. */
double step_row_rate(const step_formulation *f, const perp_row_block *block, size_t row,
                     const double *u);
/** Whether a row of the block only pushes: a normal, a limit, a rope. */
bool step_row_pushes(const perp_rows *rows, const perp_row_block *block, size_t row);
/** The restitution of a contact or limit, else 0. */
double step_restitution(const step_formulation *f, const perp_row_block *block);
/** PERP_ERR_DATA with the first body whose pose or velocity (NULL: not checked) is not
 *  finite, the time, and the step unless it is 0. */
perp_status step_check_finite(const perp_world *world, const double *s, const double *u,
                              double t, size_t step, perp_error *err);
/** Hash of all data that determine contacts, except poses and velocities. */
uint64_t step_fingerprint(const perp_world *world);
/** Reserve memory for the present bodies and rows. */
perp_status step_reserve_bodies(perp_stepper *st, perp_error *err);
perp_status step_reserve_rows(perp_stepper *st, size_t n, perp_error *err);

/** A problem to solve, with its rows and starting velocities for sequential impulses.
 *  Without rows (NULL) the sweeps are those of Gauss-Seidel. */
typedef struct step_task {
    const perp_system *system;
    const perp_problem *problem;
    const perp_contacts *contacts;
    const double *u;      /* b of the problem is J u - bias */
    const perp_state *at; /* where M is taken */
} step_task;

/** Solve from the start in (*result)->z, by the solver or by sequential impulses; outcome
 *  and work are added to the report. n > 0. PERP_ERR_NOT_SOLVED: it was interrupted. */
perp_status step_solve(perp_stepper *st, const step_task *task, perp_result *result,
                       perp_report *report, perp_error *err);
/** *result := a result for n rows with z = 0, created again only if n changed; NULL for n
 *  = 0. */
perp_status step_result(perp_result **result, size_t n, perp_error *err);
/** Velocities after the impulses of an impact, or of the smooth part of a step:
 *  bodies.u_plus and st->result; rows.z_compression: the starting impulses of the next
 *  step. Fills the parts of the ledger due to rows. */
perp_status step_impulses(perp_stepper *st, const step_formulation *f, bool impact,
                          perp_report *report, perp_error *err);
/** Solve again with forces along the motion that the impulses allow, where that matters. */
perp_status step_refine(perp_stepper *st, const step_formulation *f, perp_report *report,
                        perp_error *err);
/** The second half of Poisson's law, in an impact (step/poisson.c). */
perp_status step_expand(perp_stepper *st, perp_report *report, perp_error *err);

/** J u of the dynamic bodies, all rows. */
void step_rates(const perp_rows *rows, const double *u, double *rates);
/** Split the work of impulses z, w = A z + b, that changed the velocities from u_before
 *  to u_after; `expansion`: in the second half of Poisson's law. */
void step_account(perp_stepper *st, const double *z, const double *w, bool expansion,
                  const double *u_before, const double *u_after, double *ledger);
/** Work of impulses z through joints that connect a tree with a kinematic body and have
 *  no rows: with the velocity of this body only. */
double step_base_work(const perp_stepper *st, const double *z, const double *u_before,
                      const double *u_after);
/** Kinetic energy of velocities u at the present poses [J]. */
double step_kinetic(const perp_world *world, const perp_state *state, double *u);

/** Energies of a world by kind [J]. */
typedef struct step_energy {
    double kinetic, potential, joints, forces;
} step_energy;
void step_energies(const perp_world *world, const perp_state *state, step_energy *energy);
double step_total(const step_energy *energy);
/** Forces without potential at the present state, to bodies.load; and their work from the
 *  poses before the step to the present ones. */
void step_loads(perp_stepper *st);
double step_load_work(const perp_stepper *st);

/** Write rows of positions to st->positions.rows: joints, limits and contacts at the
 *  present poses, without velocities or friction, for `share` of the errors in dt, without
 *  the part that soft rows carry. The motion of unilateral and soft rows (`moving`) within dt
 *  is subtracted. */
perp_status step_position_rows(perp_stepper *st, const perp_contacts *contacts,
                               double share, bool moving, perp_error *err);
/** The largest errors of these rows, for lengths [m] and angles [rad]. */
typedef struct step_errors {
    double length, angle;
} step_errors;
step_errors step_position_errors(const perp_stepper *st);
/** Solve these rows for bodies.u_pseudo, which is zero if there is nothing to correct. */
perp_status step_position_solve(perp_stepper *st, const perp_contacts *contacts,
                                perp_report *report, perp_error *err);
/** Move poses by bodies.u_pseudo for dt, and refresh derived data. */
perp_status step_push(perp_stepper *st, perp_error *err);
/** Refresh data derived from poses: inertias in world axes, coordinates of joints. */
void step_refresh(const perp_world *world, perp_state *state);
void step_track_joints(const perp_world *world, perp_state *state);

/** Store the impulses of the solved problem; and set the starting impulses of the next
 *  one, returning the number of blocks that were found. Memory for both is reserved. */
perp_status step_memory_reserve(step_memory *memory, size_t blocks, size_t rows,
                                perp_error *err);
void step_memory_keep(step_memory *memory, const perp_system *system,
                      const perp_contacts *contacts, const double *z);
/** After a step that was not solved (step/damp.c): damp the stored impulses; slow down
 *  the correction of penetrations in the next step. The damping of starts for a number of
 *  sweeps per step. */
void step_memory_damp(perp_stepper *st);
void step_soften(perp_stepper *st);
double step_damping(const perp_scheme *scheme, long sweeps);
/** z := z + the impulses of the same blocks; and the first impulse of the block of that
 *  key, 0 without one. */
void step_memory_add(step_memory *memory, const perp_system *system, double *z);
double step_memory_impulse(step_memory *memory, uint64_t key);
size_t step_memory_start(perp_stepper *st, const perp_system *system, double *z);
void step_memory_clear(step_memory *memory);

#endif
