/* SPDX-License-Identifier: Apache-2.0
 * solve/plan.c: choose the reformulations that turn a problem into one that a solver
 * takes.
 *
 * In this order: global -> local (condensed, or in factors); the formulation
 * that the caller names, which may change the physics; the wrapper that the friction
 * law needs; bounds out of reach, left open; sets that the solver does not take; storage; scaling. The solution path
 * of the result lists every reformulation. */
#include <config.h>

#include "base/base.h"
#include "judge/judge.h"
#include "plan.h"
#include "reform/reforms.h"
#include "registry.h"

/* The problem at the end of the path so far. */
static const perp_problem *plan_end(const perp_plan *plan)
{
    return perp_reform_path_end(plan->path);
}

perp_status perp_plan_wrap(perp_plan *plan, const perp_solver_type *wrapper,
                           perp_error *err)
{
    const perp_options old = plan->opt;
    const perp_solver_type *inner = old.inner ? old.inner : plan->type;

    TRY(perp_options_init(&plan->opt, wrapper, inner, err));
    perp_options_inherit(&plan->opt, &old);
    plan->type = wrapper;
    return PERP_OK;
}

/* The sets that the solver takes. A wrapper takes those that its inner solver takes, too,
 * unless it gives the inner solver other sets; then it checks them itself. */
static unsigned plan_sets_taken(const perp_plan *plan)
{
    const perp_solver_type *inner = plan->opt.inner;
    bool same = inner && !(plan->type->flags.flag_bits & PERP_FLAG_INNER_OTHER_SETS);

    return perp_solver_sets(plan->type, &plan->opt) &
           (same ? perp_solver_sets(inner, &plan->opt) : ~0u);
}

static unsigned plan_storages_taken(const perp_plan *plan)
{
    const perp_solver_type *inner = plan->opt.inner;

    return inner ? plan->type->storages.storage_bits & inner->storages.storage_bits
                 : plan->type->storages.storage_bits;
}

/* A wrapper has the demands of its inner solver, too, unless that one sees another A. */
static unsigned plan_demands(const perp_plan *plan)
{
    const perp_solver_type *inner = plan->opt.inner;
    bool splits = (plan->type->flags.flag_bits & PERP_FLAG_INNER_SYMMETRIC_PART) != 0;

    return plan->type->demands.demand_bits |
           (inner && !splits ? inner->demands.demand_bits : 0u);
}

/* Wrap the solver in ds where it does not know the friction law, or where it demands a
 * symmetric A and the A of the cones is not. */
static perp_status plan_law(perp_plan *plan, perp_error *err)
{
    const perp_problem *p = plan_end(plan);
    const unsigned cones = PERP_SET_CONE | PERP_SET_ROLLING;
    const perp_solver_type *type = plan->opt.inner ? plan->opt.inner : plan->type;

    if ((perp_set_kinds(p->set) & cones & perp_solver_sets(type, &plan->opt)) == 0 ||
        plan->opt.inner) {
        return PERP_OK;
    }
    if ((p->law == PERP_LAW_COULOMB &&
         !(perp_solver_laws(type, &plan->opt) & (1u << PERP_LAW_COULOMB))) ||
        ((type->demands.demand_bits & PERP_DEMAND_SYMMETRIC) &&
         !perp_operator_is_symmetric(p->A))) {
        return perp_plan_wrap(plan, perp_solver_find("ds"), err);
    }
    return PERP_OK;
}

static perp_status plan_refuse_set(const perp_plan *plan, unsigned missing,
                                   perp_error *err)
{
    char name[64];
    unsigned bit = missing & (~missing + 1u); /* the lowest, to name one */

    perp_solver_print(plan->type, &plan->opt, name, sizeof name);
    return perp_fail(err, PERP_ERR_UNSUITABLE, "%s takes no %s rows%s", name,
                     perp_set_kind_name((perp_set_kind)bit),
                     bit == PERP_SET_CONE ? "; set friction to pyramid:8 or box" : "");
}

/* Eliminate the FREE rows, when only NONNEG rows remain besides them. A contradiction
 * between the FREE rows ends the plan with its certificate. */
static perp_status plan_free(perp_plan *plan, perp_error *err)
{
    const perp_problem *p = plan_end(plan);
    perp_reform *step = NULL;
    double *y = perp_reals_new(p->n);
    perp_error failed = {0};
    perp_status status = PERP_ERR_MEMORY;

    if (!y) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", p->n);
    }
    status = perp_reform_eliminate_free(&step, p, y, &failed);
    if (status == PERP_ERR_DATA && perp_certificate_infeasible(p, y)) {
        plan->certificate = y;
        plan->certificate_at = perp_reform_path_count(plan->path);
        return PERP_OK;
    }
    free(y);
    if (status ==
        PERP_ERR_DATA) { /* in badly scaled units a pivot can look like rounding */
        return perp_fail(err, PERP_ERR_UNSUITABLE, "%s; but its certificate fails",
                         failed.text);
    }
    if (status != PERP_OK) {
        return perp_fail(err, status, "%s", failed.text);
    }
    return perp_reform_path_push(plan->path, step, err);
}

/* Append what a reformulation makes of the problem at the end. */
static perp_status plan_reform(perp_plan *plan,
                               perp_status (*reform)(perp_reform **, const perp_problem *,
                                                     perp_error *),
                               perp_error *err)
{
    perp_reform *step = NULL;

    TRY(reform(&step, plan_end(plan), err));
    return perp_reform_path_push(plan->path, step, err);
}

static perp_status plan_sets(perp_plan *plan, perp_error *err)
{
    unsigned taken = plan_sets_taken(plan);
    unsigned missing = perp_set_kinds(plan_end(plan)->set) & ~taken;
    unsigned reducible =
        taken & PERP_SET_NONNEG ? PERP_SET_FRICTION | PERP_SET_BOX | PERP_SET_FREE : 0u;
    perp_status status = PERP_OK;

    if ((missing & PERP_SET_CONE) && (taken & (PERP_SET_FRICTION | PERP_SET_NONNEG)) &&
        perp_reform_is_plane(plan_end(plan))) {
        status = plan_reform(plan, perp_reform_plane, err);
        missing = perp_set_kinds(plan_end(plan)->set) & ~taken;
    }
    if (status != PERP_OK) {
        return status;
    }
    if (missing & ~reducible) {
        return plan_refuse_set(plan, missing & ~reducible, err);
    }
    if (missing & PERP_SET_FRICTION) {
        status = plan_reform(plan, perp_reform_friction_to_lcp, err);
    }
    if (status == PERP_OK && (missing & PERP_SET_BOX)) {
        status = plan_reform(plan, perp_reform_box_to_lcp, err);
    }
    /* a box without bounds has become a free row by now */
    missing = perp_set_kinds(plan_end(plan)->set) & ~taken;
    if (status == PERP_OK && (missing & PERP_SET_FREE)) {
        status = plan_free(plan, err);
    }
    return status;
}

/* The storage for a solver that does not take that of A: in blocks where all rows are
 * contacts of one dimension, else sparse where possible. */
static perp_storage plan_storage_wanted(const perp_plan *plan)
{
    unsigned takes = plan_storages_taken(plan);

    if ((takes & PERP_STORAGE_FACTORED) &&
        plan_end(plan)->A->type->storage == PERP_STORAGE_PAIRS) {
        return PERP_STORAGE_FACTORED;
    }
    if ((takes & PERP_STORAGE_BSR) && perp_set_block_size(plan_end(plan)->set) > 1) {
        return PERP_STORAGE_BSR;
    }
    return takes & PERP_STORAGE_CSR     ? PERP_STORAGE_CSR
           : takes & PERP_STORAGE_DENSE ? PERP_STORAGE_DENSE
                                        : PERP_STORAGE_BSR;
}

static perp_status plan_storage(perp_plan *plan, perp_error *err)
{
    perp_reform *step = NULL;

    if (plan_storages_taken(plan) & plan_end(plan)->A->type->storage) {
        return PERP_OK;
    }
    if (!(plan_storages_taken(plan) & plan_storage_wanted(plan))) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "takes global problems and those with A in factors only");
    }
    TRY(perp_reform_store(&step, plan_end(plan), plan_storage_wanted(plan), err));
    return perp_reform_path_push(plan->path, step, err);
}

static perp_status plan_check_demands(const perp_plan *plan, perp_error *err)
{
    const perp_operator *A = plan_end(plan)->A;
    char name[64];

    if ((plan_demands(plan) & PERP_DEMAND_SYMMETRIC) && !perp_operator_is_symmetric(A)) {
        perp_solver_print(plan->type, &plan->opt, name, sizeof name);
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s demands a symmetric A, found max|A - A^T| = %.2g max|A|",
                         name, perp_operator_asymmetry(A));
    }
    return PERP_OK;
}

/* The problem made local, then formulated as the options say: the problem as asked. */
static perp_status plan_formulation(perp_plan *plan, perp_error *err)
{
    unsigned takes = plan_storages_taken(plan);
    perp_global_form form = takes == PERP_STORAGE_FACTORED ? PERP_GLOBAL_FACTORED
                            : takes & PERP_STORAGE_FACTORED
                                ? perp_options_choice(&plan->opt, "global")
                                : PERP_GLOBAL_CONDENSED;
    perp_status status = PERP_OK;

    TRY(perp_reform_path_push_local(plan->path, form, err));
    plan->given = perp_reform_path_count(plan->path);
    status = perp_reform_path_push_named(plan->path,
                                         perp_options_text(&plan->opt, "friction"), err);
    plan->asked = perp_reform_path_count(plan->path);
    return status;
}

const perp_solver_type *perp_plan_fallback(const perp_plan *plan)
{
    enum { OF_THE_SOLVER, NONE, PROX };
    const perp_solver_type *type = plan->type;
    size_t choice = perp_options_choice(&plan->opt, "on-singular");
    const char *name = choice == OF_THE_SOLVER ? type->on_singular
                       : choice == PROX        ? "prox"
                                               : NULL;
    const perp_solver_type *wrapper =
        name && !(type->flags.flag_bits & PERP_FLAG_WRAPPER)
            ? perp_solver_registry_find(plan->opt.registry, name)
            : NULL;

    return wrapper && (perp_set_kinds(plan_end(plan)->set) & ~wrapper->sets.set_bits) == 0
               ? wrapper
               : NULL;
}

/* The largest exponent of two by which the rows of a problem may differ from their scaled form
 * when a solver that needs no scaling gets it; 0: the solver needs scaling. Beyond 100 squares of
 * its numbers could leave the range of doubles. Where symmetry matters, a symmetric matrix can
 * still turn out indefinite, or singular with prox to fall back on, which is worse in bad
 * units. */
static int plan_exponents_taken(const perp_plan *plan)
{
    enum { MOST = 100, MOST_SYMMETRIC = 20 };
    unsigned flags = plan->type->flags.flag_bits;
    const perp_operator *A = plan_end(plan)->A;

    if (flags & PERP_FLAG_SCALES_WITH_ROWS) {
        return MOST;
    }
    return (flags & PERP_FLAG_SCALES_IF_SYMMETRIC) &&
                   A->type->storage == PERP_STORAGE_DENSE && A->entries.known &&
                   A->entries.asymmetry == 0.0 && !perp_plan_fallback(plan)
               ? MOST_SYMMETRIC
               : 0;
}

static bool plan_scales_itself(const perp_plan *plan, const perp_judge *judge)
{
    int taken = judge ? plan_exponents_taken(plan) : 0;
    int least = 0, most = 0;

    if (taken > 0) {
        perp_scale_range(plan_end(plan), judge, &least, &most);
    }
    return taken > 0 && least > -taken && most < taken;
}

perp_status perp_plan_scale(perp_plan *plan, const perp_judge *judge, perp_error *err)
{
    const perp_judge *own =
        plan->asked == perp_reform_path_count(plan->path) ? judge : NULL;
    perp_reform *step = NULL;

    if (plan->certificate || !perp_options_switch(&plan->opt, "scale") ||
        plan_scales_itself(plan, own)) {
        return PERP_OK;
    }
    TRY(perp_reform_scale_by(&step, plan_end(plan), own, err));
    return perp_reform_path_push(plan->path, step, err);
}

static perp_status plan_open(perp_plan *plan, const perp_solver_type *type,
                             const perp_problem *p, const perp_options *opt,
                             perp_error *err)
{
    perp_status status = PERP_OK;

    plan->type = type;
    if (opt) {
        plan->opt = *opt;
    } else {
        status = perp_options_init_default(&plan->opt, type, err);
    }
    if (status == PERP_OK) {
        status = perp_reform_path_new(&plan->path, p, err);
    }
    if (status == PERP_OK) {
        status = plan_formulation(plan, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    TRY(plan_law(plan, err));
    if (!plan->closed) {
        status = plan_reform(plan, perp_reform_open, err);
        plan->opens = perp_reform_path_count(plan->path) > plan->asked;
    }
    if (status == PERP_OK) {
        status = plan_sets(plan, err);
    }
    if (status == PERP_OK) {
        status = perp_solver_check_law(plan->type, &plan->opt, plan_end(plan), err);
    }
    if (status != PERP_OK || plan->certificate) {
        return status;
    }
    status = plan_storage(plan, err);
    if (status == PERP_OK) {
        status = plan_check_demands(plan, err);
    }
    return status;
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
    perp_reform_path_free(plan->path);
    free(plan->certificate);
    plan->path = NULL;
    plan->certificate = NULL;
}

perp_status perp_solver_view(const perp_solver_type *type, const perp_problem *p,
                             const perp_options *opt, perp_problem **view,
                             perp_error *err)
{
    perp_plan plan = {.closed = true}; /* no evidence is of open bounds */
    perp_judge *judge = NULL;
    perp_problem own;
    perp_status status = PERP_OK;

    TRY(perp_check_arguments(type && p && view, "perp_solver_view", err));
    perp_blas_hold();
    status = perp_problem_view(&own, p, err);

    *view = NULL;
    if (status == PERP_OK) {
        status = perp_problem_view_seal(&own, err);
    }
    if (status == PERP_OK) {
        status = perp_plan_open(&plan, type, &own, opt, err);
    }
    if (status == PERP_OK) {
        status =
            perp_judge_new(&judge, perp_reform_path_problem(plan.path, plan.asked), err);
    }
    if (status == PERP_OK) {
        status = perp_plan_scale(&plan, judge, err);
    }
    if (status == PERP_OK) {
        status = perp_problem_copy(view, plan_end(&plan), err);
    }
    perp_judge_free(judge);
    perp_plan_close(&plan);
    perp_problem_view_free(&own);
    perp_blas_release();
    return status;
}
