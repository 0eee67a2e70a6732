/* SPDX-License-Identifier: Apache-2.0
 * tests/command/kinds_failures.c: which runs a figure counts: those that an order leaves out
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
    const figure_collection *c = figures_of(s, "profile:where=mu=0.1", PERP_OK, NULL);
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
    const figure_collection *c =
        figures_of(s, "data-profile:where=mu=0.1", PERP_OK, NULL);

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

/* Two solvers at four sizes, two to four problems each. "a" takes (1, 3), (4, 6, -), (8, -, -) and
 * (16, 18, -, -): medians 2, 6, infinite, 18, since half of the last ones are solved within 18 s.
 * "b" takes a tenth of the contacts: the exponent is 1. */
#define GROWN(name, size, solver, time)                                                  \
    {                                                                                    \
        .set = "grown", .instance = name, .label = solver,                               \
        .seconds = (time) > 0 ? (time) : 10, .residual = (time) > 0 ? 1e-9 : 1.0,        \
        .solved = (time) > 0,                                                            \
        .more = ", \"problem\": \"c\", \"contacts\": " #size                             \
                ", \"vary\": {\"contacts\": " #size "}"                                  \
    }
#define GROWN_BOTH(name, size, time)                                                     \
    GROWN(name, size, "a", time), GROWN(name, size, "b", (size) / 10.0)
static const line grown[] = {
    GROWN_BOTH("p0", 10, 1), GROWN_BOTH("p1", 10, 3),  GROWN_BOTH("q0", 20, 4),
    GROWN_BOTH("q1", 20, 6), GROWN_BOTH("q2", 20, 0),  GROWN_BOTH("r0", 40, 8),
    GROWN_BOTH("r1", 40, 0), GROWN_BOTH("r2", 40, 0),  GROWN_BOTH("s0", 80, 16),
    GROWN_BOTH("s1", 80, 0), GROWN_BOTH("s2", 80, 18), GROWN_BOTH("s3", 80, 0),
};
enum { MANY_GROWN = sizeof grown / sizeof *grown };

static void grown_is_right(const figure *f, const char *name_of_b)
{
    static const figure_failure failed[] = {{20, 1, 3}, {40, 2, 3}, {80, 2, 4}};
    const figure_series *a = series_of(f, 0, "a");

    POINTS_ARE(a, {10, 2}, {20, 6}, {40, INFINITY}, {80, 18});
    CU_ASSERT_EQUAL_FATAL(a->failure_count, 3);
    for (size_t k = 0; k < 3; k++) {
        CU_ASSERT(a->failures[k].x == failed[k].x &&
                  a->failures[k].failed == failed[k].failed &&
                  a->failures[k].of == failed[k].of);
    }
    POINTS_ARE(series_of(f, 0, name_of_b), {10, 1}, {20, 2}, {40, 4}, {80, 8});
    POINTS_ARE(series_of(f, 0, "time limit"), {10, 10}, {80, 10});
    CU_ASSERT_EQUAL(f->panels[0]->x.scale, FIGURE_LOG10);
    CU_ASSERT_STRING_EQUAL(f->panels[0]->y.label, "time");
    CU_ASSERT(caption_has(f, "a failure costs infinitely much"));
    CU_ASSERT(caption_has(f, "5 of 24 runs failed"));
}

TEST(time_against_size_counts_failures_as_infinite)
{
    const stored_runs *s = runs_of(grown, MANY_GROWN);
    const figure_collection *c =
        figures_of(s, "scaling:x=contacts,tolerance=1e-8", PERP_OK, NULL);
    const figure *f = c->book.figures[0];

    grown_is_right(f, "b 1.00±0.00");
    /* the fit of "b"; "a" solves all problems at one size only */
    POINTS_ARE(series_of(f, 0, ""), {10, 1}, {80, 8});
    CU_ASSERT_STRING_EQUAL(series_of(f, 0, "")->owner, "b");
    CU_ASSERT_EQUAL(f->panels[0]->count, 4);
    c = figures_of(s, "metric:x=contacts,y=seconds", PERP_OK, NULL);
    grown_is_right(c->book.figures[0], "b");
}

TEST(a_field_that_no_record_has_is_named_and_no_failure)
{
    const stored_runs *s = runs_of(grown, MANY_GROWN);

    figures_of(s, "scaling:x=contacts,y=step_seconds.median", PERP_ERR_DATA,
               "no solved run of set grown has a number as step_seconds.median");
    figures_of(s, "scaling:x=links", PERP_ERR_DATA,
               "no run of set grown has a field \"links\"");
    figures_of(s, "metric:x=contacts,y=seconds,by=links", PERP_ERR_DATA,
               "no run of grown has a field \"links\"");
    figures_of(s, "metric:x=contacts,y=work.pivots", PERP_ERR_DATA,
               "a number as work.pivots");
}

/* One solved run of "one" lacks the products that the others have. */
TEST(a_field_that_one_record_lacks_is_named_and_no_failure)
{
    line lines[MANY_GROWN];
    const figure_collection *c = NULL;

    memcpy(lines, grown, sizeof lines);
    for (size_t k = 1; k < MANY_GROWN; k++) {
        char *more = test_alloc(1, 200);

        snprintf(more, 200, "%s, \"work\": {\"products\": 5}", lines[k].more);
        lines[k].more = more;
    }
    c = figures_of(runs_of(lines, MANY_GROWN), "scaling:x=contacts,y=work.products",
                   PERP_OK, NULL);
    POINTS_ARE(series_of(c->book.figures[0], 0, "a"), {10, 5}, {20, 5}, {40, INFINITY},
               {80, 5});
    CU_ASSERT(caption_has(c->book.figures[0], "5 of 24 runs failed"));
    CU_ASSERT(caption_has(c->book.figures[0],
                          "1 solved run has no number as work.products: left out."));
}

/* Energies of 1e-3 and 8e-14, drifts of 9e-14 m: the second line and the second panel are
 * rounding. */
#define DRIFTS(solver, errors, lengths)                                                  \
    {                                                                                    \
        .set = "drift", .instance = "a", .label = solver, .seconds = 1, .solved = true,  \
        .more = ", \"series\": {\"t\": [1, 2], \"energy\": " errors                      \
                ", \"drift\": " lengths "}"                                              \
    }
TEST(rounding_is_named_and_not_drawn)
{
    static const line lines[] = {DRIFTS("euler", "[1e-3, 2e-3]", "[0, 9e-14]"),
                                 DRIFTS("verlet", "[0, 8e-14]", "[0, 0]")};
    const stored_runs *s = runs_of(lines, 2);
    const figure_collection *c = figures_of(s, "drift", PERP_OK, NULL);
    const figure *f = c->book.figures[0];

    CU_ASSERT_EQUAL_FATAL(f->count, 1);
    CU_ASSERT_EQUAL(f->panels[0]->count, 1);
    POINTS_ARE(series_of(f, 0, "euler"), {1, 1e-3}, {2, 2e-3});
    CU_ASSERT(caption_has(f,
                          "at most 10⁻¹³ of the scale, and not drawn: relative error of "
                          "energy of verlet, drift of joints [m]."));
    figures_of(s, "drift:y=drift", PERP_ERR_DATA, "drift: rounding in all runs");
}
