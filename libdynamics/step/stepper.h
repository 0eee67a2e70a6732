/* SPDX-License-Identifier: Apache-2.0
 * step/stepper.h: what the files of a step share. Private.
 *
 * A stepper owns all memory that its steps need and keeps it from step to step; arrays
 * grow with the number of bodies and rows and never shrink. */
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
    double *mean; /* rows: running means of impulses, where starts are damped */
    bool damped;  /* z is what step/damp.c made of the impulses */
    uint64_t
        *pair; /* blocks: the bodies of a contact and which of its rows; 0: no contact */
    double *point;   /* 3 a block: of a contact */
    uint64_t *used;  /* blocks: 1 where its impulses have started a block */
    uint64_t *fresh; /* blocks of the next problem whose key was not found */
    uint64_t *table; /* 4 a block: finds keys, then pairs; made when asked for */
    unsigned bits;   /* of its places; 0: not made */
    size_t block_room, row_room;
    uint64_t removals; /* of the world when `pair` was written */
} step_memory;

/** Numbers of every body; one block of memory. */
typedef struct step_bodies {
    double *block;
    double *s_end;    /* 7: poses that st->touching was found at */
    double *u_end;    /* 6: and velocities */
    double *u_mid;    /* after compression, in Poisson's law */
    double *u_plus;   /* after all impulses */
    double *u_pseudo; /* velocities that move positions alone */
    double *u_sweeps; /* of sequential impulses at work */
    double *zeros;    /* zero */
    double *load;     /* forces whose work is not the change of a potential */
    int32_t *island;  /* of an impact: a body's leader */
    int32_t *base;    /* of a link: the kinematic body below its tree, or -1 */
    size_t room;
} step_bodies;

/** Numbers of every row of a problem; one block of memory. */
typedef struct step_rows {
    double *block;
    double *before, *after; /* J u of dynamic bodies, before and after the impulses */
    double *b;              /* free velocity of a problem made of another */
    double *
        z_compression; /* impulses at the end of compression: what starts the next step */
    double *z_returned; /* impulses given back by Poisson's law */
    double *mean;       /* of the last steps, 0 where a contact is new */
    size_t room;
} step_rows;

/* What the contacts of the end of a step are of: bodies.s_end, u_end, and the rest of the
 * world. They serve the next step, too, where all of it is as it was. */
typedef struct step_found {
    bool valid;
    size_t bodies;
    uint64_t world; /* step_fingerprint */
} step_found;

typedef struct step_stabilizer step_stabilizer;

struct perp_stepper {
    const perp_world *world;
    perp_state *user;  /* before the step, until it has succeeded */
    perp_state *state; /* that a step works on */
    perp_scheme scheme;
    const perp_solver_type *solver; /* NULL: sequential impulses */
    perp_options opt;
    perp_context *context; /* memory of the solver, kept from step to step */
    bool warm;
    double damping; /* of the start after a step that was not solved; 0: none */
    const step_stabilizer *stabilizer;

    perp_collider *collider;
    perp_collide_filter *filter; /* of the user; NULL: none */
    void *filter_context;
    perp_contacts contacts, touching; /* of the problem; at the end of the step */
    step_found found;
    perp_free_motion motion;
    perp_system system, positions; /* the problem, and that of a correction */
    perp_result *result, *expansion, *position_result;
    step_memory memory;
    step_bodies bodies;
    step_rows rows;
    double rows_work; /* of the impulses of this step, by which K(u_free) becomes K(u+) */
    size_t step;
    uint64_t removals; /* of the world, when rows and contacts were numbered */
};

/** How position errors are corrected: one constant a method. */
struct step_stabilizer {
    perp_stabilize method;
    /** With u+ known (bodies.u_plus) and the poses still those before the step;
     *  or NULL. */
    perp_status (*prepare)(perp_stepper *st, perp_report *report, perp_error *err);
    /** After the positions moved; or NULL. */
    perp_status (*correct)(perp_stepper *st, perp_report *report, perp_error *err);
};

extern const step_stabilizer step_stabilize_baumgarte;
extern const step_stabilizer step_stabilize_split;
extern const step_stabilizer step_stabilize_project;
extern const step_stabilizer step_stabilize_none;
const step_stabilizer *step_stabilizer_find(perp_stabilize method);

/** All contacts at the present poses, as the scheme has it. */
perp_status step_collide(perp_stepper *st, perp_contacts *contacts, perp_error *err);

/** What the problem of a step is made from and goes to. */
typedef struct step_formulation {
    const perp_world *world;
    perp_state *state; /**< refreshed; left as it was but for what follows from it */
    const perp_scheme *scheme;
    const perp_contacts *contacts;
    perp_free_motion *motion;
    perp_system *system;
    size_t step; /**< for messages, from 1; 0: none */
} step_formulation;

/** The free motion, rows and problem of a step with these contacts. PERP_ERR_DATA: a free
 *  motion that is not finite; and as perp_free_motion_run, perp_rows_write,
 *  perp_system_formulate. */
perp_status step_formulate(const step_formulation *f, perp_error *err);
/** PERP_ERR_DATA with the first body whose pose or velocity (NULL: not asked) is not
 *  finite, the time, and the step unless that is 0. */
perp_status step_check_finite(const perp_world *world, const double *s, const double *u,
                              double t, size_t step, perp_error *err);
/** What Poisson's law asks of the rows of compression: gaps that an impact closes within
 *  the step are no gaps. */
void step_compress(const step_formulation *f);

/** A number for what contacts follow from, poses and velocities apart. */
uint64_t step_fingerprint(const perp_world *world);
/** Room for the bodies and rows there are now. */
perp_status step_reserve_bodies(perp_stepper *st, perp_error *err);
perp_status step_reserve_rows(perp_stepper *st, size_t n, perp_error *err);

/** What is solved: a problem, and for sequential impulses the rows it was made of and the
 *  velocities it starts from. Without rows (NULL), Gauss-Seidel does the sweeps. */
typedef struct step_task {
    const perp_system *system;
    const perp_problem *problem;
    const perp_contacts *contacts;
    const double *u; /* b of the problem is J u - bias */
} step_task;

/** Solve from the start in (*result)->z, by the solver or by sequential impulses; outcome
 *  and work are added to the report. n > 0. PERP_ERR_NOT_SOLVED: it was interrupted. */
perp_status step_solve(perp_stepper *st, const step_task *task, perp_result *result,
                       perp_report *report, perp_error *err);
/** *result := one for n rows and z = 0, made anew only where n changed;
 *  NULL for n = 0. */
perp_status step_result(perp_result **result, size_t n, perp_error *err);
/** Velocities after impulses: bodies.u_plus and st->result;rows.z_compression: the
 *  impulses to start the next step from. The ledger's parts of rows are filled. */
perp_status step_impulses(perp_stepper *st, perp_report *report, perp_error *err);
/** The second half of Poisson's law (step/poisson.c). */
perp_status step_expand(perp_stepper *st, perp_report *report, perp_error *err);

/** J u of the dynamic bodies, all rows. */
void step_rates(const perp_rows *rows, const double *u, double *rates);
/** Split the work of impulses z, w = A z + b, that took the bodies from u_before to
 *  u_after; `expansion`: of the second half of Poisson's law. */
void step_account(perp_stepper *st, const double *z, const double *w, bool expansion,
                  const double *u_before, const double *u_after, double *ledger);
/** Work of impulses z by way of joints that hang a tree on a moving body, which have no
 *  rows: with the velocity of that body alone. */
double step_base_work(const perp_stepper *st, const double *z, const double *u_before,
                      const double *u_after);
/** Kinetic energy of velocities u at the present poses [J]. */
double step_kinetic(const perp_world *world, const perp_state *state, double *u);

/** Energies of a world, apart [J]. */
typedef struct step_energy {
    double kinetic, potential, joints, forces;
} step_energy;
void step_energies(const perp_world *world, const perp_state *state, step_energy *energy);
double step_total(const step_energy *energy);
/** Forces without potential at the present state, into bodies.load; and their work along
 *  the way from the poses before the step to the present ones. */
void step_loads(perp_stepper *st);
double step_load_work(const perp_stepper *st);

/** Rows of positions alone, at the present poses and without velocities or friction, in
 *  st->positions.rows: joints, limits, contacts; `share` of the errors in dt, less what soft
 *  rows carry. What rows that only push and soft ones (`moving`) do by themselves in dt is
 *  taken off. */
perp_status step_position_rows(perp_stepper *st, const perp_contacts *contacts,
                               double share, bool moving, perp_error *err);
/** The largest errors that they correct, of lengths [m] and of angles [rad]. */
typedef struct step_errors {
    double length, angle;
} step_errors;
step_errors step_position_errors(const perp_stepper *st);
/** Solve them, into bodies.u_pseudo; zero when there is nothing to correct. */
perp_status step_position_solve(perp_stepper *st, const perp_contacts *contacts,
                                perp_report *report, perp_error *err);
/** Move poses by bodies.u_pseudo for dt, and what follows from poses. */
perp_status step_push(perp_stepper *st, perp_error *err);
/** What follows from poses: inertias in world axes, unwrapped coordinates of joints. */
void step_refresh(const perp_world *world, perp_state *state);
void step_track_joints(const perp_world *world, perp_state *state);

/** Keep the impulses of the problem just solved; start the next ones from them, and
 *  return how many blocks found theirs. Room for the blocks of both problems is there. */
perp_status step_memory_reserve(step_memory *memory, size_t blocks, size_t rows,
                                perp_error *err);
void step_memory_keep(step_memory *memory, const perp_system *system,
                      const perp_contacts *contacts, const double *z);
/** After a step that was not solved (step/damp.c): damp the impulses that were kept; let the next
 *  step remove penetrations slowly. The damping of starts for a number of sweeps per step. */
void step_memory_damp(perp_stepper *st);
void step_soften(perp_stepper *st);
double step_damping(const perp_scheme *scheme, long sweeps);
size_t step_memory_start(perp_stepper *st, const perp_system *system, double *z);
void step_memory_clear(step_memory *memory);

#endif
