/* SPDX-License-Identifier: Apache-2.0
 * report/orders.c: figures that a suite or a command line orders. */
#include <config.h>

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "command/cli/take.h"
#include "command/results/kinds/kind.h"
#include "command/results/orders.h"

/* The texts of an order. Those that are not common are read by some kinds only. */
static const struct {
    const char *key;
    size_t offset;
    bool common;
} order_texts[] = {
    {"kind", offsetof(figure_order, kind), true},
    {"set", offsetof(figure_order, set), true},
    {"name", offsetof(figure_order, name), true},
    {"where", offsetof(figure_order, where), true},
    {"title", offsetof(figure_order, title), true},
    {"x", offsetof(figure_order, x), false},
    {"y", offsetof(figure_order, y), false},
    {"z", offsetof(figure_order, z), false},
    {"by", offsetof(figure_order, by), false},
    {"panels", offsetof(figure_order, panels), false},
};
enum { ORDER_TEXTS = sizeof order_texts / sizeof *order_texts };

/* Where an order stands, for messages: "suite.json: sets[0].figures[1]", "--figure profile". */
typedef struct order_place {
    char text[2 * ORDER_TEXT];
} order_place;

static perp_status order_fail(const order_place *at, const char *key, perp_error *err,
                              const char *format, ...) PERP_PRINTF(4, 5);

static perp_status order_fail(const order_place *at, const char *key, perp_error *err,
                              const char *format, ...)
{
    char message[320];
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return perp_fail(err, PERP_ERR_FORMAT, "%s%s%s: %s", at->text, *key ? "." : "", key,
                     message);
}

/* The text of a key, or NULL where there is none of this name. */
static char *order_text(figure_order *o, const char *key)
{
    for (size_t k = 0; k < ORDER_TEXTS; k++) {
        if (strcmp(order_texts[k].key, key) == 0) {
            return (char *)o + order_texts[k].offset;
        }
    }
    return NULL;
}

static bool order_is_member(const char *key)
{
    figure_order o;

    return strcmp(key, "tolerance") == 0 || strcmp(key, "caption") == 0 ||
           order_text(&o, key) != NULL;
}

/* Append to a text of the order, after `between` where it has one already. */
static perp_status order_append(const order_place *at, char *text, const char *key,
                                const char *between, const char *more, perp_error *err)
{
    size_t length = strlen(text);
    int all =
        snprintf(text + length, ORDER_TEXT - length, "%s%s", length ? between : "", more);

    if (all < 0 || length + (size_t)all >= ORDER_TEXT) {
        return order_fail(at, key, err, "longer than %d bytes", ORDER_TEXT - 1);
    }
    return PERP_OK;
}

static void order_caption(figure_order *o, const char *text)
{
    free(o->caption);
    o->caption = take_text(text);
}

/* Is `key` among the words of "x|y|by"? */
static bool order_reads(const figure_kind *kind, const char *key)
{
    size_t length = strlen(key);

    for (const char *word = kind->members; word && *word;
         word = strchr(word, '|') ? strchr(word, '|') + 1 : NULL) {
        if (strcspn(word, "|") == length && strncmp(word, key, length) == 0) {
            return true;
        }
    }
    return false;
}

/* The kind is known, and reads the members that are given. */
static perp_status order_check(figure_order *o, const order_place *at, perp_error *err)
{
    const figure_kind *kind = figure_kind_find(o->kind);
    char names[300] = "";

    if (!kind) {
        for (size_t k = 0; figure_kinds[k]; k++) {
            size_t used = strlen(names);

            snprintf(names + used, sizeof names - used, "%s%s", k ? ", " : "",
                     figure_kinds[k]->name);
        }
        return order_fail(at, "kind", err, "found \"%s\", expected one of: %s", o->kind,
                          names);
    }
    for (size_t k = 0; k < ORDER_TEXTS; k++) {
        const char *key = order_texts[k].key;

        if (!order_texts[k].common && *order_text(o, key) && !order_reads(kind, key)) {
            return order_fail(at, key, err, "the kind %s reads %s%s", kind->name,
                              kind->members ? "only " : "no such member",
                              kind->members ? kind->members : "");
        }
    }
    return PERP_OK;
}

static void order_add(figure_orders *orders, figure_order *o)
{
    TAKE_ROOM(orders->orders, orders->room, orders->count + 1);
    orders->orders[orders->count++] = *o;
    orders->given = true;
}

/* KEY=VALUE of a command line. */
static perp_status order_put(figure_order *o, const order_place *at, const char *key,
                             const char *value, perp_error *err)
{
    char *text = order_text(o, key);

    if (strcmp(key, "tolerance") == 0) {
        char *end = NULL;

        o->tolerance = strtod(value, &end);
        return *value && !*end && o->tolerance > 0.0
                   ? PERP_OK
                   : order_fail(at, key, err, "found \"%s\", expected a positive number",
                                value);
    }
    if (strcmp(key, "caption") == 0) {
        order_caption(o, value);
        return PERP_OK;
    }
    if (text) {
        *text = '\0';
        return order_append(at, text, key, "", value, err);
    }
    return order_fail(at, "", err,
                      "\"%s\" is no member, expected set, tolerance, x, y, z, by, "
                      "panels, where, name, title or caption",
                      key);
}

/* The members after "KIND:" of a text, which is cut into pieces. */
static perp_status order_parse_members(figure_order *o, const order_place *at, char *text,
                                       perp_error *err)
{
    perp_status status = PERP_OK;
    bool in_where = false;
    char *save = NULL;

    for (char *part = strtok_r(text, ",", &save); part && status == PERP_OK;
         part = strtok_r(NULL, ",", &save)) {
        char *equals = strchr(part, '=');
        bool member = false;

        if (equals) {
            *equals = '\0';
            member = order_is_member(part);
        }
        if (in_where && !member) {
            if (equals) {
                *equals = '=';
            }
            status = order_append(at, o->where, "where", ",", part, err);
        } else if (!equals) {
            status = order_fail(at, "", err, "found \"%s\", expected MEMBER=VALUE", part);
        } else {
            in_where = strcmp(part, "where") == 0;
            status = order_put(o, at, part, equals + 1, err);
        }
    }
    return status;
}

/* "metric:x=dt,y=energy.drift" */
static perp_status order_parse(figure_order *o, const order_place *at, const char *text,
                               perp_error *err)
{
    size_t length = strcspn(text, ":");
    char *copy = take_text(text);
    perp_status status = PERP_OK;

    if (copy[length]) {
        copy[length] = '\0';
        status = order_parse_members(o, at, copy + length + 1, err);
    }
    if (status == PERP_OK) {
        status = order_append(at, o->kind, "kind", "", copy, err);
    }
    free(copy);
    return status == PERP_OK ? order_check(o, at, err) : status;
}

perp_status figure_orders_add(figure_orders *orders, const char *text, perp_error *err)
{
    figure_order o = {.tolerance = NAN};
    order_place at;
    perp_status status = PERP_OK;

    snprintf(at.text, sizeof at.text, "--figure %s", text);
    status = order_parse(&o, &at, text, err);
    if (status != PERP_OK) {
        free(o.caption);
        return status;
    }
    order_add(orders, &o);
    return PERP_OK;
}

/* A value of "where": {"mu": 0.3, "integrator": "verlet"}. */
static perp_status order_where(figure_order *o, const order_place *at,
                               const json_t *object, perp_error *err)
{
    perp_status status = PERP_OK;
    const char *key = NULL;
    json_t *value = NULL;

    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        char number[PERP_NUMBER_LENGTH], term[2 * ORDER_TEXT];
        const char *text = json_string_value(value);

        if (json_is_number(value)) {
            perp_number_print(number, json_number_value(value));
            text = number;
        }
        if (!text && status == PERP_OK) {
            status = order_fail(at, "where", err, "%s is %s, expected a number or a text",
                                key, perp_json_kind(value));
        }
        if (status == PERP_OK) {
            snprintf(term, sizeof term, "%s=%s", key, text);
            status = order_append(at, o->where, "where", ",", term, err);
        }
    }
    return status;
}

/* A list of fields: "a+b". */
static perp_status order_list(char *text, const order_place *at, const char *key,
                              const json_t *list, perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t k = 0; k < json_array_size(list) && status == PERP_OK; k++) {
        const char *item = json_string_value(json_array_get(list, k));

        status = item ? order_append(at, text, key, "+", item, err)
                      : order_fail(at, key, err, "found %s, expected names of fields",
                                   perp_json_kind(json_array_get(list, k)));
    }
    return status;
}

static perp_status order_read_member(figure_order *o, const order_place *at,
                                     const char *key, const json_t *value,
                                     perp_error *err)
{
    char *text = order_text(o, key);

    if (strcmp(key, "tolerance") == 0) {
        o->tolerance = json_number_value(value); /* 0 of what is no number */
        return o->tolerance > 0.0
                   ? PERP_OK
                   : order_fail(at, key, err, "found %s, expected a positive number",
                                perp_json_kind(value));
    }
    if (strcmp(key, "where") == 0 && json_is_object(value)) {
        return order_where(o, at, value, err);
    }
    if (strcmp(key, "y") == 0 && json_is_array(value)) {
        return order_list(text, at, key, value, err);
    }
    if (order_is_member(key) && !json_is_string(value)) {
        return order_fail(at, key, err, "found %s, expected a text",
                          perp_json_kind(value));
    }
    return order_put(o, at, key, json_string_value(value), err);
}

static perp_status order_read(figure_order *o, const order_place *at, const json_t *value,
                              perp_error *err)
{
    perp_status status = PERP_OK;
    const char *key = NULL;
    json_t *member = NULL;

    if (json_is_string(value)) {
        return order_parse(o, at, json_string_value(value), err);
    }
    if (!json_is_object(value)) {
        return order_fail(at, "", err, "found %s, expected a kind of figure or an object",
                          perp_json_kind(value));
    }
    json_object_foreach((json_t *)(uintptr_t)value, key, member)
    {
        if (status == PERP_OK) {
            status = order_read_member(o, at, key, member, err);
        }
    }
    if (status == PERP_OK && !*o->kind) {
        status = order_fail(at, "kind", err, "missing, see perp info figures");
    }
    return status == PERP_OK ? order_check(o, at, err) : status;
}

static bool suite_has_set(const json_t *suite, const char *name)
{
    const json_t *sets = json_object_get(suite, "sets");

    for (size_t k = 0; k < json_array_size(sets); k++) {
        const json_t *other = json_object_get(json_array_get(sets, k), "name");

        if (json_is_string(other) && strcmp(json_string_value(other), name) == 0) {
            return true;
        }
    }
    return false;
}

/* The set of the order: that in which it stands, or the one it names. */
static perp_status order_set(figure_order *o, const order_place *at, const json_t *suite,
                             const char *own, perp_error *err)
{
    if (own && *o->set && strcmp(o->set, own) != 0) {
        return order_fail(at, "set", err, "found \"%s\", but it stands in the set \"%s\"",
                          o->set, own);
    }
    if (own) {
        *o->set = '\0';
        return order_append(at, o->set, "set", "", own, err);
    }
    return !*o->set || suite_has_set(suite, o->set)
               ? PERP_OK
               : order_fail(at, "set", err, "the suite has no set \"%s\"", o->set);
}

/* "figures" of the suite, or of one of its sets, whose name is `own`. */
static perp_status orders_read_list(figure_orders *orders, const char *prefix,
                                    const json_t *suite, const json_t *list,
                                    const char *own, perp_error *err)
{
    perp_status status = PERP_OK;

    orders->given = orders->given || list;
    if (list && !json_is_array(list)) {
        return perp_fail(err, PERP_ERR_FORMAT, "%sfigures: found %s, expected a list",
                         prefix, perp_json_kind(list));
    }
    for (size_t k = 0; k < json_array_size(list) && status == PERP_OK; k++) {
        figure_order o = {.tolerance = NAN};
        order_place at;

        snprintf(at.text, sizeof at.text, "%sfigures[%zu]", prefix, k);
        status = order_read(&o, &at, json_array_get(list, k), err);
        if (status == PERP_OK) {
            status = order_set(&o, &at, suite, own, err);
        }
        if (status == PERP_OK) {
            order_add(orders, &o);
        } else {
            free(o.caption);
        }
    }
    return status;
}

perp_status figure_orders_read(figure_orders *orders, const char *file,
                               const json_t *suite, perp_error *err)
{
    const json_t *sets = json_object_get(suite, "sets");
    char prefix[ORDER_TEXT + 32];
    perp_status status = PERP_OK;

    memset(orders, 0, sizeof *orders);
    snprintf(prefix, sizeof prefix, "%.120s: ", file);
    status = orders_read_list(orders, prefix, suite, json_object_get(suite, "figures"),
                              NULL, err);
    for (size_t k = 0; k < json_array_size(sets) && status == PERP_OK; k++) {
        const json_t *set = json_array_get(sets, k);
        const char *name = json_string_value(json_object_get(set, "name"));

        snprintf(prefix, sizeof prefix, "%.120s: sets[%zu].", file, k);
        status = orders_read_list(orders, prefix, suite, json_object_get(set, "figures"),
                                  name, err);
    }
    if (status != PERP_OK) {
        figure_orders_free(orders);
    }
    return status;
}

perp_status figure_orders_check(const char *file, const char *suite, perp_error *err)
{
    figure_orders orders = {0};
    json_t *root = json_loads(suite, 0, NULL);
    perp_status status = figure_orders_read(&orders, file, root, err);

    figure_orders_free(&orders);
    json_decref(root);
    return status;
}

perp_status figure_orders_stored(figure_orders *orders, const char *dir, perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];
    perp_source from = {.name = path};
    json_t *suite = NULL;
    perp_status status = PERP_OK;

    memset(orders, 0, sizeof *orders);
    snprintf(path, sizeof path, "%s/suite.json", dir);
    if (access(path, F_OK) != 0) {
        return PERP_OK;
    }
    status = perp_json_load(&suite, &from, err);
    if (status == PERP_OK) {
        status = figure_orders_read(orders, path, suite, err);
    }
    json_decref(suite);
    perp_source_release(&from);
    return status;
}

void figure_orders_free(figure_orders *orders)
{
    for (size_t k = 0; k < orders->count; k++) {
        free(orders->orders[k].caption);
    }
    free(orders->orders);
    memset(orders, 0, sizeof *orders);
}
