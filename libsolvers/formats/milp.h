/* SPDX-License-Identifier: Apache-2.0
 * formats/milp.h: a complementarity problem as a mixed-integer linear program whose binaries
 * choose the active side of each bound. Private.
 *
 * The form is homogeneous [pardalos-rosen-1988], so that it needs no bound on z or w. For rows
 * 0 <= z _|_ w >= 0, and any sigma, tau > 0,
 *
 *     maximise alpha        -1 <= alpha <= 1,  l binary
 *     A y + alpha b = p,    0 <= p <= tau (1 - l),    0 <= y <= sigma l
 *
 * If alpha > 0 then z = y / alpha is a solution. From each solution z, w one obtains a feasible
 * alpha > 0: alpha = min(1, sigma / max z, tau / max w). So alpha = 0 at the optimum means that
 * there is no solution. sigma and tau only scale alpha; they exclude no solution. A bound alpha >= 0 would
 * say no more, and with it the presolve of HiGHS 1.2 (SciPy 1.10) calls 1 in 12 of small LCPs infeasible.
 *
 * General rows: y - alpha lo is the gap to the lower bound, with p and l; alpha hi - y the gap
 * to the upper one, with m and u; A y + alpha b = p - m. The gaps of box friction are
 * mu y[normal] + y and mu y[normal] - y.
 *
 * A finite bound beyond the scale of z would make alpha small, since the gap to it is large. The
 * sigma of such a bound is larger, so that alpha need not be; and where no solution reaches it
 * (perp_milp_ranges), its gap is >= 0 alone, without binary. */
#ifndef PERP_FORMATS_MILP_H
#define PERP_FORMATS_MILP_H

#include "models.h"

/** More binaries than these are refused: the number of active sets doubles with each. */
enum { PERP_MILP_BINARIES = 200 };

/** A column or a row: "alpha", or a sort and a row of the problem: "y(3)". */
typedef struct perp_milp_name {
    const char *sort;
    size_t i; /**< from 1; 0: the sort alone */
} perp_milp_name;

typedef struct perp_milp {
    perp_operator *A; /**< rows x columns, CSR; column 0 is alpha, to be maximised */
    perp_milp_name *columns; /**< A->cols: alpha, y, then p, l, m, u of the bounds */
    perp_milp_name *rows;    /**< A->rows */
    char *bounds; /**< A->cols: 'f' free, 'p' >= 0, '1' between -1 and 1, 'b' binary */
    char *senses; /**< A->rows: 'E', 'L' or 'G' */
    double *rhs;  /**< A->rows */
    double sigma, tau; /**< a bound beyond sigma has a larger one of its own */
    size_t unreached;  /**< bounds that no solution reaches, without binary */
    double alpha; /**< about the least alpha, where z reaches the largest bound; <= 1 */
} perp_milp;

perp_status perp_milp_suits(const char *format, const perp_problem *p, const char *kind,
                            const char *name, perp_error *err);
/** The caller frees it, also after a failure. */
perp_status perp_milp_make(perp_milp *m, const perp_problem *p, perp_error *err);
void perp_milp_free(perp_milp *m);
/** Intervals of p->n rows that hold z of every solution. */
void perp_milp_ranges(const perp_problem *p, double *low, double *high);
/** A note where alpha may be so small that a code rounds it to 0. */
void perp_milp_remark(const perp_problem *p, perp_notes *notes);
/** The comments: perp_model_head, the form, how to obtain z. */
void perp_milp_head(FILE *f, const char *mark, const perp_problem *p, const perp_milp *m);
void perp_milp_print_name(FILE *f, const perp_milp_name *name);

#endif
