/* SPDX-License-Identifier: Apache-2.0
 * solve/loop.h: the state of perp_solve, shared by the loop and the verdict. Private. */
#ifndef PERP_SOLVE_LOOP_H
#define PERP_SOLVE_LOOP_H

#include "plan.h"
#include "reform/reforms.h"
#include "watch.h"

/** The memory of a context: all that a solve takes comes from its workspace. */
struct perp_context {
    perp_workspace *ws;
};

typedef struct perp_loop {
    perp_plan plan;
    perp_workspace *ws; /* of the context */
    size_t mark;        /* of the workspace, at the start */
    perp_judge *judge;  /* of the problem as asked */
    perp_watch watch;   /* of the iterates of the problem that the solver sees */
    perp_run run;
    perp_result *r;     /* the caller's */
    perp_result *inner; /* of the problem that the solver sees */
    double *best;       /* best point of the problem as asked */
    double *point;     /* the last point that was judged, of the problem as asked; that of
                         * `inner` where it is the same problem */
    double *start;     /* the start of the problem that the solver sees */
    double *direction; /* of diverging iterates of that problem */
    double tolerance, time_limit;
    double work_limit; /* flops; 0: none */
    size_t max_iterations, check_every, check_first;
    size_t started; /* iterations before this attempt */
    double clock;   /* when the solver's clock was started last */
    /* The best claim of another code that the judge did not confirm, and its reason; the residual
     * of the last call, and how many calls in a row have had it. */
    perp_foreign claimed;
    char claimed_reason[256];
    double called_residual;
    size_t called_same;
    bool keep_history;
    bool watched; /* the solver iterates, and its iterates are watched */
    bool limited; /* ended by a limit, not by the solver */
    bool at_best; /* the last point that was judged is the best one */
    bool judged;  /* the current point of the solver was judged */
    bool last;    /* at a limit the last point is returned, not the best */
    bool fixed;   /* and the number of iterations was given: fewer judgements */
} perp_loop;

/** The problem that is judged. */
static inline const perp_problem *perp_loop_asked(const perp_loop *l)
{
    return perp_reform_path_problem(l->plan.path, l->plan.asked);
}

/** Is the limit of work reached? */
static inline bool perp_loop_has_worked(const perp_loop *l)
{
    return l->work_limit > 0.0 &&
           perp_work_flops(&l->inner->work, perp_reform_path_end(l->plan.path)->A) >=
               l->work_limit;
}

/** Judge the solver's point on the problem as asked; the clock is stopped. */
void perp_loop_judge(perp_loop *l, size_t sample);
/** The solver from its start to its end, and the outcome. At a singular block, or a cycle without
 *  a certificate, the fallback solves the problem from the same start. */
perp_status perp_loop_attempts(perp_loop *l, perp_error *err);

/** After the end of another code: true where its answer misses the tolerance that it claims, and it
 *  is to be called again for a smaller one. */
bool perp_loop_call_again(perp_loop *l);
/** The outcome, the reason and the certificate of r, from what the solver claims and what the
 *  judge has found. */
perp_status perp_loop_decide(perp_loop *l, perp_error *err);
/** Carry a certificate y of problem `from` on the path to the problem as asked, where it is
 *  checked, and on to the problem as given, where it becomes the certificate of r.
 *  *holds: whether it certifies that the problem as asked has no solution. */
perp_status perp_loop_certify(perp_loop *l, size_t from, const double *y, bool *holds,
                              perp_error *err);
/** Complete the reason of a negative answer by the solver's name and the residual reached. */
void perp_loop_complete_reason(perp_loop *l);

/** perp_context_solve of a solver that is a chain. */
perp_status perp_chain_solve(perp_context *context, const perp_solver_type *type,
                             const perp_problem *p, const perp_options *opt,
                             perp_result *r, perp_error *err);

#endif
