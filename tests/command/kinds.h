/* SPDX-License-Identifier: Apache-2.0
 * tests/command/kinds.h: a kind of figure drawn from runs that a test makes up. */
#ifndef PERP_TEST_KINDS_H
#define PERP_TEST_KINDS_H

#include "command/results/kinds/kind.h"
#include "report.h"

/** An order of that kind with these fields; NULL: not given. */
static inline figure_order order_of(const char *kind, const char *x, const char *y,
                                    const char *by)
{
    figure_order order = {.tolerance = NAN};

    snprintf(order.kind, sizeof order.kind, "%s", kind);
    snprintf(order.x, sizeof order.x, "%s", x ? x : "");
    snprintf(order.y, sizeof order.y, "%s", y ? y : "");
    snprintf(order.by, sizeof order.by, "%s", by ? by : "");
    return order;
}

static inline void book_release(void *book)
{
    figure_book_free(book);
}

/** The figures of a kind for all runs of the folder `dir`, kept for the test. */
static inline figure_book *kind_draw(const char *dir, const figure_order *order)
{
    figure_book *book = test_keep(calloc(1, sizeof *book), free);
    stored_runs runs;
    perp_error err = {0};
    const figure_kind *kind = figure_kind_find(order->kind);
    const figure_source source = {.runs = &runs, .set = "hand"};

    CU_ASSERT_PTR_NOT_NULL_FATAL(book);
    CU_ASSERT_PTR_NOT_NULL_FATAL(kind);
    OK(runs_read(&runs, dir, &err));
    test_keep(book, book_release);
    if (kind->make(book, &source, order, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL("a figure is refused");
    }
    runs_free(&runs);
    return book;
}

/** The message with which a kind refuses the order. */
static inline const char *kind_refuses(const char *dir, const figure_order *order)
{
    static perp_error err;
    figure_book book = {.count = 0};
    stored_runs runs;
    const figure_source source = {.runs = &runs, .set = "hand"};

    memset(&err, 0, sizeof err);
    OK(runs_read(&runs, dir, NULL));
    CU_ASSERT_EQUAL(figure_kind_find(order->kind)->make(&book, &source, order, &err),
                    PERP_ERR_DATA);
    CU_ASSERT_EQUAL(book.count, 0);
    figure_book_free(&book);
    runs_free(&runs);
    return err.text;
}

/** The series of that name in a panel of the first figure; fails the test without it. */
static inline const figure_series *series_find(const figure_book *book, size_t panel,
                                               const char *name)
{
    CU_ASSERT_FATAL(book->count > 0 && book->figures[0]->count > panel);
    for (size_t k = 0; k < book->figures[0]->panels[panel]->count; k++) {
        const figure_series *s = book->figures[0]->panels[panel]->series[k];

        if (strcmp(s->name, name) == 0) {
            return s;
        }
    }
    for (size_t k = 0; k < book->figures[0]->panels[panel]->count; k++) {
        test_note("there is: %s", book->figures[0]->panels[panel]->series[k]->name);
    }
    CU_FAIL_FATAL("there is no such series");
    return NULL;
}

static inline bool caption_has(const figure_book *book, const char *words)
{
    bool has = strstr(book->figures[0]->caption, words) != NULL;

    if (!has) {
        test_note("not in: %s", book->figures[0]->caption);
    }
    return has;
}

#endif
