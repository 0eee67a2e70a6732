/* SPDX-License-Identifier: Apache-2.0
 * admm/admm.c: the alternating direction method of multipliers for convex problems.
 *
 *     min 1/2 x.A x + b.x over K,  with x = z, x free and z in K; tau = rho + sigma
 *
 *     xt = (A + tau)^-1 (sigma x + rho z - b - y),   xr = alpha xt + (1 - alpha) z
 *     z  = P_K(xr + y/rho),  y += rho (xr - z),      x  = alpha xt + (1 - alpha) x
 *
 * z is the answer and always in K, -y is its w. Converges for every symmetric positive
 * semidefinite A, singular ones too, and 0 < alpha < 2
 * [boyd-parikh-chu-peleato-eckstein-2011, section 3.2;
 * stellato-banjac-goulart-bemporad-boyd-2020, section 3]. sigma = 1e-6 |A|. Every 25 steps rho
 * follows the balance of the two residuals |x - z| and |A x + b + y|, each relative to its
 * terms (a slack row does not count by its b), and A + tau is factored again where that asks
 * for a change of more than 5 [stellato-banjac-goulart-bemporad-boyd-2020, section 5.2]. rho is one number, except
 * on FREE rows, where z = x and rho only delays x: there it is a thousandth of rho.
 *
 * A step costs one solve with the factors (2 n^2 dense) and the projections; a change of rho
 * costs a Cholesky factorisation, of the sparse matrix where A is sparse. Of J M^-1 J^T + C in factors
 * W is never formed: the system has the size of the velocities
 * [tasora-mangoni-benatti-garziera-2021]. Memory: up to four factorisations and 9 n reals.
 *
 * Warm start: z from the start, y = -(A z + b), so that a solution is a fixed point. perp_solve
 * tries the direction of growing impulses as a certificate. On badly scaled problems (|x - z| in
 * units far from those of w) convergence is slow. */
#include <config.h>

#include "base/base.h"
#include "linear/shifted.h"
#include "penalty.h"

/* Changes of rho by less than a factor of 5 are not worth a factorisation. */
static const double balance_least = 5.0;
/* rho stays within these, times |A|: beyond it, one of the residuals is rounding. */
static const double rho_least = 1e-6;
static const double rho_most = 1e6;
/* sigma may grow to this part of rho before a shifted diagonal is factored again. */
static const double sigma_most = 0.1;

typedef struct admm_state {
    const perp_problem *p;
    perp_shifted system;
    double norm; /* |A| */
    double rho,
        sigma; /* sigma includes what the diagonal has lost since it was factored */
    double sigma_option; /* times |A| */
    double alpha;
    size_t every, steps; /* of the balance */
    double *weight;      /* n: rho of a row is rho times this */
    double *d;           /* n: tau */
    double *x, *y, *xt;  /* n */
    double *w;           /* n: A x */
} admm_state;

/* Factors for rho. */
static perp_status admm_factor(admm_state *s, perp_result *r, perp_error *err)
{
    bool done = false;
    perp_status status = PERP_OK;

    s->sigma = s->sigma_option * s->norm;
    for (size_t i = 0; i < s->p->n; i++) {
        s->d[i] = s->rho * s->weight[i] + s->sigma;
    }
    status = perp_shifted_set_diagonal(&s->system, s->rho, s->d, &r->work, &done, err);
    if (status == PERP_OK && !done) {
        return perp_result_end(r, PERP_STALLED,
                               "admm: A + %.2g I is not positive definite, |A| is %.2g",
                               s->rho + s->sigma, s->norm);
    }
    return status;
}

/* x = z in K, y = -(A z + b). */
static void admm_start(admm_state *s, perp_result *r)
{
    const perp_problem *p = s->p;

    perp_set_project_all(p->set, r->z);
    perp_operator_apply(p->A, r->z, s->w);
    for (size_t i = 0; i < p->n; i++) {
        s->x[i] = r->z[i];
        s->y[i] = -(s->w[i] + p->b[i]);
    }
    r->work.products += 1.0;
    r->work.projections += (double)p->set->count;
    s->steps = 0;
}

static perp_status admm_memory(admm_state *s, perp_workspace *ws, perp_error *err)
{
    size_t n = s->p->n;

    s->weight = perp_workspace_reals(ws, n);
    s->d = perp_workspace_reals(ws, n);
    s->x = perp_workspace_reals(ws, n);
    s->y = perp_workspace_reals(ws, n);
    s->xt = perp_workspace_reals(ws, 2 * n); /* twice, for the estimate of |A| */
    s->w = perp_workspace_reals(ws, n);
    return perp_workspace_status(ws, err);
}

static perp_status admm_setup(void *vstate, const perp_problem *p,
                              const perp_options *opt, perp_workspace *ws, perp_result *r,
                              perp_error *err)
{
    admm_state *s = vstate;
    perp_status status = PERP_OK;

    s->p = p;
    s->alpha = perp_options_real(opt, "relaxation");
    s->sigma_option = perp_options_real(opt, "sigma");
    s->every = (size_t)perp_options_integer(opt, "balance-every");
    TRY(admm_memory(s, ws, err));
    s->norm = perp_operator_norm_estimate(p->A, s->xt);
    s->norm = s->norm > 0.0 && isfinite(s->norm) ? s->norm : 1.0;
    r->work.products += 12.0; /* of the estimate */
    s->rho = perp_options_real(opt, "rho") * s->norm;
    perp_penalty_weights(p->set, s->weight);
    status = perp_shifted_setup(&s->system, p->A, p->set, PERP_FACTOR_CHOLESKY, ws, err);
    if (status == PERP_OK) {
        perp_shifted_keep_factors(&s->system);
    }
    if (status == PERP_OK) {
        status = admm_factor(s, r, err);
    }
    if (status == PERP_OK) {
        admm_start(s, r);
    }
    return status;
}

/* The terms of A x + b + y. Where z rests at P(0) the other two cancel, however large b is: a slack
 * row does not count by its b. */
static double admm_terms(const admm_state *s, const double *z)
{
    const perp_set *set = s->p->set;
    double terms = perp_largest(s->p->n, s->w);

    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        double lo = 0.0, hi = 0.0, start = 0.0, away = 0.0;

        if (block->dim == 1) {
            perp_block_bounds(block, z, &lo, &hi);
            start = fmin(fmax(0.0, lo), hi);
        }
        for (unsigned i = 0; i < block->dim; i++) {
            away = fmax(away, fabs(z[block->first + i] - start));
        }
        if (away > 0.0) {
            terms = fmax(terms, perp_largest(block->dim, s->y + block->first));
            terms = fmax(terms, perp_largest(block->dim, s->p->b + block->first));
        }
    }
    return terms;
}

/* The balance of the residuals, and a new rho where it is far off. */
static perp_status admm_balance(admm_state *s, const double *z, perp_result *r,
                                perp_error *err)
{
    const perp_problem *p = s->p;
    double apart = 0.0;
    double points = 0.0;
    double left = 0.0;
    double factor = 0.0;

    perp_operator_apply(p->A, s->x, s->w);
    r->work.products += 1.0;
    for (size_t i = 0; i < p->n; i++) {
        apart = fmax(apart, fabs(s->x[i] - z[i]));
        points = fmax(points, fmax(fabs(s->x[i]), fabs(z[i])));
        left = fmax(left, fabs(s->w[i] + p->b[i] + s->y[i]));
    }
    factor = sqrt(apart / points * (admm_terms(s, z) / left));
    if (!isfinite(factor) || factor == 0.0 ||
        (factor <= balance_least && factor >= 1.0 / balance_least)) {
        return PERP_OK;
    }
    s->rho = fmin(fmax(factor * s->rho, rho_least * s->norm), rho_most * s->norm);
    return admm_factor(s, r, err);
}

static perp_status admm_iterate(void *vstate, perp_result *r, perp_error *err)
{
    admm_state *s = vstate;
    const perp_problem *p = s->p;
    size_t n = p->n;
    double *z = r->z;

    for (size_t i = 0; i < n; i++) {
        s->xt[i] = s->sigma * s->x[i] + s->rho * s->weight[i] * z[i] - p->b[i] - s->y[i];
    }
    perp_shifted_solve(&s->system, s->xt);
    for (size_t i = 0; i < n; i++) {
        double xr = s->alpha * s->xt[i] + (1.0 - s->alpha) * z[i];

        s->x[i] = s->alpha * s->xt[i] + (1.0 - s->alpha) * s->x[i];
        s->xt[i] = xr + s->y[i] / (s->rho * s->weight[i]);
        z[i] = s->xt[i];
    }
    perp_set_project_all(p->set, z);
    for (size_t i = 0; i < n; i++) {
        s->y[i] = s->rho * s->weight[i] * (s->xt[i] - z[i]);
    }
    r->work.products += 1.0; /* a solve costs as much */
    r->work.projections += (double)p->set->count;
    s->steps++;
    return s->every > 0 && s->steps % s->every == 0 ? admm_balance(s, z, r, err)
                                                    : PERP_OK;
}

/* A decreasing shift of the diagonal is compensated by a larger sigma, which needs no factors. */
static perp_status admm_resume(void *vstate, double shift, perp_result *r,
                               perp_error *err)
{
    admm_state *s = vstate;
    perp_status status = PERP_OK;
    double sigma = s->sigma - shift;

    if (shift != 0.0) {
        if (sigma >= s->sigma_option * s->norm && sigma <= sigma_most * s->rho) {
            s->sigma = sigma;
        } else {
            perp_shifted_update_diagonal(&s->system, shift);
            status = admm_factor(s, r, err);
        }
    }
    admm_start(s, r);
    return status;
}

static void admm_close(void *vstate)
{
    admm_state *s = vstate;

    perp_shifted_close(&s->system);
}

static const perp_option admm_options[] = {
    PERP_REAL_OPEN("relaxation", 1.6, 0.0, 2.0, "over-relaxation alpha; 1 is plain ADMM"),
    PERP_REAL_OPEN("rho", 0.1, 0.0, 1e6, "first penalty, relative to |A|"),
    PERP_REAL_OPEN("sigma", 1e-6, 0.0, 1.0, "proximal term, relative to |A|"),
    PERP_INTEGER(
        "balance-every", 25, 0, 1e9,
        "steps between adaptations of rho to the balance of the residuals; 0: never"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_admm = {
    .name = "admm",
    .family = "admm",
    .summary = "alternating directions on boxes, cones and disks, one factorisation",
    .reference = "stellato-banjac-goulart-bemporad-boyd-2020",
    .algorithm = "OSQP's alternating direction method of multipliers "
                 "[stellato-banjac-goulart-bemporad-boyd-2020]",
    .additions = "cones and disks; smaller penalty on free rows; factors of "
                 "several penalties kept; velocity form for factored A",
    .sets = PERP_SETS(FREE, NONNEG, BOX, CONE, ROLLING, DISK),
    .laws = PERP_LAWS(ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
    .demands = PERP_DEMANDS(SYMMETRIC, POSITIVE_SEMIDEFINITE),
    .flags = PERP_FLAGS(USES_START),
    .certificates = PERP_CERTIFICATES(INFEASIBLE),
    .check_every = 5,
    .max_iterations = 100000, /* ill-conditioned stacks need some thousands */
    .options = admm_options,
    .state_size = sizeof(admm_state),
    .setup = admm_setup,
    .iterate = admm_iterate,
    .resume = admm_resume,
    .close = admm_close,
};
