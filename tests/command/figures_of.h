/* SPDX-License-Identifier: Apache-2.0
 * tests/command/figures_of.h: the figures that an order draws of runs worked by hand, and
 * comparisons of their points, captions and axes. */
#ifndef PERP_TEST_FIGURES_OF_H
#define PERP_TEST_FIGURES_OF_H

#include "command/results/collect.h"
#include "report.h"

/* Runs in a folder, read; released with the test. */
static inline void test_free_runs(void *s)
{
    runs_free(s);
}

static inline void test_free_collection(void *c)
{
    figure_collection_free(c);
}

static inline const stored_runs *runs_of(const line *lines, size_t count)
{
    stored_runs *s = test_alloc(1, sizeof *s);
    const char *dir = folder_of("kinds", lines, count);

    OK(runs_read(s, dir, NULL));
    folder_remove(dir);
    return test_keep(s, test_free_runs);
}

/* The figures that an order of the command line gives; NULL: the usual ones. */
static inline const figure_collection *figures_of(const stored_runs *s, const char *order,
                                                  perp_status expected, const char *words)
{
    figure_collection *c = test_alloc(1, sizeof *c);
    figure_orders orders = {0};
    perp_error err = {0};
    perp_status status = PERP_OK;

    if (order) {
        status = figure_orders_add(&orders, order, &err);
        if (status != PERP_OK) {
            test_note("%s", err.text);
        }
        OK(status);
    }
    status = collect_runs(c, s, &orders, &err);
    if (status != expected || (words && !strstr(err.text, words))) {
        test_note("%s: status %d: %s", order ? order : "usual", (int)status, err.text);
    }
    CU_ASSERT_EQUAL(status, expected);
    CU_ASSERT(!words || strstr(err.text, words));
    figure_orders_free(&orders);
    return test_keep(c, test_free_collection);
}

/* The rows of a figure as CSV, without the heading and the name of the figure. */
static inline const char *rows_of(const figure *f)
{
    char *text = NULL, *out = NULL;
    size_t length = 0, prefix = strlen(f->name) + 3;
    FILE *stream = open_memstream(&text, &length);

    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    OK(figure_write_csv(f, stream, NULL));
    fclose(stream);
    stream = open_memstream(&out, &length);
    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    for (char *at = strchr(text, '\n') + 1; *at; at = strchr(at, '\n') + 1) {
        fprintf(stream, "%.*s\n", (int)(strchr(at, '\n') - at - (long)prefix),
                at + prefix);
    }
    fclose(stream);
    free(text);
    return test_keep(out, free);
}

#define EQUAL_ROWS(figure, expected)                                                     \
    do {                                                                                 \
        const char *found = rows_of(figure);                                             \
        if (strcmp(found, expected) != 0) {                                              \
            test_note("found:\n%s", found);                                              \
        }                                                                                \
        CU_ASSERT_STRING_EQUAL(found, expected);                                         \
    } while (0)

/* The series of a panel; a test without it ends. */
static inline const figure_series *series_of(const figure *f, size_t panel,
                                             const char *name)
{
    CU_ASSERT_FATAL(panel < f->count);
    for (size_t k = 0; k < f->panels[panel]->count; k++) {
        if (strcmp(f->panels[panel]->series[k]->name, name) == 0) {
            return f->panels[panel]->series[k];
        }
    }
    test_note("no series \"%s\" in panel %zu of %s", name, panel, f->name);
    CU_FAIL_FATAL("no such series");
    return NULL;
}

/* Equal up to rounding: all values here are written with few digits. */
static inline bool near(double x, double y)
{
    return x == y || fabs(x - y) <= 1e-12 * fmax(fabs(x), fabs(y));
}

static inline void points_are(const figure_series *s, size_t count, const double (*xy)[2])
{
    CU_ASSERT_EQUAL(s->count, count);
    for (size_t k = 0; k < s->count; k++) {
        if (k >= count || !near(s->points[k].x, xy[k][0]) ||
            !near(s->points[k].y, xy[k][1])) {
            test_note("%s[%zu]: %.17g %.17g", s->name, k, s->points[k].x, s->points[k].y);
            CU_FAIL("another point");
        }
    }
}
#define POINTS_ARE(series, ...)                                                          \
    do {                                                                                 \
        const double expected[][2] = {__VA_ARGS__};                                      \
        points_are(series, sizeof expected / sizeof *expected, expected);                \
    } while (0)

static inline void failures_are(const figure_series *s, size_t count, const double *x)
{
    CU_ASSERT_EQUAL(s->failure_count, count);
    for (size_t k = 0; k < s->failure_count && k < count; k++) {
        CU_ASSERT(near(s->failures[k].x, x[k]));
    }
}

static inline bool caption_has(const figure *f, const char *words)
{
    bool has = f->caption && strstr(f->caption, words);

    if (!has) {
        test_note("%s: %s", f->name, f->caption ? f->caption : "no caption");
    }
    return has;
}

/* What is drawn on a logarithmic axis is positive, but for y = 0, which has a strip. */
static inline void check_axes(const figure_collection *c)
{
    for (size_t k = 0; k < c->book.count; k++) {
        for (size_t p = 0; p < c->book.figures[k]->count; p++) {
            const figure_panel *panel = c->book.figures[k]->panels[p];

            for (size_t s = 0; s < panel->count; s++) {
                for (size_t i = 0; i < panel->series[s]->count; i++) {
                    const figure_point *at = &panel->series[s]->points[i];

                    CU_ASSERT(panel->x.scale == FIGURE_LINEAR ||
                              panel->x.scale == FIGURE_CATEGORIES || at->x > 0.0);
                    CU_ASSERT(panel->y.scale == FIGURE_LINEAR ||
                              panel->y.scale == FIGURE_CATEGORIES || at->y >= 0.0);
                }
            }
        }
    }
}

#endif
