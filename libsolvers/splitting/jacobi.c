/* SPDX-License-Identifier: Apache-2.0
 * splitting/jacobi.c: projected Jacobi: all blocks at once, from the same velocities.
 *
 *     z_k <- z_k + omega (local( A_kk, (A z + b)_k - A_kk z_k ) - z_k)   for all k at once,
 *
 * for scalar rows z_i <- clip(z_i - omega (A z + b)_i/A_ii). Converges for symmetric positive
 * definite A when omega < 2/lambda, lambda the largest eigenvalue of D^-1 A and D the blocks
 * of the diagonal (contacts under Coulomb's law: in practice), and for H-matrices with
 * positive diagonal and omega <= 1 [mangasarian-1977]. lambda comes from 12 power iterations,
 * which stay below it, hence omega = 0.9 * 2/lambda, at most 1. Bounds of friction rows
 * follow the normal impulse of this step.
 *
 * Slower than Gauss-Seidel by a factor of two and more; it is provided as the method that needs
 * no order, and for comparison. Cost per iteration: one product with A. Memory: 7 reals per row.
 * Warm start, stall and certificates: as pgs. */
#include <config.h>

#include "base/base.h"
#include "local_newton.h"
#include "sweep.h"

enum { POWER_ITERATIONS = 12 };

/* Twelve iterations miss the largest eigenvalue by up to a tenth where others are near. */
static const double safety = 0.9;

typedef struct jacobi_state {
    const perp_problem *p;
    sweep sweep;  /* only its blocks; no sweep is made */
    double asked; /* omega of the options; 0: from the eigenvalue */
    double *w;    /* n: A z + b */
    double *x;    /* n: scratch of the power iterations */
} jacobi_state;

/* x := D^-1 x; 0 in singular blocks. */
static void jacobi_divide(const jacobi_state *s, double *x)
{
    const perp_set *set = s->p->set;
    double D[LOCAL_DIM_MAX * LOCAL_DIM_MAX];

    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        double *part = x + block->first;

        perp_operator_diagonal_block(s->p->A, block->first, block->dim, D);
        for (unsigned i = 0; i < block->dim; i++) {
            D[i + i * block->dim] += LOCAL_PROXIMAL * s->sweep.blocks.weight[k];
        }
        if (!perp_local_eliminate(block->dim, D, part)) {
            memset(part, 0, block->dim * sizeof *part);
        }
    }
}

/* An estimate of |D^-1 A|, from a start without symmetry. */
static double jacobi_eigenvalue(jacobi_state *s, perp_result *r)
{
    perp_random g = {1}; /* constant: the result is an estimate */
    size_t n = s->p->n;
    double norm = 0.0;

    for (size_t i = 0; i < n; i++) {
        s->x[i] = perp_random_uniform(&g, -1.0, 1.0);
    }
    for (int step = 0; step <= POWER_ITERATIONS; step++) {
        norm = perp_largest(n, s->x);
        if (step == POWER_ITERATIONS || !(norm > 0.0) || !isfinite(norm)) {
            break;
        }
        for (size_t i = 0; i < n; i++) {
            s->x[i] /= norm;
        }
        perp_operator_apply(s->p->A, s->x, s->w);
        jacobi_divide(s, s->w);
        memcpy(s->x, s->w, n * sizeof *s->x);
        r->work.products += 1.0;
    }
    return norm;
}

static void jacobi_relax(jacobi_state *s, perp_result *r)
{
    double eigenvalue = s->asked > 0.0 ? 0.0 : jacobi_eigenvalue(s, r);

    s->sweep.blocks.omega = s->asked > 0.0 ? s->asked
                            : eigenvalue > 2.0 * safety && isfinite(eigenvalue)
                                ? 2.0 * safety / eigenvalue
                                : 1.0;
}

static perp_status jacobi_setup(void *vstate, const perp_problem *p,
                                const perp_options *opt, perp_workspace *ws,
                                perp_result *r, perp_error *err)
{
    jacobi_state *s = vstate;

    s->p = p;
    s->asked = perp_options_real(opt, "relaxation");
    s->sweep.blocks.proximal = LOCAL_PROXIMAL;
    s->w = perp_workspace_reals(ws, p->n);
    s->x = perp_workspace_reals(ws, p->n);
    if (!s->w || !s->x) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu velocities", p->n);
    }
    TRY(perp_sweep_setup_blocks(&s->sweep, p, ws, r, err));
    jacobi_relax(s, r);
    perp_result_log(r, "jacobi: relaxation %.3g", s->sweep.blocks.omega);
    return PERP_OK;
}

static perp_status jacobi_iterate(void *vstate, perp_result *r, perp_error *err)
{
    jacobi_state *s = vstate;
    const perp_set *set = s->p->set;
    double dz[LOCAL_DIM_MAX], change = 0.0;

    perp_operator_apply(s->p->A, r->z, s->w);
    r->work.products += 1.0;
    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        double *u = s->w + block->first;

        for (unsigned i = 0; i < block->dim; i++) {
            u[i] += s->p->b[block->first + i];
        }
        if (!perp_local_blocks_step(&s->sweep.blocks, k, u, r->z, dz, &change)) {
            return perp_refuse_diagonal(r, block->first, err);
        }
    }
    r->work.projections += (double)set->count;
    return PERP_OK;
}

static perp_status jacobi_resume(void *vstate, double shift, perp_result *r,
                                 perp_error *err)
{
    jacobi_state *s = vstate;

    (void)err;
    perp_sweep_refresh(&s->sweep, shift);
    if (shift != 0.0) {
        jacobi_relax(s, r);
    }
    return PERP_OK;
}

static const perp_option jacobi_options[] = {
    PERP_REAL_CLOSED("relaxation", 0.0, 0.0, 2.0,
                     "factor omega; 0: 0.9 * 2/lambda of D^-1 A, at most 1"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_jacobi = {
    .name = "jacobi",
    .family = "splitting",
    .summary = "projected Jacobi: all blocks at once",
    .reference = "mangasarian-1977",
    .algorithm = "projected Jacobi [mangasarian-1977]",
    .additions = "contacts solved as blocks; relaxation from an estimate of the "
                 "spectral radius",
    .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION, CONE, ROLLING, DISK),
    .laws = PERP_LAWS(COULOMB, ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
    .demands = PERP_DEMANDS(POSITIVE_DIAGONAL),
    .flags = PERP_FLAGS(USES_START),
    .certificates = PERP_CERTIFICATES(SINGULAR, INFEASIBLE),
    .check_every = 10,
    .stall = 2000,
    .max_iterations = 100000, /* an iteration is cheap */
    .options = jacobi_options,
    .state_size = sizeof(jacobi_state),
    .setup = jacobi_setup,
    .iterate = jacobi_iterate,
    .resume = jacobi_resume,
};
