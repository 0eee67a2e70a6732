/* SPDX-License-Identifier: Apache-2.0
 * cli/answer.c: parts of a result as JSON. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "command/cli/answer.h"
#include "command/cli/take.h"

void answer_add(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value ? value : json_null());
}

json_t *answer_copy(const json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);

    return value ? json_incref(value) : json_null();
}

json_t *answer_text(const char *text)
{
    json_t *value = text && text[0] ? json_string(text) : json_null();

    return value ? value : answer_file(text);
}

json_t *answer_file(const char *path)
{
    char *valid = take_made(perp_text_utf8(path));
    json_t *value = json_string(valid);

    free(valid);
    return value;
}

json_t *answer_real(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *answer_vector(const double *x, size_t n)
{
    json_t *array = json_array();

    for (size_t i = 0; i < n; i++) {
        json_array_append_new(array, answer_real(x[i]));
    }
    return array;
}

static json_t *answer_option(const perp_options *opt, const perp_option *o)
{
    char text[128];

    switch (o->kind) {
    case PERP_OPTION_REAL:
        return answer_real(perp_options_real(opt, o->name));
    case PERP_OPTION_INTEGER:
        return json_integer((json_int_t)perp_options_integer(opt, o->name));
    case PERP_OPTION_SWITCH:
        return json_boolean(perp_options_switch(opt, o->name));
    default:
        perp_options_print(opt, o->name, text, sizeof text);
        return json_string(text);
    }
}

json_t *answer_options(const perp_options *opt)
{
    json_t *object = json_object();

    for (size_t t = 0; t < PERP_OPTION_TABLES; t++) {
        for (const perp_option *o = opt->tables[t]; o && o->name; o++) {
            answer_add(object, o->name, answer_option(opt, o));
        }
    }
    return object;
}

/* A measure by its type: the functions are named after it. */
static json_t *answer_double(const double *x)
{
    return answer_real(*x);
}

static json_t *answer_size_t(const size_t *count)
{
    return json_integer((json_int_t)*count);
}

static json_t *answer_perp_percentiles(const perp_percentiles *s)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "max", answer_real(s->max), "p50",
                     answer_real(s->p50), "p90", answer_real(s->p90), "p99",
                     answer_real(s->p99));
}

json_t *answer_measures(const perp_measures *m)
{
    json_t *object = json_object();

#define ANSWER_PUT(type, member, unit, meaning)                                          \
    answer_add(object, #member, answer_##type(&m->member));
    PERP_MEASURE_LIST(ANSWER_PUT)
#undef ANSWER_PUT
    return object;
}

json_t *answer_work(const perp_work *work)
{
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f}", "products", work->products,
                     "factorizations", work->factorizations, "flops_factor",
                     work->flops_factor, "pivots", work->pivots, "projections",
                     work->projections, "rounds", work->rounds);
}

json_t *answer_history(const perp_result *r)
{
    json_t *array = json_array();

    for (size_t k = 0; k < r->history_count; k++) {
        const perp_history_sample *h = &r->history[k];

        json_array_append_new(array, json_pack("[I, f, f, o]", (json_int_t)h->iteration,
                                               h->seconds, h->products,
                                               answer_real(h->residual)));
    }
    return array;
}

json_t *answer_path(const perp_solution_path *path)
{
    json_t *array = json_array();

    for (size_t k = 0; k < path->count; k++) {
        json_array_append_new(array, json_string(path->step[k]));
    }
    return array;
}

json_t *answer_hash(uint64_t hash)
{
    char text[17];

    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    return json_string(text);
}

json_t *answer_foreign(const perp_foreign *foreign)
{
    if (!foreign->ran) {
        return json_null();
    }
    return json_pack(
        "{s:o, s:b, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o}", "claim",
        answer_text(foreign->claim), "false_claim", (int)foreign->false_claim, "missed",
        foreign->missed > 0.0 ? answer_real(foreign->missed) : json_null(), "factor",
        answer_real(foreign->factor), "calls", (json_int_t)foreign->calls,
        "search_seconds", answer_real(foreign->search_seconds), "version",
        answer_text(foreign->version), "reformulation",
        answer_text(foreign->reformulation), "seconds",
        foreign->seconds > 0.0 ? answer_real(foreign->seconds) : json_null(),
        "wall_seconds", answer_real(foreign->wall_seconds));
}
