/* SPDX-License-Identifier: Apache-2.0
 * newton/ac.c: damped Newton on the equation of Alart and Curnier.
 *
 *     f(z) = 0,   J d = -f,   z <- z + t d,  t = 1, 1/2, ... until |f| falls
 *
 * with f, J of newton/map.c: Coulomb's law with the radius mu max(z_n - rho_n w_n, 0) of Alart
 * and Curnier or mu max(z_n, 0) of Jean and Moreau, the natural map for all other blocks. Where
 * no part of the step decreases |f|, or J is singular, Levenberg and Marquardt's steps with
 * growing damping are tried; where none of them decreases it either, the method gives up.
 *
 * For A positive definite, symmetric or not, and few contacts: quadratic near a solution at
 * which no contact changes its mode. On hyperstatic structures J is singular where contacts
 * stick, and |f| has kinks that no part of a step passes: prox-newton is the remedy. One step
 * costs a factorisation of the rows that are not at a corner of K, a product with A and up to
 * 12 evaluations of f; memory: that of J and its factors.
 *
 * A matrix in factors, W = J M^-1 J^T + C, is not formed. With T = L C + H, L = df/dw and
 * H = df/dz, the step follows from S = M + J^T T^-1 L J, which has the sparsity of the graph of
 * bodies; 1e-9 of the diagonal of A keeps T regular, and refinement removes its error. The steps
 * are those of W stored, but where J is singular and f in its range, as at rest on four points,
 * d is one of the solutions instead of none: a pyramid of n layers of boxes takes n steps.
 *
 * A start near the solution saves most of the steps. A singular block of A is left as a
 * certificate when the end comes from it.
 * References: [alart-curnier-1991], [jean-moreau-1987], [acary-bremond-huber-2018]. */
#include <config.h>

#include "base/base.h"
#include "judge/judge.h"
#include "map.h"
#include "step.h"

enum { HALVINGS = 12 };

/* Of |f|^2 that a part t of the step must take away, times t. */
static const double armijo = 1e-4;

/* Levenberg-Marquardt terms, times |J|^2, from nearly Newton's step to nearly the gradient. */
static const double dampings[] = {1e-8, 1e-5, 1e-2, 1.0};

/* s (z_n - rho_n w_n) below this, in units of beta of the residual, is rounding, and the contact counts as
 * open. A grazing contact of a hyperstatic structure has z_n = 0 and w_n = 0 up to the last
 * bit; were it counted as closed, J would be singular. */
static const double tie = 1e-13;

typedef struct ac_state {
    const perp_problem *p;
    newton_system system;
    newton_radius radius;
    newton_steps *rho;
    perp_judge *judge; /* for its scales */
    double *w, *Ad;    /* n: A z + b, A d */
    double *x, *v;     /* n: a trial point and its A x + b */
    double merit;      /* |f|^2 */
} ac_state;

/* f with its derivatives at (z, w); |f|^2. */
static double ac_evaluate(ac_state *s, const double *z, const double *w)
{
    const perp_set *set = s->p->set;
    newton_system *system = &s->system;
    double sum = 0.0;

    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        size_t i = block->first;

        perp_newton_map_block(block, s->p->law, s->radius, &s->rho[k], z + i, w + i,
                              system->f + i, system->L + system->start[k],
                              system->H + system->start[k]);
    }
    for (size_t i = 0; i < s->p->n; i++) {
        sum += system->f[i] * system->f[i];
    }
    return sum;
}

/* The size of a row; a matrix in factors has its largest entries on the diagonal. */
static double ac_scale(const perp_operator *A, size_t row)
{
    return perp_operator_in_factors(A) ? perp_operator_diagonal(A, row)
                                       : perp_operator_row_max(A, row);
}

/* From the start in r->z. */
static void ac_start(ac_state *s, perp_result *r)
{
    const perp_set *set = s->p->set;
    double D[NEWTON_BLOCK_MOST];

    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        double scale = ac_scale(s->p->A, block->first);

        perp_operator_diagonal_block(s->p->A, block->first, block->dim, D);
        s->rho[k] =
            perp_newton_map_steps(block, s->p->law, D, 0.0, scale > 0.0 ? scale : 1.0);
        s->rho[k].tie = tie * perp_judge_beta(s->judge) / perp_judge_root(s->judge, k);
    }
    perp_operator_apply(s->p->A, r->z, s->w);
    r->work.products += 1.0;
    for (size_t i = 0; i < s->p->n; i++) {
        s->w[i] += s->p->b[i];
    }
    s->merit = ac_evaluate(s, r->z, s->w);
}

static perp_status ac_setup(void *vstate, const perp_problem *p, const perp_options *opt,
                            perp_workspace *ws, perp_result *r, perp_error *err)
{
    ac_state *s = vstate;

    s->p = p;
    s->radius = (newton_radius)perp_options_choice(opt, "radius");
    s->rho = perp_workspace_alloc(ws, p->set->count, sizeof *s->rho);
    s->w = perp_workspace_reals(ws, p->n);
    s->Ad = perp_workspace_reals(ws, p->n);
    s->x = perp_workspace_reals(ws, p->n);
    s->v = perp_workspace_reals(ws, p->n);
    TRY(perp_workspace_status(ws, err));
    TRY(perp_judge_new_in(&s->judge, p, ws, err));
    TRY(perp_newton_system_setup(&s->system, p, false, ws, err));
    ac_start(s, r);
    return PERP_OK;
}

/* The longest of the parts 1, 1/2, ... of the step that decreases |f|^2; false if none does,
 * and then the derivatives are again those of z. */
static bool ac_search(ac_state *s, size_t halvings, perp_result *r)
{
    size_t n = s->p->n;
    double t = 1.0;

    perp_operator_apply(s->p->A, s->system.d, s->Ad);
    r->work.products += 1.0;
    for (size_t i = 0; i <= halvings; i++, t *= 0.5) {
        double merit = 0.0;

        for (size_t j = 0; j < n; j++) {
            s->x[j] = r->z[j] + t * s->system.d[j];
            s->v[j] = s->w[j] + t * s->Ad[j];
        }
        merit = ac_evaluate(s, s->x, s->v);
        r->work.projections += (double)s->p->set->count;
        if (merit < (1.0 - armijo * t) * s->merit) {
            memcpy(r->z, s->x, n * sizeof *r->z);
            memcpy(s->w, s->v, n * sizeof *s->w);
            s->merit = merit;
            return true;
        }
    }
    ac_evaluate(s, r->z, s->w);
    return false;
}

static perp_status ac_iterate(void *vstate, perp_result *r, perp_error *err)
{
    ac_state *s = vstate;
    bool done = false;
    perp_status status = perp_newton_solve(&s->system, 0.0, false, r, &done, err);

    if (status != PERP_OK || (done && ac_search(s, HALVINGS, r))) {
        return status;
    }
    if (!done) {
        status = perp_newton_certify_singular(&s->system, r, err);
    }
    for (size_t i = 0; i < sizeof dampings / sizeof *dampings && status == PERP_OK; i++) {
        if (perp_newton_levenberg(&s->system, dampings[i], r) &&
            ac_search(s, HALVINGS, r)) {
            perp_certificate_clear(&r->certificate);
            return PERP_OK;
        }
    }
    if (status == PERP_OK && !done) {
        return perp_result_refuse(r, PERP_SINGULAR_BLOCK,
                                  perp_newton_failed_row(&s->system),
                                  "ac: the derivative is singular and no damped step "
                                  "decreases |f|");
    }
    if (status != PERP_OK) {
        return status;
    }
    return perp_result_end(r, PERP_STALLED, "ac: no step decreases |f| = %.2e",
                           sqrt(s->merit));
}

static perp_status ac_resume(void *vstate, double shift, perp_result *r, perp_error *err)
{
    (void)shift; /* ac_start computes the step lengths again */
    (void)err;
    ac_start(vstate, r);
    return PERP_OK;
}

static void ac_close(void *vstate)
{
    ac_state *s = vstate;

    perp_newton_system_close(&s->system);
}

static const perp_option ac_options[] = {
    PERP_CHOICE("radius", NEWTON_ALART_CURNIER, "alart-curnier|jean-moreau",
                "radius of the friction disk: from z_n - rho_n w_n, or from z_n"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_ac = {
    .name = "ac",
    .family = "newton",
    .summary = "damped Newton on the equation of Alart and Curnier",
    .reference = "alart-curnier-1991",
    .algorithm = "Newton's method on the Alart-Curnier equation "
                 "[alart-curnier-1991]",
    .additions = "damping; Levenberg-Marquardt steps where the Jacobian is "
                 "singular",
    .sets = PERP_SETS(FREE, NONNEG, BOX, CONE, ROLLING, DISK),
    .laws = PERP_LAWS(COULOMB, ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
    .demands = PERP_DEMANDS(POSITIVE_DEFINITE),
    .flags = PERP_FLAGS(USES_START),
    .certificates = PERP_CERTIFICATES(SINGULAR),
    .check_every = 1,
    .max_iterations = 200,
    .options = ac_options,
    .state_size = sizeof(ac_state),
    .setup = ac_setup,
    .iterate = ac_iterate,
    .resume = ac_resume,
    .close = ac_close,
};
