/* SPDX-License-Identifier: Apache-2.0
 * outer/ds.c: De Saxce's fixed point: Coulomb friction as a sequence of convex problems.
 *
 *     A = S + N, symmetric and skew part;  round k, from r_k and u = A r_k + b:
 *         shift_i = mu_i |u_T,i|                                        on the normals
 *         r_{k+1} = argmin over K  1/2 r.(S + d_k I) r + (b + shift + N r_k - d_k r_k).r
 *
 * The inner problem is symmetric and obeys the associated law. At a fixed point the terms with N,
 * d_k and r_k cancel: it solves Coulomb's law with A itself
 * [de-saxce-feng-1998; acary-cadoux-lemarechal-malick-2011]. The proximal term
 * d_k = |S| max(proximal 0.3^(k-1), 1e-7) bounds the directions that a singular S leaves free; it
 * decays, since a constant one would keep heavy-on-light stacks from converging.
 *
 * The inner problem is solved only to the accuracy that a round can use. The rate is about mu
 * times the coupling of the contacts: 8 to 20 rounds for stacks and walls, 70 for many fast sliding
 * contacts. Under the associated law the rounds are a proximal point method.
 *
 * Inner solvers: any that accepts cones under the associated law: mpgp (the default), kprgp,
 * spg, apgd, admm, ipm-socp and sweeps such as nsgs; for problems without cones, any solver.
 * perp_solve wraps such a solver in ds where it is asked for Coulomb's law.
 *
 * Cost: the steps of the inner solver, and two products with A per round. Memory: the symmetric
 * part of A where A is not symmetric, 5 n reals, and that of the inner solver. A start near the
 * solution saves rounds. Certificate: the direction of growing impulses. Ends at the limit of
 * rounds or where the inner solver refuses several in succession. A large skew part is refused. */
#include <config.h>

#include "base/base.h"
#include "rounds.h"

static const double kappa_least = 0.1; /* a smaller kappa saves no rounds */

typedef struct ds_state {
    const perp_problem *p;
    perp_rounds rounds;
    perp_inner inner;  /* S + d I, its own b, the set of p */
    double *b;         /* n: of the inner problem */
    double *skew;      /* n: N r of the last round; NULL where A is symmetric */
    double *shift;     /* per block */
    double *before;    /* n: the point of the round before */
    double *u;         /* n: A z + b at the point of this round */
    perp_judge *judge; /* of p */
} ds_state;

/* The shift from the velocities u, and b of the inner problem around the point z. */
static void ds_update_inner(ds_state *s, const double *z)
{
    const perp_problem *p = s->p;

    for (size_t i = 0; i < p->n; i++) {
        s->b[i] = p->b[i] + (s->skew ? s->skew[i] : 0.0) - s->rounds.d * z[i];
    }
    if (p->law != PERP_LAW_COULOMB) {
        return;
    }
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];
        double target = perp_de_saxce_shift(block, s->u + block->first);

        s->shift[k] += s->rounds.damping * (target - s->shift[k]);
        s->b[block->first] += s->shift[k];
    }
}

/* Residual and velocities of z on p, with a product. */
static void ds_judge_point(ds_state *s, const double *z, perp_result *r)
{
    s->rounds.residual = perp_judge_residual(s->judge, z);
    memcpy(s->u, perp_judge_w(s->judge), s->p->n * sizeof *s->u);
    r->work.products += 1.0;
}

/* Judge z on p with a product; N z = A z - S z where A is not symmetric, S z by another. */
static void ds_judge_start(ds_state *s, const double *z, perp_result *r)
{
    ds_judge_point(s, z, r);
    if (s->skew) {
        perp_operator_apply(s->inner.p.A, z, s->skew);
        r->work.products += 1.0;
        for (size_t i = 0; i < s->p->n; i++) {
            s->skew[i] = s->u[i] - s->p->b[i] - (s->skew[i] - s->rounds.d * z[i]);
        }
    }
}

/* Judge the inner point on p, from the product S z + d z of its judgement on the inner problem:
 * where A is symmetric this needs no further product. */
static void ds_judge_round(ds_state *s, perp_result *r)
{
    const double *z = s->inner.r->z;
    const double *w = perp_judge_w(s->inner.judge);
    double d = s->rounds.d;

    if (s->skew) {
        ds_judge_point(s, z, r);
        for (size_t i = 0; i < s->p->n; i++) {
            s->skew[i] = (s->u[i] - s->p->b[i]) - (w[i] - s->b[i] - d * z[i]);
        }
        return;
    }
    for (size_t i = 0; i < s->p->n; i++) {
        s->u[i] = w[i] - s->b[i] + s->p->b[i] - d * z[i];
    }
    s->rounds.residual = perp_judge_residual_from(s->judge, 0.0, z, s->u);
}

static perp_status ds_memory(ds_state *s, perp_workspace *ws, perp_error *err)
{
    size_t n = s->p->n;
    bool skew = s->rounds.skew;

    s->b = perp_workspace_reals(ws, n);
    s->shift = perp_workspace_reals(ws, s->p->set->count);
    s->before = perp_workspace_reals(ws, n);
    s->u = perp_workspace_reals(ws, n);
    s->skew = skew ? perp_workspace_reals(ws, n) : NULL;
    return perp_workspace_status(ws, err);
}

/* The inner problem around the start, and its judge. */
static perp_status ds_inner(ds_state *s, perp_workspace *ws, perp_result *r,
                            perp_error *err)
{
    const perp_problem *p = s->p;
    perp_rounds *o = &s->rounds;

    TRY(perp_rounds_split(o, &s->inner.p.A, p->A, err));
    if (!perp_norm_estimate(s->inner.p.A, ws, &o->norm, r)) {
        return perp_fail(err, PERP_ERR_MEMORY, "ds: no memory for %zu rows", p->n);
    }
    ds_judge_start(s, r->z, r);
    o->best_residual = o->residual;
    o->mark = o->residual;
    memcpy(s->before, r->z, p->n * sizeof *s->before);
    o->d = perp_rounds_proximal(o);
    perp_operator_add_diagonal(s->inner.p.A, o->d);
    s->inner.p.n = p->n;
    s->inner.p.b = s->b;
    s->inner.p.set = p->set;
    s->inner.p.law = PERP_LAW_ASSOCIATED;
    ds_update_inner(s, r->z);
    return perp_inner_init(&s->inner, perp_judge_beta(s->judge), err);
}

static perp_status ds_setup(void *vstate, const perp_problem *p, const perp_options *opt,
                            perp_workspace *ws, perp_result *r, perp_error *err)
{
    ds_state *s = vstate;
    perp_status status = PERP_OK;

    s->p = p;
    perp_rounds_init(&s->rounds, "ds", kappa_least, opt);
    if (!opt->inner) {
        return perp_fail(err, PERP_ERR_OPTION, "ds: inner solver missing: use ds:NAME");
    }
    TRY(perp_rounds_check(&s->rounds, p->A, err));
    TRY(ds_memory(s, ws, err));
    TRY(perp_judge_new(&s->judge, p, err));
    TRY(ds_inner(s, ws, r, err));
    memcpy(s->inner.r->z, r->z, p->n * sizeof *r->z);
    status =
        perp_run_start(&s->inner.run, opt->inner, &s->inner.p, opt, ws, s->inner.r, err);
    perp_inner_collect_work(&s->inner, r);
    perp_rounds_log(&s->rounds, opt->inner, r);
    perp_inner_start_round(&s->inner, perp_rounds_tolerance(&s->rounds));
    return status;
}

static perp_status ds_next_round(ds_state *s, perp_result *r, perp_error *err)
{
    perp_rounds *o = &s->rounds;
    const double *z = s->inner.r->z;
    double before = o->residual;
    double change = 0.0;
    perp_status status = PERP_OK;

    ds_judge_round(s, r);
    o->round++;
    r->work.rounds += 1.0;
    perp_rounds_log(o, s->inner.run.type, r);
    status = perp_rounds_close(o, z, s->inner.r, r);
    if (status != PERP_OK || r->outcome != PERP_RUNNING) {
        return status;
    }
    status = perp_rounds_certify(o, s->p, z, s->before, r, err);
    if (status != PERP_OK || r->outcome != PERP_RUNNING) {
        return status;
    }
    perp_rounds_adapt(o, before);
    memcpy(s->before, z, r->n * sizeof *z);
    change = perp_rounds_proximal(o) - o->d;
    o->d += change;
    perp_operator_add_diagonal(s->inner.p.A, change);
    ds_update_inner(s, z);
    status = perp_run_resume(&s->inner.run, change, err);
    perp_inner_collect_work(&s->inner, r);
    perp_inner_start_round(&s->inner, perp_rounds_tolerance(o));
    return status;
}

static perp_status ds_iterate(void *vstate, perp_result *r, perp_error *err)
{
    ds_state *s = vstate;
    bool over = false;
    perp_status status = perp_inner_step(&s->inner, r, &over, err);

    return status == PERP_OK && over ? ds_next_round(s, r, err) : status;
}

static void ds_close(void *vstate)
{
    ds_state *s = vstate;

    perp_inner_close(&s->inner);
    perp_judge_free(s->judge);
}

static const perp_option ds_options[] = {
    PERP_ROUNDS_OPTIONS(200, 0.3, 1e-3),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_ds = {
    .name = "ds",
    .family = "outer",
    .summary = "De Saxce's fixed point: Coulomb's law by a sequence of convex problems",
    .reference = "de-saxce-feng-1998",
    .algorithm = "De Saxce's fixed point as a sequence of convex problems "
                 "[de-saxce-feng-1998] "
                 "[acary-cadoux-lemarechal-malick-2011]",
    .additions = "asymmetric A by its symmetric part; vanishing proximal term; "
                 "inexact inner solutions",
    .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION, CONE, ROLLING, DISK),
    .laws = PERP_LAWS(COULOMB, ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
    .demands = PERP_DEMANDS(POSITIVE_SEMIDEFINITE),
    .flags = PERP_FLAGS(WRAPPER, INNER_SYMMETRIC_PART, USES_START),
    .inner = "mpgp",
    .certificates = PERP_CERTIFICATES(INFEASIBLE),
    .check_every = 10,
    .max_iterations = 100000, /* 200 rounds to their cap */
    .options = ds_options,
    .state_size = sizeof(ds_state),
    .setup = ds_setup,
    .iterate = ds_iterate,
    .close = ds_close,
};
