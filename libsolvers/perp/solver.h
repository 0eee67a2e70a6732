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

/** What A must have. Without SYMMETRIC the solver would solve another problem and is refused;
 *  without one of the others convergence is not guaranteed. Bits. */
typedef enum perp_demand {
    PERP_DEMAND_SYMMETRIC = 1,
    PERP_DEMAND_POSITIVE_DEFINITE = 2,
    PERP_DEMAND_POSITIVE_SEMIDEFINITE = 4,
    PERP_DEMAND_POSITIVE_DIAGONAL = 8,
} perp_demand;

/** How a solver works with its start and with an inner solver. Bits. */
typedef enum perp_flag {
    PERP_FLAG_WRAPPER = 1,              /**< works through another solver: "ds:mpgp" */
    PERP_FLAG_INNER_SYMMETRIC_PART = 2, /**< its inner solver sees (A + A^T)/2 only */
    PERP_FLAG_INNER_OTHER_SETS = 4,     /**< its inner solver sees other sets */
    PERP_FLAG_USES_START = 8,           /**< a start near a solution saves iterations */
    PERP_FLAG_RESUME_READS_SET = 16,    /**< `resume` reads bounds and radii again, too */
    PERP_FLAG_FREEZES_FRICTION = 32,    /**< FRICTION rows keep the first bounds they get */
} perp_flag;

/** Capability masks. Each is a type of its own and is written with the names of one
 *  enumeration, `.sets = PERP_SETS(NONNEG, BOX)`, so that a wrong mask does not compile. */
typedef struct perp_set_mask {
    unsigned set_bits; /**< of perp_set_kind */
} perp_set_mask;
typedef struct perp_law_mask {
    unsigned law_bits; /**< 1u << perp_law */
} perp_law_mask;
typedef struct perp_storage_mask {
    unsigned storage_bits; /**< of perp_storage */
} perp_storage_mask;
typedef struct perp_demand_mask {
    unsigned demand_bits; /**< of perp_demand */
} perp_demand_mask;
typedef struct perp_flag_mask {
    unsigned flag_bits; /**< of perp_flag */
} perp_flag_mask;
typedef struct perp_certificate_mask {
    unsigned certificate_bits; /**< 1u << perp_certificate_kind */
} perp_certificate_mask;

#define PERP_SETS(...)                                                                   \
    {                                                                                    \
        .set_bits = PERP_OR(PERP_SET_, __VA_ARGS__)                                      \
    }
#define PERP_LAWS(...)                                                                   \
    {                                                                                    \
        .law_bits = PERP_OR(1u << PERP_LAW_, __VA_ARGS__)                                \
    }
#define PERP_STORAGES(...)                                                               \
    {                                                                                    \
        .storage_bits = PERP_OR(PERP_STORAGE_, __VA_ARGS__)                              \
    }
#define PERP_DEMANDS(...)                                                                \
    {                                                                                    \
        .demand_bits = PERP_OR(PERP_DEMAND_, __VA_ARGS__)                                \
    }
#define PERP_FLAGS(...)                                                                  \
    {                                                                                    \
        .flag_bits = PERP_OR(PERP_FLAG_, __VA_ARGS__)                                    \
    }
#define PERP_CERTIFICATES(...)                                                           \
    {                                                                                    \
        .certificate_bits = PERP_OR(1u << PERP_CERTIFICATE_, __VA_ARGS__)                \
    }

/** P##a | P##b | ... of at most eight names. */
#define PERP_OR(P, ...)                                                                  \
    PERP_OR_OF(__VA_ARGS__, PERP_OR_8, PERP_OR_7, PERP_OR_6, PERP_OR_5, PERP_OR_4,       \
               PERP_OR_3, PERP_OR_2, PERP_OR_1, 0)                                       \
    (P, __VA_ARGS__)
#define PERP_OR_OF(a, b, c, d, e, f, g, h, name, ...) name
#define PERP_OR_1(P, a)                               (P##a)
#define PERP_OR_2(P, a, ...)                          (P##a) | PERP_OR_1(P, __VA_ARGS__)
#define PERP_OR_3(P, a, ...)                          (P##a) | PERP_OR_2(P, __VA_ARGS__)
#define PERP_OR_4(P, a, ...)                          (P##a) | PERP_OR_3(P, __VA_ARGS__)
#define PERP_OR_5(P, a, ...)                          (P##a) | PERP_OR_4(P, __VA_ARGS__)
#define PERP_OR_6(P, a, ...)                          (P##a) | PERP_OR_5(P, __VA_ARGS__)
#define PERP_OR_7(P, a, ...)                          (P##a) | PERP_OR_6(P, __VA_ARGS__)
#define PERP_OR_8(P, a, ...)                          (P##a) | PERP_OR_7(P, __VA_ARGS__)

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
    const char *summary;        /**< one line, for `perp list` */
    const char *reference;      /**< a key of paper/references.bib */
    perp_set_mask sets;         /**< blocks of K that it handles */
    perp_law_mask laws;         /**< laws of its cones */
    perp_storage_mask storages; /**< storages of A that it handles */
    perp_demand_mask demands;
    perp_flag_mask flags;
    perp_certificate_mask certificates; /**< it may leave these with a negative answer */
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
 * physics is asked for by the option "formulation". All are listed in r->path.
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
