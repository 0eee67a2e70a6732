/* SPDX-License-Identifier: Apache-2.0
 * codes/boxed.h: a problem of scalar rows in the form of the solvers of physics engines:
 *
 *     A x = b + w,   lo <= x <= hi,   w >= 0 at lo, w <= 0 at hi, w = 0 between
 *
 * This b is minus the b of perp. A friction row has hi = mu and the number of its normal row in
 * findex: the bound of the engine is mu x_normal. The engines require lo <= 0 <= hi; where a box
 * does not contain 0, z = x + shift with the bound that is nearest to 0. */
#ifndef PERP_CODES_BOXED_H
#define PERP_CODES_BOXED_H

#include "interop/codes/code.h"

PERP_BEGIN_DECLS

/** The rows, freed by boxed_free. The engines may overwrite all arrays but `shift`. */
typedef struct boxed_rows {
    size_t n;
    size_t stride;  /**< A_ij is A[i * stride + j]; columns from n on are 0 */
    double *A;      /**< n x stride, row by row, 64-byte aligned */
    double *b;      /**< n */
    double *lo;     /**< n */
    double *hi;     /**< n; of a friction row: mu, and lo = -mu */
    int *findex;    /**< n; normal row of a friction row, -1 for others */
    double *x;      /**< n: the start, then the answer */
    double *shift;  /**< n */
    bool unbounded; /**< every row is free */
} boxed_rows;

/** Rows of the problem of a task. `padding` is what the stride is a multiple of. Fills
 *  answer->message unless CODE_ANSWERED is returned, and answer->reformulation. */
code_end boxed_new(boxed_rows *rows, const code_task *task, size_t padding,
                   code_answer *answer);
void boxed_free(boxed_rows *rows);
/** z := x + shift. */
void boxed_point(const boxed_rows *rows, double *z);

/** Perform `sweeps` sweeps of an iterative solver on rows->x. */
typedef void (*boxed_sweep)(void *solver, boxed_rows *rows, size_t sweeps);
/**
 * Call an iterative solver until the residual of perp is at most the tolerance of the task.
 *
 * The engines stop sweeps by the change of x or never, which says nothing on the residual. Each
 * call continues from the last x, as a longer first call would; calls become longer by a
 * quarter of the sweeps done. answer->seconds is the time of the calls alone.
 */
code_end boxed_sweeps(boxed_sweep sweep, void *solver, boxed_rows *rows,
                      const code_task *task, code_answer *answer);

PERP_END_DECLS

#endif
