/* SPDX-License-Identifier: Apache-2.0
 * tests/command/against.c: what has changed between two results; runs of several folders. */
#include <config.h>

#include "command/results/against.h"
#include "report.h"

#define TIMES(times) ", \"seconds_all\": [" times "], \"machine\": {\"cpu\": \"a\"}"
#define SHORT        TIMES("1, 1.01, 1.02, 1.03, 1.04")
#define LONG         TIMES("1.2, 1.21, 1.22, 1.23, 1.24")
#define WIDE         TIMES("1.03, 1.3, 1.3, 1.3, 1.3")
#define CLOSE        TIMES("1.041, 1.042, 1.043, 1.044, 1.045")

#define GOOD(name, solver, time, times)                                                  \
    {                                                                                    \
        .set = "s", .instance = name, .label = solver, .seconds = time,                  \
        .residual = 1e-9, .iterations = 3, .solved = true, .more = times                 \
    }
#define BAD(name, solver, why)                                                           \
    {                                                                                    \
        .set = "s", .instance = name, .label = solver, .residual = 1, .status = why,     \
        .more = TIMES("")                                                                \
    }

static const line before[] = {
    GOOD("1", "a", 1.0, SHORT), GOOD("2", "a", 1.0, SHORT),  GOOD("3", "a", 1.0, SHORT),
    GOOD("4", "a", 1.0, SHORT), BAD("5", "a", "time limit"), GOOD("6", "a", 1.0, SHORT),
    GOOD("7", "a", 1.0, SHORT), GOOD("1", "b", 1.0, SHORT),
};
static const line now[] = {
    GOOD("1", "a", 1.2, LONG),  GOOD("2", "a", 1.03, WIDE),  GOOD("3", "a", 1.041, CLOSE),
    GOOD("4", "a", 1.0, SHORT), GOOD("5", "a", 1.0, SHORT),  BAD("6", "a", "time limit"),
    BAD("7", "a", "error"),     GOOD("1", "new", 1.0, LONG),
};
enum { BEFORE = sizeof before / sizeof *before, NOW = sizeof now / sizeof *now };

/* The verdict of the run of an instance by a solver; AGAINST_VERDICTS: there is none. */
static against_verdict verdict_of(const against *a, const char *instance,
                                  const char *label)
{
    for (size_t k = 0; k < a->count; k++) {
        if (strcmp(a->runs[k].instance, instance) == 0 &&
            strcmp(a->runs[k].label, label) == 0) {
            return a->runs[k].verdict;
        }
    }
    return AGAINST_VERDICTS;
}

/* Four pairs are timed, and five repeats do not overlap by chance in 1 of 252: 4/252 is below
 * 0.05. Run 2 is longer in the median, but overlaps; run 3 does not, but is within 5 %. */
TEST(judges_each_run)
{
    static const struct {
        const char *instance, *label;
        against_verdict verdict;
    } expected[] = {
        {"1", "a", AGAINST_SLOWER}, {"2", "a", AGAINST_SAME},   {"3", "a", AGAINST_SAME},
        {"4", "a", AGAINST_SAME},   {"5", "a", AGAINST_HEALED}, {"6", "a", AGAINST_BROKE},
        {"7", "a", AGAINST_BROKE},  {"1", "b", AGAINST_GONE},   {"1", "new", AGAINST_NEW},
    };
    const char *old = folder_of("against-old", before, BEFORE);
    const char *new = folder_of("against-new", now, NOW);
    against a;

    OK(against_make(&a, new, old, false, NULL));
    CU_ASSERT_EQUAL(a.timed, 4);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        against_verdict found = verdict_of(&a, expected[k].instance, expected[k].label);

        if (found != expected[k].verdict) {
            test_note("%s %s: %s", expected[k].instance, expected[k].label,
                      found < AGAINST_VERDICTS ? against_text(found) : "not there");
        }
        CU_ASSERT_EQUAL(found, expected[k].verdict);
    }
    CU_ASSERT_DOUBLE_EQUAL(a.runs[0].ratio.value, 1.22 / 1.02,
                           1e-12); /* of the medians */
    CU_ASSERT(against_regressed(&a));
    against_free(&a);
    /* The other way round nothing is slower, and what healed has broken. */
    OK(against_make(&a, old, new, false, NULL));
    CU_ASSERT_EQUAL(verdict_of(&a, "1", "a"), AGAINST_FASTER);
    CU_ASSERT_EQUAL(verdict_of(&a, "5", "a"), AGAINST_BROKE);
    against_free(&a);
    folder_remove(old);
    folder_remove(new);
}

/* Ten pairs, each 10 % longer without repeats: no run says so, the solver does. Of nine more
 * solvers with one pair each none is judged. */
TEST(judges_a_solver_over_its_problems)
{
    static char names[10][8];
    line old[20], new[20];
    const char *dirs[2];
    against a;

    for (size_t k = 0; k < 20; k++) {
        snprintf(names[k % 10], sizeof names[0], "%zu", k % 10);
        old[k] = (line)GOOD(names[k % 10], k < 10 ? "many" : names[k % 10],
                            1.0 + 0.1 * (double)k, TIMES(""));
        new[k] = old[k];
        new[k].seconds *= k % 2 ? 1.09 : 1.11;
    }
    dirs[0] = folder_of("solvers-old", old, 20);
    dirs[1] = folder_of("solvers-new", new, 20);
    OK(against_make(&a, dirs[1], dirs[0], false, NULL));
    CU_ASSERT_EQUAL(a.verdicts[AGAINST_SAME], 20);
    CU_ASSERT_EQUAL(a.slower_solvers, 1);
    CU_ASSERT_EQUAL(a.solvers[0].pairs, 10);
    CU_ASSERT_EQUAL(a.solvers[0].verdict, AGAINST_SLOWER);
    CU_ASSERT_DOUBLE_EQUAL(a.solvers[0].ratio.value, sqrt(1.09 * 1.11), 1e-12);
    CU_ASSERT(against_regressed(&a));
    against_free(&a);
    folder_remove(dirs[0]);
    folder_remove(dirs[1]);
}

/* The folders that a test with scarce memory reads. */
typedef struct folders {
    const char *of[2];
} folders;

TEST(tells_labels_of_two_folders_apart)
{
    const char *dirs[] = {folder_of("apart-old", before, BEFORE),
                          folder_of("apart-new", now, NOW)};
    stored_runs s;
    run_table t;
    perp_error err = {0};
    char label[64];

    OK(runs_read_folders(&s, dirs, 2, NULL));
    CU_ASSERT_EQUAL(s.count, BEFORE + NOW);
    run_table_make(&t, &s, "s", 1e-8);
    CU_ASSERT_EQUAL(t.labels.count, 4); /* a of both; b and new of one */
    snprintf(label, sizeof label, "a (%s)", strrchr(dirs[0], '/') + 1);
    CU_ASSERT_STRING_EQUAL(t.labels.names[0], label);
    CU_ASSERT_EQUAL(t.instances.count, 7);
    run_table_free(&t);
    CU_ASSERT_EQUAL(runs_keep_set(&s, "t", &err), PERP_ERR_OPTION);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "expected one of: s"));
    runs_free(&s);
    folder_remove(dirs[0]);
    folder_remove(dirs[1]);
}
