/* SPDX-License-Identifier: Apache-2.0
 * tests/command/orders.c: orders of figures on the command line and in suites. */
#include <config.h>

#include <string.h>

#include "command/results/orders.h"
#include "support.h"

TEST(refuses_orders_that_it_cannot_read)
{
    static const char *const cases[][2] = {
        {"profil", "--figure profil.kind: found \"profil\", expected one of: profile"},
        {"metric:dt", "found \"dt\", expected MEMBER=VALUE"},
        {"metric:size=3", "\"size\" is no member, expected set"},
        {"profile:x=dt", ".x: the kind profile reads no such member"},
        {"heat:tolerance=none", "tolerance: found \"none\", expected a positive number"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        figure_orders orders = {0};
        perp_error err = {0};

        CU_ASSERT_NOT_EQUAL(figure_orders_add(&orders, cases[k][0], &err), PERP_OK);
        if (!strstr(err.text, cases[k][1])) {
            test_note("%s: %s", cases[k][0], err.text);
        }
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, cases[k][1]));
        CU_ASSERT_EQUAL(orders.count, 0);
    }
}

static perp_status read_suite(figure_orders *orders, const char *text, perp_error *err)
{
    json_t *suite = json_loads(text, 0, NULL);

    CU_ASSERT_PTR_NOT_NULL_FATAL(suite);
    perp_status status = figure_orders_read(orders, "s.json", suite, err);
    json_decref(suite);
    return status;
}

TEST(reads_the_orders_of_a_suite_and_of_its_sets)
{
    figure_orders orders;

    OK(read_suite(
        &orders,
        "{\"figures\": [\"profile\", \"metric:x=dt,set=b\"], \"sets\": [{\"name\": "
        "\"a\", \"figures\": [{\"kind\": \"metric\", \"x\": \"mu\", \"y\": "
        "[\"seconds\", \"bytes\"], \"where\": {\"mu\": 0.3, \"integrator\": "
        "\"rk4\"}, \"tolerance\": 1e-4, \"caption\": \"C.\", \"title\": \"T\"}]}, "
        "{\"name\": \"b\"}]}",
        NULL));
    CU_ASSERT(orders.given);
    CU_ASSERT_EQUAL_FATAL(orders.count, 3);
    CU_ASSERT_STRING_EQUAL(orders.orders[0].kind, "profile");
    CU_ASSERT_STRING_EQUAL(orders.orders[1].x, "dt");
    CU_ASSERT_STRING_EQUAL(orders.orders[2].set, "a");
    CU_ASSERT_STRING_EQUAL(orders.orders[2].y, "seconds+bytes");
    CU_ASSERT_STRING_EQUAL(orders.orders[2].where, "mu=0.3,integrator=rk4");
    CU_ASSERT_STRING_EQUAL(orders.orders[2].caption, "C.");
    CU_ASSERT_EQUAL(orders.orders[2].tolerance, 1e-4);
    figure_orders_free(&orders);
    OK(read_suite(&orders, "{\"sets\": []}", NULL));
    CU_ASSERT_FALSE(orders.given);
}

TEST(says_where_an_order_of_a_suite_is_wrong)
{
    static const char *const cases[][2] = {
        {"{\"figures\": {}}", "s.json: figures: found an object, expected a list"},
        {"{\"figures\": [3]}", "s.json: figures[0]: found a number"},
        {"{\"figures\": [\"profile\", {\"x\": \"dt\"}]}", "figures[1].kind: missing"},
        {"{\"figures\": [{\"kind\": \"pie\"}]}", "figures[0].kind: found \"pie\""},
        {"{\"figures\": [{\"kind\": \"metric\", \"x\": 3}]}",
         "figures[0].x: found a number"},
        {"{\"figures\": [\"profile:set=c\"], \"sets\": [{\"name\": \"a\"}]}",
         "figures[0].set: the suite has no set \"c\""},
        {"{\"sets\": [{\"name\": \"a\", \"figures\": [\"profile:set=c\"]}]}",
         "s.json: sets[0].figures[0].set: found \"c\", but it stands in the set \"a\""},
        {"{\"figures\": [{\"kind\": \"share\", \"tolerance\": \"low\"}]}",
         "figures[0].tolerance: found a text"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        figure_orders orders;
        perp_error err = {0};

        CU_ASSERT_NOT_EQUAL(read_suite(&orders, cases[k][0], &err), PERP_OK);
        if (!strstr(err.text, cases[k][1])) {
            test_note("%s: %s", cases[k][0], err.text);
        }
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, cases[k][1]));
    }
}
