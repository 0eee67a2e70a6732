/* SPDX-License-Identifier: Apache-2.0
 * tests/experiments/kinds.c: figures of stored runs as data: their points by hand, failures kept,
 * missing data refused; and the orders of figures. */
#include <config.h>

#include "experiments/report/collect.h"
#include "experiments/report/fields.h"
#include "report.h"

/* Runs in a folder, read; released with the test. */
static void test_free_runs(void *s)
{
    runs_free(s);
}

static void test_free_collection(void *c)
{
    collection_free(c);
}

static const stored_runs *runs_of(const line *lines, size_t count)
{
    stored_runs *s = test_alloc(1, sizeof *s);
    const char *dir = folder_of("kinds", lines, count);

    CU_ASSERT_EQUAL_FATAL(runs_read(s, dir, NULL), PERP_OK);
    folder_remove(dir);
    return test_keep(s, test_free_runs);
}

/* The figures that an order of the command line gives; NULL: the usual ones. */
static const figure_collection *figures_of(const stored_runs *s, const char *order,
                                           perp_status expected, const char *words)
{
    figure_collection *c = test_alloc(1, sizeof *c);
    figure_orders orders = {0};
    perp_error err = {0};
    perp_status status = PERP_OK;

    if (order) {
        CU_ASSERT_EQUAL_FATAL(figure_orders_add(&orders, order, &err), PERP_OK);
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
static const char *rows_of(const figure *f)
{
    char *text = NULL, *out = NULL;
    size_t length = 0, prefix = strlen(f->name) + 3;
    FILE *stream = open_memstream(&text, &length);

    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    CU_ASSERT_EQUAL(figure_write_csv(f, stream, NULL), PERP_OK);
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

