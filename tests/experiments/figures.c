/* SPDX-License-Identifier: Apache-2.0
 * tests/experiments/figures.c: tables, data files, figures and the page, as files. */
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

/* Make the report; what it says is shown when it is not as expected. */
static void make(const char *dir, const report_style *style)
{
    perp_error err = {0};
    perp_status status = report_make(dir, style, &err);

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

/* Best times are 1, 2, 3 s, so the ratios are fast 1, 2, – and slow 2, 1, 1. Shares are
 * of all three problems; the last step reaches to 1.5 x the largest ratio. */
TEST(draws_the_profile_worked_by_hand)
{
    const char *dir = folder_of("profile", by_hand, RUNS);
    char *text = NULL;

    make(dir, NULL);
    text = file_text(dir, "figures/data/profile_hand_1e-08.dat");
    CU_ASSERT_STRING_EQUAL(text, "\"fast\"\n1 0\n1 0.333333\n2 0.666667\n3 0.666667\n\n\n"
                                 "\"slow\"\n1 0\n1 0.333333\n1 0.666667\n2 1.000000\n"
                                 "3 1.000000\n\n\n"
                                 "\"broken\"\n1 0\n3 0.000000\n\n\n");
    CU_ASSERT(file_has(dir, "figures/make.gp", "far = 3; "));
    folder_remove(dir);
}

TEST(draws_shares_sizes_and_histories_worked_by_hand)
{
    const char *dir = folder_of("data", by_hand, RUNS);
    char *text = NULL;

    make(dir, NULL);
    text = file_text(dir, "figures/data/share_hand_1e-08.dat");
    CU_ASSERT_STRING_EQUAL(text, "solver solved model failed unsuitable\n"
                                 "\"fast\" 0.666667 0.333333 0.000000 0.000000\n"
                                 "\"slow\" 1.000000 0.000000 0.000000 0.000000\n"
                                 "\"broken\" 0.000000 0.000000 0.666667 0.333333\n");
    text = file_text(dir, "figures/data/scaling_hand_1e-08.dat");
    /* Two points have no slope; what has no time of its own stands at the limit of 10
     * s. */
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"fast\"\n10 1\n100 4\n\n\n\"failed\"\nNaN NaN\n"
                                        "1000 5\n\n\n\"fit\"\nNaN NaN\n\n\n\"slow: n^"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"broken\"\nNaN NaN\n\n\n\"failed\"\nNaN NaN\n"
                                        "10 10\n100 10\n1000 10\n"));
    text = file_text(dir, "figures/data/residual_hand_a_1e-08.dat");
    CU_ASSERT_STRING_EQUAL(text, "\"fast\"\n1e-06 0 1\n0.5 5 0.0001\n1 10 1e-17\n\n\n"
                                 "\"end\"\nNaN NaN NaN\n\n\n");
    folder_remove(dir);
}

TEST(draws_every_figure_in_three_formats)
{
    static const char *const kinds[] = {"profile_hand", "share_hand", "scaling_hand",
                                        "residual_hand_a"};
    static const char *const formats[][2] = {
        {"pdf", "%PDF"}, {"svg", "<?xml"}, {"png", "\x89PNG"}};
    const char *dir = folder_of("formats", by_hand, RUNS);
    char *log = NULL;

    make(dir, NULL);
    for (size_t k = 0; can_draw() && k < 12; k++) {
        char name[200];

        snprintf(name, sizeof name, "figures/%s_1e-08.%s", kinds[k / 3],
                 formats[k % 3][0]);
        CU_ASSERT(file_has(dir, name, formats[k % 3][1]));
    }
    CU_ASSERT_EQUAL(count_files(dir, "figures/new"), 0);
    /* gnuplot has nothing to say: no figure is empty, no setting odd. */
    log = file_text(dir, "figures/gnuplot.log");
    CU_ASSERT_STRING_EQUAL(log, "");
    folder_remove(dir);
}

TEST(draws_the_terminal_size_and_font_asked_for)
{
    static const report_style svg = {"svg", "5x3", "Serif,9"};
    static const report_style eps = {"epscairo", NULL, NULL};
    const char *dir = folder_of("style", by_hand, RUNS);

    make(dir, &svg);
    if (can_draw()) {
        CU_ASSERT_EQUAL(count_files(dir, "figures/*.svg"), 4);
        CU_ASSERT_EQUAL(count_files(dir, "figures/*.pdf"), 0);
        /* 5 x 96 and 3 x 96 points; 9 points of 96/72 */
        CU_ASSERT(file_has(dir, "figures/profile_hand_1e-08.svg",
                           "width=\"480\" height=\"288\""));
        CU_ASSERT(file_has(dir, "figures/profile_hand_1e-08.svg",
                           "font-family=\"Serif\" font-size=\"12"));
        make(dir, &eps);
        CU_ASSERT_EQUAL(count_files(dir, "figures/*.eps"), 4);
    }
    folder_remove(dir);
}

TEST(refuses_a_style_that_cannot_be_drawn)
{
    static const struct {
        report_style style;
        perp_status status;
        const char *words;
    } cases[] = {
        {{NULL, "3.4", NULL}, PERP_ERR_OPTION, "size is \"3.4\""},
        {{NULL, "0x2", NULL}, PERP_ERR_OPTION, "from 1 to 40"},
        {{NULL, "3x4x5", NULL}, PERP_ERR_OPTION, "WIDTHxHEIGHT"},
        {{NULL, "nanxnan", NULL}, PERP_ERR_OPTION, "size"},
        {{NULL, "2x41", NULL}, PERP_ERR_OPTION, "size"},
        {{NULL, NULL, "Sans,2"}, PERP_ERR_OPTION, "a size from 3 to 72"},
        {{NULL, NULL, "Sans,big"}, PERP_ERR_OPTION, "font is \"Sans,big\""},
        {{NULL, NULL, "Sa'ns,7"}, PERP_ERR_OPTION, "not allowed in a name"},
        {{"svg'; system('true')", NULL, NULL}, PERP_ERR_OPTION, "not allowed in a name"},
        {{"nosuch", NULL, NULL}, PERP_ERR_LIBRARY, "gnuplot"},
    };
    const char *dir = folder_of("refuses", by_hand, RUNS);

    make(dir, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        perp_error err = {0};

        CU_ASSERT_EQUAL(report_make(dir, &cases[i].style, &err), cases[i].status);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, cases[i].words));
    }
    /* The figures of before are still there. */
    CU_ASSERT_EQUAL(count_files(dir, "figures/*.pdf"), can_draw() ? 4 : 0);
    CU_ASSERT_EQUAL(count_files(dir, "figures/new"), 0);
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

    make(dir, NULL);
    CU_ASSERT(file_has(dir, "tables/runs.csv", "\"a,b \"\"c\"\"_<d>&\",\"x, y'\","));
    CU_ASSERT(file_has(dir, "tables/failures.csv", ",\"one, \"\"two\"\" <three>\"\n"));
    CU_ASSERT(file_has(
        dir, "tables/a_b__c___d___1e-08.tex",
        "p\"\\%\\_\\$\\^{}\\~{}\\textbackslash{}\\{\\}\\#<i>@ & 0/1 & 0 & 0 & 10 &"));
    CU_ASSERT(file_has(dir, "report.html", "<h2>a,b &quot;c&quot;_&lt;d&gt;&amp;</h2>"));
    CU_ASSERT(file_has(dir, "report.html", "<td>p&quot;%_$^~\\{}#&lt;i&gt;@</td>"));
    CU_ASSERT(file_has(dir, "report.html", "one, &quot;two&quot;\n&lt;three&gt;"));
    CU_ASSERT(file_has(dir, "report.html", "certificate: infeasible, verified"));
    CU_ASSERT_EQUAL(count_files(dir, "figures/residual_*.svg"), can_draw() ? 1 : 0);
    folder_remove(dir);
}

/* The residual is defined in every table that has it, in the page behind a link. */
TEST(defines_the_residual_where_it_is_used)
{
    const char *dir = folder_of("definition", by_hand, RUNS);

    make(dir, NULL);
    CU_ASSERT(file_has(dir, "summary.txt", "\nresidual: max_k s_k |z_k - P_K("));
    CU_ASSERT(file_has(dir, "tables/hand_1e-08.tex", "Residual: $\\max_k s_k |z_k"));
    CU_ASSERT(file_has(dir, "report.html", "<h2 id=\"residual\">Residual</h2>"));
    CU_ASSERT(file_has(dir, "report.html", "<a href=\"#residual\">residual</a></th>"));
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
    const char *dir = folder_of("full", by_hand, RUNS);
    char *page = NULL;
    char *svg = NULL;

    make(dir, NULL);
    page = file_text(dir, "report.html");
    svg = file_text(dir, "figures/profile_hand_1e-08.svg");
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
                            count_files(dir, "figures/new"),
                        0);
        now = file_text(dir, "report.html");
        CU_ASSERT_STRING_EQUAL(now, page);
        now = file_text(dir, "figures/profile_hand_1e-08.svg");
        CU_ASSERT_STRING_EQUAL(now, svg);
    }
    make(dir, NULL);
    folder_remove(dir);
}

int main(int argc, char **argv)
{
    char scripts[1100];

    snprintf(scripts, sizeof scripts, "%s/experiments", test_source());
    setenv("PERP_DATA_DIR", scripts, 1);
    return test_run(argc, argv, "figures");
}
