/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_words.c: any text as what a command line or a suite says in one word: by the
 * first byte a condition, the order of a figure, a recipe or a warm-start policy. */
#include <config.h>

#include "command/campaign/policies.h"
#include "command/results/orders.h"
#include "command/simulate/condition.h"
#include "command/simulate/recipe.h"
#include "fuzz_files.h"

static void expect_message(perp_status status, const perp_error *err)
{
    if (status != PERP_OK && (!err->text[0] || strchr(err->text, '\n'))) {
        abort();
    }
}

/* The value of a condition is the same each time. */
static void condition_of(const char *text)
{
    static const char *const names[] = {"step", "residual", "failed", NULL};
    const double values[] = {50.0, 1e-9, 0.0};
    condition c;
    perp_error err = {0};
    perp_status status = condition_parse(&c, text, names, &err);

    expect_message(status, &err);
    if (status == PERP_OK && condition_holds(&c, values) != condition_holds(&c, values)) {
        abort();
    }
}

static void order_of(const char *text)
{
    figure_orders orders = {0};
    perp_error err = {0};
    perp_status status = figure_orders_add(&orders, text, &err);

    expect_message(status, &err);
    if (status == PERP_OK && (orders.count != 1 || !orders.orders[0].kind[0])) {
        abort();
    }
    figure_orders_free(&orders);
}

/* Of scenes that come with perp, not of files elsewhere. */
static void recipe_of(const char *text)
{
    char call[256];
    perp_error err = {0};

    if (!strchr(text, '/')) {
        snprintf(call, sizeof call, "scene:%s", text);
        expect_message(recipe_check(call, &err), &err);
    }
}

static void policy_of(const char *text)
{
    policy_kind policy = POLICY_KINDS;

    if (policy_find(text, &policy) && strcmp(policy_name(policy), text) != 0) {
        abort();
    }
}

FUZZ(words)
{
    static void (*const readers[])(const char *) = {condition_of, order_of, recipe_of,
                                                    policy_of};
    char *text = calloc(size + 1, 1);

    if (text && size > 0) {
        memcpy(text, data + 1, size - 1);
        readers[data[0] % 4](text);
    }
    free(text);
    return 0;
}
