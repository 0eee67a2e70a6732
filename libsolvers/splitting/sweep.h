/* SPDX-License-Identifier: Apache-2.0
 * splitting/sweep.h: one pass over all blocks, each solved for itself: the work of pgs and
 * nsgs. Private. */
#ifndef PERP_SPLITTING_SWEEP_H
#define PERP_SPLITTING_SWEEP_H

#include "core/solvers.h"
#include "local_cone.h"

/** Options that every solver with a sweep has. */
#define SWEEP_OPTIONS                                                                    \
    PERP_REAL_BETWEEN("relaxation", 1.0, 0.0, 2.0, "factor omega; 1 is Gauss-Seidel"),   \
        PERP_CHOICE("sweep", SWEEP_FORWARD, "forward|symmetric|alternate",               \
                    "order of the blocks: always forward, there and back, by turns")

/** What a sweep takes and demands, whoever makes it. */
#define SWEEP_TAKES                                                                      \
    .sets = PERP_TAKES_FREE | PERP_TAKES_NONNEG | PERP_TAKES_BOX | PERP_TAKES_FRICTION | \
            PERP_TAKES_CONE,                                                             \
    .laws = PERP_TAKES_COULOMB | PERP_TAKES_ASSOCIATED,                                  \
    .operators = PERP_TAKES_DENSE | PERP_TAKES_CSR | PERP_TAKES_BSR,                     \
    .demands = PERP_NEEDS_POSITIVE_DIAGONAL, .check_every = 10

typedef enum sweep_order { SWEEP_FORWARD, SWEEP_SYMMETRIC, SWEEP_ALTERNATE } sweep_order;

/** What is done with a cone. */
typedef enum sweep_local { SWEEP_EXACT, SWEEP_PROJECTION, SWEEP_TWO_STEP } sweep_local;

/** Added to the diagonal of a contact's block, as a part of its trace: what makes the local
 *  problem of a singular block well posed without moving any fixed point. */
#define SWEEP_PROXIMAL 1e-12

typedef struct sweep {
    const perp_problem *p;
    double omega;
    sweep_order order;
    sweep_local local;
    double proximal; /* local proximal term, as a part of the trace */
    bool backward;   /* of the next pass, when they alternate */
    double *inv;     /* block count: 1/A_ii of scalar blocks, 0 where A_ii <= 0 */
    double *weight;  /* block count: mean diagonal of the block, for `change` */
    local_cone *cones;
    size_t *slot;  /* block count: index of a cone in `cones` */
    double *guess; /* cone count: |u_t|/|r_t| when last sliding */
    double change; /* sum of weight |dz|^2 over the last iterate: an energy */
} sweep;

/** Take memory and prepare the blocks; `local` and `proximal` are set by the caller. */
perp_status sweep_setup(sweep *s, const perp_problem *p, const perp_options *opt,
                        perp_workspace *ws, perp_result *r, perp_error *err);
/** The diagonal of A changed: prepare the blocks again. */
void sweep_refresh(sweep *s);
/** One iterate in the order asked for. Ends r where a block allows no step. */
perp_status sweep_run(sweep *s, perp_result *r);
/** Iterations between judgements, as the loop will make them. */
size_t sweep_check_every(const perp_options *opt, const perp_solver_type *type);

#endif
