/* SPDX-License-Identifier: Apache-2.0
 * splitting/anderson.c: Anderson acceleration of a Gauss-Seidel sweep over contacts.
 *
 *     z_k <- S(y_k),   g_k <- y_k - z_k,   dz_j = z_j+1 - z_j,   dg_j = g_j+1 - g_j
 *     c = argmin |g_k - sum c_j dg_j|  over the last `depth` differences
 *     y_k+1 <- z_k - sum c_j dz_j
 *
 * S is one sweep of nsgs; the step predicts from the last sweeps where the next ones lead
 * [anderson-1965]. While no contact changes its status (open, sticks, slips) S is nearly linear,
 * and the method is GMRES with the sweep as preconditioner [walker-ni-2011]; differences of
 * before a change still hold for the contacts that did not change, so that they are kept. Norms
 * are weighted by A_ii. When |g| doubles the differences are dropped. The result is always the
 * end of a sweep, hence in the set.
 *
 * For the A of nsgs, without a proof of convergence: a heap of 300 spheres needs an eighth to a
 * fifteenth of the sweeps of nncg, boxes a quarter; a heap of 1000 is solved under the associated
 * law, and under Coulomb's law stays at a residual of 1e-3 as with nncg. When the least |g| has
 * not decreased in 100 iterations, plain sweeps continue from the best point, 50 of them the first
 * time and twice as many each time; the solution path reports it.
 *
 * Cost per iteration: one sweep, half a product with A, and 6 depth + 8 reals per row. Memory:
 * 2 depth + 5 reals per row in addition to nsgs. Patches, warm start and certificates: as nsgs.
 * Orders that change from sweep to sweep are not offered: S must stay the same map. Stalls when
 * the residual falls by less than 1 % in 2000 iterations. */
#include <config.h>

#include "base/base.h"
#include "core/solver_used.h"
#include "extrapolate.h"

enum { PLAIN = 50, DEPTH_MOST = 20 };

/* Growth of |g|^2 in one step after which differences are dropped. */
static const double grows = 4.0;

/* Relative term on the diagonal of the normal equations: differences are often parallel. */
static const double ridge = 1e-10;

typedef struct anderson_state {
    extrapolation points;
    size_t depth;
    double *z;       /* n: end of the last sweep */
    double *g;       /* n: and its step, y - z */
    double *dz, *dg; /* depth n: differences, the next at `next` */
    double *gram;    /* depth^2: weighted dot products of dg */
    bool begun;      /* z and g are known */
    size_t used;     /* differences */
    size_t next;     /* place of the next one */
    double squared;  /* |g|^2 of the last iterate */
    size_t plain;    /* plain sweeps still to make */
    size_t then;     /* and how many the next time */
} anderson_state;

static void anderson_start(anderson_state *s, const perp_result *r)
{
    perp_extrapolation_start(&s->points, r);
    s->begun = false;
    s->used = s->next = 0;
    s->squared = INFINITY;
    s->plain = 0;
    s->then = PLAIN;
}

static perp_status anderson_setup(void *vstate, const perp_problem *p,
                                  const perp_options *opt, perp_workspace *ws,
                                  perp_result *r, perp_error *err)
{
    anderson_state *s = vstate;

    TRY(perp_extrapolation_setup(&s->points, perp_solver_anderson.name, p, opt, ws, r,
                                 err));
    s->depth = (size_t)perp_options_integer(opt, "depth");
    s->z = perp_workspace_reals(ws, p->n);
    s->g = perp_workspace_reals(ws, p->n);
    s->dz = perp_workspace_alloc(ws, p->n, s->depth * sizeof *s->dz);
    s->dg = perp_workspace_alloc(ws, p->n, s->depth * sizeof *s->dg);
    s->gram = perp_workspace_reals(ws, s->depth * s->depth);
    if (!s->z || !s->g || !s->dz || !s->dg || !s->gram) {
        return perp_fail(err, PERP_ERR_MEMORY,
                         "no memory for %zu differences of %zu rows", s->depth, p->n);
    }
    anderson_start(s, r);
    return PERP_OK;
}

static double anderson_dot(const anderson_state *s, const double *x, const double *y)
{
    double sum[2] = {0.0, 0.0};

    for (size_t i = 0; i + 1 < s->points.n; i += 2) { /* two chains of additions */
        sum[0] += s->points.weight[i] * x[i] * y[i];
        sum[1] += s->points.weight[i + 1] * x[i + 1] * y[i + 1];
    }
    if (s->points.n % 2 == 1) {
        sum[0] +=
            s->points.weight[s->points.n - 1] * x[s->points.n - 1] * y[s->points.n - 1];
    }
    return sum[0] + sum[1];
}

/* The differences between the last sweep and the one y -> z, and their dot products. */
static void anderson_append(anderson_state *s, const double *z)
{
    double *dz = s->dz + s->next * s->points.n, *dg = s->dg + s->next * s->points.n;

    for (size_t i = 0; i < s->points.n; i++) {
        dz[i] = z[i] - s->z[i];
        dg[i] = s->points.y[i] - z[i] - s->g[i];
    }
    s->used += s->used < s->depth;
    for (size_t j = 0; j < s->used; j++) {
        double dot = anderson_dot(s, dg, s->dg + j * s->points.n);

        s->gram[s->next * s->depth + j] = s->gram[j * s->depth + s->next] = dot;
    }
    s->next = (s->next + 1) % s->depth;
}

/* c := the solution of the normal equations, by Cholesky; false where they are singular. */
static bool anderson_solve(const anderson_state *s, double *c)
{
    double L[DEPTH_MOST][DEPTH_MOST];
    size_t m = s->used;

    for (size_t i = 0; i < m; i++) {
        c[i] = anderson_dot(s, s->dg + i * s->points.n, s->g);
        for (size_t j = 0; j <= i; j++) {
            double a = s->gram[i * s->depth + j] * (i == j ? 1.0 + ridge : 1.0);

            for (size_t k = 0; k < j; k++) {
                a -= L[i][k] * L[j][k];
            }
            if (i == j && !(a > 0.0)) {
                return false;
            }
            L[i][j] = i == j ? sqrt(a) : a / L[j][j];
        }
        for (size_t k = 0; k < i; k++) {
            c[i] -= L[i][k] * c[k];
        }
        c[i] /= L[i][i];
    }
    for (size_t i = m; i-- > 0;) {
        for (size_t k = i + 1; k < m; k++) {
            c[i] -= L[k][i] * c[k];
        }
        c[i] /= L[i][i];
    }
    return true;
}

/* From the sweep y -> z to the next point y. */
static void anderson_extrapolate(anderson_state *s, const double *z, double squared)
{
    double c[DEPTH_MOST];

    if (!(squared <= grows * s->squared)) { /* also NaN */
        s->begun = false;
        s->used = s->next = 0;
    }
    if (s->begun) {
        anderson_append(s, z);
    }
    for (size_t i = 0; i < s->points.n; i++) {
        s->g[i] = s->points.y[i] - z[i];
    }
    memcpy(s->z, z, s->points.n * sizeof *z);
    memcpy(s->points.y, z, s->points.n * sizeof *z);
    s->begun = true;
    s->squared = squared;
    if (!anderson_solve(s, c)) {
        s->used = s->next = 0;
        return;
    }
    for (size_t j = 0; j < s->used; j++) {
        const double *dz = s->dz + j * s->points.n;

        for (size_t i = 0; i < s->points.n; i++) {
            s->points.y[i] -= c[j] * dz[i];
        }
    }
}

/* Plain sweeps from the best point; they are the y -> z of the next differences. */
static void anderson_fall_back(anderson_state *s, perp_result *r)
{
    perp_result_log(r,
                    "anderson: %zu plain sweep%s from iterate %zu on, the best was %zu",
                    s->then, perp_plural(s->then), r->iterations, s->points.found);
    s->plain = s->then;
    s->then *= 2;
    s->begun = false;
    s->used = s->next = 0;
    s->squared = INFINITY;
    perp_extrapolation_return(&s->points, r);
}

static perp_status anderson_sweep_plainly(anderson_state *s, perp_result *r,
                                          perp_error *err)
{
    perp_status status = perp_sweep_iterate(&s->points.sweep, r, err);

    if (--s->plain == 0) {
        memcpy(s->points.y, r->z, s->points.n * sizeof *s->points.y);
        s->points.found = r->iterations;
    }
    return status;
}

static perp_status anderson_iterate(void *vstate, perp_result *r, perp_error *err)
{
    anderson_state *s = vstate;
    perp_status status = PERP_OK;
    double squared = 0.0;
    bool lost = false;

    if (s->plain > 0) {
        return anderson_sweep_plainly(s, r, err);
    }
    status = perp_extrapolation_sweep(&s->points, &squared, &lost, r, err);
    if (status != PERP_OK || r->outcome != PERP_RUNNING) {
        return status;
    }
    if (lost) {
        anderson_fall_back(s, r);
    } else {
        anderson_extrapolate(s, r->z, squared);
    }
    return PERP_OK;
}

static perp_status anderson_resume(void *vstate, double shift, perp_result *r,
                                   perp_error *err)
{
    anderson_state *s = vstate;
    perp_status status = perp_extrapolation_resume(&s->points, shift, r, err);

    anderson_start(s, r);
    return status;
}

static const perp_option anderson_options[] = {
    PERP_REAL_OPEN("relaxation", 1.0, 0.0, 2.0,
                   "factor omega of the sweeps; 1 is Gauss-Seidel"),
    PERP_SWEEP_FIXED_ORDER_OPTION,
    PERP_SWEEP_THREADS_OPTION,
    PERP_SWEEP_PATCHES_OPTION,
    PERP_INTEGER("depth", 5, 1, DEPTH_MOST, "number of differences that are kept"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_anderson = {
    .name = "anderson",
    .family = "splitting",
    .summary = "Anderson acceleration of a Gauss-Seidel sweep over contacts",
    .reference = "anderson-1965",
    .algorithm = "Anderson acceleration [anderson-1965] [walker-ni-2011] of nonsmooth "
                 "Gauss-Seidel [jean-1999]",
    .additions = "norms weighted by the diagonal of A; plain sweeps after "
                 "iterations without progress",
    .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION, CONE, ROLLING, DISK),
    .laws = PERP_LAWS(COULOMB, ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
    .demands = PERP_DEMANDS(POSITIVE_DIAGONAL),
    .flags = PERP_FLAGS(USES_START, SCALES_WITH_ROWS),
    .certificates = PERP_CERTIFICATES(SINGULAR, INFEASIBLE),
    .check_every = 10,
    .max_iterations = 100000,
    .stall = 2000,
    .options = anderson_options,
    .state_size = sizeof(anderson_state),
    .setup = anderson_setup,
    .iterate = anderson_iterate,
    .resume = anderson_resume,
};
