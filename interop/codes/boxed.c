/* SPDX-License-Identifier: Apache-2.0
 * codes/boxed.c: a problem of scalar rows in the form of the solvers of physics engines. */
#include <perp/judge.h>

#include "interop/codes/boxed.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The engines compute places of A as int. */
enum { BOXED_MOST_ROWS = 46336 };

/* Most sweeps where the task sets no limit. */
enum { BOXED_SWEEPS = 100000 };

static code_end boxed_fail(code_answer *answer, code_end end, const char *text, size_t n)
{
    snprintf(answer->message, sizeof answer->message, text, n);
    return end;
}

static code_end boxed_memory(boxed_rows *rows, size_t n, size_t padding,
                             code_answer *answer)
{
    double **reals[] = {&rows->b, &rows->lo, &rows->hi, &rows->x, &rows->shift};
    bool there = true;

    rows->n = n;
    rows->stride = (n + padding - 1) / padding * padding;
    rows->A = aligned_alloc(64, (n * rows->stride * sizeof *rows->A + 63) / 64 * 64);
    rows->findex = calloc(n + 1, sizeof *rows->findex);
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++) {
        *reals[k] = calloc(n + 1, sizeof **reals[k]);
        there = there && *reals[k];
    }
    if (!there || !rows->A || !rows->findex) {
        return boxed_fail(answer, CODE_FAILED, "no memory for a dense A of %zu rows", n);
    }
    for (size_t k = 0; k < n * rows->stride; k++) {
        rows->A[k] = 0.0;
    }
    return CODE_ANSWERED;
}

void boxed_free(boxed_rows *rows)
{
    free(rows->A);
    free(rows->b);
    free(rows->lo);
    free(rows->hi);
    free(rows->findex);
    free(rows->x);
    free(rows->shift);
}

/* The bounds, and the shift that puts 0 between them. */
static code_end boxed_bounds(boxed_rows *rows, const perp_set *set, code_answer *answer)
{
    bool shifted = false;

    rows->unbounded = true;
    for (size_t i = 0; i < rows->n; i++) {
        const perp_block *block = &set->blocks[i];

        rows->findex[i] = -1;
        if (block->kind == PERP_SET_FRICTION) {
            rows->findex[i] = (int)block->normal;
            rows->lo[i] = -block->mu;
            rows->hi[i] = block->mu;
        } else {
            perp_block_bounds(block, NULL, &rows->lo[i], &rows->hi[i]);
        }
        rows->shift[i] = fmin(fmax(0.0, rows->lo[i]), rows->hi[i]);
        rows->lo[i] -= rows->shift[i];
        rows->hi[i] -= rows->shift[i];
        shifted = shifted || rows->shift[i] != 0.0;
        rows->unbounded = rows->unbounded && isinf(rows->lo[i]) && isinf(rows->hi[i]);
    }
    for (size_t i = 0; i < rows->n; i++) {
        if (rows->findex[i] >= 0 &&
            rows->lo[rows->findex[i]] + rows->shift[rows->findex[i]] != 0.0) {
            return boxed_fail(
                answer, CODE_UNSUITABLE,
                "friction row %zu: its normal row has a lower bound that is "
                "not 0",
                i);
        }
    }
    snprintf(answer->reformulation, sizeof answer->reformulation, "%s",
             shifted ? "bounds shifted, so that 0 lies between them" : "");
    return CODE_ANSWERED;
}

static void boxed_entry(void *row, size_t j, double a)
{
    ((double *)row)[j] = a;
}

code_end boxed_new(boxed_rows *rows, const code_task *task, size_t padding,
                   code_answer *answer)
{
    const perp_problem *p = task->p;
    code_end end = CODE_ANSWERED;

    *rows = (boxed_rows){0};
    if (!p->A || p->set->count != p->n) {
        return boxed_fail(answer, CODE_UNSUITABLE,
                          "takes rows that are free, nonneg, boxes or friction rows", 0);
    }
    if (p->n > BOXED_MOST_ROWS) {
        return boxed_fail(answer, CODE_UNSUITABLE, "takes at most 46336 rows, found %zu",
                          p->n);
    }
    end = boxed_memory(rows, p->n, padding, answer);
    if (end == CODE_ANSWERED) {
        end = boxed_bounds(rows, p->set, answer);
    }
    for (size_t i = 0; end == CODE_ANSWERED && i < p->n; i++) {
        perp_operator_row_visit(p->A, i, boxed_entry, &rows->A[i * rows->stride]);
        rows->b[i] = -p->b[i] - perp_operator_row_dot(p->A, i, rows->shift);
        rows->x[i] = task->start[i] - rows->shift[i];
    }
    return end;
}

void boxed_point(const boxed_rows *rows, double *z)
{
    for (size_t i = 0; i < rows->n; i++) {
        z[i] = rows->x[i] + rows->shift[i];
    }
}

code_end boxed_sweeps(boxed_sweep sweep, void *solver, boxed_rows *rows,
                      const code_task *task, code_answer *answer)
{
    size_t most = task->max_iterations ? task->max_iterations : BOXED_SWEEPS;
    double residual = INFINITY;
    perp_judge *judge = NULL;

    if (perp_judge_new(&judge, task->p, NULL) != PERP_OK) {
        return boxed_fail(answer, CODE_FAILED, "no memory to judge %zu rows", rows->n);
    }
    answer->claim = NULL;
    while (!answer->claim) {
        size_t sweeps = answer->iterations / 4 > 10 ? answer->iterations / 4 : 10;
        double start = code_seconds();

        if (sweeps > most - answer->iterations) {
            sweeps = most - answer->iterations;
        }
        sweep(solver, rows, sweeps);
        answer->seconds += code_seconds() - start;
        answer->iterations += sweeps;
        boxed_point(rows, answer->z);
        residual = perp_judge_residual(judge, answer->z);
        answer->claim = residual <= task->tolerance  ? "solved"
                        : !isfinite(residual)        ? "failed"
                        : answer->iterations >= most ? "iteration limit"
                        : task->time_limit > 0.0 && answer->seconds >= task->time_limit
                            ? "time limit"
                            : NULL;
    }
    perp_judge_free(judge);
    snprintf(answer->message, sizeof answer->message,
             "%zu sweeps, residual %.2g; the sweeps end by the residual of perp",
             answer->iterations, residual);
    return CODE_ANSWERED;
}
