/* SPDX-License-Identifier: Apache-2.0
 * perp/solver_type.h: what a solver is made of, what it leaves in a result, and registries of
 * solvers. */
#ifndef PERP_SOLVER_TYPE_H
#define PERP_SOLVER_TYPE_H

#include <perp/solver.h>
#include <perp/workspace.h>

PERP_BEGIN_DECLS

/** What A must have. Without SYMMETRIC the solver would solve another problem and is
 *  refused; without one of the others convergence is not guaranteed. Bits. */
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
    PERP_FLAG_FREEZES_FRICTION = 32, /**< FRICTION rows keep the first bounds they get */
    PERP_FLAG_SCALES_WITH_ROWS = 64, /**< its iterates scale with the rows by powers of
                                      *   two, to the bit: no scaled copy is made */
    PERP_FLAG_SCALES_IF_SYMMETRIC = 128, /**< the same where A is dense and symmetric */
    PERP_FLAG_RUNS_FROM_SOLUTION = 256,  /**< a start that solves is not the answer yet */
} perp_flag;

/** Capability masks. Each is a type of its own and is written with the names of one
 *  enumeration, `.sets = PERP_SETS(NONNEG, BOX)`, so that a wrong mask does not
 *  compile. */
typedef struct perp_set_mask {
    unsigned set_bits; /**< of perp_set_kind */
} perp_set_mask;
/** The same of laws. */
typedef struct perp_law_mask {
    unsigned law_bits; /**< 1u << perp_law */
} perp_law_mask;
/** The same of storages of A. */
typedef struct perp_storage_mask {
    unsigned storage_bits; /**< of perp_storage */
} perp_storage_mask;
/** The same of what a solver demands of A. */
typedef struct perp_demand_mask {
    unsigned demand_bits; /**< of perp_demand */
} perp_demand_mask;
/** The same of flags. */
typedef struct perp_flag_mask {
    unsigned flag_bits; /**< of perp_flag */
} perp_flag_mask;
/** The same of certificates. */
typedef struct perp_certificate_mask {
    unsigned certificate_bits; /**< 1u << perp_certificate_kind */
} perp_certificate_mask;

/** Masks of at most eight names, without their prefix: PERP_SETS(BOX, CONE). */
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

/** The bits of at most eight names, each with the prefix P. */
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

enum { PERP_CHAIN_MAX = 16 };

/** A predicted cost, in which budgets are stated. */
typedef struct perp_cost {
    const char *name;                       /**< "n pivots" */
    double (*flops)(const perp_problem *p); /**< as perp_result counts work */
} perp_cost;

/** A row of a chain: a situation, and the solvers for it. */
typedef struct perp_chain_row {
    const char *situation; /**< in words: "disks"; NULL ends a table */
    /** Is p, which is local, in the situation? */
    bool (*applies)(const perp_problem *p);
    /** Solvers in the order in which they are tried, each as perp_solver_parse reads it:
     *  "nsgs+newton", "nsgs relaxation=0.7"; unused: NULL. */
    const char *steps[PERP_CHAIN_MAX];
    /** Those that start where the caller began; the others start at the best point so far. */
    bool cold[PERP_CHAIN_MAX];
    /** Most work of each step, as a share of `cost`; 0: as much as its own limits allow. */
    double share[PERP_CHAIN_MAX];
    const perp_cost *cost; /**< NULL where no step has a share */
    /** Tried before them where the start is not zero, or NULL. */
    const char *warm;
    /** Tried after the first of the steps where that stalled, or NULL. */
    const char *stalled;
} perp_chain_row;

/** A method that solves problems: constant data, and the functions that do the work. */
struct perp_solver_type {
    /* What it is. */
    const char *name;   /**< as typed after --solver: "lemke", "pgs" */
    const char *family; /**< "pivoting", "splitting", "gradient", "admm", "newton", … */
    const char *summary;   /**< one line, for `perp info` */
    const char *reference; /**< a key of paper/references.bib */
    const char
        *algorithm; /**< the published algorithm of this name, with its references */
    const char *additions; /**< what this implementation adds to it, or NULL */

    /* Which problems the method takes, and what it may find. */
    perp_set_mask sets;         /**< blocks of K */
    perp_law_mask laws;         /**< laws of its cones */
    perp_storage_mask storages; /**< storages of A */
    perp_demand_mask demands;
    perp_flag_mask flags;
    perp_certificate_mask certificates; /**< that a negative answer may carry */

    /* How perp_solve treats it. */
    size_t check_every;    /**< iterations between judgements; 0: only at the end */
    size_t check_first;    /**< the first judgement, then after twice as many iterations
                            *   until check_every; 0: check_every */
    size_t max_iterations; /**< default; 0: 1000 + 100 n */
    /** Iterations within which the residual must fall by 1 %; 0: no such rule. */
    size_t stall;
    const char *inner;       /**< of a wrapper: the inner solver when none is named */
    const char *on_singular; /**< wrapper to fall back on at a singular block, or NULL */
    /** A chain has rows, ended by a situation NULL, and no functions: the first row that
     *  applies names the solvers. NULL for a method. */
    const perp_chain_row *chain;

    /* The method. */
    const perp_option *options; /**< its own options, ended by PERP_OPTION_END; or NULL */
    size_t state_size;          /**< bytes; they are zero before setup */
    /** Check the input, take all memory from `ws`, factor what stays constant. `r` holds
     *  the start z; setup may append to the solution path and count work. */
    perp_status (*setup)(void *state, const perp_problem *p, const perp_options *opt,
                         perp_workspace *ws, perp_result *r, perp_error *err);
    /** One step: a pivot, a sweep, a CG step. Allocates nothing. Updates r->z and
     *  r->work; ends with perp_result_end when there is no next step. PERP_SOLVED from
     *  a solver is a claim, which the loop judges. */
    perp_status (*iterate)(void *state, perp_result *r, perp_error *err);
    /** Optional: p->b changed in place, and A's diagonal by `shift` since the last
     *  setup or resume; continue from r->z without a new setup. NULL: set up again. */
    perp_status (*resume)(void *state, double shift, perp_result *r, perp_error *err);
    /** Release handles of other libraries, even after a failed setup. May be NULL. */
    void (*close)(void *state);
};

/* What a solver leaves in its result. */

/** Append a step to the solution path. */
void perp_result_log(perp_result *r, const char *format, ...) PERP_PRINTF(2, 3);
/** End with an outcome and the sentence that explains it. */
perp_status perp_result_end(perp_result *r, perp_outcome outcome, const char *format, ...)
    PERP_PRINTF(3, 4);

/** Leave a certificate of a negative answer about the problem that the solver sees, just before
 *  the end of the solve; a later one replaces it. The arrays that its kind has are copied:
 *
 *      perp_result_certify(r, &(perp_certificate){.kind = PERP_CERTIFICATE_INFEASIBLE, .y = y}, err)
 *
 *  The loop drops what does not hold, or cannot be carried to the problem as given.
 *  PERP_ERR_MEMORY. */
perp_status perp_result_certify(perp_result *r, const perp_certificate *c,
                                perp_error *err);

/**
 * A registry: the solvers that are found by name. A new one holds the built-in solvers, to
 * which the caller adds types of its own; these then work by name, as the inner solver of a
 * wrapper ("ds:mine") and as a step of a chain, wherever options made by
 * perp_solver_registry_parse are used. The library has no registry of its own that a call
 * could change; a NULL registry stands for the built-in solvers.
 *
 * Ownership: a registry borrows the types, and options borrow their registry: types and
 * registry must outlive the options. Threads may share a registry that no longer changes.
 */
typedef struct perp_solver_registry perp_solver_registry;

/** A registry with the built-in solvers. PERP_ERR_MEMORY: *registry is NULL. */
perp_status perp_solver_registry_new(perp_solver_registry **registry, perp_error *err);
/** NULL is allowed (no-op). */
void perp_solver_registry_free(perp_solver_registry *registry);
/** Add a type. PERP_ERR_ARGUMENT when its name is missing, is already used, or holds a
 *  colon or a blank; when it has neither setup and iterate nor a chain, or both; when
 *  a wrapper has no default inner solver; when its options do not fit in perp_options. */
perp_status perp_solver_register(perp_solver_registry *registry,
                                 const perp_solver_type *type, perp_error *err);
/** All solvers, ended by NULL: the built-in ones in their order, then those added;
 *  `count` may be NULL. Valid until the next perp_solver_register. */
const perp_solver_type *const *perp_solver_registry_list(
    const perp_solver_registry *registry, size_t *count);
/** As perp_solver_parse, of the solvers of the registry. */
perp_status perp_solver_registry_parse(const perp_solver_registry *registry,
                                       const char *name, const perp_solver_type **type,
                                       perp_options *opt, perp_error *err);

PERP_END_DECLS

#endif
