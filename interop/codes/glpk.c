/* SPDX-License-Identifier: Apache-2.0
 * codes/glpk.c: a small LCP, or box problem, as a mixed-integer linear program for GLPK.
 *
 * The program of Pardalos and Rosen needs no bound on z: with y = alpha z it is
 *
 *     max alpha,  0 <= A y + b alpha <= 1 - x,  0 <= y <= x,  x in {0, 1}^n,
 *
 * and z = y/alpha solves the LCP where alpha > 0; the LCP has no solution where the maximum is
 * 0. Bounds lo, hi are scaled by alpha as well; each finite one has its binary. Any alpha > 0
 * will do: the search ends with the first one that is not small. Then the binaries are fixed
 * and the linear program is solved again, so that complementarity is exact. Exponential time at
 * worst. */
#include <config.h>

#include <glpk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interop/codes/code.h"

static const double glpk_enough = 1e-4; /* alpha that ends the search */
static const double glpk_zero = 1e-9;   /* alpha up to which there is no solution */

/* The program; indices of columns, 0 where there is none. */
typedef struct glpk_model {
    const perp_problem *p;
    glp_prob *lp;
    double *lo, *hi;
    int alpha;
    int *plus, *minus;  /* n: of w+ and w-, the parts of w that finite bounds permit */
    int *at_lo, *at_hi; /* n: binaries: 1 lets z leave the bound, 0 lets w part from 0 */
    int *index;         /* n + 4: a row being written */
    double *value;
    int length;
} glpk_model;

void code_version(char *text, size_t length)
{
    snprintf(text, length, "GLPK %s", glp_version());
}

static void glpk_term(glpk_model *m, int column, double value)
{
    if (column > 0 && value != 0.0) {
        m->length++;
        m->index[m->length] = column;
        m->value[m->length] = value;
    }
}

static void glpk_visit(void *context, size_t j, double a)
{
    glpk_term(context, (int)j + 1, a);
}

/* Add the row that was written, with its bounds. */
static void glpk_row(glpk_model *m, int type, double low, double high)
{
    int row = glp_add_rows(m->lp, 1);

    glp_set_row_bnds(m->lp, row, type, low, high);
    glp_set_mat_row(m->lp, row, m->length, m->index, m->value);
    m->length = 0;
}

static int glpk_column(glpk_model *m, int kind)
{
    int column = glp_add_cols(m->lp, 1);

    glp_set_col_kind(m->lp, column, kind);
    if (kind == GLP_CV) {
        glp_set_col_bnds(m->lp, column, GLP_DB, 0.0, 1.0);
    }
    return column;
}

/* 0 <= sign (y_i - bound alpha) <= binary, and the part of w <= 1 - binary. */
static void glpk_bound(glpk_model *m, size_t i, double sign, double bound, int binary,
                       int part)
{
    int y = (int)i + 1;

    glpk_term(m, y, sign);
    glpk_term(m, m->alpha, -sign * bound);
    glpk_row(m, GLP_LO, 0.0, 0.0);
    glpk_term(m, y, sign);
    glpk_term(m, m->alpha, -sign * bound);
    glpk_term(m, binary, -1.0);
    glpk_row(m, GLP_UP, 0.0, 0.0);
    glpk_term(m, part, 1.0);
    glpk_term(m, binary, 1.0);
    glpk_row(m, GLP_UP, 0.0, 1.0);
}

static void glpk_fill(glpk_model *m)
{
    size_t n = m->p->n;

    glp_set_obj_dir(m->lp, GLP_MAX);
    glp_add_cols(m->lp, (int)n);
    for (size_t i = 0; i < n; i++) {
        glp_set_col_bnds(m->lp, (int)i + 1, GLP_FR, 0.0, 0.0);
    }
    m->alpha = glpk_column(m, GLP_CV);
    glp_set_obj_coef(m->lp, m->alpha, 1.0);
    for (size_t i = 0; i < n; i++) {
        if (isfinite(m->lo[i])) {
            m->plus[i] = glpk_column(m, GLP_CV);
            m->at_lo[i] = glpk_column(m, GLP_BV);
            glpk_bound(m, i, 1.0, m->lo[i], m->at_lo[i], m->plus[i]);
        }
        if (isfinite(m->hi[i])) {
            m->minus[i] = glpk_column(m, GLP_CV);
            m->at_hi[i] = glpk_column(m, GLP_BV);
            glpk_bound(m, i, -1.0, m->hi[i], m->at_hi[i], m->minus[i]);
        }
        perp_operator_row_visit(m->p->A, i, glpk_visit, m);
        glpk_term(m, m->alpha, m->p->b[i]);
        glpk_term(m, m->plus[i], -1.0);
        glpk_term(m, m->minus[i], 1.0);
        glpk_row(m, GLP_FX, 0.0, 0.0);
    }
}

static void glpk_watch(glp_tree *tree, void *context)
{
    const glpk_model *m = context;

    if (glp_ios_reason(tree) == GLP_IBINGO &&
        glp_mip_col_val(m->lp, m->alpha) > glpk_enough) {
        glp_ios_terminate(tree);
    }
}

/* Fix the binaries at the values found and solve the linear program. */
static bool glpk_refine(glpk_model *m)
{
    glp_smcp parameters;
    int columns = glp_get_num_cols(m->lp);

    for (int k = 1; k <= columns; k++) {
        if (glp_get_col_kind(m->lp, k) == GLP_BV) {
            double value = glp_mip_col_val(m->lp, k) > 0.5 ? 1.0 : 0.0;

            glp_set_col_kind(m->lp, k, GLP_CV);
            glp_set_col_bnds(m->lp, k, GLP_FX, value, value);
        }
    }
    glp_init_smcp(&parameters);
    parameters.tol_bnd = parameters.tol_dj = 1e-9;
    return glp_simplex(m->lp, &parameters) == 0 && glp_get_status(m->lp) == GLP_OPT &&
           glp_get_col_prim(m->lp, m->alpha) > glpk_zero;
}

static code_end glpk_search(glpk_model *m, const code_task *task, code_answer *answer)
{
    glp_iocp parameters;
    int ended = 0;

    glp_init_iocp(&parameters);
    parameters.presolve = GLP_ON;
    parameters.cb_func = glpk_watch;
    parameters.cb_info = m;
    if (task->time_limit > 0.0 && task->time_limit < 1e6) {
        parameters.tm_lim = (int)(1e3 * task->time_limit) + 1;
    }
    ended = glp_intopt(m->lp, &parameters);
    answer->claim = ended == GLP_ETMLIM ? "time limit" : "failed";
    snprintf(answer->message, sizeof answer->message,
             "glp_intopt ends with %d, status %d", ended, glp_mip_status(m->lp));
    if (ended == 0 && glp_mip_status(m->lp) == GLP_OPT &&
        glp_mip_col_val(m->lp, m->alpha) <= glpk_zero) {
        answer->claim = "infeasible";
        snprintf(answer->message, sizeof answer->message, "the largest alpha is 0");
    } else if (glp_mip_status(m->lp) == GLP_OPT || glp_mip_status(m->lp) == GLP_FEAS) {
        if (glp_mip_col_val(m->lp, m->alpha) > glpk_zero && glpk_refine(m)) {
            double alpha = glp_get_col_prim(m->lp, m->alpha);

            answer->claim = "solved";
            snprintf(answer->message, sizeof answer->message, "alpha %.3g", alpha);
            for (size_t i = 0; i < m->p->n; i++) {
                answer->z[i] = glp_get_col_prim(m->lp, (int)i + 1) / alpha;
            }
        }
    }
    return CODE_ANSWERED;
}

code_end code_solve(const code_task *task, code_answer *answer)
{
    size_t n = task->p->n;
    glpk_model m = {.p = task->p};
    code_end end = CODE_ANSWERED;
    double begin = 0.0;

    m.lo = perp_reals_new(n);
    m.hi = perp_reals_new(n);
    m.value = perp_reals_new(n + 5);
    m.plus = calloc(5 * n + 5, sizeof *m.plus);
    if (!m.lo || !m.hi || !m.value || !m.plus) {
        end = code_no_memory(answer, n);
    } else if (n > 100000 || !code_bounds(task->p, m.lo, m.hi, NULL, NULL)) {
        snprintf(answer->message, sizeof answer->message,
                 "expected at most 100000 rows, each free, nonneg or box");
        end = CODE_UNSUITABLE;
    } else {
        m.minus = m.plus + n;
        m.at_lo = m.minus + n;
        m.at_hi = m.at_lo + n;
        m.index = m.at_hi + n;
        glp_term_out(GLP_OFF);
        m.lp = glp_create_prob();
        begin = code_seconds();
        glpk_fill(&m);
        end = glpk_search(&m, task, answer);
        answer->seconds = code_seconds() - begin;
        glp_delete_prob(m.lp);
        snprintf(answer->reformulation, sizeof answer->reformulation,
                 "the mixed-integer program of Pardalos and Rosen, without a big M");
    }
    free(m.lo);
    free(m.hi);
    free(m.value);
    free(m.plus);
    return end;
}
