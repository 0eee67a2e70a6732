/* SPDX-License-Identifier: Apache-2.0
 * core/solvers.h: what solver files include: the public nouns, the registry's names, and the
 * helpers that more than one solver uses. Private. */
#ifndef PERP_CORE_SOLVERS_H
#define PERP_CORE_SOLVERS_H

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <perp/perp.h>

#include "base/base.h"

/* The registry: each constant is defined at the end of its own file, and listed once more in
 * solve/registry.c. */
extern const perp_solver_type perp_solver_lemke;
extern const perp_solver_type perp_solver_dantzig;
extern const perp_solver_type perp_solver_keller;
extern const perp_solver_type perp_solver_murty;
extern const perp_solver_type perp_solver_bard;
extern const perp_solver_type perp_solver_bpp;
extern const perp_solver_type perp_solver_enumerate;
extern const perp_solver_type perp_solver_jacobi;
extern const perp_solver_type perp_solver_pgs;
extern const perp_solver_type perp_solver_psor;
extern const perp_solver_type perp_solver_spgs;
extern const perp_solver_type perp_solver_nsgs;
extern const perp_solver_type perp_solver_nncg;
extern const perp_solver_type perp_solver_mpgp;
extern const perp_solver_type perp_solver_kprgp;
extern const perp_solver_type perp_solver_spg;
extern const perp_solver_type perp_solver_spg_inline;
extern const perp_solver_type perp_solver_apgd;
extern const perp_solver_type perp_solver_admm;
extern const perp_solver_type perp_solver_admm_ncp;
extern const perp_solver_type perp_solver_fb;
extern const perp_solver_type perp_solver_minmap;
extern const perp_solver_type perp_solver_ac;
extern const perp_solver_type perp_solver_prox_newton;
extern const perp_solver_type perp_solver_nsgs_newton;
extern const perp_solver_type perp_solver_ipm;
extern const perp_solver_type perp_solver_ipm_socp;
extern const perp_solver_type perp_solver_prox;
extern const perp_solver_type perp_solver_ds;
extern const perp_solver_type perp_solver_tresca;
extern const perp_solver_type perp_solver_panagiotopoulos;
extern const perp_solver_type perp_solver_staggered;
extern const perp_solver_type perp_solver_auto;

/** One solver at work on one problem, stepped by its owner: perp_solve, or a wrapper.
 *  Iterations are counted here, and the name of the solver is put before what it says;
 *  judging and limits are the owner's. */
typedef struct perp_run {
    const perp_solver_type *type;
    const perp_problem *p;
    const perp_options *opt;
    perp_workspace *ws;
    size_t mark; /* of the workspace, before setup */
    void *state;
    perp_result *r;
} perp_run;

/** Set up. Call perp_run_end even after a failure. All pointers must outlive the run. */
perp_status perp_run_start(perp_run *run, const perp_solver_type *type,
                           const perp_problem *p, const perp_options *opt,
                           perp_workspace *ws, perp_result *r, perp_error *err);
/** One iteration. */
perp_status perp_run_step(perp_run *run, perp_error *err);
/** After a change of b, and of the diagonal by `shift`: resume, or close and set up again. The
 *  outcome is then PERP_RUNNING. */
perp_status perp_run_resume(perp_run *run, double shift, perp_error *err);
/** Close and release. A zeroed run is allowed (no-op). */
void perp_run_end(perp_run *run);

/** Put the solver's name, "ds:mpgp: …", before a sentence, in place of a shorter name if there is
 *  one. `room`: bytes of the text. */
void perp_message_name_solver(char *text, size_t room, const perp_solver_type *type,
                              const perp_options *opt);
/** End a text with "..." if it needed more bytes than `room`. */
void perp_message_ellipsis(char *text, size_t room, size_t wanted);

/** perp_solve of a solver that is a chain. */
perp_status perp_chain_solve(const perp_solver_type *type, const perp_problem *p,
                             const perp_options *opt, perp_result *r, perp_error *err);

/** Take over the options of `old` that were given and that `opt` knows too. */
void perp_options_inherit(perp_options *opt, const perp_options *old);

/** Add the counts of b to a. */
void perp_work_add(perp_work *a, const perp_work *b);

/** Narrow to the integers of BLAS and LAPACK; PERP_ERR_DATA beyond INT_MAX. */
perp_status perp_blas_int(size_t n, int *out, perp_error *err);

/** |x|_2 of 2 numbers, fast, for values far from overflow. */
static inline double perp_norm2(double a, double b)
{
    return sqrt(a * a + b * b);
}

/** The same wherever |x|_2 is a double, as the judge needs it. */
static inline double perp_norm2_safe(double a, double b)
{
    double sum = a * a + b * b;

    return sum > 1e-280 && sum < 1e280 ? sqrt(sum) : hypot(a, b);
}

/** max |x_i| of n numbers. */
static inline double perp_largest(size_t n, const double *x)
{
    double largest = 0.0;

    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}

/** A row of A times x, and the sum of the magnitudes of its terms, which bounds its rounding. */
typedef struct perp_row_sum {
    const double *x;
    double sum, size;
} perp_row_sum;

perp_row_sum perp_operator_row_sum(const perp_operator *A, size_t i, const double *x);

/** |A| estimated with memory of the workspace, which is released again; counts its products in
 *  r. False when there is no
 *  memory. */
bool perp_norm_estimate(const perp_operator *A, perp_workspace *ws, double *norm,
                        perp_result *r);

/** Is the point finite? */
bool perp_all_finite(const double *x, size_t n);

#endif
