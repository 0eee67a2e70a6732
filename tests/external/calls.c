/* SPDX-License-Identifier: Apache-2.0
 * tests/external/calls.c: programs whose answers miss the tolerance are called for a smaller one, or
 * what they claim is named. */
#include <config.h>

#include "runs.h"

/* A program whose norm is another one: z_0 is off by `by` times the tolerance that it is given. */
#define OFF(by)                                                                          \
    "awk -v t=$PERP_TOLERANCE 'BEGIN {printf \"{\\\"z\\\": [%.17g, 0], \\\"claim\\\": "  \
    "\\\"solved\\\", \\\"iterations\\\": 7}\", 0.5 + " by " * t}' >$PERP_SOLUTION"
#define LIMITS "end-by=limits,time-limit=60,tolerance=1e-6"

/* A residual of 4 tolerances; a tenth of it is confirmed. */
TEST(a_claim_that_the_norm_explains_is_asked_for_a_smaller_tolerance)
{
    const perp_result *r = run_command(OFF("2"), LIMITS);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT(r->residual <= 1e-6);
    CU_ASSERT_EQUAL(r->foreign.calls, 2);
    CU_ASSERT_DOUBLE_EQUAL(r->foreign.factor, 0.1, 1e-15);
    CU_ASSERT_EQUAL(r->foreign.missed, 0.0);
    CU_ASSERT_FALSE(r->foreign.false_claim);
    CU_ASSERT_EQUAL(r->iterations, 7); /* of the last call */
    CU_ASSERT(r->foreign.search_seconds > 0.0);
}

/* 80 tolerances: half of a tolerance is asked for, by the ratio. */
TEST(the_smaller_tolerance_follows_from_the_residual)
{
    const perp_result *r = run_command(OFF("40"), LIMITS);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->foreign.calls, 2);
    CU_ASSERT(r->foreign.factor < 0.1);
    CU_ASSERT_DOUBLE_EQUAL(r->residual, 0.5e-6, 1e-12); /* linear in the tolerance */
}

TEST(perp_solve_calls_once_and_names_the_miss)
{
    const perp_result *r =
        expect(OFF("2"), "tolerance=1e-6", PERP_STALLED, "missed by its norm: residual");

    CU_ASSERT_EQUAL(r->foreign.calls, 1);
    CU_ASSERT_EQUAL(r->foreign.factor, 1.0);
    CU_ASSERT_DOUBLE_EQUAL(r->foreign.missed, r->residual / 1e-6, 1e-12);
    CU_ASSERT(r->foreign.missed > 1.0 && r->foreign.missed <= 10.0);
    CU_ASSERT_FALSE(r->foreign.false_claim);
    r = expect(OFF("400"), "tolerance=1e-6", PERP_STALLED, "false claim: residual");
    CU_ASSERT(r->foreign.missed > 10.0);
    CU_ASSERT(r->foreign.false_claim);
    r = expect(OFF("2"), "end-by=limits,tolerance=1e-6", PERP_STALLED, "missed by its");
    CU_ASSERT_EQUAL(r->foreign.calls, 1); /* no limit is given */
}

TEST(a_given_factor_is_not_changed)
{
    const perp_result *r = run_command(OFF("2"), LIMITS ",tolerance-factor=0.9");

    CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
    CU_ASSERT_EQUAL(r->foreign.calls, 1);
    CU_ASSERT_EQUAL(r->foreign.factor, 0.9);
    r = run_command(OFF("2"), "tolerance=1e-6,tolerance-factor=0.1");
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->foreign.factor, 0.1);
}

TEST(a_direct_method_that_claims_falsely_is_called_three_times)
{
    const perp_result *r = expect(WRITE("{\"z\": [0.7, 0], \"claim\": \"solved\"}"),
                                  LIMITS, PERP_STALLED, "false claim");

    CU_ASSERT_EQUAL(r->foreign.calls, 3);
    CU_ASSERT_EQUAL(r->foreign.factor, 1.0); /* that of the point that is judged */
    CU_ASSERT(r->foreign.false_claim);
}

/* The second call ends without a claim of success: that of the first one is judged. */
TEST(a_call_that_fails_leaves_the_claim_before_it)
{
    const perp_result *r = expect(
        "case $PERP_TOLERANCE in *e-06|0.000001*|9.99*e-07) " OFF("2") ";; *) " WRITE(
            "{\"z\": [0, 0], \"claim\": \"failed\"}") ";; esac",
        LIMITS, PERP_STALLED, "missed by its norm");

    CU_ASSERT_EQUAL(r->foreign.calls, 2);
    CU_ASSERT_STRING_EQUAL(r->foreign.claim, "solved");
    CU_ASSERT_EQUAL(r->foreign.factor, 1.0);
    CU_ASSERT(r->foreign.missed > 1.0 && r->foreign.missed <= 10.0);
    CU_ASSERT_DOUBLE_EQUAL(r->z[0], 0.5, 1e-5); /* not the point of the second call */
}

TEST(a_program_without_a_claim_is_called_once)
{
    const perp_result *r = run_command(WRITE("{\"z\": [0.6, 0]}"), LIMITS);

    CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
    CU_ASSERT_EQUAL(r->foreign.calls, 1);
    CU_ASSERT_EQUAL(r->foreign.missed, 0.0);
}

/* The first call states 20 ms, of 1 s; the second one has the rest. */
TEST(all_calls_have_one_limit_of_time)
{
    static const char *const wanted[] = {"1 1000000000",
                                         "0.97999999999999998 1000000000"};
    static const char command[] =
        "sleep 0.02; echo $PERP_TIME_LIMIT $PERP_MAX_ITERATIONS >>$CALLS; " OFF(
            "2") "; sed -i 's/}/, \"seconds\": 0.02}/' $PERP_SOLUTION";
    const char *path = test_scratch("calls");
    char line[2][128] = {"", ""};
    const perp_result *r = NULL;
    FILE *f = NULL;

    setenv("CALLS", path, 1);
    r = run_command(command, "end-by=limits,time-limit=1,tolerance=1e-6");
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->foreign.search_seconds, 0.02);
    f = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    for (size_t k = 0; k < 2; k++) {
        CU_ASSERT_PTR_NOT_NULL(fgets(line[k], sizeof line[k], f));
        line[k][strcspn(line[k], "\n")] = '\0';
        CU_ASSERT_STRING_EQUAL(line[k], wanted[k]);
    }
    fclose(f);
    remove(path);
    r = run_command(command, "end-by=limits,time-limit=0.015,tolerance=1e-6");
    CU_ASSERT_EQUAL(r->foreign.calls, 1); /* the first call has used the time */
    CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
    remove(path);
}

static bool always(const perp_problem *p)
{
    (void)p;
    return true;
}

static const perp_chain_row chain_rows[] = {
    {"everything", always, .steps = {"exec:x", "exec:x"}},
    {.situation = NULL},
};

static const perp_solver_type chain_type = {
    .name = "programs",
    .family = "chain",
    .summary = "a program, twice",
    .reference = "",
    .sets = PERP_SETS(NONNEG),
    .laws = PERP_LAWS(COULOMB),
    .storages = PERP_STORAGES(DENSE),
    .chain = chain_rows,
};

/* What follows a step is part of the algorithm: only the last one goes on to the limit. */
TEST(only_the_last_step_of_a_chain_ends_by_limits)
{
    perp_options opt;
    perp_result *r = NULL;

    runs_folder();
    perp_options_init(&opt, &chain_type, NULL, NULL);
    OK(perp_options_parse(&opt, LIMITS, NULL));
    snprintf(opt.command, sizeof opt.command, "%s", OFF("2"));
    OK(perp_result_new(&r, 2, NULL));
    OK(perp_solve(&chain_type, test_lcp(2, A, b), &opt, r, NULL));
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->foreign.calls, 2);
    CU_ASSERT_EQUAL_FATAL(r->path.count, 5);
    CU_ASSERT_PTR_NOT_NULL(strstr(r->path.step[2], "stalled: exec: missed by its norm"));
    CU_ASSERT_EQUAL(runs_left(), 0);
}
