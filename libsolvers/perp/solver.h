/* SPDX-License-Identifier: Apache-2.0
 * perp/solver.h: run a solver on a problem and judge what it returns. What a solver is made of
 * is in <perp/solver_type.h>.
 *
 * Ownership: the caller owns every argument of perp_solve; nothing is kept after the call.
 * Threads: two calls may run at once when they share nothing that they write to. Problems,
 * options, types and registries are only read. */
#ifndef PERP_SOLVER_H
#define PERP_SOLVER_H

#include <perp/options.h>
#include <perp/problem.h>
#include <perp/result.h>

PERP_BEGIN_DECLS

/** A method that solves problems, defined in <perp/solver_type.h>. */
typedef struct perp_solver_type perp_solver_type;

/** All solvers, ended by NULL, in the order in which they are listed; `count` may be NULL. */
const perp_solver_type *const *perp_solvers(size_t *count);
/** The solver of that name ("pgs", not "ds:mpgp"), or NULL. */
const perp_solver_type *perp_solver_find(const char *name);
/** A solver from its full name, with the defaults of its options: "lemke", "prox:dantzig",
 *  "ds:mpgp"; and with settings as perp_options_parse reads them, "nsgs relaxation=0.7".
 *  PERP_ERR_OPTION names the nearest known solver or option. `type` may be NULL, since
 *  opt->solver holds it, too. */
perp_status perp_solver_parse(const char *name, const perp_solver_type **type,
                              perp_options *opt, perp_error *err);
/** "ds:mpgp": the name with that of the inner solver; at most `length` bytes with the
 *  end. */
void perp_solver_print(const perp_solver_type *type, const perp_options *opt, char *name,
                       size_t length);

/**
 * Solve p from the starting point r->z, then judge the answer.
 *
 * Reformulations that keep the physics are made as the solver needs them; what changes the
 * physics is asked for by the option "friction". All are listed in r->path.
 *
 * @param type  a solver, from perp_solver_find() or perp_solver_parse(), or of the caller
 * @param p     the problem: n rows, impulses z [N s], velocities w [m/s]
 * @param opt   options made for `type`, or NULL for its defaults
 * @param r     in: z, length p->n. out: z, w, outcome, residual, history
 * @param err   filled on failure; may be NULL
 * @return PERP_OK when the solver reached an outcome, even PERP_ITERATION_LIMIT;
 *         PERP_ERR_ARGUMENT (NULL), PERP_ERR_DATA, PERP_ERR_OPTION, PERP_ERR_MEMORY or
 *         PERP_ERR_UNSUITABLE when it could not run.
 */
perp_status perp_solve(const perp_solver_type *type, const perp_problem *p,
                       const perp_options *opt, perp_result *r, perp_error *err);

/**
 * Memory that is kept from one solve to the next: for the steps of a simulation, whose
 * problems have about the same size. Nothing else is kept; the answers are those of
 * perp_solve, to the bit. Not shared between threads.
 */
typedef struct perp_context perp_context;

/** An empty context. PERP_ERR_MEMORY: *context is NULL. */
perp_status perp_context_new(perp_context **context, perp_error *err);
/** NULL is allowed (no-op). */
void perp_context_free(perp_context *context);
/** perp_solve in the memory of a context. */
perp_status perp_context_solve(perp_context *context, const perp_solver_type *type,
                               const perp_problem *p, const perp_options *opt,
                               perp_result *r, perp_error *err);

/** The problem as the solver sees it: reformulated, stored and scaled as perp_solve
 *  does it with these options, with all bounds. Certificates other than that of infeasibility refer to
 *  it. The caller frees *view. */
perp_status perp_solver_view(const perp_solver_type *type, const perp_problem *p,
                             const perp_options *opt, perp_problem **view,
                             perp_error *err);

/**
 * Solve the LCP 0 <= z _|_ w = M z + q >= 0 in one call.
 *
 * @param n    number of unknowns
 * @param M    n x n, column-major (column j begins at M + n*j); need not be symmetric
 * @param q    n
 * @param z    n. in: where to start, zeros if nothing is known. out: the best point found
 * @param opt  options of a solver from perp_solver_parse(); NULL: the solver "auto"
 * @param err  filled unless PERP_OK is returned; may be NULL
 * @return PERP_OK when z solves the LCP: its residual is at most the option "tolerance".
 *         PERP_ERR_NOT_SOLVED when the solver ended without a solution; err says how.
 *         Other statuses as of perp_solve(), with z unchanged.
 */
perp_status perp_lcp_solve(size_t n, const double *M, const double *q, double *z,
                           const perp_options *opt, perp_error *err);

PERP_END_DECLS

#endif
