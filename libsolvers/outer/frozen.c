/* SPDX-License-Identifier: Apache-2.0
 * outer/frozen.c: the loop of the methods that freeze friction bounds. */
#include <config.h>

#include "base/base.h"
#include "frozen_parts.h"

/* Bounds from the current normals, changed by the fraction `part`. */
static void frozen_update_bounds(frozen_state *s, const perp_set *set, double part)
{
    for (size_t k = 0; k < s->bound_count; k++) {
        frozen_bound *bound = &s->bounds[k];
        perp_block *block = &set->blocks[bound->block];
        double target = bound->mu * fmax(s->z[bound->normal], 0.0);

        bound->value += part * (target - bound->value);
        block->radius = bound->value;
        if (block->kind == PERP_SET_BOX) {
            block->lo = -bound->value;
            block->hi = bound->value;
        }
    }
}

/* Judge the point; the judge then holds u = A z + b. */
static void frozen_judge(frozen_state *s, perp_result *r)
{
    s->rounds.residual = perp_judge_residual(s->judge, s->z);
    r->work.products += 1.0;
}

/* The point and b of a part, from the velocities of the judge. */
static void frozen_set_part(frozen_state *s, frozen_part *part, perp_result *r)
{
    const double *u = perp_judge_w(s->judge);
    perp_problem *p = &part->inner.p;
    double *z = part->inner.r->z;

    for (size_t i = 0; i < p->n; i++) {
        z[i] = s->z[part->rows[i]];
    }
    if (s->whole) { /* u - (A + d I) z without the rounding of two products */
        for (size_t i = 0; i < p->n; i++) {
            p->b[i] = s->p->b[i] - s->rounds.d * z[i];
        }
        return;
    }
    perp_operator_apply(p->A, z, s->scratch);
    r->work.products += part->inner.share;
    for (size_t i = 0; i < p->n; i++) {
        p->b[i] = u[part->rows[i]] - s->scratch[i];
    }
}

/* Resume the inner solver with new data, or set it up: then the solvers of later parts must be
 * closed first, since the workspace is a stack. */
static perp_status frozen_resume(frozen_state *s, size_t at, perp_error *err)
{
    frozen_part *part = &s->part[at];
    perp_inner *inner = &part->inner;
    const perp_solver_type *type = s->opt->inner;
    bool follows =
        type->resume &&
        (!part->bounded || (type->flags.flag_bits & PERP_FLAG_RESUME_READS_SET) != 0);
    double pending = part->pending;

    part->pending = 0.0;
    if (inner->run.state && follows) {
        return perp_run_resume(&inner->run, pending, err);
    }
    for (size_t i = s->parts; i-- > at;) {
        perp_run_end(&s->part[i].inner.run);
    }
    return perp_run_start(&inner->run, type, &inner->p, s->opt, s->ws, inner->r, err);
}

/* Start a part from the current point and its velocities. */
static perp_status frozen_start_part(frozen_state *s, size_t at, perp_result *r,
                                     perp_error *err)
{
    frozen_part *part = &s->part[at];
    perp_status status = PERP_OK;

    s->at = at;
    if (part->bounded) {
        frozen_update_bounds(s, part->inner.p.set,
                             s->rounds.round == 0     ? 1.0
                             : s->style.relaxes_point ? 1.0
                                                      : s->rounds.damping);
    }
    frozen_set_part(s, part, r);
    status = frozen_resume(s, at, err);
    perp_inner_collect_work(&part->inner, r);
    if (status == PERP_OK) {
        perp_inner_start_round(&part->inner, perp_rounds_tolerance(&s->rounds));
    }
    return status;
}

static perp_status frozen_check_inner(const frozen_state *s, perp_error *err)
{
    const perp_solver_type *inner = s->opt->inner;
    unsigned cones = PERP_SET_CONE | PERP_SET_ROLLING;

    if (s->p->law != PERP_LAW_COULOMB && (perp_set_kinds(s->p->set) & cones)) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s solves Coulomb's law, the cones obey the associated one",
                         s->style.name);
    }
    for (size_t j = 0; j < s->parts; j++) {
        unsigned missing =
            perp_set_kinds(s->part[j].inner.p.set) & ~perp_solver_sets(inner, s->opt);

        if (missing) {
            return perp_fail(err, PERP_ERR_UNSUITABLE, "%s:%s: %s takes no %s rows",
                             s->style.name, inner->name, inner->name,
                             perp_set_kind_name((perp_set_kind)(missing & -missing)));
        }
    }
    return PERP_OK;
}

static perp_status frozen_memory(frozen_state *s, perp_error *err)
{
    size_t n = s->p->n;
    size_t room = 0;

    if (!perp_mul(s->p->set->count, 2, &room)) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: too many blocks", s->style.name);
    }
    s->bounds = perp_workspace_alloc(s->ws, room, sizeof *s->bounds);
    s->z = perp_workspace_reals(s->ws, n);
    s->before = perp_workspace_reals(s->ws, n);
    s->scratch = perp_workspace_reals(s->ws, n);
    return perp_workspace_status(s->ws, err);
}

/* The matrix, the memory and the judge of a part. */
static perp_status frozen_open_part(frozen_state *s, frozen_part *part,
                                    const perp_operator *S, perp_error *err)
{
    perp_problem *p = &part->inner.p;
    perp_operator *A = NULL;
    double nonzeros = (double)perp_operator_nonzeros(S);
    perp_status status = PERP_OK;

    p->b = perp_workspace_reals(s->ws, p->n);
    if (!p->b) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for %zu rows",
                         s->style.name, p->n);
    }
    status = s->parts == 1 ? perp_operator_copy(&A, S, err)
                           : perp_frozen_extract(&A, S, part->rows, p->n, err);
    if (status == PERP_OK) {
        status = perp_operator_with_diagonal(&p->A, A, err);
    }
    perp_operator_free(A);
    if (status != PERP_OK) {
        return status;
    }
    perp_operator_add_diagonal(p->A, s->rounds.d);
    part->inner.share =
        nonzeros > 0.0 ? (double)perp_operator_nonzeros(p->A) / nonzeros : 1.0;
    return perp_inner_init(&part->inner, perp_judge_beta(s->judge), err);
}

static perp_status frozen_open_parts(frozen_state *s, perp_result *r, perp_error *err)
{
    perp_operator *S = NULL;
    perp_status status = perp_rounds_split(&s->rounds, &S, s->p->A, err);

    if (status == PERP_OK && !perp_norm_estimate(S, s->ws, &s->rounds.norm, r)) {
        status = perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for %zu rows",
                           s->style.name, s->p->n);
    }
    s->rounds.d = perp_rounds_proximal(&s->rounds);
    for (size_t j = 0; status == PERP_OK && j < s->parts; j++) {
        status = frozen_open_part(s, &s->part[j], S, err);
    }
    perp_operator_free(S);
    return status;
}

perp_status perp_frozen_setup(frozen_state *s, const frozen_style *style,
                              const perp_problem *p, const perp_options *opt,
                              perp_workspace *ws, perp_result *r, perp_error *err)
{
    s->style = *style;
    s->p = p;
    s->opt = opt;
    s->ws = ws;
    perp_rounds_init(&s->rounds, style->name, style->kappa_least, opt);
    s->rounds.damping = s->rounds.undamped = perp_options_real(opt, "relaxation");
    if (!opt->inner) {
        return perp_fail(err, PERP_ERR_OPTION, "%s: inner solver missing: use %s:NAME",
                         style->name, style->name);
    }
    TRY(perp_rounds_check(&s->rounds, p->A, err));
    TRY(frozen_memory(s, err));
    if (style->parts == 2) {
        TRY(perp_frozen_add_part(s, true, false, err));
    }
    TRY(perp_frozen_add_part(s, style->parts == 1, true, err));
    TRY(frozen_check_inner(s, err));
    TRY(perp_judge_new(&s->judge, p, err));
    TRY(frozen_open_parts(s, r, err));
    s->whole = s->parts == 1 && !s->rounds.skew;
    memcpy(s->z, r->z, p->n * sizeof *s->z);
    memcpy(s->before, r->z, p->n * sizeof *s->before);
    frozen_judge(s, r);
    s->rounds.best_residual = s->rounds.mark = s->rounds.residual;
    perp_rounds_log(&s->rounds, opt->inner, r);
    return frozen_start_part(s, 0, r, err);
}

/* The point moves to the inner solution, or a fraction of the distance. */
static void frozen_move(frozen_state *s, const frozen_part *part)
{
    double step = s->style.relaxes_point ? s->rounds.damping : 1.0;

    for (size_t i = 0; i < part->inner.p.n; i++) {
        double *z = &s->z[part->rows[i]];

        *z = step == 1.0 ? part->inner.r->z[i] : *z + step * (part->inner.r->z[i] - *z);
    }
}

/* The part whose solver has refused, or the last one. */
static const perp_result *frozen_refused(const frozen_state *s)
{
    for (size_t j = 0; j < s->parts; j++) {
        const perp_result *r = s->part[j].inner.r;

        if (r->outcome != PERP_RUNNING && r->outcome != PERP_SOLVED) {
            return r;
        }
    }
    return s->part[s->parts - 1].inner.r;
}

static perp_status frozen_next_round(frozen_state *s, double before, perp_result *r,
                                     perp_error *err)
{
    perp_rounds *o = &s->rounds;
    double change = 0.0;
    perp_status status = PERP_OK;

    o->round++;
    r->work.rounds += 1.0;
    perp_rounds_log(o, s->opt->inner, r);
    status = perp_rounds_close(o, s->z, frozen_refused(s), r);
    if (status != PERP_OK || r->outcome != PERP_RUNNING) {
        return status;
    }
    status = perp_rounds_certify(o, s->p, s->z, s->before, r, err);
    if (status != PERP_OK || r->outcome != PERP_RUNNING) {
        return status;
    }
    perp_rounds_adapt(o, before);
    memcpy(s->before, s->z, r->n * sizeof *s->z);
    change = perp_rounds_proximal(o) - o->d;
    o->d += change;
    for (size_t j = 0; j < s->parts; j++) {
        perp_operator_add_diagonal(s->part[j].inner.p.A, change);
        s->part[j].pending += change;
    }
    return frozen_start_part(s, 0, r, err);
}

perp_status perp_frozen_iterate(void *vstate, perp_result *r, perp_error *err)
{
    frozen_state *s = vstate;
    frozen_part *part = &s->part[s->at];
    bool over = false;
    double before = 0.0;
    perp_status status = perp_inner_step(&part->inner, r, &over, err);

    if (status != PERP_OK || !over) {
        return status;
    }
    before = s->rounds.residual;
    frozen_move(s, part);
    frozen_judge(s, r);
    if (s->at + 1 < s->parts) {
        s->rounds.residual = before; /* half a round: only its velocities are used */
        return frozen_start_part(s, s->at + 1, r, err);
    }
    return frozen_next_round(s, before, r, err);
}

void perp_frozen_close(void *vstate)
{
    frozen_state *s = vstate;

    for (size_t j = FROZEN_PARTS; j-- > 0;) { /* the workspace is a stack */
        perp_inner_close(&s->part[j].inner);
        perp_set_free(s->part[j].inner.p.set);
    }
    perp_judge_free(s->judge);
}
