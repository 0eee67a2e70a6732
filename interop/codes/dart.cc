/* SPDX-License-Identifier: Apache-2.0
 * codes/dart.cc: the solvers of LCPs of DART.
 *
 *     dantzig  its form of ODE's solver: reads the lower triangle of A, rows padded to
 *              multiples of four numbers, friction rows keep the first bounds they get
 *     pgs      Gauss-Seidel, any A with a positive diagonal; from the start
 *     lemke    the LCP; takes no start, no tolerance and no limit
 *
 * pgs overwrites A and b with rows divided by the diagonal, so that each call gets a copy. By
 * default it sets rows with A_ii < 1e-9 to 0, in whatever units: this limit is lifted. */
#include <cstdio>
#include <cstring>
#include <vector>

#include <dart/config.hpp>
#include <dart/constraint/DantzigBoxedLcpSolver.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/lcpsolver/Lemke.hpp>

#include "interop/codes/boxed.h"

namespace
{
struct dart_pgs {
    dart::constraint::PgsBoxedLcpSolver solver;
    std::vector<double> A, b; /* as they were given */
};

void dart_sweep(void *state, boxed_rows *rows, size_t sweeps)
{
    dart_pgs *pgs = static_cast<dart_pgs *>(state);
    dart::constraint::PgsBoxedLcpSolver::Option option(static_cast<int>(sweeps), 0.0, 0.0,
                                                       0.0);
    std::memcpy(rows->A, pgs->A.data(), pgs->A.size() * sizeof(double));
    std::memcpy(rows->b, pgs->b.data(), pgs->b.size() * sizeof(double));
    pgs->solver.setOption(option);
    pgs->solver.solve(static_cast<int>(rows->n), rows->A, rows->x, rows->b, 0, rows->lo,
                      rows->hi, rows->findex, false);
}

code_end dart_solve_pgs(const code_task *task, boxed_rows *rows, code_answer *answer)
{
    dart_pgs pgs;

    pgs.A.assign(rows->A, rows->A + rows->n * rows->stride);
    pgs.b.assign(rows->b, rows->b + rows->n);
    return boxed_sweeps(dart_sweep, &pgs, rows, task, answer);
}

code_end dart_solve_dantzig(boxed_rows *rows, code_answer *answer)
{
    dart::constraint::DantzigBoxedLcpSolver solver;
    double start = code_seconds();
    bool claim = solver.solve(static_cast<int>(rows->n), rows->A, rows->x, rows->b,
                              rows->unbounded ? static_cast<int>(rows->n) : 0, rows->lo,
                              rows->hi, rows->findex, false);

    answer->seconds = code_seconds() - start;
    answer->claim = claim ? "solved" : "failed";
    boxed_point(rows, answer->z);
    return CODE_ANSWERED;
}

code_end dart_solve_lemke(const code_task *task, const boxed_rows *rows,
                          code_answer *answer)
{
    const Eigen::Index n = static_cast<Eigen::Index>(rows->n);
    Eigen::MatrixXd M(n, n);
    Eigen::VectorXd q(n), z = Eigen::VectorXd::Zero(n);
    double start = 0.0;
    int error = 0;

    if (perp_set_kinds(task->p->set) != PERP_SET_NONNEG) {
        snprintf(answer->message, sizeof answer->message, "lemke takes nonneg rows only");
        return CODE_UNSUITABLE;
    }
    for (Eigen::Index i = 0; i < n; i++) {
        for (Eigen::Index j = 0; j < n; j++) {
            M(i, j) =
                rows->A[static_cast<size_t>(i) * rows->stride + static_cast<size_t>(j)];
        }
        q(i) = task->p->b[i];
    }
    start = code_seconds();
    error = dart::lcpsolver::Lemke(M, q, &z);
    answer->seconds = code_seconds() - start;
    answer->claim = error == 0 ? "solved" : "failed";
    for (Eigen::Index i = 0; i < n; i++) {
        answer->z[i] = z(i);
    }
    snprintf(answer->message, sizeof answer->message, "Lemke returned %d", error);
    return CODE_ANSWERED;
}
} // namespace

void code_version(char *text, size_t length)
{
    snprintf(text, length, "DART %s", DART_VERSION);
}

code_end code_solve(const code_task *task, code_answer *answer)
{
    boxed_rows rows;
    code_end end = boxed_new(&rows, task, task->p->n > 1 ? 4 : 1, answer);

    if (end == CODE_ANSWERED) {
        end = strcmp(task->method, "pgs") == 0     ? dart_solve_pgs(task, &rows, answer)
              : strcmp(task->method, "lemke") == 0 ? dart_solve_lemke(task, &rows, answer)
                                                   : dart_solve_dantzig(&rows, answer);
    }
    boxed_free(&rows);
    return end;
}
