/* SPDX-License-Identifier: Apache-2.0
 * codes/bullet.cc: the solvers behind Bullet's btMLCPSolverInterface, in double precision.
 *
 *     dantzig  boxes with limit dependencies (friction rows); reads the lower triangle of A
 *     lemke    the LCP itself: its form for bounds inverts A, and infinite bounds make NaN
 *     pgs      Gauss-Seidel, any A with a positive diagonal; from the start
 *
 * dantzig refuses by default a start of more than 1000, lemke an answer of more than 1e5, in
 * whatever units: both limits are lifted. lemke ends by default after 1000 pivots, here after the
 * iterations of the task or 1000 + 100 n, and does not report that it did. */
#include <cmath>
#include <cstdio>
#include <cstring>

#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btLemkeSolver.h>
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>
#include <LinearMath/btScalar.h>

#include "interop/codes/boxed.h"

namespace
{
struct dantzig_solver : btDantzigSolver {
    dantzig_solver()
    {
        m_acceptableUpperLimitSolution = HUGE_VAL;
    }
};

/* A problem in Bullet's own types. */
struct bullet_problem {
    btMatrixXu A;
    btVectorXu b, x, lo, hi;
    btAlignedObjectArray<int> dependency;

    explicit bullet_problem(const boxed_rows *rows)
    {
        int n = static_cast<int>(rows->n);

        A.resize(n, n);
        for (btVectorXu *v : {&b, &x, &lo, &hi}) {
            v->resize(n);
        }
        dependency.resize(n);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                A.setElem(i, j, rows->A[i * rows->stride + j]);
            }
            b[i] = rows->b[i];
            x[i] = rows->x[i];
            lo[i] = rows->lo[i];
            hi[i] = rows->hi[i];
            dependency[i] = rows->findex[i];
        }
    }

    bool solve(btMLCPSolverInterface *solver, boxed_rows *rows, int iterations)
    {
        bool claim = solver->solveMLCP(A, b, x, lo, hi, dependency, iterations, true);

        for (int i = 0; i < x.rows(); i++) {
            rows->x[i] = x[i];
        }
        return claim;
    }
};

void bullet_sweep(void *problem, boxed_rows *rows, size_t sweeps)
{
    btSolveProjectedGaussSeidel pgs;

    static_cast<bullet_problem *>(problem)->solve(&pgs, rows, static_cast<int>(sweeps));
}

/* dantzig and lemke: one call. */
void bullet_solve(const code_task *task, boxed_rows *rows, code_answer *answer)
{
    bullet_problem problem(rows);
    dantzig_solver dantzig;
    btLemkeSolver lemke;
    bool is_lemke = strcmp(task->method, "lemke") == 0;
    double start = 0.0;
    bool claim = false;

    lemke.m_useLoHighBounds = false;
    lemke.m_maxValue = HUGE_VAL;
    lemke.m_maxLoops = static_cast<int>(task->max_iterations ? task->max_iterations
                                                             : 1000 + 100 * rows->n);
    start = code_seconds();
    claim = problem.solve(is_lemke ? static_cast<btMLCPSolverInterface *>(&lemke)
                                   : static_cast<btMLCPSolverInterface *>(&dantzig),
                          rows, 0);
    answer->seconds = code_seconds() - start;
    answer->claim = claim ? "solved" : "failed";
    boxed_point(rows, answer->z);
}

bool bullet_is_lcp(const perp_problem *p)
{
    return perp_set_kinds(p->set) == PERP_SET_NONNEG;
}
} // namespace

void code_version(char *text, size_t length)
{
    snprintf(text, length, "Bullet %d.%02d", btGetVersion() / 100, btGetVersion() % 100);
}

code_end code_solve(const code_task *task, code_answer *answer)
{
    boxed_rows rows;
    code_end end = boxed_new(&rows, task, 1, answer);

    if (end == CODE_ANSWERED && strcmp(task->method, "lemke") == 0 &&
        !bullet_is_lcp(task->p)) {
        snprintf(answer->message, sizeof answer->message, "lemke takes nonneg rows only");
        end = CODE_UNSUITABLE;
    }
    if (end == CODE_ANSWERED && strcmp(task->method, "pgs") == 0) {
        bullet_problem problem(&rows);

        end = boxed_sweeps(bullet_sweep, &problem, &rows, task, answer);
    } else if (end == CODE_ANSWERED) {
        bullet_solve(task, &rows, answer);
    }
    boxed_free(&rows);
    return end;
}
