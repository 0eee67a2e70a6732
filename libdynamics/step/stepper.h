/* SPDX-License-Identifier: Apache-2.0
 * step/stepper.h: common data and functions of a step. Private.
 *
 * A stepper owns all memory of its steps and keeps it from step to step; arrays grow with
 * the number of bodies and rows and never shrink. */
#ifndef PERP_STEP_STEPPER_H
#define PERP_STEP_STEPPER_H

#include <perp/dynamics/reduce.h>
#include <perp/dynamics/step.h>

#include "step/warm.h"
#include "world/world.h"

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

/** Refresh data derived from poses: inertias in world axes, coordinates of joints. */
void step_refresh(const perp_world *world, perp_state *state);
void step_track_joints(const perp_world *world, perp_state *state);

#endif
