/* SPDX-License-Identifier: Apache-2.0
 * verbs/entry.c: perp info NAME, for a name that one of the lists of perp holds. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "command/cli/help.h"
#include "command/cli/output.h"
#include "command/verbs/entry.h"
#include "command/verbs/list.h"

/* Calls `see` for the entries of all lists, until it returns true. */
static bool entry_visit(bool (*see)(void *context, const char *list, const json_t *entry),
                        void *context)
{
    json_t *lists = list_lists();
    bool done = false;

    for (size_t k = 0; k < json_array_size(lists) && !done; k++) {
        const char *list =
            json_string_value(json_object_get(json_array_get(lists, k), "name"));
        json_t *entries = list ? list_entries(list) : NULL;

        for (size_t i = 0; i < json_array_size(entries) && !done; i++) {
            done = see(context, list, json_array_get(entries, i));
        }
        json_decref(entries);
    }
    json_decref(lists);
    return done;
}

static const char *entry_name(const json_t *entry)
{
    const char *name = json_string_value(json_object_get(entry, "name"));

    return name ? name : "";
}

static bool entry_is(void *context, const char *list, const json_t *entry)
{
    (void)list;
    return strcmp(entry_name(entry), context) == 0;
}

bool entry_detect(const char *word)
{
    return entry_visit(entry_is, (void *)(uintptr_t)word);
}

typedef struct entry_search {
    const char *word;
    json_t *found; /* {LIST: [entry]} */
} entry_search;

static bool entry_collect(void *context, const char *list, const json_t *entry)
{
    entry_search *s = context;
    json_t *of_list = json_object_get(s->found, list);

    if (strcmp(entry_name(entry), s->word) != 0) {
        return false;
    }
    if (!of_list) {
        of_list = json_array();
        json_object_set_new(s->found, list, of_list);
    }
    json_array_append(of_list, (json_t *)(uintptr_t)entry);
    return false;
}

/* A member as text: words of an array are separated by commas. */
static void entry_value(const json_t *value, char *text, size_t length)
{
    size_t used = 0;

    text[0] = '\0';
    if (json_is_string(value)) {
        snprintf(text, length, "%s", json_string_value(value));
    } else if (json_is_number(value)) {
        snprintf(text, length, "%g", json_number_value(value));
    } else if (json_is_boolean(value)) {
        snprintf(text, length, "%s", json_is_true(value) ? "yes" : "no");
    }
    for (size_t k = 0; k < json_array_size(value) && used < length; k++) {
        const json_t *item = json_array_get(value, k);

        if (json_is_string(item)) {
            used += (size_t)snprintf(text + used, length - used, "%s%s", used ? ", " : "",
                                     json_string_value(item));
        }
    }
}

static void entry_print(const char *list, const json_t *entry)
{
    const char *key = NULL;
    const json_t *value = NULL;
    char text[2048];

    output_print(stdout, OUTPUT_STRONG, "%s", entry_name(entry));
    printf(" (%s)\n", list);
    json_object_foreach((json_t *)(uintptr_t)entry, key, value)
    {
        entry_value(value, text, sizeof text);
        if (strcmp(key, "name") != 0 && *text) {
            output_fact(stdout, strcmp(key, "summary") == 0 ? "what it is" : key, "%s",
                        text);
        }
    }
    if (strcmp(list, "metrics") == 0) {
        const char *of = json_string_value(json_object_get(entry, "of"));

        if (strcmp(entry_name(entry), "residual") == 0 && of &&
            strcmp(of, "solve") == 0) {
            output_fact(stdout, "formula", "%s", help_residual);
        }
        output_fact(stdout, "page", "docs/measures.md");
    }
}

perp_status entry_info(const cli_args *args, const char *word, perp_error *err)
{
    entry_search s = {.word = word, .found = json_object()};
    const char *list = NULL;
    json_t *entries = NULL;

    entry_visit(entry_collect, &s);
    if (cli_args_given(args, "json")) {
        return output_json(stdout, s.found, false, err);
    }
    json_object_foreach(s.found, list, entries)
    {
        for (size_t k = 0; k < json_array_size(entries); k++) {
            entry_print(list, json_array_get(entries, k));
        }
    }
    json_decref(s.found);
    return PERP_OK;
}

static bool entry_offer(void *context, const char *list, const json_t *entry)
{
    perp_nearest *best = context;

    (void)list;
    perp_nearest_offer(best, entry_name(entry));
    return false;
}

perp_status entry_unknown(const char *word, perp_error *err)
{
    json_t *lists = list_lists();
    perp_nearest best;

    perp_nearest_start(&best, word);
    entry_visit(entry_offer, &best);
    for (size_t k = 0; k < json_array_size(lists); k++) {
        perp_nearest_offer(&best, entry_name(json_array_get(lists, k)));
    }
    if (perp_nearest_is_near(&best)) {
        perp_fail(err, PERP_ERR_READ,
                  "%s: there is no such file or name; did you mean \"%s\"?", word,
                  best.name);
    } else {
        perp_fail(err, PERP_ERR_READ,
                  "%s: there is no such file or name; `perp info` prints all names",
                  word);
    }
    json_decref(lists);
    return PERP_ERR_READ;
}
