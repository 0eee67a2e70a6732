/* SPDX-License-Identifier: Apache-2.0
 * tests/command/kinds_sets.c: figures of sets, from runs made up with known answers. */
#include <config.h>

#include "kinds.h"

enum { MOST = 16 };

/* A suite of runs under construction; `more` of each is kept here. */
typedef struct made {
    line lines[MOST];
    char more[MOST][600], instances[MOST][40];
    size_t count;
} made;

static line *made_add(made *m, const char *instance, const char *label, const char *more)
{
    line *l = &m->lines[m->count];

    CU_ASSERT_FATAL(m->count < MOST);
    snprintf(m->more[m->count], sizeof m->more[0], "%s", more);
    snprintf(m->instances[m->count], sizeof m->instances[0], "%.39s", instance);
    *l = (line){.set = "hand",
                .instance = m->instances[m->count],
                .label = label,
                .seconds = 1.0,
                .residual = 1e-9,
                .iterations = 1.0,
                .place = (double)m->count,
                .solved = true,
                .more = m->more[m->count]};
    m->count++;
    return l;
}

/* x(T) = 1 + c dt^p: euler has c = 3, p = 1; verlet c = 5, p = 2, and it is the more accurate
 * one, so that its extrapolation, 1 to rounding, is the reference. */
static const char *converging(const char *more)
{
    made m = {.count = 0};

    for (size_t k = 0; k < 4; k++) {
        double dt = 0.4 / (double)(1 << k);
        char text[400], name[32];

        snprintf(name, sizeof name, "%.0f", dt * 1000.0);
        snprintf(
            text, sizeof text,
            ", \"vary\": {\"dt\": %.17g}, \"vary_units\": {\"dt\": \"s\"}, "
            "\"problem\": \"ball\", \"integrator\": \"euler\", \"final\": [%.17g, 0]%s",
            dt, 1.0 + 3.0 * dt, more);
        made_add(&m, name, "euler", text);
        snprintf(text, sizeof text,
                 ", \"vary\": {\"dt\": %.17g}, \"vary_units\": {\"dt\": \"s\"}, "
                 "\"problem\": \"ball\", \"integrator\": \"verlet\", \"final\": [%.17g, "
                 "0]%s",
                 dt, 1.0 + 5.0 * dt * dt, more);
        made_add(&m, name, "verlet", text);
    }
    return folder_of("converging", m.lines, m.count);
}

TEST(errors_have_the_orders_with_which_they_were_made)
{
    const char *dir = converging("");
    const figure_order order = order_of("order", NULL, NULL, NULL);
    const figure_book *book = kind_draw(dir, &order);
    const figure_series *euler = series_find(book, 0, "euler: 1.00");
    const figure_series *verlet = series_find(book, 0, "verlet: 2.00");
    const figure_panel *p = book->figures[0]->panels[0];

    CU_ASSERT_EQUAL_FATAL(euler->count, 4);
    CU_ASSERT_EQUAL_FATAL(verlet->count, 3); /* its finest run is in the reference */
    CU_ASSERT_DOUBLE_EQUAL(euler->points[0].x, 0.05, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(euler->points[0].y, 0.15, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(verlet->points[2].y, 5 * 0.16, 1e-13);
    CU_ASSERT_EQUAL(p->x.scale, FIGURE_LOG10);
    CU_ASSERT_STRING_EQUAL(p->x.unit, "s");
    CU_ASSERT_STRING_EQUAL(euler->owner, "euler");
    /* A guide for each slope: from 0.05 to 0.4 it falls by 8, and by 4 from 0.1 on by 16. */
    CU_ASSERT_EQUAL(p->note_count, 2);
    CU_ASSERT_STRING_EQUAL(p->notes[0].text, "slope 1");
    folder_remove(dir);
}

TEST(errors_are_those_of_the_exact_answer_where_there_is_one)
{
    const char *dir = converging(", \"exact\": [1.0, 0]");
    const figure_order order = order_of("order", NULL, NULL, NULL);
    const figure_book *book = kind_draw(dir, &order);

    CU_ASSERT_EQUAL(series_find(book, 0, "verlet: 2.00")->count, 4);
    CU_ASSERT_EQUAL(series_find(book, 0, "euler: 1.00")->count, 4);
    folder_remove(dir);
}

/* Of rounding at the fine end nothing is fitted. */
TEST(a_slope_leaves_out_rounding)
{
    static const double errors[] = {1e-15, 3e-15, 1e-14, 1.6e-11, 1.6e-9 * 0.1, 1.6e-9};
    made m = {.count = 0};
    const char *dir = NULL;
    const figure_order order = order_of("order", "dt", "error", "integrator");

    for (size_t k = 0; k < 6; k++) {
        char text[300];

        snprintf(text, sizeof text,
                 ", \"vary\": {\"dt\": %.17g}, \"problem\": \"ball\", \"integrator\": "
                 "\"rk4\", \"error\": %g",
                 pow(10.0, (double)k / 4.0) * 1e-3, errors[k]);
        made_add(&m, text + 20, "rk4", text); /* an instance of its own */
    }
    dir = folder_of("rounding", m.lines, m.count);
    CU_ASSERT_EQUAL(series_find(kind_draw(dir, &order), 0, "rk4: 4.00")->count, 6);
    folder_remove(dir);
}

TEST(an_order_without_final_states_is_refused)
{
    const char *dir = folder_of("plain", (line[])BY_HAND, 9);
    const figure_order order = order_of("order", NULL, NULL, NULL);

    CU_ASSERT_STRING_EQUAL(kind_refuses(dir, &order),
                           "figure order of hand: no two runs differ in dt and have "
                           "\"final\" states");
    folder_remove(dir);
}

TEST(a_run_that_ended_early_is_a_failure_at_its_step)
{
    made m = {.count = 0};
    const char *dir = NULL;
    const figure_order order = order_of("order", "dt", "error", NULL);
    const figure_series *s = NULL;

    made_add(&m, "a", "nsgs",
             ", \"problem\": \"p\", \"vary\": {\"dt\": 0.1}, \"error\": 1e-3");
    made_add(&m, "b", "nsgs",
             ", \"problem\": \"p\", \"vary\": {\"dt\": 0.2}, \"error\": 1e-2")
        ->status = "early end";
    dir = folder_of("early", m.lines, m.count);
    s = series_find(kind_draw(dir, &order), 0, "nsgs");
    CU_ASSERT_EQUAL(s->count, 1);
    CU_ASSERT_EQUAL_FATAL(s->failure_count, 1);
    CU_ASSERT_EQUAL(s->failures[0].x, 0.2);
    folder_remove(dir);
}

/* Quartiles of 1 .. 8, 100 are 3, 5, 7; whiskers reach 6 further: to 1 and to 8. */
TEST(a_box_plot_worked_by_hand)
{
    static const double seconds[] = {8, 1, 100, 3, 2, 7, 5, 4, 6};
    made m = {.count = 0};
    const char *dir = NULL;
    const figure_order order = order_of("box", NULL, NULL, NULL);
    const figure_book *book = NULL;
    const figure_series *s = NULL;

    for (size_t k = 0; k < 9; k++) {
        made_add(&m, (const char[]){(char)('a' + k), '\0'}, "pgs", "")->seconds =
            seconds[k];
    }
    made_add(&m, "x", "pgs", "")->solved = false;
    dir = folder_of("box", m.lines, m.count);
    book = kind_draw(dir, &order);
    s = series_find(book, 0, ""); /* named by its category */
    CU_ASSERT_STRING_EQUAL(s->owner, "pgs");
    CU_ASSERT_EQUAL_FATAL(s->count, 1);
    CU_ASSERT_EQUAL(s->points[0].y, 5.0);
    CU_ASSERT_EQUAL(s->points[0].low, 3.0);
    CU_ASSERT_EQUAL(s->points[0].high, 7.0);
    CU_ASSERT_EQUAL(s->points[0].least, 1.0);
    CU_ASSERT_EQUAL(s->points[0].most, 8.0);
    CU_ASSERT_EQUAL(s->failure_count, 1);
    s = book->figures[0]->panels[0]->series[1];
    CU_ASSERT_EQUAL_FATAL(s->count, 1);
    CU_ASSERT_EQUAL(s->points[0].y, 100.0);
    CU_ASSERT_EQUAL(book->figures[0]->panels[0]->y.scale, FIGURE_LOG10);
    CU_ASSERT(caption_has(book, "1 of 10 runs failed"));
    folder_remove(dir);
}

/* Over a number its values ascend; two values with the quartiles between them have no whiskers
 * inside the box. Axis: linear. */
TEST(boxes_over_a_parameter_ascend)
{
    made m = {.count = 0};
    const char *dir = NULL;
    const figure_order order = order_of("box", "dt", NULL, NULL);
    const figure_book *book = NULL;
    const figure_series *s = NULL;

    made_add(&m, "a", "pgs", ", \"vary\": {\"dt\": 1e-2}")->seconds = 1.0;
    made_add(&m, "b", "pgs", ", \"vary\": {\"dt\": 1e-5}")->seconds = 2.0;
    made_add(&m, "c", "pgs", ", \"vary\": {\"dt\": 1e-5}")->seconds = 4.0;
    dir = folder_of("over", m.lines, m.count);
    book = kind_draw(dir, &order);
    CU_ASSERT_STRING_EQUAL(book->figures[0]->panels[0]->x.names[0], "10⁻⁵");
    CU_ASSERT_STRING_EQUAL(book->figures[0]->panels[0]->x.names[1], "0.01");
    s = book->figures[0]->panels[0]->series[2]; /* the second value's, of the first box */
    CU_ASSERT_EQUAL_FATAL(s->count, 1);
    CU_ASSERT_EQUAL(s->points[0].x, 0.0);
    CU_ASSERT_EQUAL(s->points[0].y, 3.0);
    CU_ASSERT(s->points[0].least <= s->points[0].low);
    CU_ASSERT(s->points[0].most >= s->points[0].high);
    folder_remove(dir);
}

/* Of (1, 1e-3), (2, 1e-5), (3, 1e-4), (4, 1e-9) the third is beaten by the second. */
TEST(a_pareto_front_leaves_out_what_is_beaten)
{
    static const double residuals[] = {1e-3, 1e-5, 1e-4, 1e-9};
    made m = {.count = 0};
    const char *dir = NULL;
    const figure_order order = order_of("pareto", NULL, NULL, NULL);
    const figure_book *book = NULL;
    const figure_series *front = NULL;

    for (size_t k = 0; k < 4; k++) {
        line *l = made_add(&m, "p", k % 2 ? "pgs" : "psor", ", \"problem\": \"p\"");
        char *key = m.more[m.count - 1];

        snprintf(key, sizeof m.more[0], ", \"problem\": \"p\", \"vary\": {\"w\": %zu}",
                 k);
        l->instance = (const char *[]){"p0", "p1", "p2", "p3"}[k];
        l->seconds = (double)k + 1.0;
        l->residual = residuals[k];
    }
    made_add(&m, "p4", "psor", ", \"problem\": \"p\"")->solved = false;
    dir = folder_of("pareto", m.lines, m.count);
    book = kind_draw(dir, &order);
    front = series_find(book, 0, "");
    CU_ASSERT_EQUAL(front->form, FIGURE_STEPS);
    CU_ASSERT_EQUAL_FATAL(front->count, 3);
    CU_ASSERT_EQUAL(front->points[1].x, 2.0);
    CU_ASSERT_EQUAL(front->points[1].y, 1e-5);
    CU_ASSERT_EQUAL(front->points[2].x, 4.0);
    CU_ASSERT_EQUAL(series_find(book, 0, "pgs")->count, 2);
    CU_ASSERT_EQUAL(series_find(book, 0, "psor")->count, 2);
    CU_ASSERT_EQUAL(series_find(book, 0, "psor")->failure_count, 1);
    folder_remove(dir);
}

/* Over several problems a point is the median: (2, 1e-6) of three. */
TEST(a_point_over_several_problems_is_their_median)
{
    static const char *const names[] = {"a", "b", "c"};
    static const double residuals[] = {1e-7, 1e-6, 1e-5};
    made m = {.count = 0};
    const char *dir = NULL;
    const figure_order order = order_of("pareto", NULL, NULL, NULL);
    const figure_series *s = NULL;

    for (size_t k = 0; k < 3; k++) {
        line *l = made_add(&m, names[k], "pgs", "");

        l->seconds = (double)k + 1.0;
        l->residual = residuals[k];
    }
    dir = folder_of("median", m.lines, m.count);
    s = series_find(kind_draw(dir, &order), 0, "pgs");
    CU_ASSERT_EQUAL_FATAL(s->count, 1);
    CU_ASSERT_EQUAL(s->points[0].x, 2.0);
    CU_ASSERT_EQUAL(s->points[0].y, 1e-6);
    folder_remove(dir);
}

/* Pivots 3, 3, 4, 5, 9: quartiles 3, 5, width 2 x 2/cbrt(5) = 2.3, at most (9 - 3)/5, up to 2:
 * from 3 the bins have 3, 1, 0 and 1 runs. */
TEST(a_histogram_counts_every_run_once)
{
    static const double pivots[] = {5, 3, 9, 3, 4};
    static const double counts[] = {3, 1, 0, 1};
    made m = {.count = 0};
    const char *dir = NULL;
    const figure_order order = order_of("pivots", NULL, NULL, NULL);
    const figure_book *book = NULL;
    const figure_series *s = NULL;

    for (size_t k = 0; k < 5; k++) {
        char text[100];

        snprintf(text, sizeof text, ", \"work\": {\"pivots\": %g}", pivots[k]);
        made_add(&m, (const char *[]){"a", "b", "c", "d", "e"}[k], "lemke", text);
    }
    made_add(&m, "f", "lemke", ", \"work\": {\"pivots\": 6}")->solved = false;
    dir = folder_of("pivots", m.lines, m.count);
    book = kind_draw(dir, &order);
    s = series_find(book, 0, "");
    CU_ASSERT_EQUAL_FATAL(s->count, 4);
    for (size_t k = 0; k < 4; k++) {
        CU_ASSERT_EQUAL(s->points[k].low, 3.0 + 2.0 * (double)k);
        CU_ASSERT_EQUAL(s->points[k].high, 5.0 + 2.0 * (double)k);
        CU_ASSERT_EQUAL(s->points[k].y, counts[k]);
    }
    CU_ASSERT_EQUAL_FATAL(s->failure_count, 1);
    CU_ASSERT_EQUAL(s->failures[0].x, 6.0);
    CU_ASSERT_STRING_EQUAL(s->owner, "lemke");
    folder_remove(dir);
}

/* 1 to 3 pivots and once 1000: bins from 1, 2, 4 .. 512. A solver without pivots has no panel. */
TEST(skewed_pivots_are_counted_by_powers_of_two)
{
    static const double pivots[] = {1, 2, 3, 3, 1000};
    made m = {.count = 0};
    const char *dir = NULL;
    const figure_order order = order_of("pivots", NULL, NULL, NULL);
    const figure_book *book = NULL;
    const figure_series *s = NULL;

    for (size_t k = 0; k < 5; k++) {
        char text[100];

        snprintf(text, sizeof text, ", \"work\": {\"pivots\": %g}", pivots[k]);
        made_add(&m, (const char *[]){"a", "b", "c", "d", "e"}[k], "lemke", text);
        made_add(&m, (const char *[]){"a", "b", "c", "d", "e"}[k], "pgs",
                 ", \"work\": {\"pivots\": 0}");
    }
    dir = folder_of("powers", m.lines, m.count);
    book = kind_draw(dir, &order);
    CU_ASSERT_EQUAL(book->figures[0]->count, 1);
    s = series_find(book, 0, "");
    CU_ASSERT_EQUAL(book->figures[0]->panels[0]->x.scale, FIGURE_LOG10);
    CU_ASSERT_EQUAL_FATAL(s->count, 11); /* from 0.5, where those of pgs would be */
    CU_ASSERT_EQUAL(s->points[1].low, 1.0);
    CU_ASSERT_EQUAL(s->points[1].y, 1.0);
    CU_ASSERT_EQUAL(s->points[2].y, 3.0);
    CU_ASSERT_EQUAL(s->points[10].low, 512.0);
    CU_ASSERT_EQUAL(s->points[10].y, 1.0);
    folder_remove(dir);
}

/* The cone slides 2 m in all directions; a pyramid of 4 facets 2 m along its edges and sqrt(2) m
 * between them: the anisotropy is (2 - 1.414)/1.707 = 34 %. */
TEST(the_rose_of_a_circle_is_round)
{
    made m = {.count = 0};
    const char *dir = NULL;
    const figure_order order = order_of("rose", "direction", "way", NULL);
    const figure_book *book = NULL;
    const figure_series *s = NULL;

    for (size_t k = 0; k < 16; k++) {
        double angle = acos(-1.0) / 4.0 * (double)(k / 2);
        char text[200];

        snprintf(text, sizeof text, ", \"vary\": {\"direction\": %.17g}, \"way\": %.17g",
                 angle, k % 2 && k / 2 % 2 ? sqrt(2.0) : 2.0);
        made_add(&m, (const char *[]){"0", "1", "2", "3", "4", "5", "6", "7"}[k / 2],
                 k % 2 ? "pyramid" : "cone", text);
    }
    dir = folder_of("rose", m.lines, m.count);
    {
        figure_order by = order;

        snprintf(by.by, sizeof by.by, "solver");
        book = kind_draw(dir, &by);
    }
    s = series_find(book, 0, "cone (0 %)");
    CU_ASSERT_EQUAL_FATAL(s->count, 145); /* all round, and closed */
    CU_ASSERT_DOUBLE_EQUAL(s->points[144].x, s->points[0].x, 1e-14);
    for (size_t k = 0; k < s->count; k++) {
        CU_ASSERT_DOUBLE_EQUAL(hypot(s->points[k].x, s->points[k].y), 2.0, 1e-14);
    }
    CU_ASSERT_EQUAL(series_find(book, 0, "pyramid (34 %)")->count, 145);
    CU_ASSERT(book->figures[0]->panels[0]->equal);
    CU_ASSERT_EQUAL(book->figures[0]->panels[0]->x.high, 2.0);
    folder_remove(dir);
}

TEST(a_rose_needs_an_angle)
{
    const char *dir = folder_of("plain", (line[])BY_HAND, 9);
    const figure_order order = order_of("rose", NULL, "seconds", NULL);
    const figure_order angle = order_of("rose", "direction", "seconds", NULL);

    CU_ASSERT_PTR_NOT_NULL(
        strstr(kind_refuses(dir, &order), "x (a field that is an angle"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(kind_refuses(dir, &angle), "no run has both direction and seconds"));
    folder_remove(dir);
}

/* Two runs by one integrator, the second of which ended early. */
static const char *drifting(void)
{
    made m = {.count = 0};

    made_add(&m, "a", "auto x",
             ", \"integrator\": \"verlet\", \"series\": {\"t\": [1, 2, 3], \"energy\": "
             "[1e-3, -2e-3, null], \"drift\": [0, 0, 0]}");
    made_add(&m, "b", "auto y",
             ", \"integrator\": \"verlet\", \"series\": {\"t\": [1, 2], \"energy\": "
             "[0, 1e-3], \"drift\": [0, 0]}")
        ->status = "early end";
    return folder_of("drift", m.lines, m.count);
}

/* Zeros of a line are drawn at 1e-16; what is 0 throughout has no panel. */
TEST(drift_over_time_has_a_line_per_run)
{
    const char *dir = drifting();
    const figure_order order = order_of("drift", NULL, NULL, "integrator");
    const figure_order wrong = order_of("drift", NULL, "speed", NULL);
    const figure_book *book = NULL;
    const figure_series *s = NULL;

    book = kind_draw(dir, &order);
    CU_ASSERT_EQUAL(book->figures[0]->count, 1);
    s = series_find(book, 0, "verlet");
    CU_ASSERT_EQUAL_FATAL(s->count, 2);
    CU_ASSERT_EQUAL(s->points[1].y, 2e-3);
    s = series_find(book, 0, ""); /* the second run */
    CU_ASSERT_STRING_EQUAL(s->owner, "verlet");
    CU_ASSERT_EQUAL_FATAL(s->count, 2);
    CU_ASSERT_EQUAL(s->points[0].y, 1e-16);
    CU_ASSERT_EQUAL_FATAL(s->failure_count, 1);
    CU_ASSERT_EQUAL(s->failures[0].x, 2.0);
    CU_ASSERT_PTR_NOT_NULL(strstr(kind_refuses(dir, &wrong), "\"series\" of speed"));
    folder_remove(dir);
}

TEST(what_is_not_applicable_is_left_out)
{
    made m = {.count = 0};
    const char *dir = NULL;
    const figure_order order = order_of("box", NULL, NULL, NULL);
    const figure_book *book = NULL;

    made_add(&m, "a", "pgs", "");
    made_add(&m, "a", "lemke", "")->status = "unsuitable";
    dir = folder_of("unsuitable", m.lines, m.count);
    book = kind_draw(dir, &order);
    CU_ASSERT_EQUAL(book->figures[0]->panels[0]->x.name_count, 1);
    CU_ASSERT(caption_has(
        book,
        "1 run of solvers that do not take the problem (not applicable) is left out"));
    folder_remove(dir);
}

/* A figure of stored runs under failing memory. */
typedef struct trial {
    stored_runs runs;
    figure_order order;
} trial;
