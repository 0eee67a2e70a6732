/* SPDX-License-Identifier: Apache-2.0
 * report/page_data_details.c: what the page shows of one run when it is opened. */
#include <config.h>

#include <stdio.h>

#include "command/cli/answer.h"
#include "command/results/page_data_parts.h"

enum { DETAILS_SAMPLES = 60, DETAILS_DIGITS = 5 };

/* A text, or null for one that is missing or empty. */
static json_t *details_text(const json_t *record, const char *key)
{
    return answer_text(member_text(record, key));
}

/* The numbers of a value with few digits; other values as they are. */
static json_t *details_round(const json_t *value)
{
    json_t *list = NULL;

    if (json_is_real(value)) {
        return page_number(json_real_value(value), DETAILS_DIGITS);
    }
    if (!json_is_array(value)) {
        return value ? json_deep_copy(value) : json_null();
    }
    list = json_array();
    for (size_t k = 0; k < json_array_size(value); k++) {
        json_array_append_new(list, details_round(json_array_get(value, k)));
    }
    return list;
}

/* At most DETAILS_SAMPLES samples, spread evenly, the first and the last among them. */
static json_t *details_history(const json_t *record)
{
    const json_t *all = json_object_get(record, "history");
    size_t size = json_array_size(all);
    size_t count = size < DETAILS_SAMPLES ? size : DETAILS_SAMPLES;
    json_t *list = json_array();

    for (size_t k = 0; k < count; k++) {
        size_t at = count > 1 ? k * (size - 1) / (count - 1) : 0;

        json_array_append_new(list, details_round(json_array_get(all, at)));
    }
    return list;
}

/* "contact box/floor", or "block 7, row 21". */
static json_t *details_block_name(const json_t *block)
{
    char text[64];

    if (*member_text(block, "name")) {
        return json_string(member_text(block, "name"));
    }
    snprintf(text, sizeof text, "block %.0f, row %.0f",
             member_number(block, "block", 0.0), member_number(block, "row", 0.0));
    return json_string(text);
}

static json_t *details_worst(const json_t *blocks)
{
    const json_t *all = json_object_get(blocks, "worst");
    json_t *list = json_array();

    for (size_t k = 0; k < json_array_size(all); k++) {
        const json_t *block = json_array_get(all, k);
        json_t *o = json_object();

        answer_add(o, "name", details_block_name(block));
        answer_add(o, "residual", details_round(json_object_get(block, "residual")));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *details_contacts(const json_t *record)
{
    const json_t *blocks = json_object_get(record, "blocks");
    json_t *o = NULL;

    if (!json_is_object(blocks)) {
        return json_null();
    }
    o = json_object();
    answer_add(o, "worst", details_worst(blocks));
    answer_add(o, "quantiles", details_round(json_object_get(blocks, "quantiles")));
    return o;
}

/* Of a sequence: its items. */
static json_t *details_steps(const json_t *record)
{
    static const char *const names[] = {"iterations", "seconds", "residual", "outcome"};
    const json_t *steps = json_object_get(record, "steps");
    json_t *o = NULL;

    if (!json_is_object(steps)) {
        return json_null();
    }
    o = json_object();
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        answer_add(o, names[k], details_round(json_object_get(steps, names[k])));
    }
    return o;
}

static json_t *details_of(const stored_run *run)
{
    const json_t *record = run->json;
    json_t *o = json_object();

    answer_add(o, "key", details_text(record, "key"));
    answer_add(o, "reason", answer_text(run->reason));
    answer_add(o, "message", details_text(record, "message"));
    answer_add(o, "path", answer_copy(record, "path"));
    answer_add(o, "certificate", answer_copy(record, "certificate"));
    answer_add(o, "history", details_history(record));
    answer_add(o, "contacts", details_contacts(record));
    answer_add(o, "steps", details_steps(record));
    answer_add(o, "repeats", details_round(json_object_get(record, "seconds_all")));
    answer_add(o, "options", answer_copy(record, "options"));
    answer_add(o, "limits", answer_copy(record, "limits"));
    answer_add(o, "seed", answer_copy(record, "seed"));
    answer_add(o, "date", details_text(record, "date"));
    answer_add(o, "command", details_text(record, "command"));
    return o;
}

json_t *page_details(const stored_runs *s)
{
    json_t *list = json_array();

    for (size_t i = 0; i < s->count; i++) {
        json_array_append_new(list, details_of(&s->runs[i]));
    }
    return list;
}
