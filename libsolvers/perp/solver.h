/* SPDX-License-Identifier: Apache-2.0
 * perp/solver.h: run a solver on a problem and judge what it returns.
 *
 * Ownership: the caller owns every argument; nothing is kept after a call.
 * Threads: two calls may run at once if they share nothing they write to. */
#ifndef PERP_SOLVER_H
#define PERP_SOLVER_H

#include <perp/options.h>
#include <perp/problem.h>
#include <perp/result.h>
#include <perp/workspace.h>

PERP_BEGIN_DECLS

/** Sets are the bits of perp_set_kind, storages those of perp_storage. */
enum {
    PERP_TAKES_FREE = PERP_SET_FREE,
    PERP_TAKES_NONNEG = PERP_SET_NONNEG,
    PERP_TAKES_BOX = PERP_SET_BOX,
    PERP_TAKES_FRICTION = PERP_SET_FRICTION,
    PERP_TAKES_CONE = PERP_SET_CONE,
    PERP_TAKES_ROLLING = PERP_SET_ROLLING,
    PERP_TAKES_DISK = PERP_SET_DISK,

    PERP_TAKES_DENSE = PERP_STORAGE_DENSE,
    PERP_TAKES_CSR = PERP_STORAGE_CSR,
    PERP_TAKES_BSR = PERP_STORAGE_BSR,
    PERP_TAKES_FACTORED = PERP_STORAGE_FACTORED,

    PERP_TAKES_COULOMB = 1, /**< laws of its cones */
    PERP_TAKES_ASSOCIATED = 2,

    PERP_NEEDS_SYMMETRIC = 1, /**< refused otherwise: it would solve another problem */
    PERP_NEEDS_POSITIVE_DEFINITE = 2, /**< no promise otherwise */
    PERP_NEEDS_POSITIVE_SEMIDEFINITE = 4,
    PERP_NEEDS_POSITIVE_DIAGONAL = 8,

    PERP_IS_WRAPPER = 1, /**< works through another solver: "ds:mpgp" */
    PERP_SPLITS = 2,     /**< a wrapper whose inner solver sees the symmetric part only */
    PERP_STARTS_WARM =
        4, /**< makes use of the start: fewer iterations from near a solution */
    PERP_FOLLOWS_SET = 8, /**< its resume reads bounds and radii of p->set anew, too */
    PERP_RESHAPES = 16, /**< a wrapper whose inner solver sees other sets than its own */

    PERP_PROVES_INFEASIBLE = 1, /**< certificates it may leave */
    PERP_PROVES_RAY = 2,
    PERP_PROVES_SINGULAR = 4,
    PERP_PROVES_CYCLE = 8,
};

enum { PERP_CHAIN_MAX = 8 };

/** The solvers that a chain tries on a problem, best first: "nsgs+newton", and with settings
 *  of their own, "nsgs relaxation=0.7". */
typedef struct perp_chain {
    const char *situation; /**< why these: "frictional contact, up to 50 contacts" */
    const char *steps[PERP_CHAIN_MAX];
    size_t count;
} perp_chain;

/** A way to solve problems: constant data and the functions that do the work. */
typedef struct perp_solver_type {
    const char *name;   /**< as typed after --solver: "lemke", "pgs" */
    const char *family; /**< "pivoting", "splitting", "gradient", "admm", "newton", … */
    const char *summary;     /**< one line, for `perp list` */
    const char *reference;   /**< a key of paper/references.bib */
    unsigned sets;           /**< PERP_TAKES_…: the sets K it handles */
    unsigned laws;           /**< PERP_TAKES_COULOMB, …_ASSOCIATED: for its cones */
    unsigned operators;      /**< PERP_TAKES_…: the storages of A it handles */
    unsigned demands;        /**< PERP_NEEDS_…: what A must be, else no promise */
    unsigned flags;          /**< PERP_IS_WRAPPER, PERP_SPLITS, PERP_STARTS_WARM */
    unsigned proofs;         /**< PERP_PROVES_… */
    const char *inner;       /**< of a wrapper: what it wraps when none is named */
    const char *on_singular; /**< wrapper to fall back on at a singular block, or NULL */
    size_t check_every;      /**< iterations between judgements; 0: only when it ends */
    size_t max_iterations;   /**< default; 0: 1000 + 100 n */
    const perp_option *options; /**< its own options, ended by PERP_OPTION_END */
    size_t state_size;          /**< bytes; the caller zeroes them before setup */

    /** Check the input, take all memory from `ws`, factor what stays constant. `r` holds
     *  the start z; setup may append to what ran and count work. */
    perp_status (*setup)(void *state, const perp_problem *p, const perp_options *opt,
                         perp_workspace *ws, perp_result *r, perp_error *err);
    /** One step: a pivot, a sweep, a CG step. Allocates nothing. Updates r->z and r->work;
     *  ends with perp_result_end when there is no next step. PERP_SOLVED from a solver is a
     *  claim; the loop judges it. */
    perp_status (*iterate)(void *state, perp_result *r, perp_error *err);
    /** Optional: p->b changed in place, and A's diagonal by `shift` since the last setup or
     *  resume; go on from r->z without a new setup. NULL: set up again. */
    perp_status (*resume)(void *state, double shift, perp_result *r, perp_error *err);
    /** Release handles of other libraries, even after a failed setup. May be NULL. */
    void (*close)(void *state);
    /** A chain instead of setup and iterate: which solvers to try on p, in order. */
    void (*chain)(const perp_problem *p, perp_chain *chain);
} perp_solver_type;

/** All solvers, in the order of the registry; `count` may be NULL. */
const perp_solver_type *const *perp_solvers(size_t *count);
/** The solver of that name ("pgs", not "ds:mpgp"), or NULL. */
const perp_solver_type *perp_solver_find(const char *name);
/** A solver from its full name, with the defaults of its options: "lemke", "prox:dantzig",
 *  "ds:mpgp". PERP_ERR_OPTION names the nearest known solver. */
perp_status perp_solver_parse(const char *name, const perp_solver_type **type,
                              perp_options *opt, perp_error *err);
/** "ds:mpgp": the name with what it wraps; at most `length` bytes with the end. */
void perp_solver_print(const perp_solver_type *type, const perp_options *opt, char *name,
                       size_t length);

/**
 * Solve p from the starting point r->z, then judge the answer.
 *
 * Reformulations that keep the physics are made as the solver needs them; what changes the
 * physics is asked for by the option "formulation". All are listed in r->ran.
 *
 * @param type  a solver, from perp_solver_find() or perp_solver_parse()
 * @param p     the problem: n rows, impulses z [N s], velocities w [m/s]
 * @param opt   options, or NULL for the defaults of `type`
 * @param r     in: z, length p->n. out: z, w, outcome, residual, history
 * @param err   filled on failure; may be NULL
 * @return PERP_OK when the solver reached an outcome, even PERP_ITERATION_LIMIT;
 *         PERP_ERR_DATA, PERP_ERR_OPTION, PERP_ERR_MEMORY or PERP_ERR_UNSUITABLE when it
 *         could not run.
 */
perp_status perp_solve(const perp_solver_type *type, const perp_problem *p,
                       const perp_options *opt, perp_result *r, perp_error *err);

/** The problem as the solver sees it: reformulated, stored and scaled as perp_solve does it
 *  with these options. It is what r->proof speaks of. *view is the caller's. */
perp_status perp_solver_view(const perp_solver_type *type, const perp_problem *p,
                             const perp_options *opt, perp_problem **view,
                             perp_error *err);

PERP_END_DECLS

#endif
