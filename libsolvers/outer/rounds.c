/* SPDX-License-Identifier: Apache-2.0
 * outer/rounds.c: what loops of convex problems share. */
#include <config.h>

#include <stdio.h>

#include "rounds.h"

enum {
    CIRCLING = 10,   /* rounds without a smaller residual before changes are damped */
    GROWING = 5,     /* rounds of growing residual before changes are damped */
    REFUSALS = 3,    /* rounds in a row in which the inner solver found no next step */
    ROUND_CAP = 500, /* inner iterations: new data help more than further ones */
};

static const double asymmetry_most = 0.1; /* with a larger skew part the rounds diverge */
static const double tolerance_most = 1e-2; /* of an inner problem */
static const double damping_least = 0x1p-6;
static const double recovery = 1.2; /* of the damping, in a round that makes progress */
static const double growth = 0.1;   /* of |z| in a round, before a certificate is tried */
static const double proximal_decay = 0.3;
static const double proximal_least = 1e-7; /* of |S|: the null space stays bounded */

void perp_rounds_init(perp_rounds *o, const char *name, double kappa_least,
                      const perp_options *opt)
{
    *o = (perp_rounds){
        .name = name,
        .tolerance = perp_options_real(opt, "tolerance"),
        .kappa = perp_options_find(opt, "kappa") ? perp_options_real(opt, "kappa") : 0.0,
        .proximal = perp_options_real(opt, "proximal"),
        .most = perp_options_cap(opt, "rounds"),
        .kappa_least = kappa_least,
        .damping = 1.0,
        .undamped = 1.0,
        .residual = INFINITY,
        .best_residual = INFINITY,
        .mark = INFINITY,
    };
}

double perp_rounds_proximal(const perp_rounds *o)
{
    double d = o->proximal * pow(proximal_decay, (double)o->round);

    return o->norm * fmin(o->proximal, fmax(d, proximal_least));
}

double perp_rounds_tolerance(const perp_rounds *o)
{
    return fmax(fmin(tolerance_most, o->kappa * o->residual), 0.2 * o->tolerance);
}

void perp_rounds_log(perp_rounds *o, const perp_solver_type *inner, perp_result *r)
{
    if (o->round == 0) {
        o->log_line = r->path.count;
        perp_result_log(r, "%s", o->name);
    }
    if (o->log_line < PERP_PATH_MAX) {
        snprintf(r->path.step[o->log_line], PERP_PATH_LENGTH, "%s: %zu round%s around %s",
                 o->name, o->round, o->round == 1 ? "" : "s", inner->name);
    }
}

perp_status perp_rounds_close(perp_rounds *o, const double *z, const perp_result *from,
                              perp_result *r)
{
    if (o->residual < o->best_residual) {
        o->best_residual = o->residual;
        memcpy(r->z, z, r->n * sizeof *z);
    }
    o->refused = from->outcome == PERP_RUNNING || from->outcome == PERP_SOLVED
                     ? 0
                     : o->refused + 1;
    if (o->residual <= o->tolerance) {
        return perp_result_end(r, PERP_SOLVED, "%s: solved in round %zu", o->name,
                               o->round);
    }
    if (!isfinite(o->residual)) {
        return perp_result_end(r, PERP_STALLED, "%s: not finite after round %zu", o->name,
                               o->round);
    }
    if (o->refused >=
        REFUSALS) { /* a certificate of the inner problem is none of this one */
        return perp_result_end(
            r, from->outcome == PERP_INFEASIBLE ? PERP_STALLED : from->outcome,
            "%s: in round %zu, %.200s", o->name, o->round, from->reason);
    }
    if (o->round >= o->most) {
        return perp_result_end(r, PERP_ITERATION_LIMIT,
                               "%s: residual %.2e after %zu round%s", o->name,
                               o->best_residual, o->round, perp_plural(o->round));
    }
    return PERP_OK;
}

void perp_rounds_adapt(perp_rounds *o, double before)
{
    o->growing = o->residual > before ? o->growing + 1 : 0;
    o->circling++;
    if (o->residual < 0.9 * o->mark) {
        o->mark = o->residual;
        o->circling = 0;
        o->damping = fmin(recovery * o->damping, o->undamped);
    }
    if ((o->growing >= GROWING || o->circling >= CIRCLING) &&
        o->kappa <= o->kappa_least) { /* else it may be the inner problems' errors */
        o->damping = fmax(0.5 * o->damping, damping_least);
        o->growing = o->circling = 0;
    }
    if (o->residual > 0.9 * before) {
        o->kappa = fmax(0.3 * o->kappa, fmin(o->kappa, o->kappa_least));
    }
}

perp_status perp_rounds_certify(const perp_rounds *o, const perp_problem *p,
                                const double *z, double *z_before, perp_result *r,
                                perp_error *err)
{
    perp_status status = PERP_OK;

    if (perp_growth_direction(p->n, z, z_before, growth)) {
        status = perp_result_certify_direction(r, p, z_before, err);
    }
    if (status == PERP_OK && r->certificate.kind == PERP_CERTIFICATE_INFEASIBLE) {
        perp_result_end(r, PERP_INFEASIBLE,
                        "%s: impulses grow indefinitely along the certificate", o->name);
    }
    return status;
}

perp_status perp_rounds_check(perp_rounds *o, const perp_operator *A, perp_error *err)
{
    double asymmetry = perp_operator_asymmetry(A);

    o->skew = asymmetry > PERP_SYMMETRIC_MOST;
    if (asymmetry > asymmetry_most) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: max|A - A^T| is %.2g max|A|, expected a small skew part",
                         o->name, asymmetry);
    }
    return PERP_OK;
}

perp_status perp_rounds_split(const perp_rounds *o, perp_operator **S,
                              const perp_operator *A, perp_error *err)
{
    perp_operator *part = NULL;
    perp_status status = PERP_OK;

    if (o->skew) {
        status = perp_operator_symmetric_part(&part, A, err);
        A = part;
    }
    if (status == PERP_OK) {
        status = perp_operator_with_diagonal(S, A, err);
    }
    perp_operator_free(part);
    return status;
}

perp_status perp_inner_init(perp_inner *in, double beta_b, perp_error *err)
{
    perp_status status = perp_judge_new_with_beta(&in->judge, &in->p, beta_b, err);

    if (status == PERP_OK) {
        status = perp_result_new(&in->r, in->p.n, err);
    }
    in->share = in->share > 0.0 ? in->share : 1.0;
    return status;
}

void perp_inner_start_round(perp_inner *in, double tolerance)
{
    size_t every = in->run.type->check_every;

    in->next_check = every ? 1 + in->steps / 2 : SIZE_MAX;
    in->cap = every ? ROUND_CAP : SIZE_MAX;
    in->steps = 0;
    in->tolerance = tolerance;
}

perp_status perp_inner_step(perp_inner *in, perp_result *r, bool *over, perp_error *err)
{
    perp_status status = perp_run_step(&in->run, err);
    bool ended = in->r->outcome != PERP_RUNNING;
    size_t every = in->run.type->check_every;
    double residual = 0.0;

    *over = false;
    perp_inner_collect_work(in, r);
    in->steps++;
    if (status != PERP_OK || !(ended || in->steps >= in->next_check)) {
        return status;
    }
    residual = perp_judge_residual(in->judge, in->r->z);
    r->work.products += in->share;
    *over = ended || !(residual > in->tolerance) || in->steps >= in->cap;
    /* Early rounds end after a few iterations: look often at first, each look is a product. */
    in->next_check += in->steps / 2 < every ? (in->steps + 1) / 2 : every;
    return PERP_OK;
}

void perp_inner_collect_work(perp_inner *in, perp_result *r)
{
    in->r->work.products *= in->share;
    perp_work_add(&r->work, &in->r->work);
    if (in->r->foreign.ran) { /* of the last round; its overhead is a sum */
        r->foreign = in->r->foreign;
    }
    in->r->work = (perp_work){0};
}

void perp_inner_close(perp_inner *in)
{
    perp_run_end(&in->run);
    perp_result_free(in->r);
    perp_judge_free(in->judge);
    perp_operator_free(in->p.A);
}
