/* SPDX-License-Identifier: Apache-2.0
 * tests/interop/siconos_solvers.c: every solver of Siconos on small problems that it must solve,
 * by perp's judge; and runs that Siconos does not survive. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <perp/external.h>

#include "drawn.h"

static const perp_code *siconos_code(void)
{
    const perp_code *const *code = perp_codes(NULL);

    while (*code && strcmp((*code)->name, "siconos") != 0) {
        code++;
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(*code);
    return *code;
}

/* The path of perp-siconos; NULL, and a note, where it was not built. */
static const char *program(void)
{
    static char path[4096];
    bool found = perp_code_program(siconos_code(), path, sizeof path);

    if (!found) {
        test_note("SKIP: perp-siconos was not built");
    }
    return found ? path : NULL;
}

static perp_result *run(const char *name, const perp_problem *p, double seconds)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_result *r = NULL;
    perp_error err = {0};

    OK(perp_solver_parse(name, &type, &opt, &err));
    OK(perp_result_new(&r, p->n, NULL));
    perp_options_set_real(&opt, "time-limit", seconds, NULL);
    perp_options_set_real(&opt, "tolerance", 1e-8, NULL);
    if (perp_solve(type, p, &opt, r, &err) != PERP_OK) {
        test_note("%s: %s", name, err.text);
        CU_FAIL_FATAL("not run");
    }
    return r;
}

/* A problem that solvers with this beginning of their names take. */
static perp_problem *problem_of(const char *name)
{
    static const struct {
        const char *start, *words;
    } kinds[] = {
        {"siconos:lcp-", "nonneg,nonneg,nonneg,nonneg,nonneg,nonneg,nonneg"},
        {"siconos:mlcp-", "nonneg,free,nonneg,nonneg,free,nonneg"},
        {"siconos:relay-", "-0.5..0.25,-1..1,-0.125..0.5,-2..0.0625"},
        {"siconos:fc2d-", "cone2:0.3,cone2:0.3,cone2:0.3"},
        {"siconos:fc3d-", "cone3:0.3,cone3:0.5,cone3:0.1"},
        {"siconos:rfc3d-", "rolling:0.3:0.1,rolling:0.5:0.2"},
        {"siconos:soclcp-", "cone3:0.3,cone3:0.5,cone3:0.1"},
        {"siconos:gmp-", "free,nonneg,cone3:0.3,nonneg,cone3:0.1"},
    };

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (strncmp(name, kinds[k].start, strlen(kinds[k].start)) == 0) {
            return test_drawn(kinds[k].words, PERP_LAW_COULOMB, 0.0);
        }
    }
    return test_drawn_global(
        strncmp(name, "siconos:gr", 10) == 0 ? "rolling:0.3:0.1" : "cone3:0.3,cone3:0.5");
}

/* A, or H of a global problem, times s. */
static void multiply(perp_problem *p, double s)
{
    perp_operator *A = p->global ? p->global->H : p->A;

    for (size_t j = 0; j < A->cols; j++) {
        for (size_t i = 0; i < A->rows; i++) {
            A->x[i + j * A->ld] *= s;
        }
    }
    p->sealed = false;
}

static perp_law law_of(const perp_solver_type *type)
{
    return type->laws.law_bits & 1u << PERP_LAW_COULOMB ? PERP_LAW_COULOMB
                                                        : PERP_LAW_ASSOCIATED;
}

/* Some impulse is not zero. */
static bool is_not_trivial(const perp_problem *p, const perp_result *r)
{
    double largest = 0.0;

    for (size_t i = 0; i < p->n; i++) {
        largest = fmax(largest, fabs(r->z[i]));
    }
    return largest > 0.01;
}

static void must_solve(const perp_solver_type *type)
{
    perp_problem *p = problem_of(type->name);
    perp_result *r = NULL;

    p->law = law_of(type);
    if (strstr(type->name, "-dsfp")) { /* its step is 1: the norm of A must be below 2 */
        multiply(p, 0.125);
    }
    r = run(type->name, p, 60.0);
    /* Siconos divides by other norms than perp: within a hundred times its tolerance. */
    if (!(r->residual <= 1e-6) || strcmp(r->foreign.claim, "solved") != 0) {
        test_note("%s: %.3g: %s", type->name, r->residual, r->reason);
        CU_FAIL("not solved");
    }
    CU_ASSERT_TRUE(is_not_trivial(p, r));
    CU_ASSERT(r->foreign.seconds > 0.0);
    CU_ASSERT_PTR_NOT_NULL(strstr(r->foreign.version, "Siconos"));
}

TEST(every_solver_of_siconos_solves_small_problems)
{
    size_t count = 0;

    if (!program()) {
        return;
    }
    for (const perp_solver_type *type = siconos_code()->types; type->name; type++) {
        must_solve(type);
        count++;
    }
    CU_ASSERT_EQUAL(count, 66);
}

/* Ten times as strict, the residual is smaller. */
TEST(siconos_can_be_asked_for_more_than_the_judge)
{
    const perp_solver_type *type = perp_solver_find("siconos:lcp-pgs");
    const perp_problem *p = problem_of(type->name);
    perp_result *r[2] = {NULL, NULL};

    for (size_t k = 0; program() && k < 2; k++) {
        perp_options opt;

        OK(perp_solver_parse("siconos:lcp-pgs", &type, &opt, NULL));
        CU_ASSERT_EQUAL(
            perp_options_set_real(&opt, "tolerance-factor", k ? 1e-4 : 1.0, NULL),
            PERP_OK);
        OK(perp_result_new(&r[k], p->n, NULL));
        OK(perp_solve(type, p, &opt, r[k], NULL));
    }
    if (r[1]) {
        test_note("%.3g in %zu, %.3g in %zu", r[0]->residual, r[0]->iterations,
                  r[1]->residual, r[1]->iterations);
    }
    CU_ASSERT_TRUE(!r[1] || r[1]->residual < r[0]->residual);
    CU_ASSERT_TRUE(!r[1] || r[1]->iterations > r[0]->iterations);
}

/* A = 0 and b < 0: no solution. Assertions of Siconos fail, it divides by 0, returns NaN, claims
 * that it has solved, or does not end: each is the end of one run. */
static void must_fail(const perp_solver_type *type)
{
    perp_problem *p = problem_of(type->name);
    perp_result *r = NULL;

    p->law = law_of(type);
    multiply(p, 0.0);
    for (size_t i = 0; i < p->n; i++) {
        p->b[i] = -1.0;
    }
    r = run(type->name, p, 1.0);
    CU_ASSERT_TRUE(r->foreign.ran);
    CU_ASSERT_EQUAL(r->foreign.false_claim, strcmp(r->foreign.claim, "solved") == 0);
    if (r->outcome == PERP_SOLVED || !*r->reason) {
        test_note("%s: %s", type->name, r->reason);
        CU_FAIL("solved");
    }
}

TEST(no_end_of_siconos_is_the_end_of_perp)
{
    for (const perp_solver_type *type = siconos_code()->types; program() && type->name;
         type++) {
        /* without bounds there is a solution */
        if (strncmp(type->name, "siconos:relay-", 14) != 0) {
            must_fail(type);
        }
    }
}

/* A method that is not in the table, and a dense matrix for one that takes blocks: Siconos
 * exits. */
TEST(a_program_that_exits_is_one_failed_run)
{
    char name[5000];
    perp_result *r = NULL;

    if (!program()) {
        return;
    }
    snprintf(name, sizeof name, "exec:\"PERP_METHOD=lcp-nsgs-sbm %.200s\"", program());
    r = run(name, problem_of("siconos:lcp-"), 60.0);
    CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
    CU_ASSERT_PTR_NOT_NULL(strstr(r->reason, "ended with exit status 1: lcp_driver"));
    snprintf(name, sizeof name, "exec:\"PERP_METHOD=lcp-newton %.200s\"", program());
    r = run(name, problem_of("siconos:lcp-"), 60.0);
    CU_ASSERT_PTR_NOT_NULL(strstr(r->reason, "no method \"lcp-newton\""));
}

/* The LCP that Siconos 4.4.0 makes of contacts in a plane takes the coefficient of the row where
 * it needs that of the column. */
TEST(a_false_claim_of_siconos_is_seen)
{
    perp_problem *p = test_drawn("cone2:0.3,cone2:0.5,cone2:0.1", PERP_LAW_COULOMB, 0.0);
    perp_result *r = program() ? run("siconos:fc2d-lemke", p, 60.0) : NULL;

    if (r) {
        CU_ASSERT_EQUAL(r->foreign.false_claim, r->outcome != PERP_SOLVED);
        CU_ASSERT_STRING_EQUAL(r->foreign.claim, "solved");
    }
}

static void refused(const char *name, const char *words, const char *why)
{
    const perp_problem *p = test_drawn(words, PERP_LAW_COULOMB, 0.0);
    perp_result *r = NULL;
    perp_error err = {0};

    OK(perp_result_new(&r, p->n, NULL));
    CU_ASSERT_EQUAL(perp_solve(perp_solver_find(name), p, NULL, r, &err),
                    PERP_ERR_UNSUITABLE);
    if (!strstr(err.text, why)) {
        test_note("%s", err.text);
        CU_FAIL("another reason");
    }
}

TEST(what_a_kind_of_siconos_does_not_hold_is_refused)
{
    if (program()) {
        refused("siconos:fc3d-nsgs", "cone2:0.3", "expected contacts in space");
        refused("siconos:fc2d-nsgs", "cone3:0.3", "expected contacts in a plane");
        refused("siconos:relay-lemke", "0..inf", "two finite bounds in each row");
        refused("siconos:gfc3d-admm", "cone3:0.3",
                "takes global problems and those with A");
        refused("siconos:gmp-nsgs", "nonneg,cone2:0.3",
                "rows z >= 0 and contacts in space");
    }
}
