/* SPDX-License-Identifier: Apache-2.0
 * tests/command/pairs.c: a reference of one's choice, and pairs of solvers. */
#include <config.h>

#include "command/results/pairs.h"
#include "command/results/statistics.h"
#include "report.h"

enum { PROBLEMS = 8 };

/* Three solvers on eight problems: b takes twice as long as a, c 3 % more; c fails on p7 and does
 * not take p8. */
static void eight_read(stored_runs *s, run_table *t)
{
    static const char *const names[] = {"p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"};
    static const char *const labels[] = {"a", "b", "c"};
    static line lines[3 * PROBLEMS];
    const double slower[] = {1.0, 2.0, 1.03};

    for (size_t k = 0; k < 3 * PROBLEMS; k++) {
        size_t i = k / 3, solver = k % 3;
        bool fails = solver == 2 && i >= 6;

        lines[k] = (line){.set = "eight",
                          .instance = names[i],
                          .label = labels[solver],
                          .status = solver == 2 && i == 7 ? "unsuitable" : NULL,
                          .seconds = slower[solver] * pow(2.0, (double)i),
                          .residual = fails ? 1e-3 : 1e-9,
                          .place = (double)k,
                          .solved = !fails};
    }
    const char *dir = folder_of("pairs", lines, 3 * PROBLEMS);
    OK(runs_read(s, dir, NULL));
    run_table_make(t, s, "eight", 1e-8);
    folder_remove(dir);
}

/* The same problems against b: a is faster, with the same ranks. */
TEST(solvers_are_compared_with_the_one_that_is_chosen)
{
    stored_runs s;
    run_table t;
    perp_error err = {0};

    eight_read(&s, &t);
    solver_statistics *best = statistics_new(&t);
    run_table_free(&t);
    CU_ASSERT_EQUAL(runs_compare_with(&s, "bb", &err), PERP_ERR_OPTION);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "no run has the solver \"bb\", the nearest is \"b\"");
    OK(runs_compare_with(&s, "b", NULL));
    run_table_make(&t, &s, "eight", 1e-8);
    solver_statistics *of = statistics_new(&t);
    CU_ASSERT_STRING_EQUAL(of[0].verdict, "faster");
    CU_ASSERT_DOUBLE_EQUAL(of[0].p, 4.0 / 256.0, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(of[0].ratio.value, 1.0 / best[1].ratio.value, 1e-12);
    CU_ASSERT_STRING_EQUAL(of[1].verdict, "reference");
    CU_ASSERT_EQUAL(of[1].ratio.value, 1.0);
    CU_ASSERT(isnan(of[1].p));
    free(of);
    free(best);
    run_table_free(&t);
    runs_free(&s);
}

/* b takes twice as long on all eight, p = 2/256; c ties with a on the six of seven that it solves. */
TEST(pairs_are_over_what_both_solve)
{
    stored_runs s;
    run_table t;
    solver_pair pair;

    eight_read(&s, &t);
    pair_make(&pair, &t, 1, 0);
    CU_ASSERT(pair.common == 8 && pair.solved == 8 && pair.against_solved == 8);
    CU_ASSERT(pair.both == 8 && pair.ahead == 0);
    CU_ASSERT_DOUBLE_EQUAL(pair.ratio.value, 2.0, 1e-12); /* logs of some ulp */
    CU_ASSERT_DOUBLE_EQUAL(pair.p, 2.0 / 256.0, 1e-15);
    pair_make(&pair, &t, 0, 1);
    CU_ASSERT_DOUBLE_EQUAL(pair.ratio.value, 0.5, 1e-12);
    CU_ASSERT_EQUAL(pair.ahead, 8);
    pair_make(&pair, &t, 2, 0);
    CU_ASSERT(pair.common == 7 && pair.solved == 6 && pair.against_solved == 7);
    CU_ASSERT(pair.both == 6 && pair.ahead == 0);
    CU_ASSERT_DOUBLE_EQUAL(pair.ratio.value, 1.03, 1e-12);
    CU_ASSERT_EQUAL(pair.p, 1.0);
    run_table_free(&t);
    runs_free(&s);
}

TEST(a_pair_is_one_sentence)
{
    static const struct {
        solver_pair pair;
        const char *sentence;
    } cases[] = {
        {{.solver = "fista",
          .against = "nsgs",
          .common = 32,
          .solved = 28,
          .against_solved = 23,
          .both = 22,
          .ratio = {1 / 4.8, 1 / 9.4, 1 / 2.4},
          .p = 5e-4},
         "fista solved 28 of 32, nsgs 23; on the 22 that both solve nsgs takes 4.8 times "
         "as long (95 % 2.4 to 9.4), Wilcoxon p = 0.0005"},
        {{.solver = "pgs",
          .against = "nsgs",
          .common = 9,
          .solved = 9,
          .against_solved = 9,
          .both = 9,
          .ratio = {120.4, 0.851, 1200.0},
          .p = 0.25},
         "pgs solved 9 of 9, nsgs 9; on the 9 that both solve pgs takes 120 times as "
         "long (95 % 0.85 to 1200), Wilcoxon p = 0.25"},
        {{.solver = "pgs",
          .against = "nsgs",
          .common = 9,
          .solved = 1,
          .against_solved = 9,
          .both = 1,
          .ratio = {2.0, NAN, NAN},
          .p = 1.0},
         "pgs solved 1 of 9, nsgs 9; on the one that both solve pgs takes 2.0 times as "
         "long"},
        {{.solver = "pgs",
          .against = "nsgs",
          .common = 9,
          .solved = 0,
          .against_solved = 9,
          .ratio = {NAN, NAN, NAN},
          .p = NAN},
         "pgs solved 0 of 9, nsgs 9; no problem is solved by both"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[400] = "";
        FILE *f = fmemopen(text, sizeof text, "w");

        CU_ASSERT_PTR_NOT_NULL_FATAL(f);
        pair_sentence(&cases[k].pair, f);
        fclose(f);
        CU_ASSERT_STRING_EQUAL(text, cases[k].sentence);
    }
}
