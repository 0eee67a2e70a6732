/* SPDX-License-Identifier: Apache-2.0
 * tests/core/conformance.c: every registered solver on every golden instance and every
 * dataset it takes, in every storage, judged by recomputing the residual.
 *
 * A new solver enters by being registered. What must be solved follows from the matrix
 * and from what the type demands: a pivoting solver (judged only at its end) solves
 * whatever it promises; an iterative one at least the symmetric positive definite
 * problems of condition 1e4 or less, and elsewhere says why it stopped. «No» counts when
 * its certificate checks. Datasets of more than ROWS_EVERYWHERE rows stay in their own
 * storage, those beyond ROWS_MOST to the tests of their solvers; what promises nothing runs
 * under a limit of time. */
#include <config.h>

#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/solvers.h"
#include "formats/formats.h"
#include "instances.h"

enum { ROWS_EVERYWHERE = 160, ROWS_MOST = 300 };

/* What an instance is, beside the problem itself. */
typedef struct instance {
    const char *name;
    const perp_problem *p;   /* local */
    perp_operator *factored; /* A in factors, or NULL */
    const char *time_limit;  /* of a run [s] */
    char status[32]; /* expected: solved, infeasible, no-solution; "" if not said */
    bool symmetric;
    bool psd;         /* the symmetric part, to rounding */
    double condition; /* of a symmetric A; infinity otherwise */
    bool outside;     /* the file says that a textbook method fails on it */
} instance;

static void read_expectation(instance *x, const json_t *root)
{
    const json_t *expect = json_object_get(root, "expect");
    const char *status = json_string_value(json_object_get(expect, "status"));

    snprintf(x->status, sizeof x->status, "%s", status ? status : "");
    x->outside = json_object_get(expect, "lemke") != NULL;
}

/* A matrix of a golden file, whole by rows or by its entries, as CSR. */
static perp_operator *read_matrix(const json_t *m)
{
    size_t rows = (size_t)json_integer_value(json_object_get(m, "rows"));
    size_t cols = (size_t)json_integer_value(json_object_get(m, "cols"));
    const json_t *value = json_object_get(m, "v");
    bool whole = json_is_array(json_object_get(m, "data"));
    size_t count = whole ? rows * cols : json_array_size(value);
    int32_t *i = test_alloc(count + 1, sizeof *i);
    int32_t *j = test_alloc(count + 1, sizeof *j);
    double *v = test_reals(count);
    perp_operator *A = NULL;

    test_json_reals(whole ? json_object_get(m, "data") : value, count, v);
    for (size_t k = 0; k < count; k++) {
        i[k] = (int32_t)(whole ? k / cols
                               : (size_t)json_integer_value(
                                     json_array_get(json_object_get(m, "i"), k)));
        j[k] = (int32_t)(whole ? k % cols
                               : (size_t)json_integer_value(
                                     json_array_get(json_object_get(m, "j"), k)));
    }
    OK(perp_operator_new_from_triplets(&A, rows, cols, count, i, j, v, NULL));
    return A;
}

/* J M^-1 J^T of a golden contact file that tells J and the diagonal of M^-1. */
static perp_operator *read_factors(const json_t *root)
{
    const json_t *diagonal = json_object_get(root, "Minv_diag");
    size_t nv = json_array_size(diagonal);
    perp_operator *J = NULL;
    perp_operator *Minv = NULL;

    if (nv == 0) {
        return NULL;
    }
    J = read_matrix(json_object_get(root, "J"));
    OK(perp_operator_new_sparse(&Minv, nv, nv, 1, nv, NULL));
    test_json_reals(diagonal, nv, Minv->x);
    for (size_t i = 0; i < nv; i++) {
        Minv->ptr[i + 1] = i + 1;
        Minv->col[i] = (int32_t)i;
    }
    return test_new_factored(J, Minv, NULL);
}

/* Eigenvalues of the symmetric part decide what is promised. */
static void classify(instance *x)
{
    int n = (int)x->p->n;
    double *S = test_alloc((size_t)n * (size_t)n + 1, sizeof *S);
    double *lambda = test_alloc((size_t)n + 1, sizeof *lambda);

    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            S[i + j * n] = 0.5 * (perp_operator_entry(x->p->A, (size_t)i, (size_t)j) +
                                  perp_operator_entry(x->p->A, (size_t)j, (size_t)i));
        }
    }
    x->symmetric = perp_operator_is_symmetric(x->p->A);
    x->condition = INFINITY;
    x->psd = true;
    if (n > 0) {
        CU_ASSERT_EQUAL(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', n, S, n, lambda), 0);
        x->psd = lambda[0] >= -1e-12 * fabs(lambda[n - 1]);
        x->condition = lambda[0] > 0.0 ? lambda[n - 1] / lambda[0] : INFINITY;
    }
}

static bool promised(const perp_solver_type *type, const perp_solver_type *inner,
                     const instance *x)
{
    unsigned demands =
        type->demands.demand_bits | (inner ? inner->demands.demand_bits : 0u);
    unsigned kinds = perp_set_kinds(x->p->set);
    bool pivots = (inner ? inner : type)->check_every == 0;
    bool cones = (kinds & (PERP_SET_CONE | PERP_SET_ROLLING)) != 0;
    bool frozen = ((type->flags.flag_bits | (inner ? inner->flags.flag_bits : 0u)) &
                   PERP_FLAG_FREEZES_FRICTION) != 0;

    if (frozen && (kinds & (PERP_SET_FRICTION | PERP_SET_CONE)) &&
        (type->flags.flag_bits & PERP_FLAG_INNER_OTHER_SETS) == 0) {
        return false; /* the bounds are not those of the solution */
    }
    /* The De Saxce fixed point need not contract, and what is not taken as it stands
     * comes as another problem, unsymmetric and merely copositive. */
    if (!pivots &&
        ((kinds & ~(type->sets.set_bits & (inner ? inner->sets.set_bits : ~0u))) != 0 ||
         (cones && x->p->law == PERP_LAW_COULOMB &&
          !((inner ? inner : type)->laws.law_bits & (1u << PERP_LAW_COULOMB))))) {
        return false;
    }

    if ((demands & PERP_DEMAND_SYMMETRIC) && !x->symmetric) {
        return false;
    }
    if ((demands & (PERP_DEMAND_POSITIVE_DEFINITE | PERP_DEMAND_POSITIVE_SEMIDEFINITE)) &&
        !x->psd) {
        return false;
    }
    return pivots ? !x->outside : x->symmetric && x->condition <= 1e4;
}

/* Counts only grow. */
static bool is_counted(const perp_work *work)
{
    return work->products >= 0.0 && work->factorizations >= 0.0 &&
           work->flops_factor >= 0.0 && work->pivots >= 0.0 && work->projections >= 0.0 &&
           work->rounds >= 0.0;
}

/* The verdict on one run. */
static void check_run(const perp_solver_type *type, const perp_solver_type *inner,
                      const instance *x, const perp_problem *p, const perp_result *r)
{
    double recomputed = perp_residual(p, r->z);
    bool good = true;

    if (r->outcome == PERP_SOLVED) {
        good = recomputed <= 1e-8 && strcmp(x->status, "infeasible") != 0 &&
               strcmp(x->status, "no-solution") != 0;
    } else if (r->outcome == PERP_INFEASIBLE) {
        good = r->certificate.kind == PERP_CERTIFICATE_INFEASIBLE &&
               perp_certificate_infeasible(p, r->certificate.y) &&
               strcmp(x->status, "solved") != 0;
    } else {
        good = !(strcmp(x->status, "solved") == 0 && promised(type, inner, x)) &&
               *r->reason != '\0';
    }
    CU_ASSERT(is_counted(&r->work));
    if (!good) {
        test_note("%s on %s (%s): %s, RES %.2e: %s", type->name, x->name,
                  p->A->type->name, perp_outcome_text(r->outcome), recomputed, r->reason);
    }
    CU_ASSERT(good);
}

/* One solver on one problem in one storage, associated and Coulomb law alike. */
static void run_solver(const perp_solver_type *type, const instance *x,
                       const perp_problem *p)
{
    const perp_solver_type *parsed = NULL;
    perp_options opt;
    perp_error err = {0};

    OK(perp_solver_parse(type->name, &parsed, &opt, NULL));
    perp_options_set(&opt, "max-iterations", "100000", NULL);
    OK(perp_options_set(&opt, "time-limit",
                        promised(parsed, opt.inner, x) ? "0" : x->time_limit, NULL));
    perp_result *r = test_new_result(p->n);
    perp_status status = perp_solve(parsed, p, &opt, r, &err);
    if (status == PERP_OK) {
        check_run(parsed, opt.inner, x, p, r);
    } else if (status != PERP_ERR_UNSUITABLE) {
        test_note("%s on %s: %s", type->name, x->name, err.text);
        CU_FAIL("a solver neither ran nor said unsuitable");
    }
}

/* Every solver on the problem with its matrix stored as A. */
static void run_solvers(const instance *x, perp_operator *A)
{
    size_t count = 0;
    const perp_solver_type *const *all = perp_solvers(&count);
    perp_problem p = *x->p;

    p.A = A;
    p.global = NULL;
    for (size_t k = 0; k < count; k++) {
        run_solver(all[k], x, &p);
    }
}

static void run_storages(const instance *x)
{
    const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                     PERP_STORAGE_BSR};
    size_t edge = perp_set_block_size(x->p->set);

    for (size_t k = 0; k < 3; k++) {

        if (storages[k] == PERP_STORAGE_BSR && edge == 1) {
            continue;
        }
        perp_operator *A = test_convert(x->p->A, storages[k], edge);
        run_solvers(x, A);
    }
    if (x->factored) {
        run_solvers(x, x->factored);
    }
}

static void run_golden_problem(perp_problem *p, const char *name, const json_t *entry)
{
    instance x = {.name = name, .p = p, .time_limit = "0"};

    read_expectation(&x, entry);
    classify(&x);
    x.factored = read_factors(entry);
    run_storages(&x);
    perp_operator_free(x.factored);
}

static void run_golden(const char *path, const json_t *entry)
{
    run_golden_problem(test_read(path, NULL, NULL), strrchr(path, '/') + 1, entry);
}

/* The cases of a file: one contact each, or an LCP of one row. */
static void run_cases(const char *name)
{
    json_t *root = test_golden_json(name);
    const json_t *one = NULL;
    size_t k = 0, mark = test_mark();

    json_array_foreach(json_object_get(root, "cases"), k, one)
    {
        const json_t *W = json_object_get(one, "W");
        const double mu = json_number_value(json_object_get(one, "mu"));
        const double m = json_number_value(json_object_get(one, "M"));
        const double q = json_number_value(json_object_get(one, "q"));
        double A[9], b[3];

        if (W) {
            test_json_reals(W, 9, A);
            test_json_reals(json_object_get(one, "q"), 3, b);
        }
        run_golden_problem(W ? test_cones(3, 1, A, b, &mu) : test_lcp(1, &m, &q), name,
                           root);
        test_release(mark);
    }
    CU_ASSERT(k > 0);
    json_decref(root);
}

TEST(every_solver_conforms_on_the_golden_instances)
{
    CU_ASSERT(test_each_golden(NULL, run_golden) > 0);
    run_cases("local3_24");
    run_cases("painleve_rod_55");
}

/* All real instances have solutions. What pivots promise of their own class says nothing
 * about the circuits, whose matrices are not semidefinite. */
static void run_local(instance *x)
{
    snprintf(x->status, sizeof x->status, "solved");
    if (x->p->n <= ROWS_EVERYWHERE) {
        x->time_limit = "0.1";
        classify(x);
        x->outside = !x->psd;
        run_storages(x);
    } else if (x->p->n <= ROWS_MOST && !getenv("PERP_TEST_BRIEF")) {
        x->time_limit = "0.02";
        x->outside = true;
        run_solvers(x, x->p->A);
    }
}

/* A global problem comes condensed, and in factors where they can be made. */
static void run_dataset(const char *name)
{
    perp_problem *p = test_dataset(name);
    instance x = {.name = name, .p = p};
    perp_reform *condensed = NULL;
    perp_reform *factored = NULL;

    if (!p->A) {
        OK(perp_reform_condense(&condensed, p, NULL));
        x.p = condensed->to;
        if (perp_reform_factor(&factored, p, NULL) == PERP_OK) {
            x.factored = factored->to->A;
        }
    }
    run_local(&x);
}

TEST(every_solver_conforms_on_the_datasets)
{
    CU_ASSERT(test_each_dataset(run_dataset) > 30);
}

/* Bounds on a random positive definite A; b in [-1, 1). */
static perp_problem *drawn(size_t n, uint64_t seed, uint64_t b_seed)
{
    perp_random g = {b_seed};
    perp_set *set = test_new_uniform(PERP_SET_NONNEG, n);

    return test_problem(test_spd(n, seed), set, PERP_LAW_COULOMB, &g);
}

/* Same input, same bits: run twice and compare. */
TEST(every_solver_gives_the_same_bits_twice)
{
    size_t count = 0;
    const perp_solver_type *const *all = perp_solvers(&count);
    perp_problem *p = drawn(16, 3, 9);

    for (size_t s = 0; s < count; s++) {
        perp_result *once = test_solve(p, all[s]->name, NULL);
        perp_result *twice = test_solve(p, all[s]->name, NULL);

        CU_ASSERT_EQUAL(once->outcome, PERP_SOLVED);
        CU_ASSERT_EQUAL(memcmp(once->z, twice->z, p->n * sizeof *once->z), 0);
        CU_ASSERT_EQUAL(once->iterations, twice->iterations);
    }
}

TEST(every_solver_solves_no_rows_and_one_row)
{
    size_t count = 0;
    const perp_solver_type *const *all = perp_solvers(&count);
    const double one = 2.0;
    const double b = -3.0;
    perp_problem *none = test_lcp(0, NULL, NULL);
    perp_problem *single = test_lcp(1, &one, &b);

    for (size_t s = 0; s < count; s++) {
        perp_result *r = test_solve(none, all[s]->name, NULL);

        CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
        r = test_solve(single, all[s]->name, NULL);
        CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
        CU_ASSERT_DOUBLE_EQUAL(r->z[0], 1.5, 1e-7); /* RES <= 1e-8 times beta and 1/s */
    }
}

/* Started at a solution found before, every solver that looks for one stops at iteration 0 or 1. */
TEST(every_solver_stops_at_once_at_a_solution)
{
    size_t count = 0;
    const perp_solver_type *const *all = perp_solvers(&count);
    perp_problem *p = drawn(12, 8, 21);

    for (size_t s = 0; s < count; s++) {
        perp_result *r = test_solve(p, all[s]->name, NULL);
        const perp_solver_type *type = NULL;
        perp_options opt;

        OK(perp_solver_parse(all[s]->name, &type, &opt, NULL));
        OK(perp_solve(type, p, &opt, r, NULL));
        CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
        CU_ASSERT(r->iterations <= 1 ||
                  type->flags.flag_bits & PERP_FLAG_RUNS_FROM_SOLUTION);
    }
}

/* Steps until the residual is 1e-8, the default; false where it is never. */
static bool run_on(perp_run *run, const char *name, const char *when)
{
    perp_error err = {0};
    perp_status status = PERP_OK;
    size_t step = 0;

    while (status == PERP_OK && run->r->outcome == PERP_RUNNING && step < 20000 &&
           perp_residual(run->p, run->r->z) > 1e-8) {
        status = perp_run_step(run, &err);
        step++;
    }
    OK(status);
    if (!(perp_residual(run->p, run->r->z) <= 1e-8)) {
        test_note("%s %s: RES %.3g after %zu steps: %s %s", name, when,
                  perp_residual(run->p, run->r->z), step, err.text, run->r->reason);
        return false;
    }
    return true;
}

/* Solve, change b and the diagonal, resume: the answer is that of the new problem. False where
 * the solver does not take or solve it. */
static bool solve_and_resume(const perp_solver_type *listed, perp_problem *p)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_run run = {0};

    OK(perp_solver_parse(listed->name, &type, &opt, NULL));
    perp_workspace *ws = test_new_workspace(0);
    perp_result *r = test_new_result(p->n);
    perp_status status = perp_run_start(&run, type, p, &opt, ws, r, NULL);
    bool solved = status == PERP_OK && run_on(&run, type->name, "from zero");
    if (solved) {
        p->b[0] -= 3.0;
        p->b[p->n - 1] += 0.5;
        perp_operator_add_diagonal(p->A, 0.5);
        OK(perp_run_resume(&run, 0.5, NULL));
        CU_ASSERT(run_on(&run, type->name, "resumed"));
    }
    perp_run_end(&run);
    return solved;
}

/* One contact of the box model, sliding along t1. */
static perp_problem *box_contact(void)
{
    static const double W[9] = {2.0, 0.3, 0.1, 0.3, 1.5, 0.2, 0.1, 0.2, 1.0};
    static const double b[3] = {-1.0, 1.0, 0.2};
    perp_problem *p = test_lcp(3, W, b);
    perp_set *set = test_new_set(3);

    perp_set_add_nonneg(set);
    perp_set_add_friction(set, 0.4, 0);
    perp_set_add_friction(set, 0.4, 0);
    test_give_set(p, set);
    return p;
}

TEST(every_solver_resumes_with_another_b_and_diagonal)
{
    size_t count = 0;
    const perp_solver_type *const *all = perp_solvers(&count);

    for (size_t k = 0; k < count; k++) {
        const perp_solver_type *type = all[k];
        perp_problem *lcp = test_golden_problem("spd_int_5");
        perp_problem *box = box_contact();

        if (type->resume && (perp_set_kinds(lcp->set) & ~type->sets.set_bits) == 0) {
            CU_ASSERT(solve_and_resume(type, lcp));
        }
        if (type->resume && (perp_set_kinds(box->set) & ~type->sets.set_bits) == 0) {
            solve_and_resume(type, box); /* with frozen bounds it is not solved */
        }
    }
}
