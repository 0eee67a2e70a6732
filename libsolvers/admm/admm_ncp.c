/* SPDX-License-Identifier: Apache-2.0
 * admm/admm_ncp.c: proximal ADMM on Coulomb's law itself.
 *
 *     s = mu |v_T| (+ mu_R |v_R|) on the normals                     (De Saxce's shift)
 *     x = (A + rho + eta)^-1 (v + rho z + eta x - b - s)
 *     y = alpha x + (1 - alpha) z,   z = P_K(y - v/rho),   v = v - rho (y - z)
 *
 * v is the velocity A z + b + s at z. At a fixed point -v is normal to K at z, which is Coulomb's
 * law, without an outer loop [carpentier-lelidec-montaut-2024]; under the associated law s = 0.
 * Convergence is proved for the associated law and a positive semidefinite A, which need not be
 * symmetric; under Coulomb's law the method is robust in practice, also with singular A and mass
 * ratios of 10^8.
 *
 * rho is c d 2^e, d the mean diagonal of A. c is 0.0015 for a stored A of more than 300 rows and
 * where rows outnumber velocities twice, else 0.03; on FREE rows it is a thousandth of that.
 * The first 100 steps of these problems keep e = 0 and alpha = 1.6; then alpha = 1, and e changes
 * by 1 after 10 steps in which |x - z| and rho |z - z_old| differ by more than a factor of 10.
 *
 * A step costs a solve (2 n^2 dense) and the projections, a new rho 2 n^3/3 flops dense. Memory:
 * up to four factorisations and 8 n reals; a symmetric A of at most 300 rows is diagonalised once
 * instead; J M^-1 J^T + C in factors is solved in velocities.
 *
 * Warm start: z from the start and v = A z + b + s. Where rows outnumber velocities twice it is
 * not used: impulses are far from unique there, and those near a start converge 10 to 100 times
 * as slowly. Certificate: the direction of growing impulses, which perp_solve tries. */
#include <config.h>

#include <cblas.h>

#include "judge/judge.h"
#include "linear/shifted.h"
#include "penalty.h"

enum {
    SMALL =
        300, /* rows up to which eigenvalues cost little compared with some hundred steps */
    RULE_EVERY = 10, /* steps between comparisons of the residuals */
    RELAXED = 100,   /* first steps of larger problems */
};
enum { LINEAR_AUTO, LINEAR_FACTORS, LINEAR_SPECTRUM };

/* eta/L. The step in x closes a part eta/(lambda + eta) less of what is left in the direction
 * of an eigenvalue lambda: with 1e-6 a column of mass ratio 10^8 took 6e4 steps, not 550. */
static const double eta_part = 1e-8;
static const double relaxation = 1.6; /* alpha */
/* rho in units of the mean diagonal of A, and of structures with many redundant rows. */
static const double rho_usual = 3e-2;
static const double rho_redundant = 1.5e-3;
/* Steps of e down and up. Down to where rho is 1e-10, which high mass ratios want. */
static const int exponent_least = -28;
static const int exponent_most = 14;
/* Above -2 times an eigenvalue that rounding made negative A + rho is still definite. */
static const double definite = 2.0;
static const double unbalanced = 10.0;

typedef struct ncp_state {
    const perp_problem *p;
    perp_shifted system;
    double L, eta, rho;
    double first;   /* rho for e = 0 */
    double floor;   /* of rho: below it A + rho has no factors */
    bool fixed;     /* rho is kept */
    size_t relaxed; /* steps */
    int e;
    bool uniform;
    bool redundant;                       /* rows outnumber velocities */
    double *weight, *d, *x, *v, *c, *old; /* n */
    double *rest;                         /* n: the second half of c */
    size_t steps;
} ncp_state;

/* The same bits for the same e, so that rho is known again. */
static double ncp_penalty(const ncp_state *s, int e)
{
    return ldexp(s->first, e);
}

/* Factors for rho; where there are none, for a larger one. */
static perp_status ncp_factor(ncp_state *s, perp_result *r, perp_error *err)
{
    bool done = false;
    perp_status status = PERP_OK;

    for (;; s->e++) {
        s->rho = ncp_penalty(s, s->e);
        for (size_t i = 0; i < s->p->n; i++) {
            s->d[i] = s->rho * s->weight[i] + s->eta;
        }
        status =
            perp_shifted_set_diagonal(&s->system, s->rho, s->d, &r->work, &done, err);
        if (status != PERP_OK || done) {
            return status;
        }
        s->floor = 1.5 * s->rho; /* between this step of e and the next */
        if (s->fixed || s->e == exponent_most) {
            return perp_result_end(r, PERP_STALLED,
                                   "admm-ncp: A + %.2g I is singular, |A| is %.2g",
                                   s->rho + s->eta, s->L);
        }
    }
}

/* c += De Saxce's shift of the velocities v, on the normals. */
static void ncp_add_shift(const ncp_state *s, const double *v, double sign, double *c)
{
    const perp_set *set = s->p->set;

    for (size_t k = 0; k < set->count && s->p->law == PERP_LAW_COULOMB; k++) {
        const perp_block *block = &set->blocks[k];

        c[block->first] += sign * perp_de_saxce_shift(block, v + block->first);
    }
}

static void ncp_start(ncp_state *s, perp_result *r)
{
    const perp_problem *p = s->p;
    bool warm = r->run.warm && !s->redundant;

    if (r->run.warm && !warm) {
        memset(r->z, 0, p->n * sizeof *r->z);
    }
    perp_set_project_all(p->set, r->z);
    for (size_t i = 0; i < p->n; i++) {
        s->x[i] = r->z[i];
        s->v[i] = 0.0;
    }
    if (warm) {
        perp_operator_apply(p->A, r->z, s->v);
        for (size_t i = 0; i < p->n; i++) {
            s->v[i] += p->b[i];
        }
        ncp_add_shift(s, s->v, 1.0, s->v);
        r->work.products += 1.0;
    }
    r->work.projections += (double)p->set->count;
    s->steps = 0;
}

static perp_status ncp_memory(ncp_state *s, perp_workspace *ws, perp_error *err)
{
    size_t n = s->p->n;
    perp_status status = PERP_OK;

    s->weight = perp_workspace_reals(ws, n);
    s->d = perp_workspace_reals(ws, n);
    s->x = perp_workspace_reals(ws, n);
    s->v = perp_workspace_reals(ws, n);
    s->old = perp_workspace_reals(ws, n);
    s->c = perp_workspace_reals(ws, 2 * n); /* twice, for the estimate of L */
    s->rest = s->c ? s->c + n : NULL;
    status = perp_workspace_status(ws, err);
    if (status == PERP_OK) {
        s->uniform = perp_penalty_weights(s->p->set, s->weight);
    }
    return status;
}

/* The largest eigenvalue and the least, where they are known. In factors the rule of rho does not
 * need them, and the largest diagonal entry gives the size of A. */
static perp_status ncp_estimate(ncp_state *s, double asked, double *least,
                                perp_workspace *ws, perp_result *r, perp_error *err)
{
    const perp_operator *A = s->p->A;

    for (size_t i = 0; asked == 0.0 && perp_operator_in_factors(A) && i < A->rows; i++) {
        s->L = fmax(s->L, perp_operator_diagonal(A, i));
    }
    if (s->L > 0.0) {
        return PERP_OK;
    }

    if (s->system.spectrum.Q) {
        *least = A->rows > 0 ? s->system.spectrum.T[0] : 0.0;
        s->L = A->rows > 0 ? s->system.spectrum.T[A->rows - 1] : 0.0;
        r->work.factorizations += 1.0;
        r->work.flops_factor += 9.0 * pow((double)A->rows, 3.0);
        return PERP_OK;
    }
    if (A->rows <= SMALL && !perp_operator_in_factors(A)) {
        return perp_spectrum_extremes(A, least, &s->L, ws, err);
    }
    s->L = perp_operator_norm_estimate(A, s->c);
    r->work.products += 12.0;
    return PERP_OK;
}

/* rho for e = 0: as asked for, or by the mean of the diagonal and the number of rows. */
static double ncp_first_penalty(const ncp_state *s, double asked)
{
    const perp_operator *A = s->p->A;
    bool stiff = s->redundant || !perp_operator_in_factors(A);
    double part = s->relaxed > 0 && stiff ? rho_redundant : rho_usual;
    double sum = 0.0;

    if (asked > 0.0) {
        return asked * s->L;
    }
    for (size_t i = 0; i < A->rows; i++) {
        sum += fabs(perp_operator_diagonal(A, i));
    }
    return sum > 0.0 && isfinite(sum) ? part * sum / (double)A->rows : part * s->L;
}

/* Factors or spectrum, and the scale of A. */
static perp_status ncp_open(ncp_state *s, size_t linear, double asked, perp_workspace *ws,
                            perp_result *r, perp_error *err)
{
    const perp_operator *A = s->p->A;
    bool symmetric = perp_operator_is_symmetric(A);
    bool able = symmetric && s->uniform;
    bool in_factors = perp_operator_in_factors(A);
    double least = 0.0;
    perp_status status = PERP_OK;

    if (linear == LINEAR_SPECTRUM && !able) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "admm-ncp: the spectrum serves a symmetric A without free rows");
    }
    if (linear == LINEAR_SPECTRUM ||
        (linear == LINEAR_AUTO && able && !in_factors && A->rows <= SMALL)) {
        status = perp_shifted_setup_spectrum(&s->system, A, ws, err);
    } else {
        status = perp_shifted_setup(&s->system, A, s->p->set,
                                    symmetric ? PERP_FACTOR_CHOLESKY : PERP_FACTOR_LU, ws,
                                    err);
        if (status == PERP_OK) {
            perp_shifted_keep_factors(&s->system);
        }
    }
    if (status == PERP_OK) {
        status = ncp_estimate(s, asked, &least, ws, r, err);
    }
    s->L = s->L > 0.0 && isfinite(s->L) ? s->L : 1.0;
    s->eta = in_factors ? 0.0 : eta_part * s->L;
    s->floor = definite * fmax(-least, 0.0);
    s->fixed = asked > 0.0;
    s->redundant = perp_operator_is_redundant(A);
    s->relaxed = A->rows > SMALL || s->redundant ? RELAXED : 0;
    s->first = ncp_first_penalty(s, asked);
    return status;
}

static perp_status ncp_setup(void *vstate, const perp_problem *p, const perp_options *opt,
                             perp_workspace *ws, perp_result *r, perp_error *err)
{
    ncp_state *s = vstate;
    perp_status status = PERP_OK;

    s->p = p;
    status = ncp_memory(s, ws, err);
    if (status == PERP_OK) {
        status = ncp_open(s, perp_options_choice(opt, "linear"),
                          perp_options_real(opt, "rho"), ws, r, err);
    }
    if (status == PERP_OK) {
        status = perp_velocity_threads(&s->system.velocity,
                                       (size_t)perp_options_integer(opt, "threads"), err);
    }
    if (status == PERP_OK) {
        status = ncp_factor(s, r, err);
    }
    if (status == PERP_OK) {
        ncp_start(s, r);
    }
    return status;
}

/* The exponent follows the balance of the residuals. */
static perp_status ncp_rule(ncp_state *s, const double *z, perp_result *r,
                            perp_error *err)
{
    double primal = 0.0;
    double dual = 0.0;
    int step = 0;

    for (size_t i = 0; i < s->p->n; i++) {
        primal = fmax(primal, fabs(s->x[i] - z[i]));
        dual = fmax(dual, s->rho * s->weight[i] * fabs(z[i] - s->old[i]));
    }
    step = primal > unbalanced * dual ? 1 : dual > unbalanced * primal ? -1 : 0;
    if (step == 0 || s->fixed || s->e + step < exponent_least ||
        s->e + step > exponent_most ||
        (step < 0 && ncp_penalty(s, s->e + step) < s->floor)) {
        return PERP_OK;
    }
    s->e += step;
    return ncp_factor(s, r, err);
}

/* x := (A + diag d)^-1 c. In velocities the small penalty of free rows is divided by, which one
 * refinement repairs; c is overwritten. */
static void ncp_solve(ncp_state *s, perp_result *r)
{
    size_t n = s->p->n;

    memcpy(s->x, s->c, n * sizeof *s->x);
    perp_shifted_solve(&s->system, s->x);
    r->work.products += 1.0; /* a solve costs as much */
    if (s->uniform || !perp_operator_in_factors(s->p->A)) {
        return;
    }
    perp_operator_apply(s->p->A, s->x, s->rest);
    for (size_t i = 0; i < n; i++) {
        s->rest[i] = s->c[i] - s->rest[i] - s->d[i] * s->x[i];
    }
    perp_shifted_solve(&s->system, s->rest);
    cblas_daxpy((int)n, 1.0, s->rest, 1, s->x, 1);
    r->work.products += 2.0;
}

static perp_status ncp_iterate(void *vstate, perp_result *r, perp_error *err)
{
    ncp_state *s = vstate;
    const perp_problem *p = s->p;
    size_t n = p->n;
    double *z = r->z;
    double alpha = s->steps < s->relaxed ? relaxation : 1.0;

    for (size_t i = 0; i < n; i++) {
        s->c[i] = s->v[i] + s->rho * s->weight[i] * z[i] + s->eta * s->x[i] - p->b[i];
        s->old[i] = z[i];
    }
    ncp_add_shift(s, s->v, -1.0, s->c);
    ncp_solve(s, r);
    for (size_t i = 0; i < n; i++) {
        s->c[i] = alpha * s->x[i] + (1.0 - alpha) * z[i];
        z[i] = s->c[i] - s->v[i] / (s->rho * s->weight[i]);
    }
    perp_set_project_all(p->set, z);
    for (size_t i = 0; i < n; i++) {
        s->v[i] -= s->rho * s->weight[i] * (s->c[i] - z[i]);
    }
    r->work.projections += (double)p->set->count;
    s->steps++;
    return s->steps >= s->relaxed && s->steps % RULE_EVERY == 0 ? ncp_rule(s, z, r, err)
                                                                : PERP_OK;
}

static perp_status ncp_resume(void *vstate, double shift, perp_result *r, perp_error *err)
{
    ncp_state *s = vstate;
    perp_status status = PERP_OK;

    if (shift != 0.0) {
        perp_shifted_update_diagonal(&s->system, shift);
        status = ncp_factor(s, r, err);
    }
    ncp_start(s, r);
    return status;
}

static void ncp_close(void *vstate)
{
    ncp_state *s = vstate;

    perp_shifted_close(&s->system);
}

static const perp_option ncp_options[] = {
    PERP_REAL_CLOSED("rho", 0.0, 0.0, 1e6, "penalty, times |A|, kept; 0: by the rule"),
    PERP_CHOICE("linear", LINEAR_AUTO, "auto|factors|spectrum",
                "systems by factors for each rho, or by the eigenvectors of A"),
    PERP_VELOCITY_THREADS_OPTION,
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_admm_ncp = {
    .name = "admm-ncp",
    .family = "admm",
    .summary = "proximal alternating directions on Coulomb's law, asymmetric A too",
    .reference = "carpentier-lelidec-montaut-2024",
    .algorithm = "proximal ADMM on the De Saxce formulation "
                 "[carpentier-lelidec-montaut-2024]",
    .additions = "asymmetric A by LU; smaller penalty on free rows; factors of "
                 "several penalties kept; velocity form for factored A",
    .sets = PERP_SETS(FREE, NONNEG, BOX, CONE, ROLLING, DISK),
    .laws = PERP_LAWS(COULOMB, ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
    .demands = PERP_DEMANDS(POSITIVE_SEMIDEFINITE),
    .flags = PERP_FLAGS(USES_START),
    .certificates = PERP_CERTIFICATES(INFEASIBLE),
    .check_every = 5,
    .max_iterations = 100000, /* mass ratios of 10^8 need some 10^4 */
    .options = ncp_options,
    .state_size = sizeof(ncp_state),
    .setup = ncp_setup,
    .iterate = ncp_iterate,
    .resume = ncp_resume,
    .close = ncp_close,
};
