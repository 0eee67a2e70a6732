/* SPDX-License-Identifier: Apache-2.0
 * tests/command/kinds.c: figures of stored runs as data: their points by hand, failures kept,
 * missing data refused. */
#include <config.h>

#include "command/results/fields.h"
#include "figures_of.h"
#include "support.h"

static const line hand[] = BY_HAND;
enum { HAND = sizeof hand / sizeof *hand };

/* Times of two solvers on five problems: ratios of "one" are 1 1 1 2 and a failure, of "two"
 * 4 2 1.5 1, and one problem that it does not take: 5 and 4 problems. */
#define TIMED(name, solver, time)                                                        \
    {                                                                                    \
        .set = "five", .instance = name, .label = solver, .n = 4, .seconds = time,       \
        .residual = 1e-9, .iterations = 3, .solved = true                                \
    }
static const line five[] = {
    TIMED("a", "one", 1),
    TIMED("a", "two", 4),
    TIMED("b", "one", 1),
    TIMED("b", "two", 2),
    TIMED("c", "one", 2),
    TIMED("c", "two", 3),
    TIMED("d", "one", 2),
    TIMED("d", "two", 1),
    {.set = "five", .instance = "e", .label = "one", .seconds = 9, .residual = 1e-3},
    {.set = "five",
     .instance = "e",
     .label = "two",
     .status = "unsuitable",
     .residual = NAN},
};
enum { FIVE = sizeof five / sizeof *five };

TEST(draws_a_performance_profile_worked_by_hand)
{
    const stored_runs *s = runs_of(five, FIVE);
    const figure_collection *c = figures_of(s, "profile", PERP_OK, NULL);
    const figure *f = NULL;

    CU_ASSERT_EQUAL_FATAL(c->book.count, 1);
    f = c->book.figures[0];
    CU_ASSERT_STRING_EQUAL(f->name, "profile_five_1e-08");
    /* to the right end: 4 x max(4^0.06, 1.15) */
    POINTS_ARE(series_of(f, 0, "one"), {1, 0.6}, {2, 0.8}, {4.6, 0.8});
    POINTS_ARE(series_of(f, 0, "two"), {1, 0.25}, {1.5, 0.5}, {2, 0.75}, {4, 1},
               {4.6, 1});
    CU_ASSERT(caption_has(f, "one 4 of 5, two 4 of 4 (1 not applicable)"));
    CU_ASSERT(caption_has(f, "5 problems, of which no solver solves 1, tolerance 10⁻⁸"));
    check_axes(c);
    figures_of(runs_of(hand, HAND), "profile", PERP_ERR_DATA,
               "has 3 problems, expected at");
}

TEST(draws_other_profiles)
{
    const stored_runs *s = runs_of(five, FIVE);
    const figure_collection *c = figures_of(s, "accuracy-profile", PERP_OK, NULL);

    /* residuals 1e-9 (four times) and 1e-3; to the right end: 1e-3 x 1e6^0.06 */
    POINTS_ARE(series_of(c->book.figures[0], 0, "one"), {1e-9 / pow(1e6, 0.06), 0},
               {1e-9, 0.8}, {1e-3, 1}, {1e-3 * pow(1e6, 0.06), 1});
    CU_ASSERT(c->book.figures[0]->panels[0]->x.reversed);
    check_axes(c);
    /* they share four problems */
    figures_of(s, "pair-profile:x=two,y=one", PERP_ERR_DATA,
               "no two solvers of set five");
    figures_of(s, "pair-profile:x=two,y=three", PERP_ERR_DATA, "no solver \"three\"");
    figures_of(s, "data-profile", PERP_ERR_DATA, "no solver solved");
}

TEST(draws_what_became_of_the_problems)
{
    const stored_runs *s = runs_of(hand, HAND);
    const figure_collection *c = figures_of(s, "share", PERP_OK, NULL);

    CU_ASSERT_EQUAL_FATAL(c->book.count, 1);
    /* columns: panel, series, form, x, y, low, high, least, most, value, failed */
    EQUAL_ROWS(c->book.figures[0],
               "\"\",\"solved\",bars,2,\"fast\",0,2,,,2,0\n"
               "\"\",\"solved\",bars,3,\"slow\",0,3,,,3,0\n"
               "\"\",\"solved its approximation\",bars,3,\"fast\",2,3,,,1,0\n"
               "\"\",\"failed\",bars,2,\"broken\",0,2,,,2,0\n"
               "\"\",\"not applicable\",bars,3,\"broken\",2,3,,,1,0\n");
}

/* fast: a curve without its first sample at 0 products; slow and broken have no history. */
TEST(draws_convergence_of_one_problem)
{
    const stored_runs *s = runs_of(hand, HAND);
    const figure_collection *c =
        figures_of(s, "convergence:set=hand,where=instance=a", PERP_OK, NULL);
    static const double limit[] = {10}, left[] = {10};
    const figure *f = NULL;

    CU_ASSERT_EQUAL_FATAL(c->book.count, 1);
    f = c->book.figures[0];
    CU_ASSERT_STRING_EQUAL(f->name, "convergence_hand_1e-08_a");
    POINTS_ARE(series_of(f, 0, "fast"), {1e-6, 1}, {0.5, 1e-4}, {1, 0});
    CU_ASSERT_EQUAL(series_of(f, 0, "fast")->form, FIGURE_CURVE);
    /* against work two samples are left, as of a direct method: a point at its end */
    POINTS_ARE(series_of(f, 1, "fast"), {10, 0});
    CU_ASSERT_EQUAL(series_of(f, 1, "fast")->form, FIGURE_POINTS);
    POINTS_ARE(series_of(f, 0, "tolerance 10⁻⁸"), {1e-6, 1e-8}, {1, 1e-8});
    /* the crash has no history: at its limit of time, and at the left end */
    failures_are(series_of(f, 0, "broken"), 1, limit);
    failures_are(series_of(f, 1, "broken"), 1, left);
    check_axes(c);
    figures_of(s, "convergence:where=instance=b", PERP_ERR_DATA,
               "no run of set hand has");
}

/* One problem at three tolerances: at 1e-9 two of three runs fail. */
#define PRECISE(name, tol, time, res, ok)                                                \
    {                                                                                    \
        .set = "p", .instance = name, .label = "pgs", .seconds = time, .residual = res,  \
        .tolerance = tol, .solved = ok, .more = ", \"work\": {\"products\": 7}"          \
    }
TEST(draws_work_against_precision_worked_by_hand)
{
    static const line lines[] = {
        PRECISE("a", 1e-3, 1, 1e-4, true), PRECISE("b", 1e-3, 2, 2e-4, true),
        PRECISE("c", 1e-3, 4, 9e-4, true), PRECISE("a", 1e-6, 3, 1e-7, true),
        PRECISE("b", 1e-6, 5, 0, true),    PRECISE("c", 1e-6, 9, 1, false),
        PRECISE("a", 1e-9, 6, 0, true),    PRECISE("b", 1e-9, 8, 1, false),
        PRECISE("c", 1e-9, 9, 1, false),
    };
    const stored_runs *s = runs_of(lines, sizeof lines / sizeof *lines);
    const figure_collection *c = figures_of(s, "work-precision", PERP_OK, NULL);
    static const double lost[] = {1e-9};
    const figure_series *pgs = NULL;

    CU_ASSERT_EQUAL_FATAL(c->book.count, 1);
    /* the only solver of both panels has its name in the caption */
    CU_ASSERT(caption_has(c->book.figures[0], "All series: pgs."));
    pgs = series_of(c->book.figures[0], 0, "");
    /* 1e-6: costs 3, 5, infinite: median 5; residuals 1e-7 and 0, drawn at the roundoff */
    POINTS_ARE(pgs, {2e-4, 2}, {(1e-7 + 0x1p-53) / 2, 5});
    CU_ASSERT_EQUAL(pgs->points[0].low, 1.5);
    CU_ASSERT_EQUAL(pgs->points[0].high, 3);
    CU_ASSERT(isnan(pgs->points[1].high)); /* the third quartile is infinite */
    failures_are(pgs, 1, lost);
    POINTS_ARE(series_of(c->book.figures[0], 1, ""), {2e-4, 7},
               {(1e-7 + 0x1p-53) / 2, 7});
    CU_ASSERT(c->book.figures[0]->panels[0]->x.reversed);
    check_axes(c);
    figures_of(runs_of(five, FIVE), "work-precision", PERP_ERR_DATA, "has 1 tolerance,");
}

/* A sweep of mu and of the integrator. */
#define SWEPT(name, mu, way, time, drift, ok)                                            \
    {                                                                                    \
        .set = "sweep", .instance = name, .label = "pgs reduced " way, .seconds = time,  \
        .residual = ok ? 0 : 1, .solved = ok,                                            \
        .more = ", \"problem\": \"stack\", \"solver_label\": \"pgs\", \"coordinates\": " \
                "\"reduced\", \"integrator\": \"" way "\", \"vary\": {\"mu\": " #mu      \
                ", \"integrator\": \"" way "\"}, \"energy\": {\"drift\": " #drift "}"    \
    }
static const line sweep[] = {
    SWEPT("s1", 0.1, "verlet", 1, 1e-9, true), SWEPT("s2", 0.1, "verlet", 3, 1e-7, true),
    SWEPT("s3", 0.3, "verlet", 5, 0, true),    SWEPT("s4", 0.9, "verlet", 7, 1e-3, false),
    SWEPT("s1", 0.1, "rk4", 2, 1e-8, true),    SWEPT("s3", 0.3, "rk4", 4, 1e-6, true),
};
enum { SWEEP = sizeof sweep / sizeof *sweep };

TEST(draws_a_metric_against_a_varied_parameter)
{
    static const double lost[] = {0.9};
    const stored_runs *s = runs_of(sweep, SWEEP);
    const figure_collection *c = figures_of(
        s, "metric:x=mu,y=seconds+energy.drift,name=m,set=sweep", PERP_OK, NULL);
    const figure *f = NULL;

    CU_ASSERT_EQUAL_FATAL(c->book.count, 1);
    f = c->book.figures[0];
    CU_ASSERT_STRING_EQUAL(f->name, "m");
    POINTS_ARE(series_of(f, 0, "verlet"), {0.1, 2}, {0.3, 5}, {0.9, INFINITY});
    POINTS_ARE(series_of(f, 0, "rk4"), {0.1, 2}, {0.3, 4});
    failures_are(series_of(f, 0, "verlet"), 1, lost);
    /* the drift of a run that went to its end counts, solved or not; an exact 0 stays */
    POINTS_ARE(series_of(f, 1, "verlet"), {0.1, (1e-9 + 1e-7) / 2}, {0.3, 0},
               {0.9, 1e-3});
    CU_ASSERT_EQUAL(f->panels[1]->y.scale, FIGURE_LOG10);
    CU_ASSERT_STRING_EQUAL(f->panels[0]->x.label, "friction coefficient μ");
    CU_ASSERT(caption_has(f, "1 of 6 runs failed or were not solved"));
    CU_ASSERT(caption_has(f, "All series: pgs reduced.")); /* words that both share */
    CU_ASSERT_STRING_EQUAL(series_of(f, 0, "rk4")->owner, "pgs reduced rk4");
    check_axes(c);
}

TEST(draws_a_metric_by_fields_in_panels_and_over_categories)
{
    const stored_runs *s = runs_of(sweep, SWEEP);
    const figure_collection *c = figures_of(
        s, "metric:x=integrator,y=seconds,panels=mu,where=set=sweep", PERP_OK, NULL);
    const figure *f = NULL;

    CU_ASSERT_EQUAL_FATAL(c->book.count, 1);
    f = c->book.figures[0];
    CU_ASSERT_EQUAL_FATAL(f->count, 3);
    CU_ASSERT_STRING_EQUAL(f->panels[0]->title, "μ = 0.1");
    CU_ASSERT_STRING_EQUAL(f->panels[0]->x.names[1], "rk4");
    /* the integrator stands on the axis, not in the name */
    POINTS_ARE(series_of(f, 0, ""), {0, 2}, {1, 2});
    c = figures_of(s, "metric:x=mu,y=seconds,by=integrator", PERP_OK, NULL);
    POINTS_ARE(series_of(c->book.figures[0], 0, "rk4"), {0.1, 2}, {0.3, 4});
    figures_of(s, "metric:x=mass,y=seconds", PERP_ERR_DATA, "has a value of mass");
    figures_of(s, "metric:x=mu,y=speed", PERP_ERR_DATA, "has a number as speed");
    figures_of(s, "metric:x=mu,where=mu=7", PERP_ERR_DATA, "is as ordered");
    figures_of(s, "metric:x=mu,set=other", PERP_ERR_DATA, "have no set \"other\"");
}

TEST(draws_a_heat_map_with_its_failures)
{
    const stored_runs *s = runs_of(sweep, SWEEP);
    const figure_collection *c =
        figures_of(s, "heat:x=mu,y=integrator,z=seconds", PERP_OK, NULL);
    const figure *f = NULL;

    CU_ASSERT_EQUAL_FATAL(c->book.count, 1);
    f = c->book.figures[0];
    EQUAL_ROWS(f, "\"\",\"pgs reduced\",cells,\"0.1\",\"verlet\",,,,,2,0\n"
                  "\"\",\"pgs reduced\",cells,\"0.1\",\"rk4\",,,,,2,0\n"
                  "\"\",\"pgs reduced\",cells,\"0.3\",\"verlet\",,,,,5,0\n"
                  "\"\",\"pgs reduced\",cells,\"0.3\",\"rk4\",,,,,4,0\n");
    CU_ASSERT_EQUAL(f->panels[0]->note_count, 1); /* mu = 0.9 failed */
    CU_ASSERT_EQUAL(f->panels[0]->notes[0].x, 2.0);
    CU_ASSERT_EQUAL(f->panels[0]->value.low, 2.0);
    CU_ASSERT_EQUAL(f->panels[0]->value.high, 5.0);
    figures_of(s, "heat:x=mu,y=integrator", PERP_ERR_DATA, "expected x, y and z");
    figures_of(s, "heat:x=mu,y=set,z=seconds", PERP_ERR_DATA, "1 of set");
}

/* Iterations 10, 20, 40, 8 cold and 5, 5, 40 warm; the last warm step fails. */
#define STEPS(name, way, iterations, flags)                                              \
    {                                                                                    \
        .set = "w", .instance = "fall", .label = name, .seconds = 1, .residual = 1e-9,   \
        .solved = true,                                                                  \
        .more = ", \"policy\": \"" way "\", \"solver_label\": \"pgs\", \"count\": 4, "   \
                "\"steps\": {\"iterations\": " iterations ", \"solved\": " flags "}"     \
    }
TEST(draws_what_warm_starts_save)
{
    static const line lines[] = {
        STEPS("pgs", "cold", "[10, 20, 40, 8]", "[true, true, true, true]"),
        STEPS("pgs warm", "warm", "[5, 5, 40, 9]", "[true, true, true, false]"),
    };
    static const double step[] = {3};
    const stored_runs *s = runs_of(lines, 2);
    const figure_collection *c = figures_of(s, "warm", PERP_OK, NULL);
    const figure_series *box = NULL;

    CU_ASSERT_EQUAL_FATAL(c->book.count, 1);
    box = c->book.figures[0]->panels[0]->series[1]; /* after the guide */
    POINTS_ARE(box, {0.5, 0});
    CU_ASSERT_STRING_EQUAL(box->owner, "pgs");
    CU_ASSERT(box->warm);
    CU_ASSERT_EQUAL(box->points[0].low, 0.375);
    CU_ASSERT_EQUAL(box->points[0].high, 0.75);
    CU_ASSERT_EQUAL(box->points[0].least, 0.25);
    CU_ASSERT_EQUAL(box->points[0].most, 1.0);
    CU_ASSERT(
        caption_has(c->book.figures[0], "Of 4 steps started warm 1 failed: pgs 1."));
    c = figures_of(s, "warm-steps", PERP_OK, NULL);
    POINTS_ARE(series_of(c->book.figures[0], 0, "cold"), {0, 10}, {1, 20}, {2, 40},
               {3, 8});
    POINTS_ARE(series_of(c->book.figures[0], 0, "warm"), {0, 5}, {1, 5}, {2, 40});
    failures_are(series_of(c->book.figures[0], 0, "warm"), 1, step);
    figures_of(runs_of(five, FIVE), "warm", PERP_ERR_DATA, "no sequence");
}

/* Three chains by two solvers; the fit through 1, 4, 16 s at 10, 20, 40 rows is n^2. */
#define SIZED(name, rows, time, family)                                                  \
    {                                                                                    \
        .set = "sizes", .instance = name, .label = "pgs", .n = rows, .seconds = time,    \
        .residual = 0, .solved = true, .more = ", \"problem\": \"" family "\""           \
    }
TEST(fits_one_family_at_a_time)
{
    static const line lines[] = {
        SIZED("a1", 10, 1, "a"), SIZED("a2", 20, 4, "a"), SIZED("a3", 40, 16, "a"),
        SIZED("b1", 10, 9, "b"), SIZED("b2", 20, 9, "b"),
    };
    const figure_collection *c = figures_of(runs_of(lines, 5), "scaling", PERP_OK, NULL);

    CU_ASSERT_EQUAL_FATAL(c->book.count, 1);
    CU_ASSERT_EQUAL(c->book.figures[0]->count, 1); /* b has two sizes */
    POINTS_ARE(series_of(c->book.figures[0], 0, "pgs 2.00±0.00"), {10, 1}, {20, 4},
               {40, 16});
    POINTS_ARE(series_of(c->book.figures[0], 0, ""), {10, 1}, {40, 16});
    CU_ASSERT_STRING_EQUAL(series_of(c->book.figures[0], 0, "")->owner, "pgs");
    figures_of(runs_of(lines + 3, 2), "scaling", PERP_ERR_DATA, "three values of n");
}

/* What is drawn without being ordered: no profile of three problems, no histories. */
TEST(draws_the_usual_figures)
{
    const figure_collection *c = figures_of(runs_of(hand, HAND), NULL, PERP_OK, NULL);

    CU_ASSERT_EQUAL(c->book.count, 0);
    c = figures_of(runs_of(five, FIVE), NULL, PERP_OK, NULL);
    CU_ASSERT_EQUAL_FATAL(c->book.count, 2);
    CU_ASSERT_STRING_EQUAL(c->book.figures[0]->kind, "profile");
    CU_ASSERT_STRING_EQUAL(c->origins[0].set, "five");
    CU_ASSERT_EQUAL(c->origins[0].tolerance, 1e-8);
    c = figures_of(runs_of(sweep, SWEEP), NULL, PERP_OK, NULL);
    CU_ASSERT_EQUAL_FATAL(c->book.count, 1);
    CU_ASSERT_STRING_EQUAL(c->book.figures[0]->name, "metric_sweep_mu");
}

/* A figure of runs, for the test of memory. */
typedef struct figure_wish {
    const stored_runs *runs;
    const char *order;
} figure_wish;

TEST(finds_runs_by_what_they_fulfil)
{
    static const line lines[] = {SWEPT("spd:n=5,seed=2", 0.1, "verlet", 1, 0, true)};
    const stored_run *run = &runs_of(lines, 1)->runs[0];

    CU_ASSERT(run_fulfils(run, ""));
    CU_ASSERT(run_fulfils(run, "mu=0.1"));
    CU_ASSERT(run_fulfils(run, "mu=1e-1,integrator=verlet"));
    CU_ASSERT(run_fulfils(run, "instance=spd:n=5,seed=2"));
    CU_ASSERT(run_fulfils(run, "instance=spd:n=5,seed=2,mu=0.1"));
    CU_ASSERT(run_fulfils(run, "instance=spd*"));
    CU_ASSERT_FALSE(run_fulfils(run, "instance=spd:n=5"));
    CU_ASSERT_FALSE(run_fulfils(run, "mu=0.1,integrator=rk4"));
    CU_ASSERT_FALSE(run_fulfils(run, "mu"));
    CU_ASSERT_FALSE(run_fulfils(run, "mu="));
}
