/* SPDX-License-Identifier: Apache-2.0
 * tests/core/registry.c: solvers that a caller adds, by name, in wrappers and in
 * chains. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "answers.h"
#include "scarce.h"
#include "solve/registry.h"

/* The projected gradient method z := P(z - t (A z + b)), t = step/max row sum of |A|,
 * as a program outside the library would write it: with public functions alone. */
typedef struct mine_state {
    const perp_problem *p;
    double t;
    double *w;
} mine_state;

static perp_status mine_setup(void *vs, const perp_problem *p, const perp_options *opt,
                              perp_workspace *ws, perp_result *r, perp_error *err)
{
    mine_state *s = vs;
    double most = 0.0;

    (void)r;
    s->p = p;
    s->w = perp_workspace_reals(ws, p->n);
    if (!s->w) {
        return perp_fail(err, PERP_ERR_MEMORY, "mine: no memory for %zu rows", p->n);
    }
    for (size_t i = 0; i < p->n; i++) {
        double sum = 0.0;

        for (size_t j = 0; j < p->n; j++) {
            sum += fabs(perp_operator_entry(p->A, i, j));
        }
        most = fmax(most, sum);
    }
    s->t = perp_options_real(opt, "step") / most;
    return PERP_OK;
}

static perp_status mine_iterate(void *vs, perp_result *r, perp_error *err)
{
    const mine_state *s = vs;

    (void)err;
    perp_operator_apply(s->p->A, r->z, s->w);
    for (size_t i = 0; i < s->p->n; i++) {
        r->z[i] -= s->t * (s->w[i] + s->p->b[i]);
    }
    for (size_t k = 0; k < s->p->set->count; k++) {
        perp_set_project(s->p->set, k, r->z);
    }
    return PERP_OK;
}

static const perp_option mine_options[] = {
    PERP_REAL_OPEN("step", 1.0, 0.0, 2.0, "length of a step, relative to 1/|A|"),
    PERP_OPTION_END,
};

static const perp_solver_type mine = {
    .name = "mine",
    .family = "gradient",
    .summary = "projected gradient method",
    .reference = "",
    .sets = PERP_SETS(FREE, NONNEG, BOX, CONE),
    .laws = PERP_LAWS(ASSOCIATED),
    .storages = PERP_STORAGES(DENSE),
    .demands = PERP_DEMANDS(SYMMETRIC),
    .flags = PERP_FLAGS(USES_START),
    .check_every = 1,
    .max_iterations = 20000,
    .options = mine_options,
    .state_size = sizeof(mine_state),
    .setup = mine_setup,
    .iterate = mine_iterate,
};

static bool always(const perp_problem *p)
{
    (void)p;
    return true;
}

static bool never(const perp_problem *p)
{
    (void)p;
    return false;
}

static const perp_chain_row our_rows[] = {
    {"nothing", never, .steps = {"no-such-solver"}},
    {"everything", always, .steps = {"mine max-iterations=1", "mine step=0.9"}},
    {.situation = NULL},
};

static const perp_solver_type ours = {
    .name = "ours",
    .family = "chain",
    .summary = "one step of mine, then all of them",
    .reference = "",
    .sets = PERP_SETS(FREE, NONNEG, BOX, CONE),
    .laws = PERP_LAWS(COULOMB, ASSOCIATED),
    .storages = PERP_STORAGES(DENSE),
    .chain = our_rows,
};

static const double A[9] = {4, 1, 0, 1, 3, 1, 0, 1, 2};
static const double q[3] = {-1, 0.8, -2};
static const double mu = 0.5;

static perp_solver_registry *registry_with_mine(void)
{
    perp_solver_registry *registry = NULL;

    OK(perp_solver_registry_new(&registry, NULL));
    OK(perp_solver_register(registry, &mine, NULL));
    OK(perp_solver_register(registry, &ours, NULL));
    return registry;
}

/* Solve p by a name of the registry; the caller frees the result. */
static perp_result *solve_named(const perp_solver_registry *registry,
                                const perp_problem *p, const char *name)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_error err;

    if (perp_solver_registry_parse(registry, name, &type, &opt, &err) != PERP_OK) {
        test_note("%s: %s", name, err.text);
        CU_FAIL_FATAL("the name is not found");
    }
    perp_result *r = test_new_result(p->n);
    if (perp_solve(type, p, &opt, r, &err) != PERP_OK) {
        test_note("%s: %s", name, err.text);
        CU_FAIL_FATAL("the solver does not run");
    }
    return r;
}

static void solved_by(const perp_solver_registry *registry, const perp_problem *p,
                      const char *name)
{
    perp_result *r = solve_named(registry, p, name);

    if (r->outcome != PERP_SOLVED) {
        test_note("%s: %s: %s", name, perp_outcome_text(r->outcome), r->reason);
    }
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT(perp_residual(p, r->z) <= 1e-8);
}

TEST(a_type_of_the_caller_works_with_null_options)
{
    perp_problem *p = test_lcp(3, A, q);
    perp_result *r = test_new_result(3);

    OK(perp_solve(&mine, p, NULL, r, NULL));
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
}

/* The answer of a wrapper around `mine`, which no registry has. */
static void solved_around_mine(const char *wrapper, const perp_problem *p)
{
    const perp_solver_type *outer = perp_solver_find(wrapper);
    perp_options opt;
    perp_error err = {0};

    perp_options_init(&opt, outer, &mine, NULL);
    perp_result *r = test_new_result(p->n);
    OK(perp_solve(outer, p, &opt, r, &err));
    if (r->outcome != PERP_SOLVED) {
        test_note("%s:mine: %s: %s %s", wrapper, perp_outcome_text(r->outcome), r->reason,
                  err.text);
    }
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT(perp_residual(p, r->z) <= 1e-8);
}

TEST(wrappers_take_an_inner_type_by_its_address)
{
    perp_problem *lcp = test_lcp(3, A, q);
    perp_problem *contact = test_cones(3, 1, A, q, &mu);

    solved_around_mine("prox", lcp);
    solved_around_mine("ds", contact);
}

TEST(a_type_of_the_caller_is_wrapped_by_itself_where_it_lacks_the_law)
{
    perp_problem *contact = test_cones(3, 1, A, q, &mu);
    perp_result *r = test_new_result(3);

    OK(perp_solve(&mine, contact, NULL, r, NULL));
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT(test_ran(r, "ds"));
}

/* The type itself need not be registered, only what its rows name. */
TEST(a_chain_of_the_caller_finds_its_steps_in_the_registry_of_the_options)
{
    perp_solver_registry *registry = registry_with_mine();
    static const perp_solver_type other = {.name = "other",
                                           .sets = PERP_SETS(NONNEG),
                                           .storages = PERP_STORAGES(DENSE),
                                           .chain = &our_rows[1]};
    perp_problem *p = test_lcp(3, A, q);
    perp_options opt;
    perp_error err;
    perp_result *r = test_new_result(3);

    CU_ASSERT_EQUAL(perp_solve(&other, p, NULL, r, &err), PERP_ERR_OPTION);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "unknown solver \"mine\""));
    perp_options_init(&opt, &other, NULL, NULL);
    opt.registry = registry;
    OK(perp_solve(&other, p, &opt, r, &err));
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
}

TEST(a_registered_solver_works_by_name_in_wrappers_and_in_chains)
{
    perp_solver_registry *registry = registry_with_mine();
    perp_problem *lcp = test_lcp(3, A, q);
    perp_problem *contact = test_cones(3, 1, A, q, &mu);

    solved_by(registry, lcp, "mine");
    solved_by(registry, lcp, "mine step=0.5,tolerance=1e-9");
    solved_by(registry, lcp, "prox:mine");
    solved_by(registry, contact, "ds:mine");
    solved_by(registry, contact, "mine"); /* perp_solve wraps it in ds by itself */
    solved_by(registry, lcp, "ours");
    solved_by(registry, lcp, "lemke");
}

TEST(a_chain_names_the_situation_and_what_ran)
{
    perp_solver_registry *registry = registry_with_mine();
    perp_problem *p = test_lcp(3, A, q);
    perp_result *r = solve_named(registry, p, "ours");
    bool limited = false;

    CU_ASSERT_STRING_EQUAL(r->path.step[0], "ours: everything");
    for (size_t k = 0; k < r->path.count; k++) {
        limited = limited || strstr(r->path.step[k], "with max-iterations=1");
    }
    CU_ASSERT(limited);
}

TEST(a_chain_without_a_row_for_the_problem_is_unsuitable)
{
    static const perp_solver_type empty = {.name = "empty",
                                           .sets = PERP_SETS(NONNEG),
                                           .storages = PERP_STORAGES(DENSE),
                                           .chain = &our_rows[2]};
    perp_problem *p = test_lcp(3, A, q);
    perp_error err;
    perp_result *r = test_new_result(3);

    CU_ASSERT_EQUAL(perp_solve(&empty, p, NULL, r, &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_STRING_EQUAL(err.text, "empty: it has no solvers for the problem");
}

/* pgs is named for starts that are not zero. */
TEST(a_chain_has_a_solver_for_warm_starts)
{
    static const perp_chain_row rows[] = {
        {"everything", always, .steps = {"lemke"}, .warm = "pgs max-iterations=1"},
        {.situation = NULL},
    };
    static const perp_solver_type careful = {.name = "careful",
                                             .family = "chain",
                                             .sets = PERP_SETS(NONNEG),
                                             .storages = PERP_STORAGES(DENSE),
                                             .chain = rows};
    perp_problem *p = test_lcp(3, A, q);

    for (int warm = 0; warm < 2; warm++) {
        perp_result *r = test_new_result(3);

        r->z[1] = warm ? 1e6 : 0.0;
        OK(perp_solve(&careful, p, NULL, r, NULL));
        CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
        CU_ASSERT(test_ran(r, "lemke"));
        CU_ASSERT_EQUAL(test_ran(r, "pgs"), warm == 1);
    }
}

TEST(other_registries_do_not_know_it)
{
    perp_solver_registry *registry = registry_with_mine();
    perp_options opt;
    perp_error err;
    size_t built_in = 0;
    size_t all = 0;

    CU_ASSERT_PTR_NULL(perp_solver_find("mine"));
    CU_ASSERT_PTR_EQUAL(perp_solver_registry_find(registry, "mine"), &mine);
    CU_ASSERT_PTR_EQUAL(perp_solver_registry_find(registry, "pgs"),
                        perp_solver_find("pgs"));
    CU_ASSERT_PTR_NULL(perp_solver_registry_find(registry, NULL));
    perp_solvers(&built_in);
    CU_ASSERT_PTR_NULL(perp_solver_registry_list(registry, &all)[built_in + 2]);
    CU_ASSERT_EQUAL(all, built_in + 2);
    CU_ASSERT_EQUAL(perp_solver_parse("ds:mine", NULL, &opt, &err), PERP_ERR_OPTION);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "unknown inner solver \"mine\""));
    CU_ASSERT_EQUAL(perp_solver_registry_parse(registry, "mien", NULL, &opt, &err),
                    PERP_ERR_OPTION);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "the nearest is \"mine\""));
    perp_solver_registry_free(NULL);
}

/* The status and the message of registering a type. */
static void refused(const perp_solver_type *type, const char *message)
{
    perp_solver_registry *registry = registry_with_mine();
    perp_error err;

    CU_ASSERT_EQUAL(perp_solver_register(registry, type, &err), PERP_ERR_ARGUMENT);
    if (!strstr(err.text, message)) {
        test_note("\"%s\"", err.text);
        CU_FAIL("another message is expected");
    }
}

TEST(a_type_that_cannot_work_is_not_registered)
{
    perp_option many[PERP_OPTION_ROOM + 1];
    perp_solver_type type = mine;

    refused(&mine, "registered already");
    refused(perp_solver_find("pgs"), "registered already");
    refused(NULL, "is NULL");
    type.name = NULL;
    refused(&type, "is NULL");
    type.name = "";
    refused(&type, "a name is expected");
    type.name = "a:b";
    refused(&type, "a name is expected");
    type.name = "a b";
    refused(&type, "a name is expected");
    type.name = "other";
    type.iterate = NULL;
    refused(&type, "setup and iterate");
    type = mine;
    type.name = "other";
    type.chain = our_rows;
    refused(&type, "or a chain");
    type.chain = NULL;
    type.flags.flag_bits |= PERP_FLAG_WRAPPER;
    refused(&type, "default inner solver");
    type = mine;
    type.name = "other";
    for (size_t k = 0; k < PERP_OPTION_ROOM; k++) {
        many[k] = (perp_option)PERP_SWITCH("many", 0, "one of many");
    }
    many[PERP_OPTION_ROOM] = (perp_option)PERP_OPTION_END;
    type.options = many;
    refused(&type, "too many options");
}

static perp_status register_once(void *context, perp_error *err)
{
    perp_solver_registry *registry = NULL;
    perp_status status = perp_solver_registry_new(&registry, err);

    (void)context;
    if (status == PERP_OK) {
        status = perp_solver_register(registry, &mine, err);
    }
    return status;
}

TEST(a_registry_survives_without_memory)
{
    scarce_everywhere(register_once, NULL, "perp_solver_register");
}
