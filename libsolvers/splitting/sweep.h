/* SPDX-License-Identifier: Apache-2.0
 * splitting/sweep.h: one pass over all blocks, each solved for itself: the work of pgs, psor,
 * spgs, nsgs and nncg. Private. */
#ifndef PERP_SPLITTING_SWEEP_H
#define PERP_SPLITTING_SWEEP_H

#include <stdatomic.h>

#include "blocks.h"
#include "bodies.h"
#include "colors.h"
#include "layout.h"
#include "team.h"

/** Options that every solver with a sweep has. */
#define SWEEP_OPTIONS(omega, help)                                                       \
    PERP_REAL_OPEN("relaxation", omega, 0.0, 2.0, help),                                 \
        PERP_CHOICE("order", SWEEP_NATURAL,                                              \
                    "natural|alternating|shuffled|colored|local",                        \
                    "of the blocks: as given, there and back by turns, drawn anew for "  \
                    "each sweep, by colours of a graph, in the order of their bodies"),  \
        PERP_INTEGER("threads", 1, 1, 1024, "that sweep a colour together")

/** What a sweep takes and demands, whoever makes it. */
#define SWEEP_TAKES                                                                      \
    .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION, CONE, ROLLING, DISK),                 \
    .laws = PERP_LAWS(COULOMB, ASSOCIATED),                                              \
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),                         \
    .demands = PERP_DEMANDS(POSITIVE_DIAGONAL), .flags = PERP_FLAGS(USES_START),         \
    .certificates = PERP_CERTIFICATES(SINGULAR, INFEASIBLE), .check_every = 10

typedef enum sweep_order {
    SWEEP_NATURAL,
    SWEEP_ALTERNATING,
    SWEEP_SHUFFLED,
    SWEEP_COLORED,
    SWEEP_LOCAL
} sweep_order;

typedef struct sweep {
    const perp_problem *p;
    local_blocks blocks; /* omega, way and proximal term are in here */
    sweep_order order;
    bool passes;    /* they will be made: rows are prepared for them */
    bool symmetric; /* there and back in one iterate */
    bool backward;  /* of the next pass, when they alternate */
    layout layout;
    const size_t *places; /* block of each place of the layout; NULL: as in the set */
    size_t *sequence;     /* shuffled: the next order */
    perp_random random;
    colors colors;
    team *team;
    double *partial; /* of each chunk: what it adds to `change` */
    bodies bodies;   /* rows of two bodies: their records */
    bool paired;     /* they are at work */
    double *v;       /* other factored: velocities of the bodies, kept up to date */
    size_t fresh;    /* both: passes since v was formed from z */
    bool drawn;      /* both: v belongs to the last z */
    double change;   /* sum of weight |dz|^2 over the last iterate: an energy */
    double *proof;   /* n: scratch of a proof */

    /* of the pass at work, for the members of the team */
    double *z;
    bool back;
    atomic_size_t refused; /* least block that must move and cannot; SIZE_MAX: none */
} sweep;

/** Take memory and prepare the blocks; `blocks.way`, `blocks.proximal` and `symmetric` are
 *  set by the caller. `name` is the solver's, for what ran. sweep_close is owed. */
perp_status perp_sweep_setup(sweep *s, const char *name, const perp_problem *p,
                             const perp_options *opt, perp_workspace *ws, perp_result *r,
                             perp_error *err);
/** Only the blocks, in the order of the set, for one who makes no passes. */
perp_status perp_sweep_setup_blocks(sweep *s, const perp_problem *p, perp_workspace *ws,
                                    perp_result *r, perp_error *err);
/** b changed, and the diagonal of A by `shift`: prepare the blocks again. */
void perp_sweep_refresh(sweep *s, double shift);
/** z was moved by someone else since the last pass. */
void perp_sweep_moved(sweep *s);
/** One iterate on r->z in the order asked for. Ends r where a block allows no step. */
perp_status perp_sweep_run(sweep *s, perp_result *r, perp_error *err);
void perp_sweep_close(sweep *s);
/** End r because the row at `place` must move and cannot, and prove it. */
perp_status perp_sweep_refuse(sweep *s, size_t place, perp_result *r, perp_error *err);
/** Iterations between judgements, as the loop will make them. */
size_t perp_sweep_check_every(const perp_options *opt, const perp_solver_type *type);

#endif
