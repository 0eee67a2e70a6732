/* SPDX-License-Identifier: Apache-2.0
 * tests/reference/loops.c: loops closed by multipliers, and the rows of a point.
 *
 *     qdd0 = H^-1 (tau + J^T f - c),   Y = H^-1 G^T                 by articulated bodies
 *     (G Y + C) lambda = -gdot - 2 alpha G qd - beta^2 phi - G qdd0
 *     qdd = qdd0 + Y lambda
 *
 * A planar loop closed in three dimensions has redundant rows: W = G Y + C is then
 * singular. It is scaled to a unit diagonal; eigenvectors of nonzero eigenvalues give a
 * lambda, and its component along the others, scaled back, is removed, which leaves the
 * lambda of least norm. Stabilisation: [baumgarte-1972].
 *
 * Cost: O(m count) for Y, 9 m^3 for the eigenvectors. */
#include <config.h>

#include <perp/blas.h>

#include "articulation/articulated.h"
#include "base/base.h"
#include "reference.h"

/* after it: complex.h makes a macro of I */
#include <lapacke.h>
#include <limits.h>
#include <stdlib.h>

/* Eigenvalues of W with a unit diagonal below this share of the largest are rounding: W
 * has been through the factors of H, which cost a few digits. */
static const double rank_tolerance = 1e-12;

typedef struct loops_work {
    double *Y;      /* n x m */
    double *W;      /* m x m: scaled, then its eigenvectors */
    double *scale;  /* m */
    double *values; /* m, ascending */
    double *right;  /* m */
    double *t;      /* m */
    double *lapack; /* lapack_size */
    size_t lapack_size;
} loops_work;

static void loops_close(loops_work *w)
{
    free(w->Y);
    free(w->W);
    free(w->scale);
    free(w->values);
    free(w->right);
    free(w->t);
    free(w->lapack);
}

static bool loops_open(loops_work *w, size_t n, size_t m)
{
    w->lapack_size = 34 * m; /* blocks of 32 columns, and 3 m at least */
    w->Y = math_alloc(m * n, sizeof(double));
    w->W = math_alloc(m * m, sizeof(double));
    w->scale = math_alloc(m, sizeof(double));
    w->values = math_alloc(m, sizeof(double));
    w->right = math_alloc(m, sizeof(double));
    w->t = math_alloc(m, sizeof(double));
    w->lapack = math_alloc(w->lapack_size, sizeof(double));
    return w->Y && w->W && w->scale && w->values && w->right && w->t && w->lapack;
}

static perp_status loops_check(const perp_articulation *tree, const perp_loops *loops,
                               perp_error *err)
{
    const size_t m = loops->m;
    const double numbers[] = {loops->alpha, loops->beta, loops->cfm};

    if (m > INT_MAX / 34 || (tree->n > 0 && m > SIZE_MAX / sizeof(double) / tree->n)) {
        return perp_fail(err, PERP_ERR_DATA, "loops: %zu rows are too many", m);
    }
    if (!math_finite(loops->G, m * tree->n) ||
        (loops->gdot && !math_finite(loops->gdot, m)) ||
        (loops->phi && !math_finite(loops->phi, m)) || !math_finite(numbers, 3)) {
        return perp_fail(err, PERP_ERR_DATA, "loops: a number is not finite");
    }
    if (loops->cfm < 0.0) {
        return perp_fail(err, PERP_ERR_DATA, "loops: cfm is %g, expected a number >= 0",
                         loops->cfm);
    }
    return PERP_OK;
}

/* Row i of G times x. */
static double loops_row(const perp_loops *loops, size_t i, size_t n, const double *x)
{
    double sum = 0.0;

    for (size_t k = 0; k < n; k++) {
        sum += loops->G[loops->m * k + i] * x[k];
    }
    return sum;
}

/* Y, W and the right-hand side, in the factors of H. */
static void loops_fill(perp_articulation *tree, const perp_loops *loops,
                       const double *qdd0, loops_work *w)
{
    const size_t n = tree->n;
    const size_t m = loops->m;
    double *row = articulated_of(tree)->y;

    for (size_t j = 0; j < m; j++) {
        for (size_t k = 0; k < n; k++) {
            row[k] = loops->G[m * k + j];
        }
        perp_articulation_solve_mass(tree, row, NULL, w->Y + n * j, NULL);
    }
    for (size_t j = 0; j < m; j++) {
        for (size_t i = j; i < m; i++) {
            w->W[m * j + i] = loops_row(loops, i, n, w->Y + n * j);
        }
        w->W[m * j + j] += loops->cfm;
        w->right[j] = -loops_row(loops, j, n, qdd0) -
                      2.0 * loops->alpha * loops_row(loops, j, n, tree->qd);
        w->right[j] -= loops->gdot ? loops->gdot[j] : 0.0;
        w->right[j] -= loops->phi ? loops->beta * loops->beta * loops->phi[j] : 0.0;
    }
}

/* W := D W D with a unit diagonal, D = diag(scale); rows of nothing stay. */
static void loops_scale(size_t m, loops_work *w)
{
    for (size_t j = 0; j < m; j++) {
        const double d = w->W[m * j + j];

        w->scale[j] = d > 0.0 ? 1.0 / sqrt(d) : 1.0;
    }
    for (size_t j = 0; j < m; j++) {
        for (size_t i = j; i < m; i++) {
            w->W[m * j + i] *= w->scale[i] * w->scale[j];
        }
    }
}

static double loops_dot(const double *x, const double *y, size_t m)
{
    double sum = 0.0;

    for (size_t i = 0; i < m; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* lambda -= its component in the span of D v, v the first `nothing` eigenvectors, which
 * are made orthonormal on the way; twice, for what rounding leaves of the first time. */
static void loops_least(size_t m, size_t nothing, loops_work *w, double *lambda)
{
    for (size_t j = 0; j < nothing; j++) {
        double *v = w->W + m * j;
        double length = 0.0;

        for (size_t i = 0; i < m; i++) {
            v[i] *= w->scale[i];
        }
        for (size_t k = 0; k < 2 * j; k++) {
            const double *u = w->W + m * (k % j);
            const double along = loops_dot(u, v, m);

            for (size_t i = 0; i < m; i++) {
                v[i] -= along * u[i];
            }
        }
        length = sqrt(loops_dot(v, v, m));
        for (size_t i = 0; i < m; i++) {
            v[i] /= length;
        }
    }
    for (size_t k = 0; k < 2 * nothing; k++) {
        const double *u = w->W + m * (k % nothing);
        const double along = loops_dot(u, lambda, m);

        for (size_t i = 0; i < m; i++) {
            lambda[i] -= along * u[i];
        }
    }
}

static perp_status loops_solve(size_t m, loops_work *w, double *lambda, perp_error *err)
{
    const lapack_int n = (lapack_int)m;
    lapack_int info = 0;
    size_t nothing = 0;

    loops_scale(m, w);
    perp_blas_hold();
    info = LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'L', n, w->W, n, w->values,
                              w->lapack, (lapack_int)w->lapack_size);
    perp_blas_release();
    if (info != 0) {
        return perp_fail(err, PERP_ERR_LIBRARY, "loops: LAPACK failed with %d",
                         (int)info);
    }
    while (nothing < m && w->values[nothing] <= rank_tolerance * w->values[m - 1]) {
        nothing++;
    }
    for (size_t i = 0; i < m; i++) {
        w->right[i] *= w->scale[i];
        lambda[i] = 0.0;
    }
    for (size_t j = nothing; j < m; j++) {
        const double *v = w->W + m * j;
        const double x = loops_dot(v, w->right, m) / w->values[j];

        for (size_t i = 0; i < m; i++) {
            lambda[i] += x * v[i];
        }
    }
    for (size_t i = 0; i < m; i++) {
        lambda[i] *= w->scale[i];
    }
    if (nothing > 0) {
        loops_least(m, nothing, w, lambda);
    }
    return PERP_OK;
}

/* Into the factors of H; those that were there before come back at the end. */
static perp_status loops_answer(perp_articulation *tree, const perp_loops *loops,
                                double *qdd, double *lambda, loops_work *w,
                                perp_error *err)
{
    const articulated_own *own = articulated_of(tree);
    const bool other = own->factored && own->dt != 0.0;
    const double dt = own->dt;
    const size_t n = tree->n;
    perp_status status = PERP_OK;

    TRY(other || !own->factored ? perp_articulation_factor(tree, 0.0, err) : PERP_OK);
    loops_fill(tree, loops, qdd, w);
    status = loops_solve(loops->m, w, lambda, err);
    for (size_t j = 0; j < loops->m && status == PERP_OK; j++) {
        for (size_t k = 0; k < n; k++) {
            qdd[k] += lambda[j] * w->Y[n * j + k];
        }
    }
    return other && status == PERP_OK ? perp_articulation_factor(tree, dt, err) : status;
}

perp_status perp_articulation_solve_loops(perp_articulation *tree, const double *tau,
                                          const double *f, const perp_loops *loops,
                                          double *qdd, double *lambda, perp_error *err)
{
    loops_work w = {0};
    perp_status status = loops_check(tree, loops, err);

    if (status == PERP_OK) {
        status = perp_articulation_aba(tree, tau, f, qdd, err);
    }
    if (status != PERP_OK || loops->m == 0) {
        return status;
    }
    if (loops_open(&w, tree->n, loops->m)) {
        status = loops_answer(tree, loops, qdd, lambda, &w, err);
    } else {
        status =
            perp_fail(err, PERP_ERR_MEMORY, "loops: no memory for %zu rows", loops->m);
    }
    loops_close(&w);
    return status;
}

/* Column s of ancestor a, at its joint o: the point moves with s_v + s_w x (p - o). */
void perp_articulation_point(const perp_articulation *tree, size_t k, const double x[3],
                             double *J, double *Jdot_qd)
{
    const articulated_own *own = articulated_of(tree);
    const double *u = tree->u + 6 * k;
    double arm[3];
    double v[3];
    double p[3];

    mat3_apply(tree->E[k].R, x, arm);
    vec3_add(tree->E[k].p, 1.0, arm, p);
    vec3_cross(u + 3, arm, v);
    vec3_add(v, 1.0, u, v);
    if (J) {
        memset(J, 0, 3 * tree->n * sizeof *J);
    }
    if (Jdot_qd) {
        vec3_set(Jdot_qd, 0.0, 0.0, 0.0);
    }
    for (int32_t a = (int32_t)k; a >= 0; a = own->links[a].parent) {
        const articulated_link *link = &own->links[a];
        double rate[36];
        double r[3];
        double r_rate[3];

        vec3_subtract(p, tree->E[a].p, r);
        vec3_add(r, 1.0, link->rho, r);
        vec3_subtract(v, link->v, r_rate);
        if (Jdot_qd) {
            articulated_motion_rate(tree, (size_t)a, rate);
        }
        for (size_t i = 0; i < link->dof; i++) {
            const double *s = own->S + 6 * (link->first + i);
            double t[6];

            if (J) {
                six_outward(r, s, t);
                vec3_copy(J + 3 * (link->first + i), t);
            }
            if (Jdot_qd) {
                six_outward(r, rate + 6 * i, t);
                vec3_cross_add(s + 3, r_rate, t);
                vec3_add(Jdot_qd, tree->qd[link->first + i], t, Jdot_qd);
            }
        }
    }
}
