/* SPDX-License-Identifier: Apache-2.0
 * tests/command/sequence.c: generated sequences, their warm-start policies, suites
 * that hold them, and what the report makes of their records. */
#include <config.h>

#include "command/campaign/call.h"
#include "command/campaign/policies.h"
#include "command/campaign/subject.h"
#include "command/generate/families.h"
#include "report.h"

static perp_sequence *made(const char *call)
{
    perp_sequence *s = NULL;
    perp_error err = {0};

    if (call_make_sequence(&s, call, &err) != PERP_OK) {
        test_note("%s: %s", call, err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    OK(perp_sequence_check(s, NULL));
    return test_keep(s, test_free_sequence);
}

static void step_of(const perp_sequence *s, size_t i, perp_sequence_item *step)
{
    OK(perp_sequence_get(s, i, step, NULL));
}

/* Bricks that part lose their keys; whoever still touches keeps his. */
TEST(contacts_of_a_wall_end_and_begin)
{
    perp_sequence *s = made("wall:nx=3,nz=2,steps=20,slide=0.8");
    size_t changes = 0;

    CU_ASSERT_EQUAL_FATAL(perp_sequence_count(s), 20);
    for (size_t i = 1; i < 20; i++) {
        perp_sequence_item before, now;
        size_t matched = 0;

        step_of(s, i - 1, &before);
        step_of(s, i, &now);
        double *zeros = test_reals(before.problem->n);
        double *z = test_reals(now.problem->n);
        OK(perp_sequence_carry(&before, zeros, &now, z, &matched, NULL));
        CU_ASSERT(matched >= 12); /* the three bricks on the ground never part */
        changes += matched != now.problem->set->count;
        perp_sequence_item_clear(&before);
        perp_sequence_item_clear(&now);
    }
    CU_ASSERT_EQUAL(changes, 1); /* at a slide of half a brick, all at once */
}

/* The value at 100 of a year in 40 steps on 60 points is known; the price lies between
 * two points of the grid, where the value is linear to h^2/8 V'' = 0.036^2/8 * 130 =
 * 2e-2. */
TEST(a_put_has_its_price_after_a_year)
{
    perp_sequence *s = made("american-put:n=60,steps=40");
    perp_sequence_item last;
    double value = 0.0;

    CU_ASSERT_EQUAL_FATAL(perp_sequence_count(s), 40);
    step_of(s, 39, &last);
    perp_result *r = test_solve(last.problem, "lemke", NULL);
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    for (size_t i = 29; i < 31; i++) {
        double x = -log(3.0) + (double)(i + 1) * 2.0 * log(3.0) / 61.0;

        value += 0.5 * (fmax(100.0 - 100.0 * exp(x), 0.0) + r->z[i]);
    }
    test_note("value %.4f", value);
    CU_ASSERT_DOUBLE_EQUAL(value, 9.836, 2e-2);
    perp_sequence_item_clear(&last);
}

/* The tree of Cox, Ross and Rubinstein for strike and spot 100, with exercise at each node. */
static double tree_value(bool call, double sigma, double rate, double dividend)
{
    enum { STEPS = 2000 };
    static double value[STEPS + 1];
    const double dt = 1.0 / STEPS, up = exp(sigma * sqrt(dt));
    const double p = (exp((rate - dividend) * dt) - 1.0 / up) / (up - 1.0 / up);

    for (int k = STEPS; k >= 0; k--) {
        for (int i = 0; i <= k; i++) {
            const double gain = 100.0 * pow(up, 2 * i - k) - 100.0;
            const double hold =
                k < STEPS ? exp(-rate * dt) * (p * value[i + 1] + (1.0 - p) * value[i])
                          : 0.0;

            value[i] = fmax(hold, call ? gain : -gain);
        }
    }
    return value[0];
}

/* Implicit Euler is of order one in time: 200 steps on 801 points are right to 0.03 of some 6 to 14. */
TEST(options_have_the_price_of_a_tree)
{
    static const struct {
        const char *call;
        bool buy;
        double sigma, rate, dividend;
    } cases[] = {
        {"american-option:n=801,steps=200", false, 0.2, 0.05, 0.0},
        {"american-option:n=801,steps=200,volatility=0.4", false, 0.4, 0.05, 0.0},
        {"american-option:n=801,steps=200,kind=call,dividend=0.08", true, 0.2, 0.05,
         0.08},
        {"american-option:n=801,steps=200,kind=call", true, 0.2, 0.05, 0.0},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        perp_sequence *s = made(cases[k].call);
        perp_sequence_item last;

        step_of(s, 199, &last);
        perp_result *r = test_solve(last.problem, "lemke", NULL);
        CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
        CU_ASSERT_DOUBLE_EQUAL(
            r->z[400], /* at 100, where the payoff is 0 */
            tree_value(cases[k].buy, cases[k].sigma, cases[k].rate, cases[k].dividend),
            0.03);
        perp_sequence_item_clear(&last);
    }
}

/* The pass that carries the year on solves each of its steps: the next b holds its
 * answer. */
TEST(each_step_of_a_put_starts_where_the_last_ended)
{
    perp_sequence *s = made("american-put:n=31,steps=6");

    for (size_t i = 0; i + 1 < 6; i++) {
        perp_sequence_item now, next, first;

        step_of(s, 0, &first);
        step_of(s, i, &now);
        step_of(s, i + 1, &next);
        double *z = test_reals(31);
        for (size_t k = 0; k < 31; k++) { /* b = M payoff - payoff - z */
            z[k] = first.problem->b[k] - next.problem->b[k];
        }
        CU_ASSERT(perp_residual(now.problem, z) <= 1e-12); /* direct, 31 rows */
        perp_sequence_item_clear(&first);
        perp_sequence_item_clear(&now);
        perp_sequence_item_clear(&next);
    }
}

TEST(a_parameter_grows_to_its_value)
{
    perp_sequence *s = made("table:force-x=90,steps=3");
    perp_problem *p = NULL;
    perp_sequence_item last;

    OK(perp_family_make("table:force-x=90", &p, NULL));
    step_of(s, 2, &last);
    CU_ASSERT_EQUAL(perp_problem_hash(last.problem), perp_problem_hash(p));
    perp_sequence_item_clear(&last);
    step_of(s, 0, &last);
    CU_ASSERT_NOT_EQUAL(perp_problem_hash(last.problem), perp_problem_hash(p));
    CU_ASSERT_EQUAL(last.keys[0], 1);
    perp_sequence_item_clear(&last);
    perp_problem_free(p);
}

/* From b to b + db, each entry by at most the change asked for. */
TEST(any_instance_drifts_along_a_direction)
{
    char call[1200];
    perp_sequence_item first, last;
    double moved = 0.0, largest = 0.0;

    snprintf(call, sizeof call, "parametric:steps=5,change=0.25,instance=%s/%s",
             test_datasets(), "siconos-fc3d/NESpheres_10_1.dat");
    perp_sequence *s = made(call);
    CU_ASSERT_EQUAL_FATAL(perp_sequence_count(s), 5);
    step_of(s, 0, &first);
    step_of(s, 4, &last);
    for (size_t i = 0; i < first.problem->n; i++) {
        largest = fmax(largest, fabs(first.problem->b[i]));
        moved = fmax(moved, fabs(last.problem->b[i] - first.problem->b[i]));
    }
    CU_ASSERT(moved > 0.2 * largest);                 /* 27 draws: one is near the end */
    CU_ASSERT(moved <= 0.25 * largest * (1 + 1e-15)); /* the rounding of b + db */
    perp_sequence_item_clear(&first);
    perp_sequence_item_clear(&last);
}

static void refused(const char *call, const char *words)
{
    perp_sequence *s = NULL;
    perp_error err = {0};

    CU_ASSERT_NOT_EQUAL(call_make_sequence(&s, call, &err), PERP_OK);
    CU_ASSERT_PTR_NULL(s);
    if (!strstr(err.text, words)) {
        test_note("%s: \"%s\", expected \"%s\"", call, err.text, words);
        CU_FAIL("another message");
    }
}

TEST(a_bad_call_is_told)
{
    refused("wal:steps=3", "unknown family \"wal\", the nearest is \"wall\"");
    refused("wall:step=3", "unknown option \"step\", the nearest is \"steps\"");
    refused("wall:steps=0", "steps");
    refused("table:grow=mass", "grow is \"mass\", expected a real parameter");
    refused("table", "grow is \"force-x\", expected a real parameter that is not 0");
    refused("parametric:steps=3", "instance=WHERE is missing");
    refused("parametric:instance=", "instance=WHERE is missing");
    refused("parametric:stops=3,instance=a", "the nearest is \"steps\"");
    refused("parametric:instance=nowhere.dat", "nowhere.dat: cannot open");
}

/* What is kept of a run. */
typedef struct tally {
    size_t steps, solved, iterations, matched, rows;
    double last[8]; /* the first numbers of the last answer */
} tally;

static perp_status count_step(void *context, const policies_step *step, perp_error *err)
{
    tally *t = context;

    (void)err;
    t->steps++;
    t->solved += step->result->outcome == PERP_SOLVED;
    t->iterations += step->result->iterations;
    t->matched += step->matched;
    t->rows += step->problem->n;
    for (size_t i = 0; i < 8 && i < step->problem->n; i++) {
        t->last[i] = step->result->z[i];
    }
    return PERP_OK;
}

/* Solve a generated sequence with a warm-start policy; options end with NULL. */
static tally run(const char *call, const char *solver, policy_kind policy,
                 const char *law, const char *formulation, const char *option,
                 const char *value)
{
    perp_sequence *s = made(call);
    const perp_solver_type *type = NULL;
    perp_options opt;
    tally t = {0};
    perp_error err = {0};
    policies_request orders = {
        .sequence = s,
        .item = {.path = call, .friction = law ? law : formulation},
        .opt = &opt,
        .policy = policy,
        .noise = 0.01,
        .repeats = 2};

    OK(perp_solver_parse(solver, &type, &opt, NULL));
    if (option) {
        OK(perp_options_set(&opt, option, value, NULL));
    }
    orders.type = type;
    if (policies_run(&orders, count_step, &t, &err) != PERP_OK) {
        test_note("%s: %s", call, err.text);
        CU_FAIL("not run");
    }
    CU_ASSERT_EQUAL(t.steps, perp_sequence_count(s));
    return t;
}

static const char put_year[] = "american-put:n=40,steps=12";

TEST(a_warm_start_saves_most_of_the_pivots_of_a_year)
{
    tally cold = run(put_year, "lemke", POLICY_COLD, NULL, NULL, NULL, NULL);
    tally warm = run(put_year, "lemke", POLICY_WARM, NULL, NULL, NULL, NULL);

    CU_ASSERT_EQUAL(cold.solved, 12);
    CU_ASSERT_EQUAL(warm.solved, 12);
    CU_ASSERT_EQUAL(cold.matched, 0);
    CU_ASSERT_EQUAL(warm.matched, 11 * 40); /* all but the first step */
    CU_ASSERT(2 * warm.iterations < cold.iterations);
}

TEST(the_oracle_needs_no_iteration)
{
    CU_ASSERT_EQUAL(
        run(put_year, "lemke", POLICY_ORACLE, NULL, NULL, NULL, NULL).iterations, 0);
    CU_ASSERT_EQUAL(
        run("wall:nx=2,nz=2,steps=4", "nsgs", POLICY_ORACLE, NULL, NULL, NULL, NULL)
            .iterations,
        0);
}

/* The noise comes from the seed alone. */
TEST(the_same_seed_makes_the_same_noise)
{
    static const char wall[] = "wall:nx=2,nz=2,steps=3";
    tally a = run(wall, "nsgs", POLICY_PERTURBED, NULL, NULL, "seed", "4");
    tally b = run(wall, "nsgs", POLICY_PERTURBED, NULL, NULL, "seed", "4");
    tally c = run(wall, "nsgs", POLICY_PERTURBED, NULL, NULL, "seed", "5");

    CU_ASSERT_EQUAL(a.solved, 3);
    CU_ASSERT(a.iterations > 0);
    CU_ASSERT_EQUAL(memcmp(a.last, b.last, sizeof a.last), 0);
    CU_ASSERT_NOT_EQUAL(memcmp(a.last, c.last, sizeof a.last), 0);
}

/* What failed leaves nothing to start from: every step after it is cold again. */
TEST(a_failure_is_no_start)
{
    tally t = run("wall:nx=2,nz=2,steps=4", "nsgs", POLICY_WARM, NULL, NULL,
                  "max-iterations", "1");

    CU_ASSERT_EQUAL(t.solved, 0);
    CU_ASSERT_EQUAL(t.matched, 0);
}

/* Through a pyramid of the problem as asked and back: more rows, and still warm. */
TEST(impulses_find_their_way_through_a_formulation)
{
    static const char stack[] = "stack:n=4,ratio=2,steps=6";
    tally cold = run(stack, "lemke", POLICY_COLD, NULL, "pyramid:4", NULL, NULL);
    tally warm = run(stack, "lemke", POLICY_WARM, NULL, "pyramid:4", NULL, NULL);

    CU_ASSERT_EQUAL(cold.solved, 6);
    CU_ASSERT_EQUAL(warm.solved, 6);
    CU_ASSERT_EQUAL(warm.matched, 5 * 4);
    CU_ASSERT_EQUAL(warm.rows, 6 * 4 * 6); /* n, four directions, lambda */
    CU_ASSERT(warm.iterations < cold.iterations);
}

static perp_status suite_of(const char *members, suite **s, perp_error *err)
{
    const char *path = test_scratch("sequences.json");
    FILE *f = fopen(path, "w");

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fprintf(
        f, "{\"name\": \"t\", \"sets\": [{\"name\": \"s\", \"solvers\": [\"pgs\"], %s}]}",
        members);
    fclose(f);
    memset(err, 0, sizeof *err);
    perp_status status = suite_read(s, path, SUITE_FULL, err);
    remove(path);
    return status;
}

TEST(a_suite_plans_sequences_in_arms)
{
    suite *s = NULL;
    suite_run *runs = NULL;
    size_t count = 0;
    perp_error err;

    OK(suite_of("\"sequences\": [\"generate:obstacle-2d:m=4\", "
                "\"generate:parametric:steps=3,instance=generate:"
                "spd:n=5,seed=2\"], \"instances\": "
                "[\"generate:obstacle-2d:m=3\"], \"policies\": [\"warm\", "
                "\"cold\", \"oracle\"], \"start\": [\"cold\", \"guess\"]",
                &s, &err));
    OK(suite_plan(s, &runs, &count, &err));
    CU_ASSERT_EQUAL_FATAL(count, 2 + 3 + 3);
    CU_ASSERT(runs[0].entry->type == &subject_instance);
    CU_ASSERT(runs[2].entry->type == &subject_sequence);
    CU_ASSERT_STRING_EQUAL(runs[2].start, "warm");
    CU_ASSERT_EQUAL(runs[4].policy, POLICY_ORACLE);
    CU_ASSERT_STRING_EQUAL(runs[5].entry->name, "spd:n=5,seed=2:steps=3");
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            CU_ASSERT_STRING_NOT_EQUAL(runs[i].key, runs[j].key);
        }
    }
    free(runs);
    suite_free(s);
}

TEST(a_bad_sequence_of_a_suite_is_told)
{
    static const char *const bad[][2] = {
        {"\"sequences\": []", "sequences: found no sequence"},
        {"\"sequences\": [\"nowhere.hdf5\"]", "sequences[0]: no such file"},
        {"\"sequences\": [\"generate:wal\"]", "the nearest is \"wall\""},
        {"\"sequences\": [\"generate:parametric:instance=a.dat\"]", "no such file: "},
        {"\"sequences\": [\"generate:wall\"], \"policies\": []",
         "policies: found 0 policies"},
        {"\"sequences\": [\"generate:wall\"], \"policies\": [\"hot\"]", "policies[0]"},
        {"\"sequences\": [\"generate:wall\"], \"policies\": [\"cold\", \"cold\"]",
         "policies[1]: cold is listed twice"},
        {"\"sequences\": [\"generate:wall\"], \"noise\": -1", "noise"},
    };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        suite *s = NULL;
        perp_error err;

        CU_ASSERT_NOT_EQUAL(suite_of(bad[i][0], &s, &err), PERP_OK);
        if (!strstr(err.text, bad[i][1])) {
            test_note("%s: \"%s\"", bad[i][0], err.text);
            CU_FAIL("another message");
        }
    }
}

/* Of four steps cold solves three. Warm: 5 for 10 iterations, 12 for 10 (it hurts), fails
 * where cold solved (it hurts), solves what cold did not (not compared): 17 of 20. */
#define STEPS(policy, iterations, seconds, solved)                                       \
    ", \"policy\": \"" policy "\", \"solver_label\": \"x\", \"count\": 4, \"steps\": "   \
    "{\"iterations\": " iterations ", \"seconds\": " seconds ", \"solved\": " solved     \
    ", \"outcome\": [\"solved\", \"solved\", \"stalled\", \"solved\"], "                 \
    "\"residual\": [0, 0, 0, 0], \"matched\": [0, 1, 1, 1]}"
static const line recorded[] = {
    {.set = "w",
     .instance = "q",
     .label = "x",
     .n = 4,
     .seconds = 1,
     .residual = 0,
     .more =
         STEPS("cold", "[10, 10, 10, 10]", "[1, 1, 1, 1]", "[true, true, true, false]")},
    {.set = "w",
     .instance = "q",
     .label = "x warm",
     .n = 4,
     .seconds = 1,
     .residual = 0,
     .more =
         STEPS("warm", "[5, 12, 3, 7]", "[0.5, 1, 1, 1]", "[true, true, false, true]")},
    {.set = "w",
     .instance = "q",
     .label = "x oracle",
     .status = "crash: signal 11",
     .n = 4,
     .residual = 0,
     .more = ", \"policy\": \"oracle\", \"solver_label\": \"x\", \"count\": 4"},
};

TEST(what_a_start_saved_and_hurt_is_counted_by_hand)
{
    const char *dir = folder_of("warm", recorded, 3);
    const report_request request = {.figures = {.terminal = "svg"}, .tables = true};
    perp_error err = {0};
    perp_status status = report_join(&dir, 1, dir, &request, &err);

    /* Where gnuplot is missing, tables and page are there all the same. */
    CU_ASSERT_TRUE(status == PERP_OK || status == PERP_ERR_LIBRARY);
    char *text = file_text(dir, "tables/warm.csv");
    CU_ASSERT_STRING_EQUAL(
        strchr(text, '\n'),
        "\nw,1e-08,x,cold,1,4,1,3,30,30,0,3,3,0,0,0\n"
        "w,1e-08,x,warm,1,4,1,2,17,20,15,1.5,2,25,2,0\n"
        "w,1e-08,x,oracle,1,4,4,0,0,0,,0,0,,3,0\n"); /* a crash fails, and hurts, each step */
    CU_ASSERT(file_has(dir, "tables/steps.csv", "w,1e-08,q,x,warm,2,stalled,3,1,0\n"));
    CU_ASSERT(file_has(dir, "tables/steps.csv", "x,oracle,3,crash: signal 11,,,\n"));
    CU_ASSERT(
        file_has(dir, "tables/warm_w_1e-08.tex", "x & warm & 4 & 1 & 17 & 20 & 15.0"));
    CU_ASSERT(file_has(dir, "summary.txt", "w: warm starts, residual <= 1e-08"));
    CU_ASSERT(page_has(dir, "\"name\":\"warm\",\"title\":\"Warm starts\""));
    if (status == PERP_OK) {
        CU_ASSERT(file_has(dir, "figures/warm_w_1e-08.svg", "<svg"));
        CU_ASSERT(file_has(dir, "figures/figures.json", "\"kind\": \"warm\""));
    }
    folder_remove(dir);
}

TEST_SETUP
{
    setenv("PERP_DATA_DIR", test_source(), 1);
}
