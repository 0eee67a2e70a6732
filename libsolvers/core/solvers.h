/* SPDX-License-Identifier: Apache-2.0
 * core/solvers.h: what solver files include: the public headers, and the helpers that more
 * than one solver uses. Private. */
#ifndef PERP_CORE_SOLVERS_H
#define PERP_CORE_SOLVERS_H

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <perp/perp.h>

#include "base/base.h"
#include "core/operator.h"

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

/** perp_result_restart of a result that is not initialised, with these arrays. */
void perp_result_begin(perp_result *r, size_t n, double *z, double *w,
                       perp_history_sample *history);
/** *to := *from, as many steps as there are. */
void perp_solution_path_copy(perp_solution_path *to, const perp_solution_path *from);

/** perp_workspace_alloc of memory that is not zeroed: for arrays that are written whole. */
void *perp_workspace_raw(perp_workspace *ws, size_t count, size_t size);
/** A team of up to `members` threads that lasts as long as the workspace: whoever asks for as
 *  many gets the same. NULL without memory. */
struct thread_team *perp_workspace_team(perp_workspace *ws, size_t members);
/** From here on released memory is kept for later requests. */
void perp_workspace_keep(perp_workspace *ws);
/** A new limit, and the peak begins at what is held. */
void perp_workspace_restart(perp_workspace *ws, size_t limit);

/** A result whose history is NULL: for solves within a solve, whose judgements are not recorded. */
perp_status perp_result_new_without_history(perp_result **r, size_t n, perp_error *err);

/** Put the solver's name, "ds:mpgp: …", before a sentence, in place of a shorter name if there is
 *  one. `room`: bytes of the text. */
void perp_message_name_solver(char *text, size_t room, const perp_solver_type *type,
                              const perp_options *opt);
/** End a text with "..." if it needed more bytes than `room`. */
void perp_message_ellipsis(char *text, size_t room, size_t wanted);
/** vsnprintf that ends a text which does not fit in "...". */
void perp_message_write(char *text, size_t room, const char *format, va_list args);

/** The sets and the laws that a solver takes: those of its type, or fewer where its options
 *  `sets` and `laws` say so. Bits as in perp_set_mask and perp_law_mask. */
unsigned perp_solver_sets(const perp_solver_type *type, const perp_options *opt);
unsigned perp_solver_laws(const perp_solver_type *type, const perp_options *opt);
/** PERP_ERR_UNSUITABLE where the cones of p obey a law that the solver does not take. */
perp_status perp_solver_check_law(const perp_solver_type *type, const perp_options *opt,
                                  const perp_problem *p, perp_error *err);

/** Whether p is a bimatrix game: an LCP with M = [0 A; B^T 0], A, B > 0, rows in any order, and q < 0. */
bool perp_problem_is_game(const perp_problem *p);

/** perp_context_solve of a solver that is a chain. */
perp_status perp_chain_solve(perp_context *context, const perp_solver_type *type,
                             const perp_problem *p, const perp_options *opt,
                             perp_result *r, perp_error *err);

/** Copy from `old` the options that were given and that `opt` has, too, and what the
 *  caller set beside the tables. */
void perp_options_inherit(perp_options *opt, const perp_options *old);
/** Do only given limits end a solve (option end-by), and is there one of time or work? */
bool perp_options_end_by_limits(const perp_options *opt);
/** The value of an option that limits rounds; SIZE_MAX where only given limits end a solve and it is
 *  not one of them. */
size_t perp_options_cap(const perp_options *opt, const char *name);
/** Defaults for a solver, which need not be registered. A wrapper gets its default inner
 *  solver from the built-in ones; PERP_ERR_OPTION when it is not among them. */
perp_status perp_options_init_default(perp_options *opt, const perp_solver_type *type,
                                      perp_error *err);

/** *view := p with scratch of its own in A, so that several threads can work on p at once. It
 *  borrows all parts of p. Freed by perp_problem_view_free, also after a failure. */
perp_status perp_problem_view(perp_problem *view, const perp_problem *p, perp_error *err);
void perp_problem_view_free(perp_problem *view);
/** Copy a label, texts too, into one that holds none; false: no memory. */
bool perp_label_copy(perp_label *to, const perp_label *from);
/** PERP_ERR_DATA where p has labels, but not one per block. */
perp_status perp_labels_check(const perp_problem *p, perp_error *err);
/** perp_problem_seal of a view, whose A then knows what the check has found. */
perp_status perp_problem_view_seal(perp_problem *view, perp_error *err);

/** The pointer to data that a struct borrows: its field is not const, since the same field
 *  owns its data elsewhere, but the data are not written. */
static inline void *perp_borrowed(const void *data)
{
    return (void *)(uintptr_t)data;
}

/** PERP_OK for a sealed problem, else perp_problem_check. */
static inline perp_status perp_problem_ensure_checked(const perp_problem *p,
                                                      perp_error *err)
{
    return p->sealed ? PERP_OK : perp_problem_check(p, err);
}

/** For the first line of a public function: make err empty, and fail with
 *  PERP_ERR_ARGUMENT unless `complete`: no argument that the function requires is
 *  NULL. */
perp_status perp_check_arguments(bool complete, const char *function, perp_error *err);

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

/** |t|_2 of 1 or 2 tangents, wherever it is a double. */
static inline double perp_tangent_norm(const double *t, unsigned count)
{
    return count == 1 ? fabs(t[0]) : perp_norm2_safe(t[0], t[1]);
}

/** c := a x b; c is neither of them. */
static inline void perp_cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/** z := its projection on the set, block by block in their order. */
static inline void perp_set_project_all(const perp_set *set, double *z)
{
    for (size_t k = 0; k < set->count; k++) {
        perp_set_project(set, k, z);
    }
}

/** For qsort: int32_t ascending. */
static inline int perp_compare_int32(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a;
    int32_t y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

/** Is the point finite? */
bool perp_all_finite(const double *x, size_t n);

/** What a scalar row with the scale s asks for where nothing acts: |b|/s, or s |z| where a bound ends
 *  the step. A row that stays slack asks for nothing, however large b. */
double perp_row_load(const perp_block *block, double s, double b);

#endif
