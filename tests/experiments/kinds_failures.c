/* SPDX-License-Identifier: Apache-2.0
 * tests/experiments/kinds_failures.c: which runs a figure counts: those that an order leaves out
 * count nowhere, a failure costs infinitely much, a field that a record lacks is no failure. */
#include <config.h>

#include "figures_of.h"

/* Two solvers on seven problems; "one" fails on e and f, "two" on f. */
#define SWEPT(name, mu, solver, time, ok)                                                \
    {                                                                                    \
        .set = "swept", .instance = name, .label = solver, .n = 4, .seconds = time,      \
        .residual = (ok) ? 1e-9 : 1.0, .iterations = 3, .solved = ok,                    \
        .more = ", \"vary\": {\"mu\": " mu "}, \"work\": {\"products\": 5}"              \
    }
static const line swept[] = {
    SWEPT("a", "0.1", "one", 1, true),  SWEPT("a", "0.1", "two", 2, true),
    SWEPT("b", "0.1", "one", 1, true),  SWEPT("b", "0.1", "two", 2, true),
    SWEPT("c", "0.1", "one", 1, true),  SWEPT("c", "0.1", "two", 2, true),
    SWEPT("d", "0.1", "one", 2, true),  SWEPT("d", "0.1", "two", 1, true),
    SWEPT("e", "0.1", "one", 9, false), SWEPT("e", "0.1", "two", 3, true),
    SWEPT("f", "0.5", "one", 9, false), SWEPT("f", "0.5", "two", 9, false),
    SWEPT("g", "0.5", "one", 1, true),  SWEPT("g", "0.5", "two", 1, true),
};
enum { MANY = sizeof swept / sizeof *swept };

/* Of the five problems with mu = 0.1 the ratios of "one" are 1 1 1 2 and a failure, of "two"
 * 2 2 2 1 1. tests/web/figures_check.mjs expects the same of the page. */
TEST(runs_that_an_order_leaves_out_are_no_failures_of_a_profile)
{
    const stored_runs *s = runs_of(swept, MANY);
    const figure_collection *c =
        figures_of(s, "profile:where=mu=0.1", PERP_OK, NULL);
    const figure *f = c->book.figures[0];

    POINTS_ARE(series_of(f, 0, "one"), {1, 0.6}, {2, 0.8}, {2.3, 0.8});
    POINTS_ARE(series_of(f, 0, "two"), {1, 0.4}, {2, 1}, {2.3, 1});
    CU_ASSERT(caption_has(f, "5 problems, tolerance"));
    CU_ASSERT(caption_has(f, "one 4 of 5, two 5 of 5."));
    CU_ASSERT(caption_has(f, "Only runs with mu=0.1."));
    /* one solver: no curve of the other one */
    c = figures_of(s, "profile:where=solver=one", PERP_OK, NULL);
    f = c->book.figures[0];
    CU_ASSERT_EQUAL(f->panels[0]->count, 1);
    CU_ASSERT(caption_has(f, "one 5 of 7."));
    /* a run that is left out of a problem that stays: e of "one" */
    c = figures_of(s, "profile:where=ending=solved", PERP_OK, NULL);
    CU_ASSERT(caption_has(c->book.figures[0], "one 5 of 5, two 6 of 6."));
}

TEST(runs_that_an_order_leaves_out_are_no_failures_of_other_counts)
{
    const stored_runs *s = runs_of(swept, MANY);
    const figure_collection *c = figures_of(s, "data-profile:where=mu=0.1", PERP_OK, NULL);

    CU_ASSERT(caption_has(c->book.figures[0], "one 4 of 5, two 5 of 5."));
    c = figures_of(s, "accuracy-profile:where=mu=0.1", PERP_OK, NULL);
    CU_ASSERT(caption_has(c->book.figures[0], "5 problems, tolerance"));
    c = figures_of(s, "pair-profile:where=mu=0.1", PERP_OK, NULL);
    CU_ASSERT_STRING_EQUAL(c->book.figures[0]->panels[0]->title, "5 problems");
    POINTS_ARE(series_of(c->book.figures[0], 0, "one"), {1, 0.6}, {2, 0.8}, {2.3, 0.8});
    c = figures_of(s, "share:where=mu=0.1", PERP_OK, NULL);
    CU_ASSERT(caption_has(c->book.figures[0], "of the 5 problems of set swept"));
    CU_ASSERT_EQUAL(c->book.figures[0]->panels[0]->x.high, 5.0);
}

/* A run that was not made counts as a failure, in bars as in profiles. */
TEST(a_run_that_is_missing_is_a_failure)
{
    const stored_runs *s = runs_of(swept, MANY - 1);
    const figure_collection *c = figures_of(s, "profile", PERP_OK, NULL);

    CU_ASSERT(caption_has(c->book.figures[0], "one 5 of 7, two 5 of 7."));
    c = figures_of(s, "share", PERP_OK, NULL);
    POINTS_ARE(series_of(c->book.figures[0], 0, "failed"), {7, 0}, {7, 1});
}

int main(int argc, char **argv)
{
    return test_run(argc, argv, "kinds_failures");
}
