/* SPDX-License-Identifier: Apache-2.0
 * splitting/sweep.h: one pass over all blocks, each solved for itself: the sweeps of pgs,
 * psor, spgs, nsgs, nncg and anderson. Private. */
#ifndef PERP_SPLITTING_SWEEP_H
#define PERP_SPLITTING_SWEEP_H

#include <stdatomic.h>

#include "base/threads.h"
#include "blocks.h"
#include "bodies.h"
#include "colors.h"
#include "layout.h"

/** Rows of the option table of every solver with a sweep. */
#define PERP_SWEEP_ORDER_OPTION                                                          \
    PERP_CHOICE(                                                                         \
        "order", SWEEP_NATURAL, "natural|colored|local|alternating|shuffled",            \
        "order of the blocks: as stored, by colours of a graph, along the bodies, "      \
        "forward and backward alternately, drawn at random for each sweep")
/** The same for solvers that need the same map in every sweep. */
#define PERP_SWEEP_FIXED_ORDER_OPTION                                                    \
    PERP_CHOICE("order", SWEEP_NATURAL, "natural|colored|local",                         \
                "order of the blocks: as stored, by colours of a graph, along the "      \
                "bodies")
#define PERP_SWEEP_THREADS_OPTION                                                        \
    PERP_INTEGER("threads", 1, 1, 1024, "number of threads that sweep one colour")

#define PERP_SWEEP_PATCHES_OPTION                                                        \
    PERP_SWITCH("patches", 1,                                                            \
                "solve the contacts of one pair of bodies together where all stick")

/** What the types of pgs, psor and spgs have in common. A sweep is cheap. */
#define PERP_SWEEP_TYPE                                                                  \
    .family = "splitting",                                                               \
    .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION, CONE, ROLLING, DISK),                 \
    .laws = PERP_LAWS(COULOMB, ASSOCIATED),                                              \
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),                         \
    .demands = PERP_DEMANDS(POSITIVE_DIAGONAL),                                          \
    .flags = PERP_FLAGS(USES_START, SCALES_WITH_ROWS),                                   \
    .certificates = PERP_CERTIFICATES(SINGULAR, INFEASIBLE), .check_every = 10,          \
    .check_first = 1, .stall = 2000, .max_iterations = 100000

typedef enum sweep_order {
    SWEEP_NATURAL,
    SWEEP_COLORED,
    SWEEP_LOCAL,
    SWEEP_ALTERNATING,
    SWEEP_SHUFFLED
} sweep_order;

typedef struct sweep {
    const perp_problem *p;
    local_blocks blocks; /* with omega, the local method and the proximal term */
    sweep_order order;
    bool passes; /* sweeps will be made: rows are prepared for them */
    bool
        patches; /* contacts of one pair of bodies are solved together where they stick */
    bool symmetric;  /* a forward and a backward sweep per iteration */
    bool alternates; /* forward and backward sweeps alternately */
    bool backward;   /* direction of the next one then */
    layout layout;
    const size_t
        *positions;   /* block of each position of the layout; NULL: as in the set */
    size_t *sequence; /* shuffled: the next order */
    perp_random random;
    colors colors;
    thread_team *team;
    double *partial;       /* of each chunk: what it adds to `change` */
    bodies bodies;         /* rows of two bodies: their records */
    bool paired;           /* the records are in use */
    double *v;             /* other factored matrices: current velocities of the bodies */
    size_t fresh;          /* both: sweeps since v was computed from z */
    bool velocities_known; /* both: v belongs to the current z */
    double change;         /* sum of weight |dz|^2 over the last iteration: an energy */

    /* of the current sweep, for the threads */
    double *z;
    bool back;
    atomic_size_t refused; /* least block that must move and cannot; SIZE_MAX: none */
} sweep;

/** Whether a problem has blocks of several rows or a factored matrix, or an order other than
 *  the natural one is asked for: pgs leaves these to a sweep. */
bool perp_sweep_applies(const perp_problem *p, const perp_options *opt);

/** Take the memory and prepare the blocks. The caller has set `symmetric`, and in `blocks`
 *  the method and the proximal term. `name` of the solver, for the solution path. */
perp_status perp_sweep_setup(sweep *s, const char *name, const perp_problem *p,
                             const perp_options *opt, perp_workspace *ws, perp_result *r,
                             perp_error *err);
/** Only the blocks, in the order of the set, for a solver that makes no sweeps. */
perp_status perp_sweep_setup_blocks(sweep *s, const perp_problem *p, perp_workspace *ws,
                                    perp_result *r, perp_error *err);
/** b changed, and the diagonal of A by `shift`: prepare the blocks again. */
void perp_sweep_refresh(sweep *s, double shift);
/** weight[i] := the mean diagonal of the block of row i. */
void perp_sweep_weights(const sweep *s, double *weight);
/** The caller has changed z since the last sweep. */
void perp_sweep_moved(sweep *s);
/** Iterations between judgements, as the loop will make them. */
size_t perp_sweep_check_every(const perp_options *opt, const perp_solver_type *type);

/* The functions of a solver type whose state is a sweep. */

/** One sweep (`symmetric`: two) over r->z in the order asked for. Ends r where a block allows no
 *  step. */
perp_status perp_sweep_iterate(void *state, perp_result *r, perp_error *err);
perp_status perp_sweep_resume(void *state, double shift, perp_result *r, perp_error *err);

#endif
