/* SPDX-License-Identifier: Apache-2.0
 * tests/command/figures.c: tables, data files, figures and the page, as files. */
#include <config.h>

#include <glob.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "report.h"

static const line by_hand[] = BY_HAND;
enum { RUNS = sizeof by_hand / sizeof *by_hand };

/* Is gnuplot there? Without it a report ends with an error of a library, after the
 * page. */
static bool can_draw(void)
{
    return system("gnuplot --version >/dev/null 2>&1") == 0;
}

static const report_request with_tables = {.tables = true};

/* Make the report; what it says is shown when it is not as expected. */
static void make(const char *dir, const report_request *request)
{
    perp_error err = {0};
    perp_status status = report_join(&dir, 1, dir, request, &err);

    if (status != (can_draw() ? PERP_OK : PERP_ERR_LIBRARY)) {
        test_note("%s", err.text);
    }
    CU_ASSERT_EQUAL(status, can_draw() ? PERP_OK : PERP_ERR_LIBRARY);
}

static size_t count_files(const char *dir, const char *pattern)
{
    char path[1400];
    glob_t found;
    size_t count = 0;

    snprintf(path, sizeof path, "%s/%s", dir, pattern);
    if (glob(path, 0, NULL, &found) == 0) {
        count = found.gl_pathc;
        globfree(&found);
    }
    return count;
}

/* Five problems, two solvers: enough for a profile and a figure of shares. */
#define TIMED(name, solver, time)                                                        \
    {                                                                                    \
        .set = "five", .instance = name, .label = solver, .n = 4, .seconds = time,       \
        .residual = 1e-9, .iterations = 3, .solved = true                                \
    }
static const line five[] = {
    TIMED("a", "one", 1),
    TIMED("b", "one", 2),
    TIMED("c", "one", 3),
    TIMED("d", "one", 4),
    {.set = "five", .instance = "e", .label = "one", .n = 4, .seconds = 5, .residual = 1},
    TIMED("a", "two", 5),
    TIMED("b", "two", 4),
    TIMED("c", "two", 3),
    TIMED("d", "two", 2),
    TIMED("e", "two", 1),
};
enum { FIVE = sizeof five / sizeof *five };

/* One format, a caption as text next to each figure, and the list for the page. */
TEST(draws_the_usual_figures_once)
{
    const char *dir = folder_of("usual", five, FIVE);

    make(dir, NULL);
    if (can_draw()) {
        CU_ASSERT(file_has(dir, "figures/profile_five_1e-08.svg", "<svg"));
        CU_ASSERT(file_has(dir, "figures/profile_five_1e-08.txt", "Solved: one 4 of 5"));
        CU_ASSERT(file_has(dir, "figures/share_five_1e-08.svg", "<svg"));
        CU_ASSERT(file_has(dir, "figures/figures.json",
                           "\"file\": \"profile_five_1e-08.svg\""));
        CU_ASSERT(file_has(dir, "figures/figures.json", "\"set\": \"five\""));
        CU_ASSERT_EQUAL(count_files(dir, "figures/*"), 5);
    }
    folder_remove(dir);
}

/* What the suite orders takes the place of the usual figures. */
TEST(draws_what_the_suite_orders)
{
    const char *dir = folder_of("ordered", five, FIVE);
    char path[1100];
    perp_error err = {0};
    FILE *f = NULL;

    snprintf(path, sizeof path, "%s/suite.json", dir);
    f = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fputs("{\"figures\": [\"accuracy-profile:name=reached,set=five\", \"warm\"], "
          "\"sets\": [{\"name\": \"five\"}]}",
          f);
    fclose(f);
    /* There are no sequences: this is said, and the other figure is drawn. */
    CU_ASSERT_EQUAL(report_make(dir, NULL, &err),
                    can_draw() ? PERP_ERR_DATA : PERP_ERR_LIBRARY);
    if (can_draw()) {
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "figure warm: set five has no sequence"));
        CU_ASSERT_EQUAL(count_files(dir, "figures/*.svg"), 1);
        CU_ASSERT(file_has(dir, "figures/reached.svg", "<svg"));
    }
    CU_ASSERT_EQUAL(count_files(dir, "report.html"), 1);
    folder_remove(dir);
}

TEST(refuses_a_request_that_cannot_be_drawn)
{
    static const figure_request odd = {.page = "poster"};
    const char *dir = folder_of("refuses", five, FIVE);
    perp_error err = {0};

    make(dir, NULL);
    CU_ASSERT_EQUAL(report_make(dir, &odd, &err), PERP_ERR_OPTION);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "poster"));
    /* The figures of before are still there. */
    CU_ASSERT_EQUAL(count_files(dir, "figures/*.svg"), can_draw() ? 2 : 0);
    folder_remove(dir);
}

TEST(writes_names_of_any_letters)
{
    static const line odd[] = {
        {.set = "a,b \"c\"_<d>&",
         .instance = "x,\ny'",
         .label = "p\"%_$^~\\{}#<i>@",
         .n = 1,
         .seconds = 1,
         .residual = 1,
         .more = ", \"reason\": \"one, \\\"two\\\"\\n<three>\", \"history\": "
                 "[[0, 0, 0, 1], [1, 1, 1, 1]], \"certificate\": {\"kind\": "
                 "\"infeasible\", \"y\": [1.0], \"verified\": true}"},
        {.set = "a,b \"c\"_<d>&",
         .instance = "x,\ny'",
         .label = "q",
         .n = 1,
         .seconds = 1,
         .residual = 0,
         .solved = true},
    };
    const char *dir = folder_of("letters", odd, 2);

    make(dir, &with_tables);
    CU_ASSERT(file_has(dir, "tables/runs.csv", "\"a,b \"\"c\"\"_<d>&\",\"x,\ny'\","));
    CU_ASSERT(file_has(dir, "tables/failures.csv", ",\"one, \"\"two\"\"\n<three>\"\n"));
    CU_ASSERT(file_has(
        dir, "tables/a_b__c___d___1e-08.tex",
        "p''\\%\\_\\$\\textasciicircum{}\\textasciitilde{}\\textbackslash{}\\{\\}\\#"
        "\\textless{}i\\textgreater{}@\\tnote{a} & 0/1 & {--} & "));
    CU_ASSERT(page_has(dir, "{\"name\":\"a,b \\\"c\\\"_<d>&\",\"title\":\"\"}"));
    CU_ASSERT(page_has(dir, "{\"label\":\"p\\\"%_$^~\\\\{}#<i>@\""));
    CU_ASSERT(page_has(dir, "\"reason\":\"one, \\\"two\\\"\\n<three>\""));
    CU_ASSERT(page_has(dir, "\"certificate\":{\"kind\":\"infeasible\",\"y\":[1.0]"));
    folder_remove(dir);
}

/* The residual is defined in every table that has it, in the page behind a link. */
TEST(defines_the_residual_where_it_is_used)
{
    const char *dir = folder_of("definition", by_hand, RUNS);

    make(dir, &with_tables);
    CU_ASSERT(file_has(dir, "summary.txt",
                       "\nresidual: max_k s_k |z_k - P_K(z_k - u_k/d_k)| / beta, "));
    CU_ASSERT(file_has(dir, "tables/hand_1e-08.tex", "Residual: $\\max_k s_k |z_k"));
    CU_ASSERT(page_has(dir, "\"definition\":\"<h2 id=\\\"residual\\\">Residual</h2>"));
    CU_ASSERT(page_has(dir, "\"measures\":[{\"key\":\"residual\""));
    folder_remove(dir);
}

/* Each of these once was, or could be, a figure with nothing to draw. */
TEST(survives_runs_that_tell_little)
{
    static const line little[] = {
        {.set = "one", .instance = "i", .label = "s", .n = 3, .seconds = 1, .solved = 1},
        {.set = "none",
         .instance = "i",
         .label = "s",
         .n = 3,
         .seconds = 1,
         .residual = 1,
         .more = ", \"history\": [[0, 0, 0, 1]]"},
        {.set = "crashed",
         .instance = "i",
         .label = "s",
         .status = "crash: signal 6",
         .residual = NAN,
         .more = ", \"history\": null, \"path\": null"},
        {.set = "sizes", .instance = "i", .label = "s", .n = 1, .residual = NAN},
        {.set = "sizes", .instance = "j", .label = "s", .n = 2, .residual = NAN},
        {.set = "sizes",
         .instance = "k",
         .label = "s",
         .n = 3,
         .residual = NAN,
         .more = ", \"history\": [[0, 1, 0, null], [1, null, 1, 0.5], []]"},
        {.set = "nameless",
         .instance = "",
         .label = "s",
         .residual = NAN,
         .more = ", \"history\": \"none\", \"work\": 7, \"machine\": []"},
    };
    const size_t count = sizeof little / sizeof *little;
    const char *dir = NULL;

    for (size_t i = 0; i <= count; i++) {
        dir = i < count ? folder_of("little", &little[i], 1)
                        : folder_of("little", little, count);
        make(dir, NULL);
        CU_ASSERT(count_files(dir, "report.html") == 1);
        folder_remove(dir);
    }
}

TEST(says_where_it_cannot_write)
{
    static const char *const taken[] = {"tables", "figures"};

    for (size_t i = 0; i < 2; i++) {
        const char *dir = folder_of("taken", by_hand, RUNS);
        char path[1100];
        perp_error err = {0};
        FILE *f = NULL;

        snprintf(path, sizeof path, "%s/%s", dir, taken[i]);
        f = fopen(path, "w"); /* a file where a folder should be */
        CU_ASSERT_PTR_NOT_NULL_FATAL(f);
        fclose(f);
        CU_ASSERT_EQUAL(report_make(dir, NULL, &err), PERP_ERR_WRITE);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, taken[i]));
        folder_remove(dir);
    }
}

/* A limit of the file size stands for a full disk: whichever file meets it, the files of
 * before stay whole, and no part of a new one is left. */
TEST(leaves_nothing_half_written_on_a_full_disk)
{
    static const rlim_t limits[] = {0, 100, 500, 1000, 3000, 7000, 12000};
    const char *dir = folder_of("full", five, FIVE);
    char *page = NULL;
    char *svg = NULL;

    make(dir, NULL);
    page = file_text(dir, "report.html");
    svg = file_text(dir, "figures/profile_five_1e-08.svg");
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rlimit usual, small;
        perp_error err = {0};
        char *now = NULL;

        getrlimit(RLIMIT_FSIZE, &usual);
        small = (struct rlimit){limits[i], usual.rlim_max};
        CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &small), 0);
        CU_ASSERT_NOT_EQUAL(report_make(dir, NULL, &err), PERP_OK);
        setrlimit(RLIMIT_FSIZE, &usual);
        CU_ASSERT_EQUAL(count_files(dir, "*.tmp-*") + count_files(dir, "*/*.tmp-*") +
                            count_files(dir, "*/*/*.tmp-*") +
                            count_files(dir, "figures/new*"),
                        0);
        now = file_text(dir, "report.html");
        CU_ASSERT_STRING_EQUAL(now, page);
        now = file_text(dir, "figures/profile_five_1e-08.svg");
        CU_ASSERT_STRING_EQUAL(now, svg);
    }
    make(dir, NULL);
    folder_remove(dir);
}

TEST_SETUP
{
    setenv("PERP_DATA_DIR", test_source(), 1);
}
