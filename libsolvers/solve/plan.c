/* SPDX-License-Identifier: Apache-2.0
 * solve/plan.c: choose the reformulations that bring a problem to a solver.
 *
 * In this order: global -> local (condensed, or in factors when asked); what the caller
 * asked for by name (may change the physics); the wrapper that the law of the cones needs;
 * sets the solver does not take; storage; scaling. Whatever is chosen is listed in what ran. */
#include <config.h>

#include "plan.h"

/* Index of the option "global". */
enum { GLOBAL_CONDENSED, GLOBAL_FACTORED };

static const perp_problem *last(const perp_plan *plan)
{
    return plan->problems[plan->count];
}

/* Take over a reformulation, NULL being nothing to do. */
static perp_status push(perp_plan *plan, perp_reform *step, perp_error *err)
{
    if (!step) {
        return PERP_OK;
    }
    if (plan->count == PERP_PLAN_MAX) {
        perp_reform_free(step);
        return perp_fail(err, PERP_ERR_UNSUITABLE, "more than %d reformulations in a row",
                         PERP_PLAN_MAX);
    }
    plan->steps[plan->count++] = step;
    plan->problems[plan->count] = step->to;
    return PERP_OK;
}

void perp_plan_wrap(perp_plan *plan, const perp_solver_type *wrapper)
{
    const perp_options old = plan->opt;
    const perp_solver_type *inner = old.inner ? old.inner : plan->type;

    perp_options_init(&plan->opt, wrapper, inner);
    perp_options_inherit(&plan->opt, &old);
    plan->type = wrapper;
}

/* What the solver takes; a wrapper takes what it and its inner solver take, unless it gives
 * that one other sets and so checks them itself. */
static unsigned takes_sets(const perp_plan *plan)
{
    const perp_solver_type *inner = plan->opt.inner;
    bool same = inner && !(plan->type->flags.flag_bits & PERP_FLAG_INNER_OTHER_SETS);

    return same ? plan->type->sets.set_bits & inner->sets.set_bits
                : plan->type->sets.set_bits;
}

static unsigned takes_storage(const perp_plan *plan)
{
    const perp_solver_type *inner = plan->opt.inner;

    return inner ? plan->type->storages.storage_bits & inner->storages.storage_bits
                 : plan->type->storages.storage_bits;
}

/* A wrapper that keeps A as it is passes the demands of its inner solver on. */
static unsigned demands(const perp_plan *plan)
{
    const perp_solver_type *inner = plan->opt.inner;
    bool splits = (plan->type->flags.flag_bits & PERP_FLAG_INNER_SYMMETRIC_PART) != 0;

    return plan->type->demands.demand_bits |
           (inner && !splits ? inner->demands.demand_bits : 0u);
}

/* Cones under a law the solver does not know, or with an A it may not see. */
static void plan_law(perp_plan *plan)
{
    const perp_problem *p = last(plan);
    const unsigned cones = PERP_SET_CONE | PERP_SET_ROLLING;
    const perp_solver_type *type = plan->opt.inner ? plan->opt.inner : plan->type;

    if ((perp_set_kinds(p->set) & cones & type->sets.set_bits) == 0 || plan->opt.inner) {
        return;
    }
    if ((p->law == PERP_LAW_COULOMB &&
         !(type->laws.law_bits & (1u << PERP_LAW_COULOMB))) ||
        ((type->demands.demand_bits & PERP_DEMAND_SYMMETRIC) &&
         !perp_operator_is_symmetric(p->A))) {
        perp_plan_wrap(plan, perp_solver_find("ds"));
    }
}

static perp_status unsuitable_set(const perp_plan *plan, unsigned missing,
                                  perp_error *err)
{
    char name[64];
    unsigned bit = missing & (~missing + 1u); /* the lowest, to name one */

    perp_solver_print(plan->type, &plan->opt, name, sizeof name);
    return perp_fail(err, PERP_ERR_UNSUITABLE, "%s takes no %s rows%s", name,
                     perp_set_kind_name((perp_set_kind)bit),
                     bit == PERP_SET_CONE ? "; ask for a formulation: pyramid:8, box"
                                          : "");
}

/* FREE rows leave last, when only NONNEG rows are beside them. */
static perp_status plan_free(perp_plan *plan, perp_error *err)
{
    const perp_problem *p = last(plan);
    perp_reform *step = NULL;
    double *y = perp_reals_new(p->n);
    perp_error failed = {0};
    perp_status status = PERP_ERR_MEMORY;

    if (!y) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", p->n);
    }
    status = perp_reform_eliminate_free(&step, p, y, &failed);
    if (status == PERP_ERR_DATA && perp_certificate_infeasible(p, y)) {
        plan->proof = y;
        plan->proof_at = plan->count;
        return PERP_OK;
    }
    free(y);
    if (status == PERP_ERR_DATA) { /* in units far from 1 pivots are taken for rounding */
        return perp_fail(err, PERP_ERR_UNSUITABLE, "%s; but its certificate fails",
                         failed.text);
    }
    return status == PERP_OK ? push(plan, step, err)
                             : perp_fail(err, status, "%s", failed.text);
}

static perp_status plan_sets(perp_plan *plan, perp_error *err)
{
    const unsigned can = PERP_SET_FRICTION | PERP_SET_BOX | PERP_SET_FREE;
    unsigned takes = takes_sets(plan);
    unsigned missing = perp_set_kinds(last(plan)->set) & ~takes;
    perp_reform *step = NULL;
    perp_status status = PERP_OK;

    if (missing & ~(takes & PERP_SET_NONNEG ? can : 0u)) {
        return unsuitable_set(plan, missing & ~(takes & PERP_SET_NONNEG ? can : 0u), err);
    }
    if (missing & PERP_SET_FRICTION) {
        status = perp_reform_friction_to_lcp(&step, last(plan), err);
        status = status == PERP_OK ? push(plan, step, err) : status;
    }
    if (status == PERP_OK && (missing & PERP_SET_BOX)) {
        status = perp_reform_box_to_lcp(&step, last(plan), err);
        status = status == PERP_OK ? push(plan, step, err) : status;
    }
    /* A box without bounds has become a free row by now. */
    missing = perp_set_kinds(last(plan)->set) & ~takes;
    if (status == PERP_OK && (missing & PERP_SET_FREE)) {
        status = plan_free(plan, err);
    }
    return status;
}

/* What A becomes for a solver that does not take it as it is: sparse stays sparse where it can,
 * in blocks where all rows are contacts of one dimension. */
static perp_storage wanted_storage(const perp_plan *plan)
{
    unsigned takes = takes_storage(plan);

    if ((takes & PERP_STORAGE_FACTORED) &&
        last(plan)->A->type->storage == PERP_STORAGE_PAIRS) {
        return PERP_STORAGE_FACTORED;
    }
    if ((takes & PERP_STORAGE_BSR) && perp_set_block_size(last(plan)->set) > 1) {
        return PERP_STORAGE_BSR;
    }
    return takes & PERP_STORAGE_CSR     ? PERP_STORAGE_CSR
           : takes & PERP_STORAGE_DENSE ? PERP_STORAGE_DENSE
                                        : PERP_STORAGE_BSR;
}

static perp_status plan_storage(perp_plan *plan, perp_error *err)
{
    perp_reform *step = NULL;
    perp_status status = PERP_OK;

    if (takes_storage(plan) & last(plan)->A->type->storage) {
        return PERP_OK;
    }
    status = perp_reform_store(&step, last(plan), wanted_storage(plan), err);
    return status == PERP_OK ? push(plan, step, err) : status;
}

static perp_status check_demands(const perp_plan *plan, perp_error *err)
{
    const perp_operator *A = last(plan)->A;
    char name[64];

    if ((demands(plan) & PERP_DEMAND_SYMMETRIC) && !perp_operator_is_symmetric(A)) {
        perp_solver_print(plan->type, &plan->opt, name, sizeof name);
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s demands a symmetric A, found max|A - A^T| = %.2g max|A|",
                         name, perp_operator_asymmetry(A));
    }
    return PERP_OK;
}

static perp_status plan_points(perp_plan *plan, perp_error *err)
{
    for (size_t i = 0; i <= plan->count; i++) {
        if (!plan->points[i]) {
            plan->points[i] = perp_reals_new(plan->problems[i]->n);
        }
        if (!plan->points[i]) {
            return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows",
                             plan->problems[i]->n);
        }
    }
    return PERP_OK;
}

/* The problem as asked: local, and under the physics the caller named. */
static perp_status plan_asked(perp_plan *plan, perp_error *err)
{
    perp_reform *step = NULL;
    perp_status status = PERP_OK;

    if (!last(plan)->A) {
        status = perp_options_choice(&plan->opt, "global") == GLOBAL_FACTORED &&
                         (takes_storage(plan) & PERP_STORAGE_FACTORED)
                     ? perp_reform_factor(&step, last(plan), err)
                     : perp_reform_condense(&step, last(plan), err);
        status = status == PERP_OK ? push(plan, step, err) : status;
    }
    if (status != PERP_OK) {
        return status;
    }
    plan->base = plan->count;
    step = NULL;
    status = perp_reform_named(&step, last(plan),
                               perp_options_text(&plan->opt, "formulation"), err);
    status = status == PERP_OK ? push(plan, step, err) : status;
    plan->asked = plan->count;
    return status;
}

static perp_status plan_open(perp_plan *plan, const perp_solver_type *type,
                             const perp_problem *p, const perp_options *opt,
                             perp_error *err)
{
    perp_reform *step = NULL;
    perp_status status = PERP_OK;

    memset(plan, 0, sizeof *plan);
    plan->type = type;
    plan->problems[0] = p;
    if (opt) {
        plan->opt = *opt;
    } else if ((status = perp_solver_parse(type->name, &type, &plan->opt, err)) !=
               PERP_OK) {
        return status;
    }
    status = plan_asked(plan, err);
    if (status != PERP_OK) {
        return status;
    }
    plan_law(plan);
    status = plan_sets(plan, err);
    if (status == PERP_OK && plan->proof) {
        return plan_points(plan, err);
    }
    if (status == PERP_OK) {
        status = plan_storage(plan, err);
    }
    if (status == PERP_OK) {
        status = check_demands(plan, err);
    }
    if (status == PERP_OK && perp_options_switch(&plan->opt, "scale")) {
        status = perp_reform_scale(&step, last(plan), err);
        status = status == PERP_OK ? push(plan, step, err) : status;
    }
    return status == PERP_OK ? plan_points(plan, err) : status;
}

perp_status perp_plan_open(perp_plan *plan, const perp_solver_type *type,
                           const perp_problem *p, const perp_options *opt,
                           perp_error *err)
{
    perp_status status = plan_open(plan, type, p, opt, err);

    if (status == PERP_ERR_UNSUITABLE && err && err->status == status) {
        perp_message_name_solver(err->text, sizeof err->text, plan->type, &plan->opt);
    }
    return status;
}

void perp_plan_close(perp_plan *plan)
{
    for (size_t i = plan->count; i-- > 0;) {
        perp_reform_free(plan->steps[i]);
    }
    for (size_t i = 0; i <= PERP_PLAN_MAX; i++) {
        free(plan->points[i]);
    }
    free(plan->proof);
}

void perp_plan_map(perp_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        const perp_reform *t = plan->steps[i];

        t->type->map(t->state, t->from, plan->points[i], plan->points[i + 1]);
    }
}

void perp_plan_unmap(perp_plan *plan, size_t to)
{
    for (size_t i = plan->count; i > to; i--) {
        const perp_reform *t = plan->steps[i - 1];

        t->type->unmap(t->state, t->from, plan->points[i], plan->points[i - 1]);
    }
}

bool perp_plan_certificate(const perp_plan *plan, size_t from, size_t to, double *y,
                           double *scratch)
{
    for (size_t i = from; i > to; i--) {
        const perp_reform *t = plan->steps[i - 1];

        if (!t->type->certificate) {
            return false;
        }
        memcpy(scratch, y, plan->problems[i]->n * sizeof *y);
        t->type->certificate(t->state, t->from, scratch, y);
    }
    return true;
}

size_t perp_plan_rows(const perp_plan *plan)
{
    size_t rows = 0;

    for (size_t i = 0; i <= plan->count; i++) {
        rows = plan->problems[i]->n > rows ? plan->problems[i]->n : rows;
    }
    return rows;
}

perp_status perp_solver_view(const perp_solver_type *type, const perp_problem *p,
                             const perp_options *opt, perp_problem **view,
                             perp_error *err)
{
    perp_plan plan = {0};
    perp_problem own;
    perp_status status = perp_problem_view(&own, p, err);

    *view = NULL;
    if (status == PERP_OK) {
        status = perp_problem_ensure_checked(&own, err);
    }
    if (status == PERP_OK) {
        status = perp_plan_open(&plan, type, &own, opt, err);
    }
    if (status == PERP_OK) {
        status = perp_problem_copy(view, last(&plan), err);
    }
    perp_plan_close(&plan);
    perp_problem_view_free(&own);
    return status;
}
