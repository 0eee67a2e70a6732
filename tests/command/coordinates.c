/* SPDX-License-Identifier: Apache-2.0
 * tests/command/coordinates.c: what runs of scenes become: tables, page, figure. */
#include <config.h>

#include <math.h>

#include "figures_of.h"

/* A run of a scene: links, drift [m], error and scale of energy [J], seconds a step. */
#define RUN(scene, coordinates, links, drift, error, scale, seconds)                     \
    ", \"scene\": \"" scene "\", \"problem\": \"" scene                                  \
    "\", \"coordinates\": \"" coordinates                                                \
    "\", \"solver_label\": \"auto\", \"integrator\": \"rk4\", \"links\": " #links        \
    ", \"dof\": 7, \"drift_length\": " #drift ", \"energy\": {\"error\": " #error        \
    ", \"scale\": " #scale "}, \"step_seconds\": {\"median\": " #seconds                 \
    ", \"solving\": 1, \"total\": 4}, \"steps_made\": 100, \"steps_solved\": 98"
/* One that told nothing. */
#define LOST(scene, coordinates, links)                                                  \
    ", \"scene\": \"" scene "\", \"problem\": \"" scene                                  \
    "\", \"coordinates\": \"" coordinates                                                \
    "\", \"solver_label\": \"auto\", \"links\": " #links

#define GOOD(name, coordinates_, what)                                                   \
    {                                                                                    \
        .set = "arms", .instance = name, .label = "auto " coordinates_, .seconds = 1,    \
        .iterations = 300, .residual = 1e-9, .solved = true, .more = what                \
    }

/* A family of three chains and an arm. The longest reduced chain crashes, the arm fails
 * with numbers of its own; reduced coordinates have no drift, the short one no loss. */
static const line by_hand[] = {
    GOOD("chain:links=5", "maximal", RUN("chain", "maximal", 5, 1e-4, 2, 4, 1e-5)),
    GOOD("chain:links=5", "reduced", RUN("chain", "reduced", 5, 0, 0, 4, 2e-5)),
    GOOD("chain:links=20", "maximal", RUN("chain", "maximal", 20, 2e-4, 2, 8, 4e-5)),
    GOOD("chain:links=20", "reduced", RUN("chain", "reduced", 20, 0, 1, 8, 3e-5)),
    GOOD("chain:links=10", "maximal", RUN("chain", "maximal", 10, 3e-4, 1, 4, 2e-5)),
    {.set = "arms",
     .instance = "chain:links=10",
     .label = "auto reduced",
     .status = "crash: signal 11",
     .residual = NAN,
     .more = LOST("chain", "reduced", 10)},
    GOOD("arm", "maximal", RUN("arm", "maximal", 2, 1e-5, 1, 2, 6e-6)),
    {.set = "arms",
     .instance = "arm",
     .label = "auto reduced",
     .status = "time limit",
     .residual = 1e-9,
     .seconds = 10,
     .more = RUN("arm", "reduced", 2, 1e-6, 1, 4, 7e-6)},
    {.set = "plain", .instance = "x", .label = "pgs", .n = 3, .seconds = 1, .solved = 1},
};
enum { RUNS = sizeof by_hand / sizeof *by_hand };

static bool can_draw(void)
{
    return system("gnuplot --version >/dev/null 2>&1") == 0;
}

static const char *make(const char *name, const line *lines, size_t count)
{
    const char *dir = folder_of(name, lines, count);
    perp_error err = {0};
    const report_request request = {.tables = true};
    perp_status status = report_join(&dir, 1, dir, &request, &err);

    if (status != (can_draw() ? PERP_OK : PERP_ERR_LIBRARY)) {
        test_note("%s", err.text);
    }
    CU_ASSERT_EQUAL(status, can_draw() ? PERP_OK : PERP_ERR_LIBRARY);
    return dir;
}

/* Points by links, lines through the chains, 0 as it is, the crash in the strip above. */
TEST(draws_points_families_and_failures_worked_by_hand)
{
    const char *dir = folder_of("drawn", by_hand, RUNS);
    figure_collection c;
    stored_runs s;
    figure_orders orders = {0};

    OK(runs_read(&s, dir, NULL));
    OK(figure_orders_add(&orders, "coordinates", NULL));
    OK(collect_runs(&c, &s, &orders, NULL));
    CU_ASSERT_EQUAL_FATAL(c.book.count, 1);
    const figure *f = c.book.figures[0];
    CU_ASSERT_EQUAL_FATAL(f->count, 3);
    CU_ASSERT_STRING_EQUAL(f->panels[0]->series[0]->name, "maximal");
    CU_ASSERT_EQUAL(f->panels[0]->series[0]->count, 4);
    CU_ASSERT_EQUAL(f->panels[0]->series[0]->points[0].y, 1e-5);
    CU_ASSERT_EQUAL(f->panels[0]->series[1]->form, FIGURE_LINE); /* the chains */
    CU_ASSERT_EQUAL(f->panels[0]->series[1]->count, 3);
    CU_ASSERT_EQUAL(f->panels[0]->series[1]->points[2].y, 2e-4);
    CU_ASSERT_STRING_EQUAL(f->panels[0]->series[2]->name, "reduced");
    CU_ASSERT_EQUAL(f->panels[0]->series[2]->failure_count, 2);
    CU_ASSERT_EQUAL(f->panels[1]->series[2]->points[1].y, 0.0); /* no energy was lost */
    CU_ASSERT_EQUAL(f->panels[2]->series[2]->count, 2); /* a time of failures is none */
    CU_ASSERT_EQUAL(f->panels[2]->y.scale, FIGURE_LINEAR);
    figure_collection_free(&c);
    figure_orders_free(&orders);
    runs_free(&s);
    folder_remove(dir);
}

/* Three chains, reduced: drift of 1e-16 m, losses of 1 J of 4 J. All with ten links: no figure that
 * is not ordered. */
TEST(drift_that_is_rounding_has_no_panel_and_one_number_of_links_no_figure)
{
    const line chains[] = {
        GOOD("chain:links=5", "reduced", RUN("chain", "reduced", 5, 1e-16, 1, 4, 2e-5)),
        GOOD("chain:links=10", "reduced", RUN("chain", "reduced", 10, 9e-14, 1, 4, 3e-5)),
        GOOD("chain:links=20", "reduced", RUN("chain", "reduced", 20, 0, 1, 4, 6e-5)),
    };
    const line equal[] = {
        GOOD("chain:mass=1", "reduced", RUN("chain", "reduced", 10, 1e-4, 1, 4, 2e-5)),
        GOOD("chain:mass=2", "reduced", RUN("chain", "reduced", 10, 2e-4, 1, 4, 3e-5)),
    };
    const figure_collection *c =
        figures_of(runs_of(chains, 3), "coordinates", PERP_OK, NULL);
    const figure *f = c->book.figures[0];

    CU_ASSERT_EQUAL_FATAL(f->count, 2);
    CU_ASSERT_EQUAL(f->panels[0]->series[0]->points[0].y, 0.25);
    CU_ASSERT_EQUAL(f->panels[1]->series[0]->points[2].y, 6e-5);
    CU_ASSERT(caption_has(f, "not drawn: drift of joints"));
    c = figures_of(runs_of(equal, 2), "coordinates", PERP_OK, NULL);
    CU_ASSERT_EQUAL(c->book.figures[0]->count, 3); /* as ordered */
    c = figures_of(runs_of(equal, 2), NULL, PERP_OK, NULL);
    for (size_t k = 0; k < c->book.count; k++) {
        CU_ASSERT_STRING_NOT_EQUAL(c->book.figures[k]->kind, "coordinates");
    }
}

TEST(draws_the_figure_into_the_page)
{
    const char *dir = make("page", by_hand, RUNS);

    if (can_draw()) {
        CU_ASSERT(file_has(dir, "figures/coordinates_arms_1e-08.svg", "<svg"));
        CU_ASSERT(file_has(dir, "figures/figures.json", "\"kind\": \"coordinates\""));
    }
    CU_ASSERT(page_has(dir, "\"name\":\"coordinates\""));
    CU_ASSERT(page_has(dir, "[\"chain:links=20\",\"auto reduced\",\"20\","));
    CU_ASSERT(page_has(dir, "{\"name\":\"crash: signal 11\",\"class\":\"failed\""));
    folder_remove(dir);
}

/* A mean of 300 iterations in 100 steps; the solver took a quarter. */
TEST(writes_tables_with_every_failure)
{
    const char *dir = make("tables", by_hand, RUNS);

    CU_ASSERT(file_has(dir, "tables/coordinates.csv",
                       "arms,chain,chain:links=20,reduced,auto,rk4,1e-08,solved,,20,"));
    CU_ASSERT(file_has(dir, "tables/coordinates.csv",
                       "arms,chain,chain:links=10,reduced,auto,,1e-08,crash: signal "
                       "11,,10,,,,,,,,,,,,,,,,,,,,,,,,"));
    CU_ASSERT(file_has(dir, "tables/coordinates.csv", ",0.25,0.0001,,,,2,4,0.5,"));
    CU_ASSERT(file_has(dir, "tables/coordinates_arms_1e-08.tex",
                       "arm\\tnote{b} & auto reduced & 2 & 7 & {--} &"));
    CU_ASSERT(
        file_has(dir, "tables/coordinates_arms_1e-08.tex", "\\item[b] time limit\n"));
    CU_ASSERT(file_has(dir, "summary.txt", "arms: scenes, residual <= 1e-08"));
    char *text = file_text(dir, "tables/coordinates.csv");
    CU_ASSERT_PTR_NULL(strstr(text, "plain"));
    folder_remove(dir);
}

TEST(tells_nothing_of_scenes_where_there_are_none)
{
    const char *dir = make("none", &by_hand[RUNS - 1], 1);
    char *text = file_text(dir, "tables/coordinates.csv");

    CU_ASSERT_STRING_EQUAL(text, "");
    text = file_text(dir, "summary.txt");
    CU_ASSERT_PTR_NULL(strstr(text, "scenes"));
    text = file_text(dir, "figures/figures.json");
    CU_ASSERT_PTR_NULL(strstr(text, "coordinates"));
    folder_remove(dir);
}

/* Each of these could be a figure with nothing to draw. */
TEST(survives_scenes_that_tell_little)
{
    static const line little[] = {
        {.set = "lost",
         .instance = "a",
         .label = "auto reduced",
         .status = "error",
         .residual = NAN,
         .more = LOST("a", "reduced", 3)},
        {.set = "unlinked",
         .instance = "a",
         .label = "auto maximal",
         .solved = 1,
         .seconds = 1,
         .more = LOST("a", "maximal", 0)},
        {.set = "still",
         .instance = "a",
         .label = "auto maximal",
         .solved = 1,
         .seconds = 1,
         .more = RUN("a", "maximal", 1, 0, 0, 0, 0)},
        {.set = "odd",
         .instance = "a",
         .label = "auto maximal",
         .solved = 1,
         .seconds = 1,
         .more = ", \"coordinates\": \"maximal\", \"links\": \"two\", \"energy\": 3"},
    };

    for (size_t k = 0; k < sizeof little / sizeof *little; k++) {
        const char *dir = make("little", &little[k], 1);

        CU_ASSERT(page_has(dir, "\"name\":\"coordinates\""));
        folder_remove(dir);
    }
}

TEST_SETUP
{
    setenv("PERP_DATA_DIR", test_source(), 1);
}
