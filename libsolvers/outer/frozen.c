/* SPDX-License-Identifier: Apache-2.0
 * outer/frozen.c: the loop of the methods that freeze friction bounds. */
#include <config.h>

#include "frozen_parts.h"

/* Bounds from the normals as they stand, `part` of the way. */
static void freeze(frozen_state *s, const perp_set *set, double part)
{
    for (size_t k = 0; k < s->bound_count; k++) {
        frozen_bound *bound = &s->bounds[k];
        perp_block *block = &set->blocks[bound->block];
        double wanted = bound->mu * fmax(s->z[bound->normal], 0.0);

        bound->value += part * (wanted - bound->value);
        block->radius = bound->value;
        if (block->kind == PERP_SET_BOX) {
            block->lo = -bound->value;
            block->hi = bound->value;
        }
    }
}

/* Judge the point: u = A z + b is then in the judge. */
static void judge(frozen_state *s, perp_result *r)
{
    s->rounds.residual = perp_judge_residual(s->judge, s->z);
    r->work.products += 1.0;
}

/* The part's point and its b, from the velocities in the judge. */
static void aim(frozen_state *s, frozen_part *part, perp_result *r)
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

/* Let the inner solver go on with new data, or set it up: then those of the parts behind it
 * have to leave the workspace first. */
static perp_status resume(frozen_state *s, size_t at, perp_error *err)
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

/* Begin with a part, from the point and its velocities. */
static perp_status begin(frozen_state *s, size_t at, perp_result *r, perp_error *err)
{
    frozen_part *part = &s->part[at];
    perp_status status = PERP_OK;

    s->at = at;
    if (part->bounded) {
        freeze(s, part->inner.p.set,
               s->rounds.round == 0     ? 1.0
               : s->style.relaxes_point ? 1.0
                                        : s->rounds.damping);
    }
    aim(s, part, r);
    status = resume(s, at, err);
    perp_inner_take_work(&part->inner, r);
    if (status == PERP_OK) {
        perp_inner_begin(&part->inner, perp_rounds_tolerance(&s->rounds));
    }
    return status;
}

static perp_status check_inner(const frozen_state *s, perp_error *err)
{
    const perp_solver_type *inner = s->opt->inner;
    unsigned cones = PERP_SET_CONE | PERP_SET_ROLLING;

    if (s->p->law != PERP_LAW_COULOMB && (perp_set_kinds(s->p->set) & cones)) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s solves Coulomb's law, the cones obey the associated one",
                         s->style.name);
    }
    for (size_t j = 0; j < s->parts; j++) {
        unsigned missing = perp_set_kinds(s->part[j].inner.p.set) & ~inner->sets.set_bits;

        if (missing) {
            return perp_fail(err, PERP_ERR_UNSUITABLE, "%s:%s: %s takes no %s rows",
                             s->style.name, inner->name, inner->name,
                             perp_set_kind_name((perp_set_kind)(missing & -missing)));
        }
    }
    return PERP_OK;
}

static perp_status take_memory(frozen_state *s, perp_error *err)
{
    size_t n = s->p->n;
    size_t room = 0;

    if (!perp_mul(s->p->set->count, 2, &room)) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: too many blocks", s->style.name);
    }
    s->bounds = perp_workspace_take(s->ws, room, sizeof *s->bounds);
    s->z = perp_workspace_reals(s->ws, n);
    s->before = perp_workspace_reals(s->ws, n);
    s->scratch = perp_workspace_reals(s->ws, n);
    if (!s->bounds || !s->z || !s->before || !s->scratch) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for %zu rows",
                         s->style.name, n);
    }
    return PERP_OK;
}

/* The matrix of a part, its memory, its judge. */
static perp_status open_part(frozen_state *s, frozen_part *part, const perp_operator *S,
                             perp_error *err)
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

static perp_status open_parts(frozen_state *s, perp_result *r, perp_error *err)
{
    perp_operator *S = NULL;
    perp_status status = perp_rounds_split(&s->rounds, &S, s->p->A, err);

    if (status == PERP_OK && !perp_norm_estimate(S, s->ws, &s->rounds.norm, r)) {
        status = perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for %zu rows",
                           s->style.name, s->p->n);
    }
    s->rounds.d = perp_rounds_proximal(&s->rounds);
    for (size_t j = 0; status == PERP_OK && j < s->parts; j++) {
        status = open_part(s, &s->part[j], S, err);
    }
    perp_operator_free(S);
    return status;
}

perp_status perp_frozen_setup(frozen_state *s, const frozen_style *style,
                              const perp_problem *p, const perp_options *opt,
                              perp_workspace *ws, perp_result *r, perp_error *err)
{
    perp_status status = PERP_OK;

    s->style = *style;
    s->p = p;
    s->opt = opt;
    s->ws = ws;
    perp_rounds_init(&s->rounds, style->name, style->kappa_least, opt);
    s->rounds.damping = s->rounds.undamped = perp_options_real(opt, "relaxation");
    if (!opt->inner) {
        return perp_fail(err, PERP_ERR_OPTION, "%s: no solver named to work inside",
                         style->name);
    }
    status = perp_rounds_check(&s->rounds, p->A, err);
    if (status == PERP_OK) {
        status = take_memory(s, err);
    }
    if (status == PERP_OK && style->parts == 2) {
        status = perp_frozen_add_part(s, true, false, err);
    }
    if (status == PERP_OK) {
        status = perp_frozen_add_part(s, style->parts == 1, true, err);
    }
    if (status == PERP_OK) {
        status = check_inner(s, err);
    }
    if (status == PERP_OK) {
        status = perp_judge_new(&s->judge, p, err);
    }
    if (status == PERP_OK) {
        status = open_parts(s, r, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    s->whole = s->parts == 1 && !s->rounds.skew;
    memcpy(s->z, r->z, p->n * sizeof *s->z);
    memcpy(s->before, r->z, p->n * sizeof *s->before);
    judge(s, r);
    s->rounds.best_residual = s->rounds.mark = s->rounds.residual;
    perp_rounds_tell(&s->rounds, opt->inner, r);
    return begin(s, 0, r, err);
}

/* The inner solution, or a part of the way to it, becomes the point. */
static void move(frozen_state *s, const frozen_part *part)
{
    double step = s->style.relaxes_point ? s->rounds.damping : 1.0;

    for (size_t i = 0; i < part->inner.p.n; i++) {
        double *z = &s->z[part->rows[i]];

        *z = step == 1.0 ? part->inner.r->z[i] : *z + step * (part->inner.r->z[i] - *z);
    }
}

/* The part whose solver found no next step, or the last. */
static const perp_result *who_refused(const frozen_state *s)
{
    for (size_t j = 0; j < s->parts; j++) {
        const perp_result *r = s->part[j].inner.r;

        if (r->outcome != PERP_RUNNING && r->outcome != PERP_SOLVED) {
            return r;
        }
    }
    return s->part[s->parts - 1].inner.r;
}

static perp_status next_round(frozen_state *s, double before, perp_result *r,
                              perp_error *err)
{
    perp_rounds *o = &s->rounds;
    double change = 0.0;
    perp_status status = PERP_OK;

    o->round++;
    r->work.rounds += 1.0;
    perp_rounds_tell(o, s->opt->inner, r);
    status = perp_rounds_close(o, s->z, who_refused(s), r);
    if (status != PERP_OK || r->outcome != PERP_RUNNING) {
        return status;
    }
    status = perp_rounds_certify(o, s->p, s->z, s->before, r, err);
    if (status != PERP_OK || r->outcome != PERP_RUNNING) {
        return status;
    }
    perp_rounds_steer(o, before);
    memcpy(s->before, s->z, r->n * sizeof *s->z);
    change = perp_rounds_proximal(o) - o->d;
    o->d += change;
    for (size_t j = 0; j < s->parts; j++) {
        perp_operator_add_diagonal(s->part[j].inner.p.A, change);
        s->part[j].pending += change;
    }
    return begin(s, 0, r, err);
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
    move(s, part);
    judge(s, r);
    if (s->at + 1 < s->parts) {
        s->rounds.residual = before; /* half a round: only its velocities matter */
        return begin(s, s->at + 1, r, err);
    }
    return next_round(s, before, r, err);
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
